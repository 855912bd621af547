"""The doors: commands that take rules. Each is what somebody would type, made short; `batch` is a script's."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from zermelo.compile.watchdog import StuckCall

BY_PYTHON = ("-o", "compiled=false")


@dataclass(frozen=True)
class Door:
    name: str
    arguments: tuple[str, ...]  # of the command line; GAME stands for the mutant's file
    share: float  # of the time of a run
    patience: float  # seconds, on an idle machine, after which it counts as hanging


# Compiling takes most of the time, so that not every mutant can go through every door: `plain` takes them all, the
# others as many as their share of the time is good for.
DOORS = {
    door.name: door
    for door in (
        Door("plain", ("check", "GAME", *BY_PYTHON, "--seconds", "0.1", "--games", "5", "--positions", "40"), 0.5, 30),
        Door("perft", ("perft", "GAME", "3"), 0.12, 60),
        Door("check", ("check", "GAME", "--seconds", "0.5", "--games", "5", "--positions", "40"), 0.08, 45),
        Door("search", ("search", "GAME", "--depth", "5", "--nodes", "20000", "--seconds", "3"), 0.10, 45),
        Door("mcts", ("search", "GAME", "--algorithm", "mcts", "--nodes", "500", "--seconds", "3"), 0.08, 45),
        Door("batch", ("batch", "GAME"), 0.05, 60),
        Door("train", ("train", "GAME", "--games", "30", "--threads", "1", "--folder", "run"), 0.07, 90),
    )
}
FIRST = "plain"  # every mutant goes through this one


def leave(stuck: StuckCall) -> None:
    """Rules never come back."""
    print(f"zermelo: {stuck.sentence}", file=sys.stderr, flush=True)
    os._exit(2)


def run_batch(game: str) -> int:
    """Sixty-four games at once, as a script plays them that has a watchdog, as commands and workers have; what is wrong
    is told as the command line does."""
    import zermelo
    from zermelo.compile.watchdog import RulesWatchdog

    RulesWatchdog(leave)
    try:
        games = zermelo.batch(zermelo.load(game), 64, device="cpu")
        games.random_steps(40)
        print(float(games.utilities.sum()))
    except zermelo.GameError as wrong:
        print(f"zermelo: {wrong}", file=sys.stderr)
        return 2
    return 0
