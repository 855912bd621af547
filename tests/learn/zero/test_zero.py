"""A training of a network: it learns, and whatever ends it, it goes on to the same bits."""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import zermelo
from tests.learn.heap import DECLARED, MOST, Heap, make_heap
from zermelo import rules
from zermelo.core.game import GameError

pytest.importorskip("jax")

from zermelo.evaluate.files import load_network, save_network
from zermelo.evaluate.network import make_network
from zermelo.evaluate.tower.architecture import architecture_for, make_weights
from zermelo.evaluate.tower.files import load_tower, read_tower, save_tower
from zermelo.interfaces.cli import main
from zermelo.interfaces.cli.app import run
from zermelo.interfaces.cli.common.zero_training import begun_with
from zermelo.learn.settings import table
from zermelo.learn.zero.log import Log
from zermelo.learn.zero.replay import READY
from zermelo.learn.zero.run import Run, command_for
from zermelo.learn.zero.settings import LARGEST_SEED, ZeroSettings, settings_for
from zermelo.learn.zero.snapshots import PIECE, read_pieces, remove_others, write_pieces
from zermelo.learn.zero.speed import measure_speed, shortened
from zermelo.learn.zero.trainer import Trainer
from zermelo.learn.zero.yardsticks import Score
from zermelo.search.registry import open_search
from zermelo.solve.tables.build import build_tables

TINY = dict(  # noqa: C408
    rounds=3, blocks=1, channels=8, parallel_games=16, moves_per_round=8, simulations=8, fast_simulations=4,
    full_share=0.5, window=256, batch_size=16, measured_games=8,
)  # fmt: skip


@pytest.fixture(scope="module")
def game():
    return zermelo.load("tic-tac-toe")


@pytest.fixture(scope="module")
def alone(game, tmp_path_factory):
    """A training left alone: its folder and the digest of its end."""
    folder = tmp_path_factory.mktemp("zero") / "alone"
    with Run.create(folder, game, settings_for(game, TINY)) as run:
        assert run.go()
        return folder, run.digest()


@pytest.mark.jit
def test_a_training_in_pieces_comes_to_the_same_bits(game, alone, tmp_path):
    with Run.create(tmp_path / "b", game, settings_for(game, TINY)) as run:
        assert not run.go(seconds=0.001)
        assert run.trainer.rounds == 1
    (tmp_path / "b" / "snapshot-99.0.part").write_bytes(b"what a killed process left")
    with Run.open(tmp_path / "b") as run:
        assert not (tmp_path / "b" / "snapshot-99.0.part").exists()
        assert run.go()
        assert run.digest() == alone[1]
        with pytest.raises(GameError, match="another process"):
            Run.open(tmp_path / "b")


@pytest.mark.jit
def test_a_training_begins_with_the_network_in_a_file(game, alone, tmp_path):
    file = alone[0] / "weights.safetensors"
    assert main(["train", "zero", "tic-tac-toe", "--weights", str(file), "-f", str(tmp_path / "b"), "--seconds", "0.01",
                 "--parallel-games", "16", "--measured-games", "8", "--rounds", "3"]) == 0  # fmt: skip
    card, weights = read_tower(tmp_path / "b" / "weights.safetensors")
    assert (card.architecture.blocks, card.architecture.channels) == (1, 8)
    assert card.trained["command"].endswith(f"--weights {file}")
    assert card.trained["started_from"]
    for name, begun in read_tower(file)[1].items():
        np.testing.assert_allclose(weights[name], begun, atol=0.02)  # one round is not far
    with Run.open(tmp_path / "b") as run:  # the file need not be there any more
        assert run.trainer.rounds == 1
    with pytest.raises(GameError, match=r"a network of 1 × 8 .* 2 × 8"):
        Run.create(tmp_path / "c", game, settings_for(game, TINY | {"blocks": 2}), weights=file)
    assert not (tmp_path / "c").exists()


