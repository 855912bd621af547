"""What a device brings to who counts and samples: perft shared out, and random games for Monte Carlo.

python -m benchmarks devices            perft of chess and the games a second of flat Monte Carlo and tree search,
                                        by one core, by all cores and, where there is one, by a card
python -m benchmarks.devices match      the tree searches against each other at equal time, which takes minutes
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any

import zermelo
from benchmarks.batches import has_card
from benchmarks.report import Row
from zermelo.search.limits import Limits
from zermelo.search.perft import perft_nodes
from zermelo.search.perft_split import split_perft
from zermelo.search.registry import make_searcher
from zermelo.search.searcher import answer

SECONDS = 1.0  # of a search
GAMES = ("connect-four", "othello", "go")


def run() -> Iterator[Row]:
    yield from perft()
    yield from sampling()


def perft() -> Iterator[Row]:
    game, known = zermelo.load("chess"), {5: 4_865_609, 6: 119_060_324, 7: 3_195_901_860}
    perft_nodes(game, 1)
    alone = timed(lambda: perft_nodes(game, 6)[0], known[6], 1)
    for device in devices():
        split_perft(game, 2, device=device)  # compiles
        for depth in (6, 7) if device == "cuda" else (6,):
            seconds = timed(lambda d=depth, on=device: split_perft(game, d, device=on)[0], known[depth], 3)
            peer = {"theirs": known[6] / alone, "peer": "one core, every line"} if depth == 6 else {}
            yield Row(
                f"chess perft {depth} shared out, {device}: {seconds:.3f} s", "lines/s", known[depth] / seconds, **peer
            )


def timed(work: Any, right: int, times: int) -> float:
    """The least time that it takes to get the right number."""
    best = float("inf")
    for _ in range(times):
        began = time.perf_counter()
        found = work()
        best = min(best, time.perf_counter() - began)
        if found != right:
            raise SystemExit(f"perft says {found:,}, and it is {right:,}")
    return best


def sampling() -> Iterator[Row]:
    for name in GAMES:
        game = zermelo.load(name, size=9) if name == "go" else zermelo.load(name)
        alone = games_a_second(game, "montecarlo")
        for device in devices():
            rate = games_a_second(game, f"montecarlo:device={device}")
            yield Row(f"random games of flat Monte Carlo, {name}, {device}", "games/s", rate, alone, "one core")
        alone = games_a_second(game, "mcts")
        yield Row(f"simulations of tree search, {name}, one core, a game each", "leaves/s", alone)
        for device in devices():
            for playouts in (16, 128, 1024):
                rate = games_a_second(game, f"mcts:device={device},playouts={playouts}")
                yield Row(
                    f"leaves of tree search, {name}, {device}, {playouts} games each",
                    "leaves/s",
                    rate,
                    alone,
                    "one core",
                )


def games_a_second(game: Any, spec: str) -> float:
    searcher = make_searcher(game, spec)
    answer(searcher, game.start(), Limits(seconds=0.1))  # compiles
    searcher.clear()
    report = answer(searcher, game.start(), Limits(seconds=SECONDS))
    return report.nodes / report.seconds


def devices() -> tuple[str, ...]:
    return ("cpu", "cuda") if has_card() else ("cpu",)


def matches(seconds: float = 0.05, games: int = 20) -> None:
    """Tree search by a device against tree search by one core, the same time a move."""
    from zermelo.arena.match import match

    for name in ("connect-four", "othello"):
        for spec in ("playouts=16", "playouts=128", "playouts=1024"):
            ours, theirs = f"mcts:seconds={seconds},device={devices()[-1]},{spec}", f"mcts:seconds={seconds}"
            result = match(name, ours, theirs, games=games, jobs=0)
            print(f"{name}: {ours} against {theirs}: {result.score:.2f} of {result.games}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:] != ["match"]:
        raise SystemExit("python -m benchmarks devices, or python -m benchmarks.devices match")
    matches()
