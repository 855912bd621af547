"""Learners that are told the truth: where a game comes to a position that endgame tables know, its value is the target.

    play_on  False   the game ends at the first position that is known, with the result that is known
             True    it is played on, and every known position on the way is learned as what it is worth

A learner of TD(λ) is wrapped (`inner`), whichever it is; what it does elsewhere is what it does without tables, in the
same compiled code. Of the positions before a known one nothing changes but what they are moved towards: the λ-return
stops at the truth (as at an exploratory move, `cut`), and what was thought of the next position is what it is worth.
With a discount γ < 1, and tables that know the plies to the end, a win is worth γ^plies: the sooner, the more.
Networks learn in the first way (learn/zero/self_play.py).

Tables know nothing of rules that count (plies without a capture, repetitions): neither do these targets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.dispatch import at, over, row
from zermelo.compile.evaluator import FAR, UNKNOWN, Constant, consult
from zermelo.compile.kernel import kernel
from zermelo.compile.record_game import RecordGame
from zermelo.compile.rules import helper
from zermelo.core.game import GameError
from zermelo.evaluate.network import outputs_of
from zermelo.evaluate.tabled import HeldTables
from zermelo.learn.returns import outputs_for
from zermelo.learn.self_play import after_move, choose_move, game_begins, game_ends
from zermelo.learn.settings import Settings
from zermelo.learn.td_leaf import CUT, TDLeaf, keep
from zermelo.learn.traces import BackwardTD, follow, forget
from zermelo.learn.trajectory import room_of
from zermelo.tables.known import DRAW, WIN, mover_of
from zermelo.tables.tables import Tables
from zermelo.tables.verdict import payoffs

OFF, ON = "off", "on"


class Truth(NamedTuple):
    """Tables, and what they are believed to mean to player 0."""

    tables: Any  # an evaluator that knows them
    least: float  # payoffs
    most: float
    play_on: bool
    gamma: float = 1.0  # the discount: what is won later is worth less, where the plies to the end are known


@helper
def worth(truth: Any, s: Any) -> Any:
    """What `s` is worth to player 0, not a number where nobody knows."""
    found = consult(truth.tables, s)
    if found == UNKNOWN:
        return np.nan
    value = found & 3
    if value == DRAW:
        return 0.0
    return truth.most if (value == WIN) == (mover_of(s) == 0) else truth.least


@helper
def discounted(truth: Any, s: Any, ahead: Any) -> Any:
    """The same, discounted for the plies to the end of the game, as far as they are known; so many plies later."""
    value = worth(truth, s)
    if truth.gamma < 1.0 and not np.isnan(value) and value != 0.0:
        plies = consult(truth.tables, s) >> 2
        if plies < FAR:
            return value * truth.gamma ** max(plies - ahead, 0)
    return value


@kernel
def look_up(truth, states, found):  # type: ignore[no-untyped-def]
    """`worth` of many positions."""
    for i in range(len(found)):
        found[i] = worth(truth, at(states, i))


@helper
def ends_here(truth: Any, s: Any) -> Any:
    """Is the game over at `s` because its result is known?"""
    return not truth.play_on and not np.isnan(worth(truth, s))


@helper
def end_with_truth(learner: Any, trajectory: Any, truncated: Any) -> Any:
    """The payoff of a game that ended because its result is known; was it `truncated` all the same?"""
    s = at(trajectory.states, room_of(trajectory))
    if ends_here(learner.truth, s) and not over(s, row(trajectory.moves, 1)):
        at(trajectory.notes, 0).payoff[0] = worth(learner.truth, s)
        return False
    return truncated


@helper
def teach(learner: Any, trajectory: Any, of_next: Any) -> None:
    """Write what is known into the notes of a trajectory: a position's own target, and (`of_next`: nexts are what was
    thought of the next position) what the one before should have expected."""
    g, net = at(trajectory.notes, 0), learner.inner.net
    outputs = outputs_of(net)
    for t in range(g.length):
        s = at(trajectory.states, t)
        value = discounted(learner.truth, s, 1)  # which is discounted for one more (returns.py)
        if np.isnan(value):
            continue
        outputs_for(net, value, g.nexts, t * outputs)
        g.cut[t] |= CUT
        if of_next and t > 0 and g.cut[t - 1] & CUT == 0:
            outputs_for(net, discounted(learner.truth, s, 0), g.nexts, (t - 1) * outputs)


class ExactTD(NamedTuple):
    """TD(λ) after each game."""

    inner: Any
    truth: Any

    def game_begins(learner, trajectory: Any, random: Any) -> None:
        game_begins(learner.inner, trajectory, random)

    def choose_move(learner, trajectory: Any, s: Any, p: Any, n: Any, random: Any) -> Any:
        if ends_here(learner.truth, s):
            return -1
        return choose_move(learner.inner, trajectory, s, p, n, random)

    def after_move(learner, trajectory: Any, s: Any, n: Any, place: Any) -> None:
        after_move(learner.inner, trajectory, s, n, place)

    def game_ends(learner, trajectory: Any, truncated: Any) -> Any:
        truncated = end_with_truth(learner, trajectory, truncated)
        teach(learner, trajectory, True)
        return game_ends(learner.inner, trajectory, truncated)


class ExactTDLeaf(NamedTuple):
    """With a search for every move. It knows nothing of the tables: it is the evaluation that is to learn from them."""

    inner: Any
    truth: Any

    def game_begins(learner, trajectory: Any, random: Any) -> None:
        game_begins(learner.inner, trajectory, random)

    def choose_move(learner, trajectory: Any, s: Any, p: Any, n: Any, random: Any) -> Any:
        g = at(trajectory.notes, 0)
        if ends_here(learner.truth, s):
            if g.plies >= g.opening:
                keep(learner.inner, trajectory, s, s, False)
            return -1
        return choose_move(learner.inner, trajectory, s, p, n, random)

    def game_ends(learner, trajectory: Any, truncated: Any) -> Any:
        truncated = end_with_truth(learner, trajectory, truncated)
        teach(learner, trajectory, not learner.inner.root)
        return game_ends(learner.inner, trajectory, truncated)


class ExactTraces(NamedTuple):
    """TD(λ) during the game."""

    inner: Any
    truth: Any

    def game_begins(learner, trajectory: Any, random: Any) -> None:
        game_begins(learner.inner, trajectory, random)

    def choose_move(learner, trajectory: Any, s: Any, p: Any, n: Any, random: Any) -> Any:
        if ends_here(learner.truth, s):
            return -1
        return choose_move(learner.inner, trajectory, s, p, n, random)

    def after_move(learner, trajectory: Any, s: Any, n: Any, place: Any) -> None:
        """What the move promises is the truth, where it is known; and then so is what the new position is worth."""
        g, value = at(trajectory.notes, 0), discounted(learner.truth, s, 0)
        if not np.isnan(value) and place == g.choice:
            outputs_for(learner.inner.net, value, g.best, 0)
        after_move(learner.inner, trajectory, s, n, place)
        if not np.isnan(value) and g.pending == 1:
            outputs_for(learner.inner.net, discounted(learner.truth, s, 1), g.best, 0)
            at(learner.inner.totals, 0).error += follow(learner.inner, trajectory, g.best)
            forget(learner.inner.traces)
            g.pending = 0

    def game_ends(learner, trajectory: Any, truncated: Any) -> Any:
        return game_ends(learner.inner, trajectory, end_with_truth(learner, trajectory, truncated))


def exact_learner_for(kind: type[Any]) -> type[Any]:
    """What wraps a learner of this kind."""
    return ExactTDLeaf if kind is TDLeaf else ExactTraces if kind is BackwardTD else ExactTD


class ExactEndings:
    """The tables of a training."""

    def __init__(self, game: RecordGame, where: str, play_on: bool = False, gamma: float = 1.0):
        if game.variant.max_chance_outcomes:
            raise GameError(f"{game.name}: endings are learned exactly in games without chance; leave out tables")
        found = Tables(game, None if where == ON else where, with_shipped=where == ON)
        self.game, self.held = game, HeldTables(found)
        self.checksum = found.checksum()  # of all values: a training that is resumed must find the same
        pays = payoffs(game)
        self.truth = Truth(self.held.of(Constant()), pays[-1], pays[1], play_on, gamma)

    def worths(self, states: Any) -> NDArray[np.float64]:
        """(n,) what positions are worth to player 0; not a number where nobody knows."""
        found = np.zeros(len(states))
        self.game.run(look_up, self.truth, states, found)
        return found

    def check(self, kept: Mapping[str, Any]) -> None:
        """A GameError if a training's `state`, which has what `state` gives here, began with other tables."""
        if bytes(kept.get("tables", b"")).hex() != self.checksum:
            raise GameError(
                "the endgame tables are not those this training began with: it would not come to the same weights"
            )

    def state(self) -> dict[str, NDArray[Any]]:
        """What a training keeps of them."""
        return {"tables": np.frombuffer(bytes.fromhex(self.checksum), np.uint8)}

    def teaching(self, learner: Any) -> Any:
        """`learner`, told the truth."""
        return exact_learner_for(type(learner))(learner, self.truth)


def exact_endings(game: RecordGame, settings: Settings) -> ExactEndings | None:
    """What the settings ask for."""
    return None if settings.tables == OFF else ExactEndings(game, settings.tables, settings.play_on, settings.gamma)
