"""Searches, compiled over any rules.

`zermelo.search` is this package, and calling it searches (core/callable_package.py):

    report = zermelo.search(game, state, seconds=1)     # report.best, .value, .pv, .depth, .nodes
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.core.callable_package import make_callable

if TYPE_CHECKING:
    from zermelo.core.game import Game
    from zermelo.search.report import Report
    from zermelo.search.searcher import Position


def find_best(
    game: str | Game[Any, Any],
    position: Position | None = None,
    *,
    seconds: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    algorithm: str | None = None,
    **settings: Any,
) -> Report:
    """Search `position` (a state, a History, or the start) of a game, for one second unless told otherwise.

    `algorithm` is a spec such as "mcts:rave=300" (search/registry.py lists them all), by default alphabeta, or maxn for
    more than two sides. `settings` are the algorithm's: for alphabeta threads, table, evaluator, options, multi_pv.
    """
    from zermelo.search.registry import open_search
    from zermelo.search.searcher import answer

    searcher, limits = open_search(game, algorithm, seconds=seconds, depth=depth, nodes=nodes, **settings)
    return answer(searcher, position, limits)


make_callable(__name__, f"{__name__}:find_best")
