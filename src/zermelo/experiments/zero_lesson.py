"""AlphaGo Zero's loop on a game that is small enough to know the truth: policy → search → better policy → learned.

    ┌───────────────┐  policy, value   ┌────────┐  visits: a better policy   ┌───────────┐
    │ network       │ ───────────────→ │ search │ ─────────────────────────→ │ self-play │
    └───────────────┘                  └────────┘                            └───────────┘
            ↑                learned: the visits, and who won in the end            │
            └───────────────────────────────────────────────────────────────────────┘

Every so many rounds the network is asked about positions whose values are known from the whole tree of the game: how
often does the policy's likeliest move keep the value, how often the search's, how far off are their values? The search
is better than the policy it began with; the policy learns from it and comes after. (The search proves nothing here, as
in the paper: a player of such a small game would.)

Reference: Silver et al. (2017), Mastering the game of Go without human knowledge.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.compile.record_game import RecordGame, State
from zermelo.core.game import OVER, GameError
from zermelo.core.stopwatch import Stopwatch
from zermelo.evaluate.tower.architecture import Architecture, Weights
from zermelo.evaluate.tower.sight import need_sight
from zermelo.experiments.figures import new_figure, save
from zermelo.search.limits import Limits
from zermelo.search.mcts.network import NetworkEvaluator
from zermelo.search.mcts.searcher import MCTS
from zermelo.search.mcts.zero import EXPLORATION, REDUCTION
from zermelo.search.searcher import answer

MOST_POSITIONS = 20_000  # of a game that can be known
ASKED = 200  # positions that the network is asked about
SIMULATIONS = 16
ROUNDS = 60
PAPER = (  # what, AlphaGo Zero's figure: Silver et al. (2017), the network of 20 blocks
    ("game", "go, 19 × 19"),
    ("games of self-play", "4.9 million"),
    ("simulations a move", "1,600"),
    ("residual blocks × channels", "20 × 256"),
    ("mini-batches learned from", "700,000 of 2,048"),
    ("time", "3 days"),
)


@dataclass(frozen=True)
class Choice:
    """One move of an example: how likely before and after the search, and does it keep the value?"""

    move: str
    policy: float
    visits: float  # its share
    keeps: bool


@dataclass(frozen=True)
class Example:
    """A position, as the network sees it at some stage. Values are the mover's."""

    position: str
    truth: float
    judged: float  # by the network alone
    searched: float
    moves: tuple[Choice, ...]


@dataclass(frozen=True)
class Stage:
    """What the network knows after some rounds; shares of the positions asked about."""

    rounds: int
    of: int
    games: int
    updates: int
    seconds: float
    policy_right: float  # its likeliest move keeps the value
    search_right: float  # … and so does the search's choice
    policy_error: float  # of the network's value, on average
    search_error: float
    loss: float | None
    examples: tuple[Example, ...]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Truth:
    """A position with a choice in it: what it is worth to whoever moves, and which moves keep that."""

    state: State
    value: float
    keeps: frozenset[Any]


def known_positions(game: RecordGame) -> list[Truth]:
    """Every position of the game in which some move is worse than another, by the whole tree."""
    values: dict[State, float] = {}
    found: list[Truth] = []

    def worth(s: State) -> float:
        """Player 0's payoff."""
        if s not in values:
            if len(values) > MOST_POSITIONS:
                raise GameError(f"{game.name} has more than {MOST_POSITIONS:,} positions: nobody knows them all here")
            mover = game.player(s)
            if mover == OVER:
                values[s] = game.utility(s, 0)
            else:
                sign = 1.0 if game.side(mover) == 0 else -1.0
                after = {a: sign * worth(game.succ(s, a)) for a in game.actions(s)}
                best = max(after.values())
                values[s] = sign * best
                if min(after.values()) < best:
                    found.append(Truth(s, best, frozenset(a for a, v in after.items() if v == best)))
        return values[s]

    worth(game.start())
    return found