def test_a_training_begins_with_the_network_of_a_smaller_board(tmp_path):
    small, large = (zermelo.load("hex", compiled=False, size=size) for size in (3, 5))
    a = architecture_for(small, 1, 8)
    file, kept = tmp_path / "small.safetensors", make_weights(a, seed=3)
    save_tower(file, small, a, kept)
    with Run.create(tmp_path / "b", large, settings_for(large, TINY), weights=file) as run:
        assert run.trainer.architecture.shape == (2, 5, 5)
        begun = run.trainer.average
    np.testing.assert_allclose(begun["block0.w1"], kept["block0.w1"], atol=1e-3)  # half precision
    with pytest.raises(GameError, match=r"a network of 1 × 8 .* 2 × 8"):
        Run.create(tmp_path / "c", large, settings_for(large, TINY | {"blocks": 2}), weights=file)
    (tmp_path / "training").mkdir()
    with pytest.raises(GameError, match=r"has no weights\.safetensors: it is written when"):
        begun_with(tmp_path / "training", large, {}, "cpu")
    file.rename(tmp_path / "training" / "weights.safetensors")
    assert begun_with(tmp_path / "training", large, {}, "cpu")["channels"] == 8


def test_only_policies_by_cells_grow(tmp_path):
    small, large = (zermelo.load("connect-four", compiled=False, width=width, height=4) for width in (4, 5))
    a = architecture_for(small, 1, 8)
    save_tower(tmp_path / "a.safetensors", small, a, make_weights(a))
    with pytest.raises(GameError, match="another board, of 4 × 4, and only one whose policy is numbered by cells"):
        begun_with(tmp_path / "a.safetensors", large, {}, "cpu")


def test_weights_of_the_other_kind_are_told_by_their_kind(game, tmp_path):
    a = architecture_for(game, 1, 8)
    save_tower(tmp_path / "a.safetensors", game, a, make_weights(a))
    with pytest.raises(GameError, match="of a policy/value network, not of an evaluation"):
        load_network(tmp_path / "a.safetensors", game)
    save_network(tmp_path / "b.safetensors", game, make_network(game))
    with pytest.raises(GameError, match="of an evaluation, not of a policy/value network"):
        load_tower(tmp_path / "b.safetensors", game)


def test_a_resumption_is_of_what_it_began_with(alone, capsys):
    assert main(["train", "--resume", str(alone[0]), "connect-four"]) == 2
    assert "leave out 'connect-four'" in capsys.readouterr().err


def test_a_training_may_begin_without_a_game_that_ends(game):
    """No payoff has been seen then, and none is wrong."""
    trainer = Trainer(game, settings_for(game, TINY | {"staggered": False, "moves_per_round": 1, "opening": 0}))
    trainer.round()
    assert trainer.games == 0


def test_speed_is_measured_without_waiting_for_games_to_end(game):
    settings = settings_for(game, TINY | {"staggered": False, "moves_per_round": 64, "full_share": 0.5, "opening": 0})
    assert shortened(settings).moves_per_round == 2
    assert shortened(settings).full_searches * 64 == settings.full_searches * 2
    speed = measure_speed(game, settings, "cpu", 0.0)
    assert speed.rounds == 1
    assert speed.simulations == settings.simulations_in(0) // 32
    assert speed.seconds_for(settings) > 0


def test_a_network_on_a_card_needs_one(game, alone):
    import jax

    if jax.default_backend() != "cpu":
        pytest.skip("there is a card")
    with pytest.raises(GameError, match="JAX sees no graphics card here"):
        open_search(game, f"zero:weights={alone[0]},device=cuda")


@pytest.mark.parametrize(
    ("of_the_game", "has_head", "used"), [(0.6, True, 0.6), (0.6, False, 0.0), (0.0, True, 0.15), (0.0, False, 0.0)]
)
def test_a_network_that_is_begun_with_says_whether_replies_are_learned(tmp_path, of_the_game, has_head, used):
    """How much they count is still the game's own setting."""
    game = make_heap("replying", {"zero_training": {**TINY, "reply_weight": of_the_game}})
    a = architecture_for(game, 1, 8, has_head)
    save_tower(tmp_path / "a.safetensors", game, a, make_weights(a))
    given = begun_with(tmp_path / "a.safetensors", game, {}, "cpu")
    assert settings_for(game, given).reply_weight == used
    told = begun_with(tmp_path / "a.safetensors", game, {"reply_weight": 0.3}, "cpu")
    assert settings_for(game, told).reply_weight == 0.3


def test_the_network_that_is_measured_against_is_the_same_after_a_resumption(tmp_path):
    """A snapshot keeps it in half precision; a training may begin with a file of more."""
    game = make_heap("rounded", {"zero_training": TINY})
    a = architecture_for(game, TINY["blocks"], TINY["channels"], True)
    given = {name: one + np.float32(1 / 3) for name, one in make_weights(a).items()}
    save_tower(tmp_path / "a.safetensors", game, a, given, half=False)
    with Run.create(tmp_path / "run", game, settings_for(game, {}), weights=tmp_path / "a.safetensors") as run:
        run.save()
        before = run.before
    with Run.open(tmp_path / "run", game=game) as again:
        assert all(np.array_equal(again.before[name], one) for name, one in before.items())


