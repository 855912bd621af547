"""Searches, compiled over any rules.

`zermelo.search` is this package, and calling it searches (core/callable_package.py):

    report = zermelo.search(game, state, seconds=1)     # report.best, .value, .line, .depth, .nodes
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.core.callable_package import make_callable

if TYPE_CHECKING:
    from zermelo.search.report import Report


def find_best(
    game: Any,
    position: Any = None,
    *,
    seconds: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    **settings: Any,
) -> Report:
    """Search `position` (a state, a History, or the start) by alpha-beta, one second unless told otherwise.

    `settings` are those of `zermelo.search.alphabeta.searcher.AlphaBeta`: threads, table_mb, evaluator, options, every.
    """
    from zermelo.search.alphabeta.searcher import AlphaBeta
    from zermelo.search.limits import Limits
    from zermelo.search.searcher import answer

    if seconds is None and depth is None and nodes is None:
        seconds = 1.0
    return answer(AlphaBeta(game, **settings), position, Limits(seconds, depth, nodes))


make_callable(__name__, f"{__name__}:find_best")
