"""Trainings that are told the truth by endgame tables: what their targets are, and where their games end."""

import shutil

import numpy as np
import pytest

import zermelo
from tests.learn.heap import MOST, Heap
from zermelo.compile.evaluator import estimate
from zermelo.core.game import GameError
from zermelo.learn.runs.run import Run, code_of
from zermelo.learn.self_play import self_play
from zermelo.learn.settings import Settings
from zermelo.learn.trainer import Trainer, make_learner
from zermelo.solve.tables.build import build_tables

HEAP = Heap(compiled=False)
KNOWN = 4  # what the tables know: heaps up to this
SMALL = {"games": 30, "games_per_round": 10, "epsilon": 0.3, "learning_rate": 0.3, "seed": 5}
LEARNERS = {
    "td": {},
    "td, on-policy": {"on_policy": True},
    "traces": {"traces": True},
    "leaf": {"depth": 1},
    "root": {"depth": 1, "target": "root"},
}
every_learner = pytest.mark.parametrize("learner", LEARNERS.values(), ids=LEARNERS)


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    build_tables(HEAP, KNOWN, folder=folder)
    return folder


def trained(**settings):
    trainer = Trainer(HEAP, Settings.read({**SMALL, **settings}), threads=1)
    while not trainer.finished:
        trainer.round()
    return trainer


def worth(left, turn=0):
    """To player 0, from 0 to 1."""
    return float((left % 3 != 0) == (turn == 0))


def play_one(trainer):
    """A game of a trainer's actor: (its trajectory's notes, the positions that were learned from, where it ended)."""
    actor, settings = trainer.actors[0], trainer.settings
    learner = make_learner(HEAP, settings, actor, settings.hyperparameters(0))
    HEAP.run(self_play, trainer.exact.teaching(learner), actor.trajectory, actor.random, 1, actor.totals)
    notes, states = actor.trajectory.notes[0], actor.trajectory.states
    kept = [(int(s["left"]), int(s["turn"])) for s in states[: notes.length]]
    return notes, kept, int(states[len(states) - 4]["left"])


@every_learner
def test_games_end_where_the_result_is_known(learner, tables):
    trainer = Trainer(HEAP, Settings.read({**SMALL, **learner, "tables": str(tables)}))
    for _ in range(20):
        notes, kept, ended = play_one(trainer)
        assert KNOWN - 1 <= ended <= KNOWN  # the first it came to
        assert notes.plies <= MOST - KNOWN + 1
        s = trainer.actors[0].trajectory.states[len(trainer.actors[0].trajectory.states) - 4]
        assert notes.payoff[0] == 2 * worth(ended, int(s["turn"])) - 1
        if not trainer.settings.traces:
            assert kept[-1][0] == ended or trainer.settings.target == "leaf"


@pytest.mark.parametrize("learner", [LEARNERS[name] for name in ("td", "td, on-policy", "leaf", "root")])
@pytest.mark.parametrize("play_on", [False, True])
def test_known_positions_have_the_truth_as_target(learner, play_on, tables):
    given = {**SMALL, **learner, "tables": str(tables), "play_on": play_on, "lam": 0.5}
    trainer = Trainer(HEAP, Settings.read(given))
    known = beyond = 0
    of_next = learner.get("target") != "root"  # the root's own search is another opinion
    for _ in range(20):
        notes, kept, _ = play_one(trainer)
        for t, (left, turn) in enumerate(kept):
            if 0 < left <= KNOWN:
                assert notes.target[t] == worth(left, turn)
                known += 1
                beyond += left < KNOWN - 1
            elif of_next and t + 1 < len(kept) and kept[t + 1][0] <= KNOWN < left and notes.cut[t] == 0:
                assert notes.target[t] == worth(*kept[t + 1])  # what it leads to is known
    assert known > 10
    assert (beyond > 5) == play_on