class Lesson:
    """A training that stops to be asked."""

    def __init__(
        self, game: RecordGame, rounds: int | None = None, seed: int = 0, simulations: int = SIMULATIONS,
        asked: int = ASKED, **settings: Any,
    ):  # fmt: skip
        need_sight(game.variant)
        if game.players != 2 or not game.zero_sum or game.variant.max_chance_outcomes:
            raise GameError(f"{game.name}: the lesson is for two players against each other, without chance")
        from zermelo.evaluate.tower import need_jax

        need_jax()
        from zermelo.learn.zero.settings import settings_for
        from zermelo.learn.zero.trainer import Trainer

        self.game, self.simulations = game, simulations
        known = known_positions(game)
        random = np.random.default_rng(seed)
        places = np.sort(random.permutation(len(known))[:asked])
        self.asked = [known[k] for k in places]
        told = settings | {"seed": seed} | ({} if rounds is None else {"rounds": rounds})
        self.trainer = Trainer(game, settings_for(game, told))
        self.updates = 0

    def stages(self, every: int | None = None) -> Iterator[Stage]:
        """Train to the end; a stage at the beginning, and after every so many rounds (an eighth of them)."""
        trainer, watch = self.trainer, Stopwatch()
        rounds = trainer.settings.rounds
        step = max(1, rounds // 8) if every is None else every
        yield self.look(0.0)
        while not trainer.finished:
            trainer.round()
            self.updates += int(trainer.totals.get("updates", 0))
            if trainer.rounds % step == 0 or trainer.finished:
                yield self.look(watch.seconds)

    def look(self, seconds: float) -> Stage:
        """Ask the network, without and with a search."""
        trainer = self.trainer
        seen = [
            self._ask(truth, *said)
            for truth, said in zip(self.asked, judged(self.game, trainer, self.asked), strict=True)
        ]
        right = [[shares[k] for _, shares, _ in seen] for k in range(2)]
        errors = [[errors[k] for _, _, errors in seen] for k in range(2)]
        return Stage(
            trainer.rounds, trainer.settings.rounds, trainer.games, self.updates, seconds,
            float(np.mean(right[0])), float(np.mean(right[1])), float(np.mean(errors[0])), float(np.mean(errors[1])),
            trainer.totals.get("loss"), tuple(example for example, _, _ in self._shown(seen)),
        )  # fmt: skip

    def _ask(
        self, truth: Truth, judged: float, policy: dict[Any, float], search: MCTS
    ) -> tuple[Example, tuple[bool, bool], tuple[float, float]]:
        search.clear()
        report = answer(search, truth.state, Limits(nodes=self.simulations))
        mover = self.game.player(truth.state)
        searched = report.value_for(mover)
        visits = {move.action: move.nodes for move in report.moves}
        total = max(1, sum(visits.values()))
        example = Example(
            self.game.format(truth.state), truth.value, judged, searched,
            tuple(
                Choice(self.game.format_action(truth.state, a), p, visits.get(a, 0) / total, a in truth.keeps)
                for a, p in policy.items()
            ),
        )  # fmt: skip
        right = max(policy, key=lambda a: policy[a]) in truth.keeps, report.best in truth.keeps
        return example, right, (abs(judged - truth.value), abs(searched - truth.value))

    def _shown(self, seen: list[Any]) -> list[Any]:
        """Three examples, the same at every stage: with few moves that keep the value, from different games."""
        order = sorted(range(len(seen)), key=lambda k: (len(self.asked[k].keeps), -len(seen[k][0].moves), k))
        return [seen[k] for k in order[: max(1, len(order) // 3) : max(1, len(order) // 9)][:3]]


def judged(game: RecordGame, trainer: Any, asked: list[Truth]) -> Iterator[tuple[float, dict[Any, float], MCTS]]:
    """What the network as it is says of each position: its value to the mover, its policy; and a search with it."""
    a: Architecture = trainer.architecture
    weights: Weights = trainer.average
    network = NetworkEvaluator(game, a, weights)
    search = MCTS(game, evaluator=network, batch=1, exploration=EXPLORATION, reduction=REDUCTION, solver=False,
                  memory_mb=1)  # fmt: skip
    values, priors = network.evaluate(np.concatenate([truth.state.record for truth in asked]))
    for k, truth in enumerate(asked):
        actions = game.actions(truth.state)
        policy = {action: float(priors[k, j]) for j, action in enumerate(actions)}
        yield float(values[k, game.player(truth.state)]), policy, search


@dataclass(frozen=True)
class ZeroLesson:
    """What `run_zero_lesson` saw."""

    game: str
    positions: int
    simulations: int
    blocks: int
    channels: int
    batch_size: int
    search_simulations: int  # of self-play
    stages: tuple[Stage, ...]

    def ours(self) -> tuple[str, ...]:
        """Our figures, in the order of the paper's."""
        last = self.stages[-1]
        return (
            self.game,
            f"{last.games:,}",
            f"{self.search_simulations:,}",
            f"{self.blocks} × {self.channels}",
            f"{last.updates:,} of {self.batch_size:,}",
            f"{last.seconds:,.0f} s",
        )

    def table(self) -> str:
        lines = [
            f"{self.game}: {self.positions} positions in which a move can be wrong; {self.simulations} simulations",
            f"{'rounds':>6} {'games':>7} {'seconds':>8}   {'policy right':>12} {'search right':>12}   "
            f"{'value off by':>12} {'after search':>12}",
        ]
        for stage in self.stages:
            lines.append(
                f"{stage.rounds:>6} {stage.games:>7,} {stage.seconds:>8.0f}   {stage.policy_right:>12.1%} "
                f"{stage.search_right:>12.1%}   {stage.policy_error:>12.3f} {stage.search_error:>12.3f}"
            )
        wide = max(len(what) for what, _ in PAPER)
        lines += ["", f"{'':{wide}}  {'AlphaGo Zero':>18}  {'here':>18}"]
        for (what, theirs), mine in zip(PAPER, self.ours(), strict=True):
            lines.append(f"{what:{wide}}  {theirs:>18}  {mine:>18}")
        return "\n".join(lines)

    def figure(self, path: str | os.PathLike[str]) -> Path:
        """How often the policy and the search are right, by games played."""
        figure, axes = new_figure()
        games = [stage.games for stage in self.stages]
        axes.plot(games, [100 * stage.search_right for stage in self.stages], "o-", color="#1f6fd1",
                  label=f"search, {self.simulations} simulations")  # fmt: skip
        axes.plot(games, [100 * stage.policy_right for stage in self.stages], "o-", color="#c8402c",
                  label="policy alone")  # fmt: skip
        axes.set_xlabel("games of self-play")
        axes.set_ylabel("moves that keep the value, %")
        axes.set_title(f"{self.game}: the search teaches the policy")
        axes.legend(frameon=False)
        return save(figure, path)


def run_zero_lesson(
    game: RecordGame,
    rounds: int | None = ROUNDS,
    seed: int = 0,
    tell: Any = lambda words: None,
    **settings: Any,
) -> ZeroLesson:
    """Train a network from nothing and look at it on the way."""
    lesson, stages = Lesson(game, rounds, seed, **settings), []
    for stage in lesson.stages():
        stages.append(stage)
        right = f"policy right {stage.policy_right:.0%}, search {stage.search_right:.0%}"
        tell(f"round {stage.rounds} of {stage.of}: {right}")
    return summed_up(lesson, tuple(stages))


def summed_up(lesson: Lesson, stages: tuple[Stage, ...]) -> ZeroLesson:
    s, asked = lesson.trainer.settings, len(lesson.asked)
    sizes = (s.blocks, s.channels, s.batch_size, s.simulations)
    return ZeroLesson(lesson.game.name, asked, lesson.simulations, *sizes, stages)
