"""Learn V(s) or Q(s, a)? On-policy or off-policy? Four learners on a game small enough to know everything about it.

                  learns        to choose, it needs               and what it learns is the worth of
    TD(0)         V(s; w)       succ(s, a) of every action        its own play, experiments and all: on-policy
    TD(0), cut    V(s; w)       succ(s, a) of every action        best play: what comes of experiments is left out
    SARSA         Q(s, a; w)    to know what it may do            its own play, experiments and all: on-policy
    Q-learning    Q(s, a; w)    to know what it may do            best play, whatever is played: off-policy

All play against themselves, ε-greedily, n games. Then greedy play, without experiments, is examined in both seats, not
by a sample of games but in all positions (positions.py): how many of its moves keep the value of the game, how often it
loses to an opponent who finds every answer that beats it and to one who moves at random, and how many points the former
keeps it below the value of the game.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.compile.dispatch import at, policy_index
from zermelo.compile.kernel import kernel
from zermelo.compile.record_game import RecordGame
from zermelo.core.game import Game, GameError
from zermelo.core.words import count
from zermelo.experiments.figures import new_figure, save
from zermelo.experiments.positions import BEST, CHOICE, RANDOM, SAME, Numbers, Places, Positions, all_positions
from zermelo.learn.qlearning import QLearner, read, sign_of
from zermelo.learn.settings import Settings
from zermelo.learn.trainer import Trainer

GAMES = (1_000, 3_000, 10_000, 30_000, 100_000)
Q_LEARNING_RATE = 0.5  # divided by how many features are active; a tenth of it at the end
WIDTHS = (10, 9, 9, 9, 9, 7, 13, 11, 11, 8)  # of the table's columns
ROUNDS = 100  # in which the learning rate falls


@dataclass(frozen=True)
class Learner:
    name: str
    of_actions: bool  # Q(s, a), else V(s)
    on_policy: bool
    colour: str


LEARNERS = (
    Learner("TD(0)", False, True, "#1f6fd1"),
    Learner("TD(0), cut", False, False, "#1d7f4e"),
    Learner("SARSA", True, True, "#8a6d00"),
    Learner("Q-learning", True, False, "#c8402c"),
)


@dataclass(frozen=True)
class Row:
    """One learner after so many games; means over the runs, and over both seats."""

    learner: str
    games: int
    optimal: float  # share of moves that keep the game's value, in positions greedy play can get into
    lost_to_best: float  # share of games lost to an opponent who finds every answer
    lost_to_random: float
    short: float  # points below the value of the game, against the best opponent
    flawless: int  # runs that are never short
    start: float  # what it thinks the start is worth to player 0
    successors: float  # looked at for a move in training
    seconds: float = field(compare=False)  # of a training


@dataclass(frozen=True)
class TdOrQ:
    """What `run_td_or_q` found."""

    game: str
    positions: int
    value: float  # of the game, for player 0
    epsilon: float
    runs: int
    seed: int
    rows: tuple[Row, ...]

    def table(self) -> str:
        lines = [
            f"{self.game}: greedy play after n games against itself with ε = {self.epsilon:g}; mean of "
            f"{count(self.runs, 'run')} (seed {self.seed}), both seats, all {self.positions:,} positions; "
            f"the game is worth {self.value:+.4g}",
            _line(
                "", "", "optimal", "lost to", "lost to", "points", "runs without", "thinks the", "successors", "seconds"
            ),
            _line("learner", "games", "moves", "the best", "random", "short", "a flaw", "start is", "a move", "a run"),
        ]
        for row in self.rows:
            shares = f"{row.optimal:.2%}", f"{row.lost_to_best:.1%}", f"{row.lost_to_random:.2%}", f"{row.short:.3g}"
            rest = f"{row.flawless} of {self.runs}", f"{row.start:+.2f}", f"{row.successors:.1f}", f"{row.seconds:.2f}"
            lines.append(_line(row.learner, f"{row.games:,}", *shares, *rest))
        return "\n".join([*lines, *POINTS])

    def figure(self, path: str | os.PathLike[str]) -> Path:
        """The share of moves that are wrong, against the number of games."""
        figure, axes = new_figure()
        for learner in LEARNERS:
            rows = [row for row in self.rows if row.learner == learner.name]
            style = "s--" if learner.of_actions else "o-"
            games, wrong = [row.games for row in rows], [100 * (1 - row.optimal) for row in rows]
            axes.plot(games, wrong, style, color=learner.colour, markersize=5, label=learner.name)
        axes.set_xscale("log")
        axes.set_ylim(bottom=0)
        axes.set_xlabel("games against itself")
        axes.set_ylabel("% of greedy moves that lose value")
        axes.set_title(f"V or Q, on-policy or off-policy: {self.game}, ε = {self.epsilon:g}, {self.runs} runs")
        axes.legend(frameon=False, fontsize=9)
        return save(figure, path)


def _line(*cells: str) -> str:
    return " ".join(f"{cell:>{width}}" for cell, width in zip(cells, WIDTHS, strict=True))


POINTS = (
    "V(s) needs succ(s, a) to choose: it looks at all successors. Q(s, a) needs no rules to choose, and learns every "
    "action by itself: cheaper games, and more of them.",
    "TD(0) and SARSA are on-policy: they learn what their own play is worth, experiments and all. Q-learning is "
    "off-policy: it learns what best play is worth, however it plays; so does TD(0) where experiments are cut.",
)


@kernel
def read_all(q, states, player, first, action, value):  # type: ignore[no-untyped-def]
    """Q of every edge that is a player's, from player 0's view."""
    for i in range(len(player)):
        if player[i] >= 0:
            s = at(states, i)
            read(q, s)
            for e in range(first[i], first[i + 1]):
                value[e] = sign_of(s) * at(q.scratch, 0).units[policy_index(s, action[e])]


def run_td_or_q(
    game: Game[Any, Any],
    games: Sequence[int] = GAMES,
    epsilon: float = 0.5,
    runs: int = 3,
    seed: int = 0,
    tell: Callable[[str], None] = lambda words: None,
) -> TdOrQ:
    """Every learner after trainings of so many games each, `runs` times with different seeds."""
    if not games or min(games) < 1 or runs < 1:
        raise GameError("an experiment with learners needs one run of one game at least")
    if not isinstance(game, RecordGame):
        raise GameError(f"{game.name}: what is learned needs rules over a record, with features")
    tell("looking at every position")
    QLearner(game, Settings())  # whatever is missing is told before anything is computed
    positions = all_positions(game)
    exact = positions.exact()
    rows = []
    for learner in LEARNERS:
        for n in sorted(set(games)):
            found = []
            for run in range(runs):
                tell(f"{learner.name}: {count(n, 'game')}, run {run + 1} of {runs}")
                edges, successors, seconds = _train(positions, learner, n, epsilon, seed + run)
                choice = positions.greedy(edges)
                start = edges[choice[-1]]
                found.append((*examine(positions, exact, choice), start, successors, seconds))
            optimal, best, random, short, start, successors, seconds = np.mean(found, axis=0).tolist()
            flawless = sum(one[3] <= SAME for one in found)
            rows.append(Row(learner.name, n, optimal, best, random, short, flawless, start, successors, seconds))
    return TdOrQ(game.name, len(exact), float(exact[-1]), epsilon, runs, seed, tuple(rows))


def _train(
    positions: Positions, learner: Learner, games: int, epsilon: float, seed: int
) -> tuple[Numbers, float, float]:
    """(what a training thinks of every edge, the successors it looked at for a move, the seconds it took)."""
    p, game = positions, positions.game
    active = game.variant.max_active_features
    assert active is not None
    told = (
        {"learning_rate": Q_LEARNING_RATE / active}
        if learner.of_actions
        else {**(game.variant.training or {}), "lam": 0.0}
    )
    told |= {"games": games, "epsilon": epsilon, "on_policy": learner.on_policy, "seed": seed}
    settings = Settings.read({**told, "games_per_round": max(1, games // ROUNDS)})
    make = QLearner if learner.of_actions else lambda game, settings: Trainer(game, settings, threads=1)
    make(game, replace(settings, games=1)).round()  # what has to be compiled is, before the clock starts
    training, began = make(game, settings), time.perf_counter()
    successors = moves = 0.0
    while not training.finished:
        training.round()
        successors += training.totals.get("successors", 0.0)
        moves += training.totals["decisions"]
    seconds = time.perf_counter() - began
    if isinstance(training, Trainer):
        edges = p.evaluate_players(training.net)[p.child]
    else:
        edges = np.zeros(len(p.child))
        game.run(read_all, training.q, p.states, p.player, p.first, p.action, edges)
    return edges, successors / max(1.0, moves), seconds


def examine(positions: Positions, exact: Numbers, choice: Places) -> tuple[float, float, float, float]:
    """What keeping to `choice` comes to, in the mean of both seats.

    (share of moves that keep the value, of games lost to the best opponent, to a random one, points short of the value)
    """
    found = []
    for seat, sign in ((0, 1.0), (1, -1.0)):
        against_best = (CHOICE, BEST) if seat == 0 else (BEST, CHOICE)
        against_random = (CHOICE, RANDOM) if seat == 0 else (RANDOM, CHOICE)
        lost = np.where(sign * positions.payoff < 0, -sign, 0.0)  # for player 0; only losing counts
        moves = np.flatnonzero(positions.reached(choice, seat) & (positions.player == seat))
        kept = np.abs(exact[positions.child[choice[moves]]] - exact[moves]) <= SAME
        found.append(
            (
                kept.mean() if len(kept) else 1.0,
                abs(positions.values(against_best, choice, lost)[-1]),
                abs(positions.values(against_random, choice, lost)[-1]),
                sign * (exact[-1] - positions.values(against_best, choice)[-1]),
            )
        )
    optimal, best, random, short = np.mean(found, axis=0).tolist()
    return optimal, best, random, short
