"""How many leaves alpha-beta visits, by the order of the moves.

With b moves a node and d rounds of two plies, MAX and MIN in turn, a tree has b^(2d) leaves, and

    at worst       all of them are visited                b^(2d)
    at random      roughly b^(1.5 d)
    best first     b^d + b^d − 1, the least possible      about b^d

"Worst first" tries the moves of every node in the wrong order, by their exact values. In a random tree even that visits
fewer than all: some nodes lie outside a window that was narrowed several plies above, and no order of the moves below
lets them be visited in full. All leaves are visited where the values are arranged for it (see `nested` in the tests).

The effective branching factor is the b that a search of everything would need for as many leaves: (leaves)^(1/2d). For
random order it tends, as trees get deeper, to ξ / (1 − ξ) with ξ^b + ξ = 1: somewhat less than b^(3/4).

References: Knuth and Moore 1975; Pearl, "The solution for the branching factor of the alpha-beta pruning algorithm and
its optimality", 1982.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from zermelo.compile.kernel import kernel
from zermelo.core.game import GameError
from zermelo.core.words import count
from zermelo.experiments.figures import new_figure, save
from zermelo.experiments.trees import Mover, Values, grow, sort_moves

MOST_LEAVES = 1 << 24  # of one tree: 128 MB


@kernel
def count_leaves(leaves, branching, plies, alpha, beta, best, tried):  # type: ignore[no-untyped-def]
    """How many leaves plain alpha-beta visits, MAX first, and the value: (leaves, value).

    `leaves` is the whole tree, (b^plies,); alpha, beta, best and tried, (plies + 1,), are the stack, one entry a ply.
    """
    alpha[0], beta[0], best[0], tried[0] = -np.inf, np.inf, -np.inf, 0
    ply, at, visited = 0, 0, 0  # `at`: the node's number within its ply
    while True:
        if tried[ply] < branching and alpha[ply] < beta[ply]:
            # 1. Down to the next child, with the window and nothing seen yet.
            at = at * branching + tried[ply]
            tried[ply] += 1
            ply += 1
            alpha[ply], beta[ply], tried[ply] = alpha[ply - 1], beta[ply - 1], 0
            best[ply] = np.inf if ply % 2 else -np.inf
            if ply < plies:
                continue
            visited += 1
            best[ply] = leaves[at]
        if ply == 0:
            return visited, best[0]
        # 2. Up with the value, which may narrow the window.
        value = best[ply]
        ply -= 1
        at //= branching
        if ply % 2 == 0:
            best[ply] = max(best[ply], value)
            alpha[ply] = max(alpha[ply], value)
        else:
            best[ply] = min(best[ply], value)
            beta[ply] = min(beta[ply], value)


def visited_leaves(leaves: Values) -> int:
    """How many leaves alpha-beta visits in one tree, its moves in the given order."""
    plies, branching = leaves.ndim, len(leaves)
    windows = np.empty((3, plies + 1))
    return int(count_leaves(leaves.ravel(), branching, plies, *windows, np.zeros(plies + 1, np.int64))[0])


@dataclass(frozen=True)
class Row:
    """The mean number of leaves visited at one depth; `error` is the standard error of the random order's."""

    rounds: int
    worst: float
    random: float
    error: float
    best: float


