"""The loop of self-play keeps to the rules about repetition: `History` is the oracle."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.learn.ring import ring
from zermelo.compile.dispatch import at, row
from zermelo.compile.random import generator
from zermelo.core.history import History
from zermelo.evaluate.network import make_network
from zermelo.learn.gradient import coherence
from zermelo.learn.self_play import make_totals, self_play
from zermelo.learn.settings import Settings
from zermelo.learn.successors import move_by_value
from zermelo.learn.td_leaf import TDLeaf, make_search
from zermelo.learn.trajectory import make_trajectory


class Recorder(NamedTuple):
    """Plays like TD, learns nothing, and writes down what was played."""

    net: Any
    hyper: Any
    games: list

    def game_begins(learner, trajectory, random):
        learner.games.append([])

    def choose_move(learner, trajectory, s, p, n, random):
        place = move_by_value(learner, trajectory, s, p, n, random)
        learner.games[-1].append(int(row(trajectory.moves, 0)[place]) if place >= 0 else None)
        return place

    def game_ends(learner, trajectory, truncated):
        learner.games[-1].append(float(at(trajectory.notes, 0).payoff[0]))
        return True


@pytest.mark.parametrize("rule", ["draw", "loss", "forbidden"])
def test_games_are_those_that_history_allows(rule):
    game, games = ring(rule), []
    learner = Recorder(make_network(game), Settings(epsilon=0.7).hyperparameters(0), games)
    with np.errstate(over="ignore"):
        game.run(self_play, learner, make_trajectory(game, 2), generator(3), 60, make_totals())
    ends = set()
    for *moves, payoff in games:
        history = History(game)
        for action in moves:
            if action is None:
                assert not list(history.actions())
                ends.add("stuck")
                break
            assert history.is_legal(action)
            history.play(action)
        else:
            assert history.is_over
            assert history.utility(0) == payoff
            ends.add("repetition" if history.is_repeated else "won")
    assert ends == ({"won"} if rule == "forbidden" else {"won", "repetition"})


def test_look_ahead_meets_the_same_rules():
    game, totals = ring("forbidden"), make_totals()
    hyper = Settings(epsilon=0.5, opening=3).hyperparameters(0)
    learner = TDLeaf(make_network(game), make_search(game), hyper, 2, False, coherence(0), totals)
    with np.errstate(over="ignore"):
        game.run(self_play, learner, make_trajectory(game, 2), generator(1), 20, totals)
    assert 20 < totals[0]["decisions"] <= 20 * 6  # no place is visited twice
