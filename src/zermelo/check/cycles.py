"""Positions that come back: the shortest cycle near the start of a game that does not end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from zermelo.core.game import Game

CYCLE_STARTS, CYCLE_STATES = 100, 200  # how far a repeated position is looked for
CYCLE_SECONDS = 2.0


def shortest_cycle(game: Game[Any, Any]) -> tuple[list[Any], list[Any]] | None:
    """The moves to a position and back to it again, as few as were found; None if no position near returns."""
    best: tuple[list[Any], list[Any]] | None = None
    until = time.monotonic() + CYCLE_SECONDS
    for s, before in _nearest(game, game.start(), CYCLE_STARTS):
        for t, around in _nearest(game, s, CYCLE_STATES):
            length = len(before) + len(around) + 1
            if (best is not None and length >= len(best[0]) + len(best[1])) or time.monotonic() > until:
                break
            back = [a for a in game.actions(t) if game.succ(t, a) == s]
            if back:
                best = before, [*around, back[0]]
                break
    return best


def _nearest(game: Game[Any, Any], s: Any, most: int) -> Iterator[tuple[Any, list[Any]]]:
    """States in the order of their distance from `s`, with the moves that lead there."""
    came: dict[Any, tuple[Any, Any] | None] = {s: None}
    for t in (queue := [s]):
        yield t, path_to(t, came)
        for a in game.actions(t) if len(came) < most else ():
            after = game.succ(t, a)
            if after not in came:
                came[after] = (t, a)
                queue.append(after)


def path_to(s: Any, came: dict[Any, tuple[Any, Any] | None]) -> list[Any]:
    """The moves to `s`; `came`: from which state, by which action."""
    actions: list[Any] = []
    step = came[s]
    while step is not None:
        actions.append(step[1])
        step = came[step[0]]
    return actions[::-1]