@pytest.mark.jit
def test_what_is_in_the_folder(game, alone):
    folder, _ = alone
    rows = list(csv.DictReader((folder / "curve.csv").open()))
    assert [row["rounds"] for row in rows] == ["1", "2", "3"]
    assert "<svg" in (folder / "curve.svg").read_text()
    card, weights = read_tower(folder / "weights.safetensors")
    assert card.trained["command"] == json.loads((folder / "run.json").read_text())["command"]
    assert card.trained["rounds"] == 3
    assert any(np.abs(w).sum() > 0 for name, w in weights.items() if name.endswith(".w2"))  # it was 0 at first
    load_tower(folder / "weights.safetensors", game)


@pytest.mark.jit
def test_another_training_is_refused(game, alone, tmp_path):
    folder, _ = alone
    with pytest.raises(GameError, match="rounds 3"):
        Run.open(folder, settings={"rounds": 4})
    with pytest.raises(GameError, match="not of connect-four"):
        Run.open(folder, game=zermelo.load("connect-four"))
    with pytest.raises(GameError, match="there is a training"):
        Run.create(folder, game, settings_for(game, TINY))
    with pytest.raises(GameError, match="nim-heaps has no policy_size"):
        Run.create(tmp_path / "c", zermelo.load("nim-heaps"), settings_for(game, TINY))


def test_a_snapshot_is_cut_in_pieces_and_damage_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("zermelo.learn.zero.snapshots.PIECE", 1000)
    assert PIECE < 16 << 20
    noise = {"a": np.random.default_rng(0).integers(0, 256, 3500).astype(np.uint8), "b": np.zeros((2, 3), np.float32)}
    write_pieces(tmp_path, {}, {})
    write_pieces(tmp_path, noise, {"log": "x"})
    assert sorted(p.name for p in tmp_path.iterdir()) == [*(f"snapshot-2.{k}.part" for k in range(4)), "snapshot.json"]
    tensors, texts = read_pieces(tmp_path)
    assert texts == {"log": "x"}
    assert all(np.array_equal(tensors[name], noise[name]) for name in noise)
    monkeypatch.setattr("zermelo.learn.zero.snapshots.LARGEST", 100)  # for indices that do not say
    assert np.array_equal(read_pieces(tmp_path)[0]["a"], noise["a"])
    with monkeypatch.context() as little:
        little.setattr("zermelo.learn.zero.snapshots.available_memory", lambda: 3000)
        with pytest.raises(GameError, match=r"tells of 0\.0 GiB, and 0\.0 GiB of memory"):
            read_pieces(tmp_path)
    piece = tmp_path / "snapshot-2.1.part"
    piece.write_bytes(piece.read_bytes()[:-1])
    with pytest.raises(GameError, match="damaged"):
        read_pieces(tmp_path)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def cut_short(path):
    path.write_bytes(path.read_bytes()[:100])


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (Path.unlink, "snapshot.json' cannot be read"),
        (cut_short, "snapshot.json is not a snapshot of a training"),
        *(
            (lambda path, text=text: path.write_text(text), "snapshot.json is not a snapshot of a training")
            for text in (
                '{"pieces": []}',
                '{"pieces": [], "texts": {}, "generation": 2}',
                '{"pieces": [["snapshot-2.0.part", Infinity, ""]], "texts": {}, "generation": 2}',
                "[]",
                "null",
                "[" * 100_000,
            )
        ),
        (lambda path: (path.unlink(), path.mkdir()), "snapshot.json' is a folder"),
        (lambda path: next(path.parent.glob("*.part")).unlink(), ".part' cannot be read"),
        (lambda path: cut_short(next(path.parent.glob("*.part"))), ".part is damaged"),
    ],
)
def test_what_cannot_be_gone_on_with_is_left_as_it_is(alone, tmp_path, damage, why):
    folder = tmp_path / "b"
    shutil.copytree(alone[0], folder)
    damage(folder / "snapshot.json")
    (folder / "snapshot-99.0.part").write_bytes(b"perhaps of use to somebody")
    (folder / ".snapshot-99.1.part.0.tmp").write_bytes(b"half of it")
    before = contents(folder)
    with pytest.raises(GameError) as refused:
        Run.open(folder)
    assert why in str(refused.value)
    assert contents(folder) == before


