"""Share of moves that keep what a position of connect four is worth: a network alone, and searches guided by it.

2,000 positions of 4 to 30 random plies, in which the game is not over; BitBully (PyPI: bitbully) says what every move
is worth, and how soon. "Value": the move still wins, or still draws; "score": as soon, or loses as late, as any.

    python -m benchmarks moves_kept                       the weights that come along; where there is a card, on it
    python -m benchmarks.moves_kept WEIGHTS [POSITIONS]   others: a file; POSITIONS: a file that solved ones are kept in
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import zermelo
from benchmarks.batches import has_card
from benchmarks.report import Row

POSITIONS, PLIES = 2000, (4, 30)
STAGES = ((4, 30), (4, 7), (8, 15), (16, 30))
ASKED = {("alone", 0): 90.0, ("puct", 100): 99.0, ("puct", 800): 99.8}
SEARCHES = (("gumbel", 100), ("puct", 100), ("puct", 800))
NONE = -1000  # stands for the score of a move that is not legal


def solved(file: Path | None = None) -> tuple[np.ndarray, np.ndarray]:
    """(moves (POSITIONS, 30), -1 behind the last; scores (POSITIONS, 7))."""
    if file is not None and file.exists():
        with np.load(file) as kept:
            return kept["moves"], kept["scores"]
    from bitbully import BitBully, Board

    solver, random, game = BitBully(), Random(1), zermelo.load("connect-four")
    moves = np.full((POSITIONS, PLIES[1]), -1, np.int64)
    scores = np.full((POSITIONS, 7), NONE, np.int64)
    for i in range(POSITIONS):
        history, plies = zermelo.History(game), random.randint(*PLIES)
        while len(history.moves) < plies:
            history.play(random.choice(history.actions()))
            if history.is_over:
                history, plies = zermelo.History(game), random.randint(*PLIES)
        moves[i, :plies] = history.moves
        board = Board()
        for column in history.moves:
            board.play(int(column))
        for column, score in solver.score_all_moves(board).items():
            scores[i, column] = score
    if file is not None:
        np.savez(file, moves=moves, scores=scores)
    return moves, scores


def place(moves: np.ndarray, device: str) -> Any:
    """A batch with the positions that these moves lead to."""
    batch = zermelo.batch("connect-four", len(moves), device=device, seed=1, checked=False, watch=["planes", "legal"])
    for column in moves.T:
        batch.step(np.maximum(column, 0), where=column >= 0)
    return batch


def kept(chosen: np.ndarray, scores: np.ndarray, among: np.ndarray) -> tuple[float, float]:
    """(share of moves that keep the value, that keep the score), in percent."""
    theirs, best = scores[np.arange(len(scores)), chosen], scores.max(1)
    right, exact = np.sign(theirs) == np.sign(best), theirs == best
    return 100 * right[among].mean(), 100 * exact[among].mean()


def chosen_by(batch: Any, judge: Any, how: str, simulations: int) -> np.ndarray:
    from zermelo.search.forest.forest import make_forest
    from zermelo.search.forest.settings import Settings

    if how == "alone":
        logits, _ = judge(batch.planes)
        read = batch.device.read
        return np.where(read(batch.legal) != 0, np.asarray(logits, np.float64), -np.inf).argmax(1)
    forest = make_forest(batch, simulations, Settings(kind=how, gumbel=0.0))
    forest.search(judge)
    return np.asarray(batch.device.read(forest.chosen))


def run(weights: str = "", file: Path | None = None) -> Iterator[Row]:
    try:
        from zermelo.batch.judge import make_judge

        moves, scores = solved(file)
    except ImportError as missing:
        print(f"moves_kept: {missing}", file=sys.stderr)
        return
    from zermelo.evaluate.tower.files import load_tower

    game = zermelo.load("connect-four")
    shipped = Path(zermelo.__file__).parent / "evaluate/weights/zero/connect-four.safetensors"
    judge = make_judge(game, *load_tower(weights or str(shipped), game))
    plies = (moves >= 0).sum(1)
    for how, simulations in (("alone", 0), *SEARCHES):
        batch = place(moves, "cuda" if has_card() else "cpu")
        chosen = chosen_by(batch, judge, how, simulations)
        for least, most in STAGES:
            right, exact = kept(chosen, scores, (plies >= least) & (plies <= most))
            name = "network alone" if how == "alone" else f"{how}, {simulations} simulations"
            asked = f"≥ {ASKED[how, simulations]} %" if (how, simulations) in ASKED and most - least == 26 else ""
            yield Row(f"{name}, {least} to {most} plies: {exact:.1f} % keep the score, value", "%", right, bar=asked)


if __name__ == "__main__":
    from benchmarks.report import show

    show(list(run(sys.argv[1], Path(sys.argv[2]) if len(sys.argv) > 2 else None)))