@dataclass(frozen=True)
class Ordering:
    """What `run_ordering` measured."""

    branching: int
    trees: int
    seed: int
    rows: tuple[Row, ...]

    def expected(self, rounds: int) -> tuple[float, float, float]:
        """b^(2d), b^(1.5 d) and b^d: what worst, random and best order are said to visit."""
        return self.branching ** (2.0 * rounds), self.branching ** (1.5 * rounds), float(self.branching**rounds)

    def effective(self, row: Row) -> tuple[float, float, float]:
        """The effective branching factors of worst, random and best order."""
        return tuple(leaves ** (1 / (2 * row.rounds)) for leaves in (row.worst, row.random, row.best))  # type: ignore[return-value]

    def table(self) -> str:
        b = self.branching
        lines = [
            f"leaves alpha-beta visits, {count(b, 'move')} a node, "
            f"mean of {count(self.trees, 'random tree')} (seed {self.seed})",
            f"{'rounds':>6} {'worst':>12} {f'{b}^2d':>12} {'random':>19} {f'{b}^1.5d':>12} {'best':>10} {f'{b}^d':>10}"
            "   effective branching factors",
        ]
        for row in self.rows:
            worst, random, best = self.expected(row.rounds)
            factors = " ".join(f"{factor:7.3f}" for factor in self.effective(row))
            mean = f"{row.random:,.1f} ± {row.error:,.1f}"
            lines.append(
                f"{row.rounds:>6} {row.worst:>12,.0f} {worst:>12,.0f} {mean:>19} {random:>12,.1f} {row.best:>10,.0f} "
                f"{best:>10,.0f}   {factors}"
            )
        lines.append(f"random order tends to a factor of {pearl(b):.3f} (Pearl); {b}^(3/4) = {b**0.75:.3f}")
        return "\n".join(lines)

    def figure(self, path: str | os.PathLike[str]) -> Path:
        """Leaves against rounds on a logarithmic scale; what was counted as dots, what is claimed as lines."""
        figure, axes = new_figure()
        rounds = [row.rounds for row in self.rows]
        claims = list(zip(*(self.expected(d) for d in rounds), strict=True))
        counted = [[row.worst for row in self.rows], [row.random for row in self.rows], [row.best for row in self.rows]]
        names = (("worst first", "2d", "#c8402c"), ("random", "1.5d", "#8a6d00"), ("best first", "d", "#1f6fd1"))
        for (name, power, colour), claim, leaves in zip(names, claims, counted, strict=True):
            axes.plot(rounds, claim, "--", color=colour, linewidth=1.2, label=f"$b^{{{power}}}$")
            axes.plot(rounds, leaves, "o", color=colour, markersize=6, label=f"{name}, counted")
        axes.set_yscale("log")
        axes.set_xticks(rounds)
        axes.set_xlabel("d, rounds of two plies")
        axes.set_ylabel("leaves visited")
        axes.set_title(f"Alpha-beta and the order of moves, b = {self.branching}, {self.trees} trees")
        axes.legend(ncols=3, fontsize=8, frameon=False)
        return save(figure, path)


def run_ordering(branching: int = 4, rounds: int = 5, trees: int = 20, seed: int = 0) -> Ordering:
    """Count alpha-beta's leaves in `trees` random trees of 1, 2, … `rounds` rounds, in three orders."""
    if branching < 2 or rounds < 1 or trees < 2:
        raise GameError("an experiment with move ordering needs two moves, one round and two trees at least")
    if branching ** (2 * rounds) > MOST_LEAVES:
        raise GameError(f"{branching}^{2 * rounds} leaves are too many: take fewer moves or fewer rounds")
    rng = np.random.default_rng(seed)
    return Ordering(branching, trees, seed, tuple(_measure(branching, d, trees, rng) for d in range(1, rounds + 1)))


def _measure(branching: int, rounds: int, trees: int, rng: np.random.Generator) -> Row:
    levels: tuple[Mover, ...] = ("max", "min") * rounds
    counts = np.empty((trees, 3))
    for i in range(trees):
        leaves = grow(branching, len(levels), 1, rng)[0]
        worst, best = sort_moves(leaves, levels, best=False), sort_moves(leaves, levels, best=True)
        counts[i] = visited_leaves(worst), visited_leaves(leaves), visited_leaves(best)
    worst, random, best = counts.mean(axis=0).tolist()
    return Row(rounds, worst, random, float(counts[:, 1].std(ddof=1) / trees**0.5), best)


def pearl(branching: int) -> float:
    """The branching factor of alpha-beta in random order, for trees without end: ξ / (1 − ξ), ξ^b + ξ = 1."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if middle**branching + middle < 1 else (low, middle)
    return low / (1 - low)
