"""AlphaGo Zero's loop on a small game, and the comparison of what guides a search."""

import pytest

import zermelo
from tests.evaluate.tower.test_cores import nudged
from zermelo import GameError
from zermelo.evaluate.tower.architecture import architecture_for
from zermelo.evaluate.tower.files import save_tower
from zermelo.experiments import run_zero_comparison, run_zero_lesson
from zermelo.experiments.zero_lesson import PAPER, known_positions

SMALL = {"parallel_games": 16, "moves_per_round": 4, "blocks": 1, "channels": 8, "batch_size": 16, "window": 256}


@pytest.fixture(scope="module")
def game():
    return zermelo.load("tic-tac-toe")


def test_the_truth_is_the_whole_trees(game):
    known = {game.format(truth.state): truth for truth in known_positions(game)}
    assert len(known) == 3191
    truth = known["xx. oo. ..."]
    assert truth.value == 1.0
    assert [game.format_action(truth.state, a) for a in truth.keeps] == ["c3"]
    corner = known["x.. ... ..."]
    assert corner.value == 0.0
    assert [game.format_action(corner.state, a) for a in corner.keeps] == ["b2"]  # the only answer to a corner


class Pretender:
    """A trainer that learns nothing, and so at once."""

    def __init__(self, game, settings):
        self.settings, self.architecture = settings, architecture_for(game, 1, 8)
        self.rounds = self.games = 0
        self.totals = {}

    finished = property(lambda self: self.rounds >= self.settings.rounds)
    average = property(lambda self: nudged(self.architecture, self.rounds))

    def round(self):
        self.rounds, self.games, self.totals = self.rounds + 1, self.games + 5, {"updates": 2.0, "loss": 1.0}


@pytest.mark.parametrize("real", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_lesson_is_told(game, tmp_path, monkeypatch, real):
    pytest.importorskip("jax")
    if not real:
        monkeypatch.setattr("zermelo.learn.zero.trainer.Trainer", Pretender)
    told = []
    lesson = run_zero_lesson(game, 3, tell=told.append, asked=12, simulations=4, **SMALL)
    assert [stage.rounds for stage in lesson.stages] == [0, 1, 2, 3]
    assert len(told) == 4
    first, last = lesson.stages[0], lesson.stages[-1]
    assert last.games > first.games == 0
    for stage in lesson.stages:
        assert 0 <= stage.policy_right <= 1
        assert [one.position for one in stage.examples] == [one.position for one in first.examples]
        for example in stage.examples:
            assert sum(move.policy for move in example.moves) == pytest.approx(1.0)
            assert any(move.keeps for move in example.moves)
            assert not all(move.keeps for move in example.moves)
    assert all(what in lesson.table() for what, _ in PAPER)
    assert lesson.figure(tmp_path / "lesson.svg").read_text().startswith("<?xml")


@pytest.mark.slow
def test_the_search_teaches_the_policy(game):
    pytest.importorskip("jax")
    stages = run_zero_lesson(game, 40).stages
    assert stages[0].policy_right < 0.6
    assert stages[-1].policy_right > 0.8
    assert stages[-1].policy_error < stages[0].policy_error
    assert all(stage.search_right > stage.policy_right - 0.05 for stage in stages)


def test_a_lesson_needs_a_small_game_of_two(game):
    with pytest.raises(GameError, match="without chance"):
        run_zero_lesson(zermelo.load("game-2048", compiled=False))
    with pytest.raises(GameError, match="has no policy_size"):
        run_zero_lesson(zermelo.load("nim-heaps", compiled=False))


def test_the_comparison(game, tmp_path):
    a = architecture_for(game, 1, 8)
    save_tower(tmp_path / "weights.safetensors", game, a, nudged(a))
    found = run_zero_comparison(game, (1, 8), 2, str(tmp_path), jobs=1)
    kinds = {(one.kind, one.simulations) for one in found.entries}
    assert kinds == {("network", 1), ("network", 8), ("evaluation", 8), ("playouts", 8)}
    assert sum(one.games for one in found.entries) == 2 * 6 * 2
    assert "guided by" in found.table()
    assert found.figure(tmp_path / "all.svg").is_file()
    with pytest.raises(GameError, match="train one"):
        run_zero_comparison(game)
    with pytest.raises(GameError, match="more than one number"):
        run_zero_comparison(game, (1,), 2, str(tmp_path))


def test_the_rules_own_evaluation_guides_the_same_search():
    game = zermelo.load("connect-four", width=4, height=4, compiled=False)
    report = zermelo.search(game, algorithm="zero:weights=handcrafted", nodes=50)
    assert report.algorithm == "puct"
    assert report.moves[0].prior is not None