@pytest.mark.parametrize("learner", [LEARNERS[name] for name in ("td", "leaf", "root")])
def test_what_is_won_later_is_worth_less(learner, tmp_path):
    tables = build_tables(HEAP, KNOWN, folder=tmp_path, with_plies=True)
    given = {**SMALL, **learner, "tables": str(tmp_path), "play_on": True, "gamma": 0.9}
    trainer, seen = Trainer(HEAP, Settings.read(given)), set()
    for _ in range(20):
        notes, kept, _ = play_one(trainer)
        for t, (left, turn) in enumerate(kept):
            if 0 < left <= KNOWN:
                plies = tables.probe(HEAP.parse(f"left={left} turn={turn}")).plies
                assert 2 * notes.target[t] - 1 == pytest.approx((2 * worth(left, turn) - 1) * 0.9**plies, abs=1e-6)
                seen.add(plies)
    assert len(seen) > 1


@every_learner
def test_what_is_known_is_learned(learner, tables):
    """Although nobody plays well: nearly all moves are random, and the learning rate is high to the end."""
    given = {**learner, "epsilon": 0.9, "games": 120, "schedule": "constant", "lam": 1.0}
    net = trained(**given, tables=str(tables), play_on=True).net
    for left in range(1, KNOWN + 1):
        s = HEAP.parse(f"left={left} turn=0")
        value = HEAP.run(estimate, net, s.record[0])
        assert (value > 0.5) == (left % 3 != 0), left
        assert abs(value) > 0.5


@every_learner
def test_where_nothing_is_known_nothing_changes(learner, tables):
    plain = trained(**learner)
    exact = Trainer(HEAP, Settings.read({**SMALL, **learner, "tables": str(tables)}), threads=1)
    exact.exact.held.record[0]["is_told"] = 0  # tables that are silent
    while not exact.finished:
        exact.round()
    np.testing.assert_array_equal(exact.net.w, plain.net.w)
    assert exact.totals == plain.totals


def test_resumed_it_comes_to_the_same_weights(tables, tmp_path):
    settings = Settings.read({**SMALL, "tables": str(tables)})
    with Run.create(tmp_path / "whole", HEAP, settings) as run:
        run.go()
        whole = run.trainer.net.w.copy()
        assert run.how_trained()["settings"]["tables"] == str(tables)
        assert run.how_trained()["tables"] == run.trainer.exact.checksum
    with Run.create(tmp_path / "stopped", HEAP, settings) as run:
        run.stop()
        assert not run.go()
        run.trainer.round()
        run.save()
    with Run.open(tmp_path / "stopped", game=HEAP) as run:
        assert run.trainer.games == 10
        run.go()
        np.testing.assert_array_equal(run.trainer.net.w, whole)


def test_other_tables_are_refused(tables, tmp_path):
    mine = tmp_path / "tables"
    shutil.copytree(tables, mine)
    with Run.create(tmp_path / "run", HEAP, Settings.read({**SMALL, "tables": str(mine)})):
        pass
    build_tables(HEAP, KNOWN + 1, folder=mine)
    with pytest.raises(GameError, match="the endgame tables are not those this training began with"):
        Run.open(tmp_path / "run", game=HEAP)


def test_what_cannot_be_is_refused(tmp_path):
    with pytest.raises(GameError, match="play_on is about positions that tables know: give tables too"):
        Settings(play_on=True)
    with pytest.raises(GameError, match="there are no tables of heap in"):
        Trainer(HEAP, Settings(tables=str(tmp_path)))
    with pytest.raises(GameError, match="backgammon: endings are learned exactly in games without chance"):
        Trainer(zermelo.load("backgammon", compiled=False), Settings(tables="on"))
    with pytest.raises(GameError, match="tic-tac-toe does not number its endings"):
        Trainer(zermelo.load("tic-tac-toe", compiled=False), Settings(tables="on"))


def test_a_change_of_what_tells_the_truth_is_noticed():
    assert code_of(HEAP, Settings(tables="on")) != code_of(HEAP, Settings())


@pytest.mark.slow  # a kernel of its own is compiled
@pytest.mark.jit
def test_compiled_it_learns_the_same(tables):
    given = Settings.read({**SMALL, "tables": str(tables), "play_on": True})
    both = [Trainer(game, given, threads=1) for game in (HEAP, Heap())]
    for trainer in both:
        trainer.round()
    np.testing.assert_allclose(both[0].net.w, both[1].net.w, atol=1e-6)
