"""Search for any number of players, by one word: "maxn", "paranoid" or "best-reply". Iterative deepening.

                 the player to move (view)     the others                                  value
    maxn         maximizes its side's total    each side maximizes its own total           one number a player
    paranoid     maximizes its own payoff      minimize it, all together                   the view's
    best-reply   maximizes its own payoff      minimize it, but only one of them is free   the view's

Between two sides of a zero-sum game the three agree: with minimax (best-reply: where only one opponent moves at a
time). Nature is averaged and costs no depth. `root` compares the root's moves; the kernels `maxn` and
`paranoid` search below one of them in a `stack`; `bounds` says what pruning may rely on.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from zermelo.core.game import Game, GameError
from zermelo.search.limits import Limits, compile_first, timed_reports
from zermelo.search.multiplayer.bounds import find_bounds
from zermelo.search.multiplayer.root import Root
from zermelo.search.report import Report
from zermelo.search.searcher import Position, Stoppable, history_of, need_rules

KINDS = ("maxn", "paranoid", "best-reply")


class Multiplayer(Stoppable):
    """A searcher (see search/searcher.py) for games of any number of players, teams and nature included.

    `utility_range` is the least and the most that anybody can get, estimates included; what the game declares is used
    where it is not given. `pruning=False` visits every node and finds the same.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        kind: str = "maxn",
        *,
        utility_range: tuple[float, float] | None = None,
        pruning: bool = True,
    ):
        if kind not in KINDS:
            raise GameError(f"a search for any number of players is one of {', '.join(KINDS)}, not '{kind}'")
        self.game = need_rules(game)
        self.kind = kind
        self.pruning = pruning
        self.bounds = find_bounds(self.game, utility_range, pruning)

    def reports(self, position: Position, limits: Limits) -> Generator[Report, None, None]:
        """One report after every completed depth, and a last one that says why the search ended."""
        history, control = history_of(self.game, position), self.begin()
        root = compile_first(lambda: Root(self.game, self.kind, history, self.bounds, self.pruning), history)

        def work(emit: Callable[[Report], None]) -> None:
            root.begin(control, limits.nodes)
            root.deepen(limits, emit)
            self.bounds = root.bounds  # without those that did not hold

        return timed_reports(work, control, limits, history)

    def clear(self) -> None:
        """Nothing is kept from one position to the next."""
