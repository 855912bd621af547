"""What judges leaves in batches for PUCT: a protocol, and two that need no learning.

An evaluator is given positions as an array of records and answers, for every position, the payoffs it expects and how
much it likes each legal move. How it does that, and on what device, is its own business.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from zermelo.batch.sampling import Sampler
from zermelo.compile.dispatch import at, evaluate_players, expand, has_chance, move_score, offers, row
from zermelo.compile.kernel import kernel
from zermelo.compile.record import RecordArray, roomy, rows
from zermelo.compile.record_game import RecordGame
from zermelo.core.game import CHANCE, GameError
from zermelo.search.searcher import need_rules

Judgement = tuple[NDArray[np.float64], NDArray[np.float64]]


class BatchEvaluator(Protocol):
    """None of the positions it is given is over. `judges_chance`, where there is one and it is false: nor does nature
    move in any of them. `prepare()`, where there is one, does what takes long before any clock runs."""

    def evaluate(self, states: RecordArray) -> Judgement:
        """Of n positions: (n, players) payoffs expected, and (n, width) priors.

        Row k of the priors begins with one number ≥ 0 for every legal move of position k, in the order the rules list
        them; they need not add up to 1, and the rest of the row is not looked at. At a chance node all of it is not.
        """
        ...


@kernel
def judge_all(states, moves, chance, payoff, temperature, values, priors):  # type: ignore[no-untyped-def]
    """The rules' own estimates, and exp(move_score / temperature), the scores scaled to reach from 0 to 1.

    A score of −∞ says that another move is at least as good: its prior is 0.
    """
    out, probability = row(moves, 0), row(chance, 0)
    for k in range(len(states)):
        s = at(states, k)
        evaluate_players(s, payoff)
        for q in range(len(payoff)):
            values[k, q] = payoff[q]
        p, n = expand(s, out, probability)
        least, most = np.inf, -np.inf
        if offers(s, "move_score") and not (has_chance(s) and p == CHANCE):
            for j in range(n):
                priors[k, j] = move_score(s, out[j])
                if priors[k, j] > -np.inf:
                    least, most = min(least, priors[k, j]), max(most, priors[k, j])
        for j in range(n):
            if priors[k, j] == -np.inf:
                priors[k, j] = 0.0
            else:
                priors[k, j] = np.exp((priors[k, j] - least) / (most - least) / temperature) if most > least else 1.0


class HandcraftedEvaluator:
    """The game's own `evaluate_players`; priors from its `move_score`, or all alike. A low temperature is greedy."""

    def __init__(self, game: RecordGame, temperature: float = 0.5):
        if not temperature > 0:
            raise GameError(f"a temperature must be positive, not {temperature!r}")
        self.game = need_rules(game)
        self.temperature = float(temperature)
        width = game.variant.width
        self._scratch = (
            rows(1, width),
            rows(1, width if game.variant.max_chance_outcomes else 1, "f8"),
            roomy(game.players, np.float64),
        )

    def evaluate(self, states: RecordArray) -> Judgement:
        values, priors = np.zeros((len(states), self.game.players)), np.zeros((len(states), self.game.variant.width))
        self.game.run(judge_all, states, *self._scratch, self.temperature, values, priors)
        return values, priors


class PlayoutEvaluator:
    """The mean payoffs of random games, `playouts` of them for each of `leaves`, or more where there are fewer leaves;
    all moves alike. The games are played on the cores ("cpu") or on a graphics card ("cuda")."""

    def __init__(
        self,
        game: RecordGame,
        leaves: int,
        playouts: int,
        *,
        device: str = "cpu",
        seed: int = 0,
        max_plies: int | None = None,
    ):
        self.game = need_rules(game)
        self.sampler = Sampler(game, leaves * playouts, device=device, seed=seed, max_plies=max_plies)

    def evaluate(self, states: RecordArray) -> Judgement:
        n = len(states)
        payoff = self.sampler.play(states)
        values = np.stack([payoff[k::n].mean(axis=0) for k in range(n)])
        return values, np.ones((n, self.game.variant.width))
