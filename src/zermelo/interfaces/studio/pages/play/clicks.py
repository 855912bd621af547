"""From clicks to a move: which cells lead on, which move is meant, and what must still be asked.

A game says which cells are clicked for each move (`Game.clicks`), in one or in several orders (its hook
`click_orders`). Here is the part of such a sequence that has been clicked:

    clicks = ClickSequence(history)
    clicks.click("e7"), clicks.click("e8")     no move yet: four moves go on from here
    clicks.next                               ("=N", "=B", "=R", "=Q"): no cells of the board, so buttons
    clicks.click("=Q")                        the move
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import Any

from zermelo.core.game import CHANCE, GameError
from zermelo.core.history import History

Cells = tuple[str, ...]
OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}
FEW = 8  # moves of a game that is played in directions


class ClickSequence:
    """The clicks of one move in the making."""

    def __init__(self, history: History[Any, Any]):
        self.game, self.state = history.game, history.state
        game, s = self.game, self.state
        self.cells: Cells = ()
        self.is_refused = False  # did the last click lead nowhere?
        self.ways: list[tuple[Cells, Any]] = []
        if history.is_over or game.player(s) == CHANCE:
            return
        orders = game.hook("click_orders") or (lambda s, a: [game.clicks(s, a)])
        self.ways = [(tuple(way), a) for a in history.actions() for way in orders(s, a) if way]

    @property
    def is_in_steps(self) -> bool:
        """Is a move made of steps in any order, each clicked from where to where?"""
        return self.game.hook("click_orders") is not None and all(len(way) % 2 == 0 for way, _ in self.ways)

    @property
    def steps(self) -> Cells:
        """The steps that have been made, without the piece in hand; nothing where a move is one step."""
        return self.cells[: len(self.cells) // 2 * 2] if self.is_in_steps else ()

    @property
    def held(self) -> str | None:
        """Where the piece in hand stands."""
        return self.cells[-1] if self.cells != self.steps else None

    @property
    def _open(self) -> list[tuple[Cells, Any]]:
        n = len(self.cells)
        return [(way, a) for way, a in self.ways if way[:n] == self.cells]

    @property
    def next(self) -> Cells:
        """The cells that lead on, in the order of the moves."""
        n = len(self.cells)
        return tuple(dict.fromkeys(way[n] for way, _ in self._open if len(way) > n))

    @property
    def targets(self) -> Cells:
        """What a drawing points out: where the piece in hand may go; before the first click, where one click is all."""
        if self.cells:
            return self.next
        if self.is_dragged:
            return ()
        return tuple(dict.fromkeys(self.game.clicks(self.state, a)[0] for _, a in self.ways))

    @property
    def complete(self) -> list[Any]:
        """The moves whose clicks have all been made; more than one where others go on, or clicks do not tell."""
        return list(dict.fromkeys(a for way, a in self._open if way == self.cells and way))

    def click(self, cell: str) -> Any | None:
        """Click a cell; the move, if that makes one and nothing can follow."""
        self.is_refused = False
        if cell in self.next:
            self.cells = (*self.cells, cell)
        elif cell == self.held:  # once more: put it down again
            self.put_down()
            return None
        else:
            self.cells = self.steps
            self.is_refused = cell not in self.next
            if self.is_refused:
                return None
            self.cells = (*self.cells, cell)
        complete = self.complete
        return complete[0] if len(complete) == 1 and not self.next else None

    @property
    def starts(self) -> set[str]:
        """Where a step may begin, now or once what is in hand is put down."""
        found = set()
        for made in (self.cells, self.steps):
            n = len(made)
            found |= {way[n] for way, _ in self.ways if way[:n] == made and len(way) > n + 1}
        return found

    @property
    def is_dragged(self) -> bool:
        """Do moves go from one cell to another?"""
        return any(len(way) > 1 for way, _ in self.ways)

    def why_not(self, cell: str, held: str | None) -> str:
        """Why a click did nothing, with the piece of a cell in hand: the game's own reason, or only that it is so."""
        refusal = self.game.hook("refusal")
        reason = "" if refusal is None else str(refusal(self.state, cell))
        if reason or held is not None:
            return reason or f"no legal move goes from {held} to {cell}"
        return f"no legal move begins at {cell}" if self.is_dragged else f"{cell} is not a legal move"

    @cached_property
    def pushes(self) -> dict[str, Any]:
        """The moves somebody means by up, down, left and right, where the game understands that."""
        found = {}
        for direction in OPPOSITE if len({a for _, a in self.ways}) <= FEW else ():
            with suppress(GameError):
                found[direction] = self.game.parse_action(self.state, direction)
        return found

    def put_down(self) -> None:
        """Put down the piece in hand; the steps before stay."""
        self.cells = self.cells[:-1]

    def step_back(self) -> None:
        """Take back the last step: the piece in hand, or where it came to."""
        self.put_down()
        self.cells = self.steps if self.is_in_steps else self.cells
