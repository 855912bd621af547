"""Self-play learning on one core: games a second, and how near that is to what the arithmetic alone would take.

The limit: the floating-point work of a game (every successor's forward pass, every position's step) done at the speed
at which one core multiplies large matrices, with nothing for rules, dice, features and memory.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

import zermelo
from benchmarks.report import Row, best_rate
from zermelo.learn.settings import Settings
from zermelo.learn.trainer import Trainer

ACTIVE = 37  # features of a position, about
WARM = 3_000  # games before the clock starts: beginners' games are longer and odd
GAMES = 2_000


def matrix_rate() -> float:
    """Floating-point operations a second of one core, multiplying matrices (NumPy's own library, one thread)."""
    n = 512
    a, b = np.ones((n, n), np.float32), np.ones((n, n), np.float32)
    best = 0.0
    for _ in range(10):
        begin = time.process_time()
        for _ in range(4):
            a @ b
        best = max(best, 4 * 2 * n**3 / (time.process_time() - begin))  # processor time: of however many threads
    return best


def work(trainer: Trainer) -> float:
    """Floating-point operations of one game, by the last round."""
    hidden, outputs = trainer.net.hidden[0], trainer.net.sizes[-1]
    forward = 2 * (ACTIVE * hidden + hidden * outputs) + 15 * (hidden + outputs)  # σ takes about 15
    step = 2 * forward
    totals, games = trainer.totals, trainer.settings.games_per_round
    return (totals["successors"] * forward + totals["positions"] * (forward + step)) / games


def run() -> Iterator[Row]:
    game = zermelo.load("backgammon")
    for hidden, bar in ((40, "≥ 300, aim 1,000"), (80, ""), (160, "")):
        trainer = Trainer(
            game, Settings(hidden=(hidden,), games=10**9, games_per_round=WARM, schedule="constant"), threads=1
        )
        trainer.round()
        trainer.settings = Settings(hidden=(hidden,), games=10**9, games_per_round=GAMES, schedule="constant")

        def play(trainer: Trainer = trainer) -> int:
            trainer.round()
            return GAMES

        rate = best_rate(play, 3)
        limit = matrix_rate() / work(trainer)
        yield Row(f"learning backgammon, {hidden} hidden units", "games/s", rate, limit, "the arithmetic alone", bar)
