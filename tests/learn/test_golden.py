"""A tiny training of every learner, as it was: whoever rearranges the loops sees whether they still do the same.

Played by plain Python, so that nothing is rounded otherwise on another processor. `python -m tests.learn.test_golden`
writes the numbers anew, for a change that is meant.
"""

import json
from pathlib import Path

import numpy as np
import pytest

import zermelo
from tests.learn.noughts import Noughts
from tests.learn.ring import ring
from tests.learn.walk import Walk
from zermelo.evaluate.network import make_network
from zermelo.learn import trajectory
from zermelo.learn.contest import contest
from zermelo.learn.pretraining import pretrain
from zermelo.learn.qlearning import QLearner
from zermelo.learn.samuel import Samuel, searched_contest
from zermelo.learn.settings import Settings
from zermelo.learn.trainer import Trainer

GOLDEN = Path(__file__).with_name("golden.json")
NOUGHTS, WALK = Noughts(compiled=False), Walk(compiled=False)
BINS, NIM = zermelo.load("coin-bins", compiled=False), zermelo.load("nim", compiled=False)
LONGEST = 8  # positions of a game, so that some get too long
FOUR = zermelo.load("connect-four", width=4, height=4, compiled=False)
SMALL = {"games": 12, "games_per_round": 3, "seed": 7, "epsilon": 0.2, "learning_rate": 0.3}
TRAININGS = {
    "td": (Trainer, NOUGHTS, {}),
    "td, hidden units, openings": (Trainer, NOUGHTS, {"hidden": (4,), "opening": 3, "lam": 0.4, "gamma": 0.9}),
    "td, on-policy, coherence, two at a time": (
        Trainer, NOUGHTS, {"on_policy": True, "coherence": True, "actors": 2, "squared_error": True},
    ),
    "td, temperature": (Trainer, NOUGHTS, {"hidden": (3, 2), "epsilon": 0.0, "temperature": 0.5}),
    "td, dice": (Trainer, BINS, {}),
    "td, all dice": (Trainer, BINS, {"expected_backup": True}),
    "td, too long": (Trainer, WALK, {"epsilon": 1.0, "truncated_value": None}),
    "td, too long, a draw": (Trainer, WALK, {"epsilon": 1.0, "truncated_value": 0.5}),
    "td, repetition is a draw": (Trainer, ring("draw"), {}),
    "td, repetition is a loss": (Trainer, ring("loss"), {}),
    "td, repetition is forbidden": (Trainer, ring("forbidden"), {"opening": 2}),
    "traces": (Trainer, NOUGHTS, {"traces": True, "opening": 2}),
    "traces, on-policy, coherence": (
        Trainer, NOUGHTS, {"traces": True, "on_policy": True, "coherence": True, "hidden": (3,), "squared_error": True},
    ),
    "traces, all dice": (Trainer, BINS, {"traces": True, "expected_backup": True}),
    "traces, too long": (Trainer, WALK, {"traces": True, "epsilon": 1.0, "truncated_value": None}),
    "traces, repetition is forbidden": (Trainer, ring("forbidden"), {"traces": True, "opening": 2}),
    "td-leaf": (Trainer, NOUGHTS, {"depth": 2, "opening": 2, "games": 6}),
    "td-root": (Trainer, NOUGHTS, {"depth": 2, "target": "root", "games": 6}),
    "td-leaf, too long": (Trainer, WALK, {"depth": 1, "epsilon": 1.0, "truncated_value": None}),
    "td-leaf, repetition is a draw": (Trainer, ring("draw"), {"depth": 2, "games": 6}),
    "td-root, repetition is forbidden": (Trainer, ring("forbidden"), {"depth": 2, "target": "root", "games": 6}),
    "samuel": (Samuel, NOUGHTS, {"depth": 1, "target": "root", "opening": 2, "games": 20, "games_per_round": 9}),
    "q-learning": (QLearner, NIM, {}),
    "sarsa": (QLearner, NIM, {"on_policy": True, "opening": 2}),
    "q-learning, too long": (QLearner, WALK, {"epsilon": 1.0, "truncated_value": None}),
    "q-learning, repetition is a draw": (QLearner, ring("draw"), {}),
}  # fmt: skip


def weights_of(net, totals):
    w = net.w.ravel().astype(float)
    return {"weights": [float(w.sum()), float(np.abs(w).sum()), float(w @ np.sin(np.arange(w.size)))], **totals}


@pytest.fixture(autouse=True)
def short_games(monkeypatch):
    monkeypatch.setattr(trajectory, "LONGEST", LONGEST)


def learn(kind, game, settings):
    trainer = kind(game, Settings.read({**SMALL, **settings}))
    totals = dict.fromkeys(trainer.totals, 0.0)
    with np.errstate(over="ignore"):
        while not trainer.finished:
            trainer.round()
            totals = {name: value + trainer.totals[name] for name, value in totals.items()}
    found = weights_of(getattr(trainer, "q", None) or trainer.net, totals)
    if isinstance(trainer, Samuel):
        found["memory"] = [trainer.rote.size, float(trainer.rote.memory[0]["value"].sum())]
    return found


def from_the_evaluation():
    net = make_network(FOUR)
    with np.errstate(over="ignore"):
        return weights_of(net, {"error": pretrain(FOUR, net, 6, seed=2)})


def between_two():
    one, other = make_network(NOUGHTS, (3,)), make_network(NOUGHTS)
    for net in (one, other):
        net.w[:] = np.cos(np.arange(net.w.size))
    with np.errstate(over="ignore"):
        found = contest(NOUGHTS, one, other, pairs=20, opening=2, seed=3)
        random = contest(BINS, make_network(BINS), None, pairs=20)
        searched = searched_contest(NOUGHTS, one, other, depth=1, pairs=4, opening=2)
    return {"greedily": str(found), "random": str(random), "searched": str(searched)}


OTHERS = {"pretraining": from_the_evaluation, "contests": between_two}


def result_of(name):
    return OTHERS[name]() if name in OTHERS else learn(*TRAININGS[name])


@pytest.mark.parametrize("name", [*TRAININGS, *OTHERS])
def test_the_same_as_ever(name):
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))[name]
    found = result_of(name)
    assert found.keys() == golden.keys()
    for key, value in golden.items():
        assert found[key] == (value if isinstance(value, str) else pytest.approx(value, rel=1e-5, abs=1e-6)), key


if __name__ == "__main__":
    trajectory.LONGEST = LONGEST
    results = {name: result_of(name) for name in (*TRAININGS, *OTHERS)}
    GOLDEN.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
