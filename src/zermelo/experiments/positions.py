"""All positions of a small game, and what somebody who always moves the same way gets in it: no sample, all of it.

    position   0 1 2 …  n-1      every position stands behind all that can follow it; the last one is the start
    edge       first[i] … first[i+1]-1 lead out of position i: by `action`, with `probability` where chance moves,
               to position `child`

So one pass from the first position to the last knows the value of all children before their parents'. Each player
either plays best, or any move with the same probability, or keeps to the moves in `choice`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.compile.dispatch import at
from zermelo.compile.evaluator import estimate
from zermelo.compile.kernel import kernel
from zermelo.compile.record import RecordArray
from zermelo.compile.record_game import RecordGame, State
from zermelo.core.game import CHANCE, OVER, GameError

MOST = 200_000  # positions
SAME = 1e-9  # values nearer than this are equal
BEST, RANDOM, CHOICE = 0, 1, 2  # how a player moves

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]


@kernel
def estimate_all(net, states, player, value):  # type: ignore[no-untyped-def]
    """What the evaluation says of every position that is not an end, from player 0's view."""
    for i in range(len(player)):
        if player[i] != OVER:
            value[i] = estimate(net, at(states, i))


@kernel
def back_up(player, first, child, probability, choice, first_mode, second_mode, value):  # type: ignore[no-untyped-def]
    """The value of every position for player 0, given those of the ends in `value`, if the two move in these modes."""
    for i in range(len(player)):
        p, begin, end = player[i], first[i], first[i + 1]
        if p == OVER:
            continue
        mode = RANDOM if p == CHANCE else first_mode if p == 0 else second_mode
        if mode == CHOICE:
            value[i] = value[child[choice[i]]]
            continue
        total, best = 0.0, -np.inf
        for e in range(begin, end):
            v = value[child[e]]
            total += v * (probability[e] if p == CHANCE else 1.0 / (end - begin))
            best = max(best, v if p == 0 else -v)
        value[i] = total if mode == RANDOM else best if p == 0 else -best


@kernel
def mark_reached(player, first, child, choice, seat, reached):  # type: ignore[no-untyped-def]
    """The positions that can come about when `seat` keeps to `choice` and the others do anything."""
    reached[len(player) - 1] = True
    for i in range(len(player) - 1, -1, -1):
        if reached[i] and player[i] == seat:
            reached[child[choice[i]]] = True
        elif reached[i]:
            for e in range(first[i], first[i + 1]):
                reached[child[e]] = True


@dataclass(frozen=True)
class Positions:
    """Made by `all_positions`; n positions, m edges."""

    game: RecordGame
    states: RecordArray  # (n,)
    player: Places  # (n,): 0, 1, CHANCE or OVER
    payoff: Numbers  # (n,): player 0's, at the ends
    first: Places  # (n + 1,)
    action: Places  # (m,)
    child: Places  # (m,)
    probability: Numbers  # (m,)

    def exact(self) -> Numbers:
        """The game's own values: both play best."""
        return self.values((BEST, BEST), np.zeros(0, np.int64))

    def values(self, modes: tuple[int, int], choice: Places, payoff: Numbers | None = None) -> Numbers:
        """The value of every position for player 0, with other payoffs at the ends if these are given."""
        value = (self.payoff if payoff is None else payoff).copy()
        self.game.run(back_up, self.player, self.first, self.child, self.probability, choice, *modes, value)
        return value

    def reached(self, choice: Places, seat: int) -> NDArray[np.bool_]:
        """The positions that can come about when player `seat` keeps to `choice`, whatever the others do."""
        reached = np.zeros(len(self.player), np.bool_)
        self.game.run(mark_reached, self.player, self.first, self.child, choice, seat, reached)
        return reached

    def evaluate_players(self, evaluator: Any) -> Numbers:
        """What an evaluator says of every position, from player 0's view; of the ends, the payoff."""
        value = self.payoff.copy()
        self.game.run(estimate_all, evaluator, self.states, self.player, value)
        return value

    def greedy(self, edge_values: Numbers) -> Places:
        """For every position where a player moves, the edge with the best value; of equal ones, the first."""
        choice = np.zeros(len(self.player), np.int64)
        for i in np.flatnonzero(self.player >= 0):
            values = edge_values[self.first[i] : self.first[i + 1]]
            choice[i] = self.first[i] + (np.argmax(values) if self.player[i] == 0 else np.argmin(values))
        return choice


def all_positions(game: RecordGame, most: int = MOST) -> Positions:
    """Every position that can come about; a GameError for a game with too many, or one that can go round in circles."""
    made: dict[State, int] = {}  # the number of every position that is done with
    edges: dict[State, list[tuple[int, State, float]]] = {}  # of every position that was begun with
    stack = [game.start()]
    while stack:
        s = stack[-1]
        if s not in edges:
            edges[s] = _edges(game, s)
            for _, after, _ in edges[s]:
                if after not in edges:
                    stack.append(after)
                elif after not in made:
                    raise GameError(f"{game.name}: positions come back, so their values do not follow from one another")
            if len(edges) > most:
                raise GameError(f"{game.name} has more than {most:,} positions: too many to look at all of them")
        else:  # all that follows is done with
            made.setdefault(s, len(made))
            stack.pop()
    order = list(made)
    flat = [edge for s in order for edge in edges[s]]
    return Positions(
        game,
        np.concatenate([s.record for s in order]),
        np.array([game.player(s) for s in order], np.int64),
        np.array([game.utility(s) if game.is_end(s) else 0.0 for s in order]),
        np.concatenate([[0], np.cumsum([len(edges[s]) for s in order])]).astype(np.int64),
        np.array([a for a, _, _ in flat], np.int64),
        np.array([made[after] for _, after, _ in flat], np.int64),
        np.array([p for _, _, p in flat]),
    )


def _edges(game: RecordGame, s: State) -> list[tuple[int, State, float]]:
    """(action, where it leads, its probability where chance moves)."""
    if game.player(s) == CHANCE:
        return [(a, game.succ(s, a), p) for a, p in game.chances(s)]
    return [(a, game.succ(s, a), 0.0) for a in game.actions(s)]
