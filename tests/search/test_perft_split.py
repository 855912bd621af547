"""Perft shared out counts what perft counts."""

import json
from pathlib import Path

import numpy as np
import pytest

import zermelo
from zermelo.search import perft_split
from zermelo.search.perft import perft, perft_nodes
from zermelo.search.perft_split import split_perft

DATA = Path(__file__).parents[1] / "data" / "perft"


@pytest.mark.jit
@pytest.mark.parametrize("enough", [1, 20, 1 << 14])
@pytest.mark.parametrize("count_ended", [False, True])
def test_the_same_number(monkeypatch, enough, count_ended):
    monkeypatch.setitem(perft_split.ENOUGH, "cpu", enough)
    game = zermelo.load("tic-tac-toe")
    for depth in range(10):
        for threads in (1, 3):
            assert split_perft(game, depth, None, count_ended, threads=threads)[0] == perft(
                game, depth, None, count_ended
            )


@pytest.mark.jit
def test_a_position_that_comes_twice_is_counted_once():
    game = zermelo.load("tic-tac-toe")
    lines, nodes = perft_nodes(game, 7)
    again, fewer = split_perft(game, 7)
    assert again == lines
    assert fewer < nodes / 5


def test_interpreted():
    game = zermelo.load("tic-tac-toe").interpreted
    assert split_perft(game, 4)[0] == 3024


@pytest.mark.jit
def test_from_a_position_and_after_the_end():
    game = zermelo.load("tic-tac-toe")
    over = game.parse("xxx oo. ...")
    assert split_perft(game, 3, over)[0] == 0
    assert split_perft(game, 3, over, True)[0] == 1
    assert split_perft(game, 3, game.parse("xo. .x. ..."))[0] == perft(game, 3, game.parse("xo. .x. ..."))


def test_positions_that_share_a_hash_stay_apart(monkeypatch):
    game = zermelo.load("tic-tac-toe").interpreted
    monkeypatch.setattr(perft_split, "scramble", np.zeros_like)
    assert split_perft(game, 3)[0] == 504


def test_more_than_can_be_kept_is_counted_below(monkeypatch):
    game = zermelo.load("tic-tac-toe").interpreted
    monkeypatch.setattr(perft_split, "MOST_BYTES", 1000)
    assert split_perft(game, 4)[0] == 3024


def test_without_what_a_card_needs(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(zermelo.GameError, match="needs numba-cuda, which is not installed"):
        split_perft(zermelo.load("tic-tac-toe"), 3, device="cuda")


def test_unknown_devices():
    with pytest.raises(zermelo.GameError, match="'cpu' or 'cuda', not 'tpu'"):
        split_perft(zermelo.load("tic-tac-toe"), 3, device="tpu")


@pytest.mark.slow
@pytest.mark.jit
def test_chess_six_plies():
    assert split_perft(zermelo.load("chess"), 6)[0] == 119_060_324


@pytest.mark.gpu
@pytest.mark.jit
@pytest.mark.parametrize("name", [path.stem for path in sorted(DATA.glob("*.json"))])
def test_on_a_card(name):
    for case in json.loads((DATA / f"{name}.json").read_text()):
        game = zermelo.load(name, **case["options"])
        start = game.parse(case["position"]) if case["position"] else None
        for depth, lines in enumerate(case["depths"], 1):
            if lines <= 200_000_000:
                assert split_perft(game, depth, start, case["count_ended"], device="cuda")[0] == lines