def test_without_a_snapshot_nothing_is_removed(tmp_path):
    (tmp_path / "snapshot-2.0.part").write_bytes(b"a training")
    remove_others(tmp_path)
    assert (tmp_path / "snapshot-2.0.part").exists()


def test_folders_called_like_pieces_are_not_in_the_way(tmp_path):
    (tmp_path / "snapshot-2.0.part").mkdir()
    for generation in (1, 3):
        write_pieces(tmp_path, {"a": np.zeros(3)}, {})
        found = sorted(path.name for path in tmp_path.iterdir() if path.is_file())
        assert found == [f"snapshot-{generation}.0.part", "snapshot.json"]
    assert (tmp_path / "snapshot-2.0.part").is_dir()


@pytest.mark.parametrize("text", ["[]", '{"pieces": []}', "{", '{"pieces": [], "texts": {}, "generation": "x"}'])
def test_nothing_is_written_over_what_is_no_snapshot(tmp_path, text):
    (tmp_path / "snapshot.json").write_text(text)
    with pytest.raises(GameError, match="is not a snapshot of a training"):
        write_pieces(tmp_path, {}, {})
    assert [path.name for path in tmp_path.iterdir()] == ["snapshot.json"]


def test_a_log_has_numbers():
    log = Log(sums={"games": 1.0})
    log.close(1, 2, 0.1, Score(2, 0.5, 0.1), Score(2, 0.5, 0.1))
    log.add({"games": 3.0})
    told = log.as_dict()
    assert Log.read(told) == log
    for wrong in ({**told, "sums": {"games": None}}, {**told, "rows": [{**told["rows"][0], "elo": "high"}]}):
        with pytest.raises(GameError, match="not one of a training"):
            Log.read(wrong)


@pytest.mark.jit
def test_every_seed_that_is_allowed_makes_a_training(game, tmp_path):
    with Run.create(tmp_path / "a", game, settings_for(game, {**TINY, "seed": LARGEST_SEED})) as run:
        assert run.go()
        assert "loss" in run.trainer.totals
    assert ZeroSettings(seed=5).seed_beside(1913) == 1918
    assert ZeroSettings(seed=LARGEST_SEED).seed_beside(1) == 0


def words(settings):
    return [word for name, value in settings.items() for word in (f"--{name.replace('_', '-')}", str(value))]


@pytest.mark.jit
def test_the_command(alone, tmp_path, capsys):
    assert (
        run(["train", "zero", "tic-tac-toe", "--folder", str(tmp_path / "a"), "--seconds", "0.001", *words(TINY)]) == 0
    )
    assert "stopped after 1 of 3 rounds" in capsys.readouterr().out
    assert run(["train", "--resume", str(tmp_path / "a")]) == 0
    told = capsys.readouterr().out
    assert "going on after 1 round" in told
    assert "the weights are in" in told
    with Run.open(tmp_path / "a") as found:
        assert found.digest() == alone[1]


@pytest.mark.jit
def test_ctrl_c_within_the_given_time(tmp_path, monkeypatch, capsys):
    played = Trainer.round

    def interrupted_round(trainer):
        signal.getsignal(signal.SIGINT)(signal.SIGINT, None)
        played(trainer)

    monkeypatch.setattr(Trainer, "round", interrupted_round)
    where = ["--folder", str(tmp_path / "a"), "--seconds", "1000"]
    assert main(["train", "zero", "tic-tac-toe", *where, *words(TINY)]) == 130
    told = capsys.readouterr()
    assert "stopped after 1 of 3 rounds" in told.out
    assert told.err == "interrupted\n"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (["zero"], "say what the network is to learn"),
        (["zero", "tic-tac-toe", "--lam", "0.5"], "zero has no setting 'lam'"),
        (["zero", "tic-tac-toe", "--threads", "2"], "leave out --threads"),
        (["zero", "tic-tac-toe", "--device", "tpu"], "'cpu' or 'cuda', not 'tpu'"),
        (["tic-tac-toe", "--blocks", "2"], "only zero has a setting 'blocks'"),
        (["tic-tac-toe", "nim"], "two games are one too many"),
        (["tic-tac-toe", "--device", "cuda"], "--device is for zero"),
    ],
)
def test_commands_that_make_no_sense(given, why, capsys):
    assert run(["train", *given]) == 2
    assert why in capsys.readouterr().err


