"""Which function of the rules never comes back: looked for in plain Python, from a position on, for a few seconds."""

from __future__ import annotations

import time
from typing import Any

from zermelo.check.report import examiner_of, fault_of
from zermelo.check.walk import Walk
from zermelo.core.game import Game, GameError

POSITIONS, GAMES = 300, 50
LOOPS = "loops"  # the kind of fault


def find_loop(game: Game[Any, Any], state: Any = None, seconds: float = 20.0) -> str:
    """The function, its line, and the moves from `state` that lead there, as a sentence; "" if none was found."""
    examiner = examiner_of(getattr(game, "interpreted", game))
    if state is not None:
        examiner.start = lambda: state  # type: ignore[method-assign]
    walk = Walk(examiner, seed=0, longest=1_000)
    try:
        walk.deadline = time.monotonic() + seconds / 2
        walk.breadth_first(POSITIONS)
        if not any(found.problem.kind == LOOPS for found in walk.faults.values()):
            walk.deadline = time.monotonic() + seconds / 2
            walk.random_games(GAMES)
    except GameError:
        pass
    for found in walk.faults.values():
        if found.problem.kind == LOOPS:
            fault = fault_of(walk, found)
            moves = f", after {' '.join(fault.moves)}" if fault.moves else ""
            return f"{fault.sentence}{moves}; position: {fault.position}"
    return ""
