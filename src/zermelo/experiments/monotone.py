"""What matters to a search: the order of the utilities, or how far apart they are?

Put f(u) in place of every utility u, with an increasing f. Minimax compares utilities and nothing else, so it plays as
before. Expectiminimax averages them at chance nodes, and an average is kept in order only by f(u) = a·u + b, a > 0:
other changes, though they change nobody's preference between two certain outcomes, change the moves in a share of the
trees. This is why an evaluation for a game with dice has to be right in size and not only in order.

Counted on complete random trees with utilities uniform in [−1, 1): MAX and MIN in turn, and MAX, chance, MIN, where the
outcomes of chance are equally likely. What is compared is the move at the root.

Reference: von Neumann and Morgenstern, "Theory of Games and Economic Behavior", 1944, on utility up to a·u + b.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zermelo.core.game import GameError
from zermelo.core.words import count
from zermelo.experiments.figures import new_figure, save
from zermelo.experiments.trees import Mover, Values, grow, node_values

Change = Callable[[Values], Values]

CHANGES: Mapping[str, Change] = {  # all increasing on [−1, 1)
    "3u + 2": lambda u: 3 * u + 2,
    "u³": lambda u: u**3,
    "exp 2u": lambda u: np.exp(2 * u),
    "tanh 3u": lambda u: np.tanh(3 * u),
}
MOST_LEAVES = 1 << 24  # of all trees together: 128 MB


@dataclass(frozen=True)
class Row:
    """The share of trees in which a change of the utilities changes the move at the root."""

    change: str
    minimax: float
    expectiminimax: float
    error: float  # the standard error of the latter


@dataclass(frozen=True)
class Monotone:
    """What `run_monotone` measured."""

    branching: int
    rounds: int
    trees: int
    seed: int
    rows: tuple[Row, ...]

    def table(self) -> str:
        lines = [
            f"share of {count(self.trees, 'random tree')} in which other utilities make for another move at the root "
            f"({count(self.branching, 'move')} a node, rounds: {self.rounds}, seed {self.seed})",
            f"{'utilities':>9} {'minimax':>9} {'expectiminimax':>18}",
        ]
        for row in self.rows:
            share = f"{row.expectiminimax:.1%} ± {row.error:.1%}"
            lines.append(f"{row.change:>9} {row.minimax:>9.1%} {share:>18}")
        return "\n".join(lines)

    def figure(self, path: str | os.PathLike[str]) -> Path:
        """Two small bars for each change."""
        figure, axes = new_figure(height=3.2)
        place = np.arange(len(self.rows))
        bars = (
            ("minimax, no chance", -0.18, "#1f6fd1", [row.minimax for row in self.rows], None),
            (
                "expectiminimax",
                0.18,
                "#c8402c",
                [row.expectiminimax for row in self.rows],
                [r.error for r in self.rows],
            ),
        )
        for name, shift, colour, shares, errors in bars:
            drawn = axes.bar(place + shift, shares, 0.34, yerr=errors, color=colour, label=name, capsize=3)
            axes.bar_label(drawn, [f"{share:.0%}" for share in shares], padding=3, fontsize=9)
        axes.set_xticks(place, [row.change for row in self.rows])
        axes.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
        axes.set_ylim(0, max(0.1, 1.25 * max(row.expectiminimax for row in self.rows)))
        axes.set_ylabel("trees with another move")
        axes.set_title(f"What a change of utilities changes, {self.trees:,} trees")
        axes.legend(frameon=False, fontsize=9, loc="upper left")
        return save(figure, path)


def run_monotone(
    branching: int = 3,
    rounds: int = 2,
    trees: int = 2_000,
    seed: int = 0,
    changes: Mapping[str, Change] = CHANGES,
) -> Monotone:
    """In how many of `trees` random trees each of `changes` changes the move at the root."""
    if branching < 2 or rounds < 1 or trees < 1:
        raise GameError("an experiment with utilities needs two moves, one round and one tree at least")
    if trees * branching ** (3 * rounds) > MOST_LEAVES:
        raise GameError(f"{trees} × {branching}^{3 * rounds} leaves are too many: take fewer moves, rounds or trees")
    rng = np.random.default_rng(seed)
    certain: tuple[Mover, ...] = ("max", "min") * rounds
    risky: tuple[Mover, ...] = ("max", "chance", "min") * rounds
    plain, chancy = grow(branching, len(certain), trees, rng), grow(branching, len(risky), trees, rng)
    rows = []
    for name, change in changes.items():
        share = _changed(plain, certain, change), _changed(chancy, risky, change)
        rows.append(Row(name, *share, (share[1] * (1 - share[1]) / trees) ** 0.5))
    return Monotone(branching, rounds, trees, seed, tuple(rows))


def root_moves(leaves: Values, levels: Sequence[Mover]) -> NDArray[np.intp]:
    """MAX's best move at the root of every tree: (trees,)."""
    moves: NDArray[np.intp] = np.argmax(node_values(leaves, levels)[1], axis=-1)
    return moves


def _changed(leaves: Values, levels: Sequence[Mover], change: Change) -> float:
    return float(np.mean(root_moves(leaves, levels) != root_moves(change(leaves), levels)))
