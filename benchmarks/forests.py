"""Many tree searches at once beside the single one, both with a judge that costs nothing; one core each.

What is left is the trees: walks, rules, priors, values. A simulation of the single search goes with a batch of 16
leaves, those of a forest with one leaf of every tree.

    python -m benchmarks forests            the cores of this machine; with a card, that too
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import zermelo
from benchmarks.batches import has_card
from benchmarks.report import Row, best_rate, in_turn
from zermelo.batch.batch import make_batch
from zermelo.core.game import CHANCE
from zermelo.search.forest import Forest, Settings, make_forest
from zermelo.search.limits import Limits
from zermelo.search.mcts.searcher import MCTS
from zermelo.search.searcher import answer

GAMES = ["connect-four", "othello", "go", "hex", "chess", "game-2048"]
SIMULATIONS = 64
TREES = {"cpu": 256, "cuda": 8192}


class Indifferent:
    """An evaluator that has made up its mind."""

    def __init__(self, game: Any, n: int = 16):
        rng = np.random.default_rng(1)
        self.values = rng.integers(-4, 5, (n, game.players)) / 8
        self.priors = rng.random((n, game.variant.width)) + 0.1

    def evaluate(self, states: Any) -> tuple[Any, Any]:
        return self.values[: len(states)], self.priors[: len(states)]


def run() -> Iterator[Row]:
    for name in GAMES:
        game: Any = zermelo.load(name)
        state = game.start()
        while game.player(state) == CHANCE:
            state = game.succ(state, game.actions(state)[0])
        single = MCTS(game, evaluator=Indifferent(game), memory_mb=64)

        def alone(single=single, state=state) -> float:  # type: ignore[no-untyped-def]
            def work() -> int:
                single.clear()
                return answer(single, state, Limits(nodes=SIMULATIONS * 64)).nodes

            return best_rate(work, 3)

        for kind in ("puct", "gumbel"):
            forest, judge = ready(game, "cpu", kind)

            def ours(forest=forest, judge=judge) -> float:  # type: ignore[no-untyped-def]
                return best_rate(lambda: simulate(forest, judge), 3)

            rates = in_turn(ours, alone, 2)
            what = f"{forest.n} trees, {name}, {kind}"
            yield Row(what, "simulations/s", *rates, "search.mcts, one tree")
            if has_card():
                forest, judge = ready(game, "cuda", kind)
                rate = best_rate(lambda: simulate(forest, judge), 3)  # noqa: B023
                yield Row(f"{forest.n} trees, {name}, {kind}, cuda", "simulations/s", rate)


def ready(game: Any, device: str, kind: str) -> tuple[Forest, Any]:
    """A forest in the opening, compiled, and what judges it: the same numbers whatever it is shown."""
    batch = make_batch(game, TREES[device], device=device, seed=1, threads=1 if device == "cpu" else None)
    batch.random_steps(4)
    forest, rng = make_forest(batch, SIMULATIONS, Settings(kind=kind)), np.random.default_rng(1)
    shape = (batch.n, forest.sizes.numbers)
    logits = batch.device.array(rng.normal(size=shape).astype(np.float32))
    values = batch.device.array((rng.integers(-4, 5, (batch.n, game.players)) / 8).astype(np.float32))
    simulate(forest, judge := lambda seen: (logits, values))
    return forest, judge


def simulate(forest: Forest, judge: Any) -> int:
    forest.search(judge)
    return forest.n * SIMULATIONS