@pytest.mark.jit
def test_how_long_a_training_takes(game, alone):
    settings = settings_for(game, {**TINY, "rounds": 30, "ramp": 0.5})
    speed = measure_speed(game, settings, "cpu", 0.0)
    assert (speed.rounds, speed.positions) == (1, 16)  # a round of two moves, of which one is recorded
    per_second = speed.simulations / speed.seconds
    assert speed.seconds_for(settings) == pytest.approx(sum(map(settings.simulations_in, range(30))) / per_second)


def test_without_jax_there_is_a_sentence(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "optax", None)
    assert run(["train", "zero", "tic-tac-toe"]) == 2
    assert "pip install 'zermelo[zero]'" in capsys.readouterr().err


def test_the_documents_have_all_settings():
    assert table(ZeroSettings) in (Path(__file__).parents[3] / "docs" / "zero.md").read_text(encoding="utf-8")


def test_settings_follow_from_each_other():
    s = ZeroSettings(parallel_games=100, moves_per_round=8, full_share=0.25, window=1000, batch_size=50, reuse=2.0)
    assert (s.full_searches, s.rows, s.updates) == (2, 10, 8)
    assert s.simulations_in(0) == 100 * (2 * 32 + 6 * 8)
    assert [ZeroSettings(ramp=0.5).simulations_at(n)[0] for n in (0, 75, 150, 299)] == [8, 20, 32, 32]
    assert s.learning_rate_at(0) < s.learning_rate_at(5) == pytest.approx(0.002, rel=1e-3)
    assert s.learning_rate_at(299) == pytest.approx(0.0001, rel=0.1)
    with pytest.raises(GameError, match="even"):
        ZeroSettings(parallel_games=3)
    with pytest.raises(GameError, match="no setting 'lam'"):
        settings_for(zermelo.load("tic-tac-toe", compiled=False), {"lam": 1})


def test_a_game_has_settings_for_cores():
    def with_training(told):
        body = {word: one for word, one in vars(Heap.source).items() if not word.startswith("__")}
        return rules(name="heap", zero_training=told, **DECLARED)(type("Heap", (), body))(compiled=False)

    game = with_training({"blocks": 6, "channels": 96, "cores": {"blocks": 2, "parallel_games": 64}})
    cores, card = settings_for(game, {}), settings_for(game, {}, "cuda")
    assert (cores.blocks, cores.channels, cores.parallel_games) == (2, 96, 64)
    assert (card.blocks, card.channels, card.parallel_games) == (6, 96, 8192)
    assert settings_for(game, {"blocks": 3}).blocks == 3
    assert command_for(game, cores, "cpu") == "zermelo train zero heap"
    assert command_for(game, card, "cuda") == "zermelo train zero heap --device cuda"
    with pytest.raises(GameError, match="not a dict, 4"):
        settings_for(with_training({"cores": 4}), {})
    for name in ("connect-four", "go", "hex", "othello", "tic-tac-toe"):
        settings_for(zermelo.load(name, compiled=False), {})


@pytest.mark.parametrize("warm_up", [0.0, 0.001, 0.02, 0.031, 0.5, 1.0])
@pytest.mark.parametrize("rounds", [1, 10, 60, 70, 99, 160])
def test_the_learning_rate_rises_and_falls(rounds, warm_up):
    settings = ZeroSettings.read({"rounds": rounds, "warm_up": warm_up, "learning_rate": 0.5})
    rates = [settings.learning_rate_at(round_) for round_ in range(rounds)]
    assert max(rates) <= 0.5
    highest = rates.index(max(rates))
    assert rates[: highest + 1] == sorted(rates[: highest + 1])
    assert rates[highest:] == sorted(rates[highest:], reverse=True)
    assert all(rate > 0 for rate in rates)


def test_a_plane_that_is_no_bit_any_more_ends_a_training(monkeypatch):
    game = make_heap()
    trainer = Trainer(game, settings_for(game, TINY))
    play = trainer.self_play
    assert play.layout.bits
    trainer.round()
    monkeypatch.setattr(play, "_wrong", play._wrong.at[0].set(True))
    with pytest.raises(GameError, match="plane 0 was 0 or 1 everywhere in random games"):
        trainer.round()
    as_they_are = Trainer(game, settings_for(game, TINY | {"bits": False}))
    assert as_they_are.self_play.layout.bits == ()
    as_they_are.round()


def test_a_policy_with_too_many_numbers_is_refused():
    game = make_heap("wide-heap", {"policy_size": 70_000})
    with pytest.raises(GameError, match=r"policy of 70,000 numbers; a training keeps 65,535"):
        Trainer(game, ZeroSettings.read(TINY))


