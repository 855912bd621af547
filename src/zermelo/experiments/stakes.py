"""Positions of endgame tables in which something is at stake, and the moves that evaluations choose in them.

draw_stakes   draws positions of a class: those in which some move keeps what they are worth, and some does not
choose        what an evaluation plays in each of them: the best successor, or what a search of some depth finds
ByNetwork     the same for a policy/value network, which judges many positions at a time and is not searched with
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.dispatch import apply, assign, at, expand, over, row, unrank, utility
from zermelo.compile.kernel import kernel
from zermelo.compile.pointers import base, item
from zermelo.compile.random import generator
from zermelo.compile.record import roomy, rows
from zermelo.compile.record_game import RecordGame
from zermelo.compile.rules import helper
from zermelo.core.game import OVER, GameError
from zermelo.learn.successors import greedy
from zermelo.learn.td_leaf import ask_search, make_search
from zermelo.learn.trajectory import begin, make_trajectory
from zermelo.search.mcts.evaluator import BatchEvaluator
from zermelo.tables.files import Header
from zermelo.tables.known import LOSS, NOTHING, WIN, Known, class_number, mover_of, rank_within, turned, value_at

TRIES = 100  # numbers looked at for every position that is wanted
NOT_KNOWN = 2  # beside 1, 0 and -1


@dataclass(frozen=True)
class Stakes:
    """n positions, and what their moves are worth to whoever moves: 1, 0 or -1."""

    states: Any  # (n,) records
    worth: NDArray[np.int8]  # (n, width)
    count: NDArray[np.int64]  # (n,) actions
    looked_at: int  # positions in which somebody moves, n of which have something at stake

    @property
    def found(self) -> int:
        return len(self.states)

    @property
    def best(self) -> NDArray[np.int8]:
        """(n,) what the positions are worth."""
        n, width = self.worth.shape
        best: NDArray[np.int8] = np.where(np.arange(width) < self.count[:, None], self.worth, -1).max(axis=1)
        return best if n else np.zeros(0, np.int8)


@helper
def worth_to(known: Any, t: Any, mover: Any, out: Any, probability: Any, payoff: Any) -> Any:
    """What `t` is worth to the side `mover`: 1, 0, -1, or NOT_KNOWN."""
    p, _ = expand(t, out, probability)
    if p == OVER:
        utility(t, payoff)
        return 1 if payoff[mover] > 0 else -1 if payoff[mover] < 0 else 0
    number = class_number(t, known)
    if number < 0 or item(known.classes, number).first < 0:
        return NOT_KNOWN
    entry = item(known.classes, number)
    value = turned(value_at(known, entry.first + rank_within(t, entry.count)), mover_of(t) == mover)
    if value == NOTHING:
        return NOT_KNOWN
    return 1 if value == WIN else -1 if value == LOSS else 0


@kernel
def find_stakes(held, number, ranks, room, moves, chance, payoff, states, worth, count):  # type: ignore[no-untyped-def]
    """Fill `states` with positions of a class at stake, in the order of `ranks`: (how many, of how many looked at; is
    a move not known?). `room` is two records and one of zeros."""
    known = Known(base(held.classes), base(held.values), base(held.plies), held.highest)
    s, t, blank = at(room, 0), at(room, 1), at(room, 2)
    out, spare, probability, paid = row(moves, 0), row(moves, 1), row(chance, 0), row(payoff, 0)
    found, looked_at = 0, 0
    for k in range(len(ranks)):
        if found == len(states):
            break
        assign(s, blank)
        if not unrank(s, number, ranks[k]):
            continue
        p, n = expand(s, out, probability)
        if p < 0:
            continue
        looked_at += 1
        best, least, mover = -1, 1, mover_of(s)
        for i in range(n):
            assign(t, s)
            apply(t, out[i])
            value = worth_to(known, t, mover, spare, probability, paid)
            if value == NOT_KNOWN:
                return found, looked_at, True
            worth[found, i] = value
            best, least = max(best, value), min(least, value)
        if least < best:
            assign(at(states, found), s)
            count[found] = n
            found += 1
    return found, looked_at, False


def draw_stakes(game: RecordGame, known: Known, header: Header, wanted: int, seed: int = 0) -> Stakes:
    """Up to `wanted` positions of a class; fewer where it has no more, or hardly any. The same for a seed."""
    rules = game.variant
    random, tries = np.random.default_rng([seed, header.number]), wanted * TRIES
    ranks = random.permutation(header.size) if header.size <= tries else random.integers(0, header.size, tries)
    states, worth, count = roomy(wanted, rules.dtype), np.zeros((wanted, rules.width), np.int8), np.zeros(wanted, int)
    found, looked_at, is_missing = game.run(
        find_stakes, known, header.number, ranks[:tries].astype(np.int64), roomy(3, rules.dtype),
        rows(2, rules.width), rows(1, 1, "f8"), rows(1, rules.players, "f8"), states, worth, count,
    )  # fmt: skip
    if is_missing:
        raise GameError(
            f"{game.name}: a move out of '{header.name}' leads to an ending that has no table; build those below it too"
        )
    return Stakes(states[:found], worth[:found], count[:found], int(looked_at))


@kernel
def choose_moves(evaluator, trajectory, search, states, depth, random, chosen):  # type: ignore[no-untyped-def]
    """The place of the action that is played in every position."""
    begin(trajectory)
    for i in range(len(chosen)):
        s = at(states, i)
        p, n = expand(s, row(trajectory.moves, 0), row(trajectory.chance, 0))
        at(trajectory.notes, 0).mover = p
        if depth == 0:
            chosen[i] = greedy(evaluator, trajectory, s, p, n, random)
        else:
            chosen[i] = ask_search(evaluator, trajectory, search, s, n, depth)


def choose(game: RecordGame, evaluator: Any, stakes: Stakes, depth: int, seed: int = 0) -> NDArray[np.int64]:
    """(n,) places of the actions that an evaluation chooses."""
    if hasattr(evaluator, "private"):
        evaluator = evaluator.private().begin()
    chosen = np.zeros(stakes.found, np.int64)
    game.run(
        choose_moves, evaluator, make_trajectory(game, 1), make_search(game), stakes.states, depth, generator(seed),
        chosen,
    )  # fmt: skip
    return chosen


# -- networks ----------------------------------------------------------------------------------------------------------

AT_A_TIME = 4096  # positions


@dataclass(frozen=True)
class ByNetwork:
    """A network's choice: the successor it thinks best of, or the move its policy likes best."""

    network: BatchEvaluator
    is_policy: bool

    def choose(self, game: RecordGame, stakes: Stakes) -> NDArray[np.int64]:
        liked = self._priors(stakes) if self.is_policy else self._values(game, stakes)
        is_action = np.arange(liked.shape[1]) < stakes.count[:, None]
        chosen: NDArray[np.int64] = np.where(is_action, liked, -np.inf).argmax(axis=1)
        return chosen

    def _priors(self, stakes: Stakes) -> NDArray[np.float64]:
        """(n, width) of every action."""
        return np.concatenate([self.network.evaluate(part)[1] for part in _parts(stakes.states)])

    def _values(self, game: RecordGame, stakes: Stakes) -> NDArray[np.float64]:
        """(n, width): what every action leads to is thought to be worth to whoever plays it."""
        rules, n = game.variant, int(stakes.count.sum())
        after, movers, paid = roomy(n, rules.dtype), np.zeros(n, np.int64), np.zeros(n)
        game.run(
            unfold, stakes.states, rows(2, rules.width), rows(1, 1, "f8"), rows(1, rules.players, "f8"), after, movers,
            paid,
        )  # fmt: skip
        is_open = np.isnan(paid)
        if is_open.any():
            judged = np.concatenate([self.network.evaluate(part)[0] for part in _parts(after[is_open])])
            paid[is_open] = judged[np.arange(len(judged)), movers[is_open]]
        values: NDArray[np.float64] = np.zeros(stakes.worth.shape)
        values[np.arange(stakes.worth.shape[1]) < stakes.count[:, None]] = paid
        return values


def _parts(states: Any) -> list[Any]:
    return [states[k : k + AT_A_TIME] for k in range(0, len(states), AT_A_TIME)]


@kernel
def unfold(states, moves, chance, payoff, after, movers, paid):  # type: ignore[no-untyped-def]
    """All successors, one after the other, who moved there, and what it pays them: not a number where it goes on."""
    k = 0
    for i in range(len(states)):
        s = at(states, i)
        p, n = expand(s, row(moves, 0), row(chance, 0))
        for j in range(n):
            t = at(after, k)
            assign(t, s)
            apply(t, row(moves, 0)[j])
            movers[k], paid[k] = p, np.nan
            if over(t, row(moves, 1)):
                utility(t, row(payoff, 0))
                paid[k] = row(payoff, 0)[p]
            k += 1
