"""AlphaGo Zero's search: the same tree, priors and values from a network, leaves judged a few at a time.

    Zero(game, weights="runs/connect-four").reports(position, Limits(seconds=1))

Walks of one batch know nothing of each other but their virtual losses, so a batch is small as long as the tree is: one
leaf for every SHARE visits of the root, `batch` at most. Reference: Silver et al. (2017), Mastering the game of Go
without human knowledge; Wu (2019), Accelerating self-play learning in Go, for the reduction.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zermelo.compile.record_game import RecordGame
from zermelo.core.spec import whole
from zermelo.search.endings import Endings
from zermelo.search.mcts.evaluator import HandcraftedEvaluator
from zermelo.search.mcts.network import HANDCRAFTED, NetworkEvaluator, read_network
from zermelo.search.mcts.searcher import MCTS
from zermelo.search.searcher import need_rules

EXPLORATION, REDUCTION = 0.8, 0.1
SHARE = 8
A_THREAD, ON_CARD = 8, 64  # leaves of a batch


class Zero(MCTS):
    """A Monte Carlo tree search guided by a network; for comparison, by the rules' own evaluation ("handcrafted")."""

    def __init__(
        self,
        game: RecordGame,
        *,
        weights: Path | str | None = None,
        threads: int = 1,
        device: str = "cpu",
        batch: int | None = None,
        exploration: float = EXPLORATION,
        reduction: float = REDUCTION,
        solver: bool = True,
        memory_mb: float = 256.0,
        seed: int = 0,
        endings: Endings | None = None,
    ):
        whole("threads", threads, 1)
        size = (A_THREAD * threads if device == "cpu" else ON_CARD) if batch is None else batch
        network: Any
        if weights == HANDCRAFTED:
            network = HandcraftedEvaluator(game)
        else:
            network = NetworkEvaluator(need_rules(game), *read_network(game, weights), threads, device, size)
        super().__init__(
            game, exploration=exploration, reduction=reduction, solver=solver, memory_mb=memory_mb, seed=seed,
            evaluator=network, batch=size, endings=endings,
        )  # fmt: skip
        self.network = network

    def _batch_size(self) -> int:
        return min(self.batch, max(1, int(self.tree.nodes[self._at].visits) // SHARE))