def test_a_judge_stays_as_it_is_while_the_network_learns(game):
    trainer = Trainer(game, settings_for(game, TINY))
    judge, shown = trainer.judge(), game.planes(game.start())[None]
    before = np.array(judge(shown)[0])
    for _ in range(2):
        trainer.round()
    assert np.array_equal(judge(shown)[0], before)
    assert not np.array_equal(trainer.judge()(shown)[0], before)


def test_shares_as_elo():
    assert Score(100, 0.5, 0.1).elo == 0
    assert Score(100, 1.0, 0.0).elo == Score(100, 0.995, 0.0).elo == pytest.approx(919.5, abs=1)


@pytest.mark.slow
@pytest.mark.jit
def test_games_end_where_tables_know_the_result(tmp_path):
    heap, known = Heap(), 4
    build_tables(Heap(compiled=False), known, folder=tmp_path / "tables")
    given = settings_for(heap, {**TINY, "tables": str(tmp_path / "tables"), "staggered": False, "opening": 0})
    exact, plain, wrong = trainers = [Trainer(heap, one) for one in (given, replace(given, tables="off"), given)]
    wrong.exact.worths = lambda states: np.where(states["left"] <= known, 1.0, np.nan)  # tables that love player 0
    plies = []
    for trainer in trainers:
        counted = np.zeros(2)
        for _ in range(3):
            trainer.round()
            counted += [trainer.totals["games"], trainer.totals["plies"]]
        plies.append(counted[1] / counted[0])
    assert plies[0] <= MOST - known + 1
    assert plies[0] < plies[1] - 1
    ends = [trainer.self_play.halves[0].games.states["left"].min() for trainer in (exact, plain)]
    assert ends[0] > known > ends[1]
    ring = wrong.self_play.ring
    is_ready = np.asarray(ring.status) == READY
    assert is_ready.sum() > 20
    assert np.array_equal(np.asarray(ring.result)[is_ready][:, 0], np.asarray(ring.mover)[is_ready] == 0)
    with Run.create(tmp_path / "run", heap, given) as run:
        assert not run.go(seconds=0.001)
        assert run.how_trained()["tables"] == exact.exact.checksum
    with Run.open(tmp_path / "run", game=heap) as run:
        assert run.go()
        assert all(np.array_equal(one, exact.state()[name]) for name, one in run.trainer.state().items())
    build_tables(Heap(compiled=False), known + 1, folder=tmp_path / "tables")
    with pytest.raises(GameError, match="the endgame tables are not those this training began with"):
        Run.open(tmp_path / "run", game=heap)


def test_tables_are_for_cores(game):
    with pytest.raises(GameError, match="on the cores only: leave out tables, or --device"):
        Trainer(game, settings_for(game, {**TINY, "tables": "on"}), "cuda")


def test_games_that_tables_end_do_not_say_whose_the_cells_are(tmp_path):
    owned = make_heap("owned", owners=lambda s, out: None)
    build_tables(owned, 4, folder=tmp_path)
    told = {**TINY, "tables": str(tmp_path)}
    with pytest.raises(GameError, match="whose the cells are: leave out tables, or owners_weight=0"):
        Trainer(owned, settings_for(owned, told))


@pytest.mark.slow
@pytest.mark.jit
def test_kill_nine_ten_times(game, tmp_path):
    """Killed at ten moments, whatever it was doing, a training comes to the bits of one left alone."""
    rounds = {**TINY, "rounds": 40}
    with Run.create(tmp_path / "a", game, settings_for(game, rounds)) as run:
        run.go()
        expected = run.digest()
    train = [sys.executable, "-m", "zermelo", "train"]
    begin = [*train, "zero", "tic-tac-toe", "--folder", str(tmp_path / "b"), "--every", "0", *words(rounds)]
    resume = [*train, "--resume", str(tmp_path / "b"), "--every", "0"]
    for k in range(10):
        command = resume if (tmp_path / "b").exists() else begin
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        seen, until = _generation(tmp_path / "b"), time.monotonic() + 120
        while _generation(tmp_path / "b") == seen and child.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(0.07 * k)  # in the middle of a round, or of a snapshot
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
    with Run.open(tmp_path / "b") as run:
        assert 0 < run.trainer.rounds < 40
        run.go()
        assert run.digest() == expected


def _generation(folder: Path) -> int:
    path = folder / "snapshot.json"
    return int(json.loads(path.read_text())["generation"]) if path.is_file() else 0
