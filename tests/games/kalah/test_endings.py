"""Endings of kalah: the numbers they have, and small games of which every position is one."""

import random

import numpy as np
import pytest

import zermelo
from zermelo.compile.endings import numbers_endings, read_endings
from zermelo.compile.record_game import State
from zermelo.solve.tables.build import build_tables
from zermelo.tables.tables import Found, Tables

GAME = zermelo.load("kalah", compiled=False)
RULES = GAME.variant.functions


def test_every_number_is_that_of_the_position_set_up():
    rng = np.random.default_rng(1)
    for one in (group[0] for group in read_endings(GAME, 9)):
        found = 0
        for rank in rng.integers(one.size, size=60).tolist():
            records = np.zeros(1, GAME.variant.dtype)
            if RULES["unrank"](GAME.variant.view(records[0]), one.number, rank):
                s = GAME.parse(GAME.format(State(GAME, records)))  # and it is a position
                assert (RULES["ending"](s), RULES["rank"](s)) == (one.number, rank)
                found += 1
        assert found > 10


def test_whoever_moves_sees_the_same():
    south, north = GAME.parse("0 1 2 0 0 0 20 / 0 0 0 0 3 1 21 S"), GAME.parse("0 0 0 0 3 1 21 / 0 1 2 0 0 0 20 N")
    assert (RULES["ending"](south), RULES["rank"](south)) == (7, RULES["rank"](north))
    further = GAME.parse("0 1 2 0 0 0 40 / 0 0 0 0 3 1 1 S")  # nothing is left to be won
    and_further = GAME.parse("0 1 2 0 0 0 41 / 0 0 0 0 3 1 0 S")
    assert RULES["rank"](further) == RULES["rank"](and_further) != RULES["rank"](south)


def test_what_is_no_ending():
    assert RULES["ending"](GAME.start()) == 48
    assert RULES["ending"](GAME.parse("0 0 0 0 0 0 20 / 0 0 0 0 0 0 28 S")) == -1
    assert RULES["ending"](GAME.parse("0 1 2 0 0 0 20 / 0 0 0 0 3 1 20 S")) == -1  # a seed is missing
    assert not numbers_endings(zermelo.load("kalah", score=True))
    assert not numbers_endings(zermelo.load("kalah", pits=9))


@pytest.mark.parametrize(("pits", "seeds", "margin"), [(1, 1, 0), (1, 2, -2), (1, 3, 6), (2, 1, 2)])
def test_games_worked_out_whole(pits, seeds, margin, tmp_path):
    game = zermelo.load("kalah", pits=pits, seeds=seeds, compiled=False)
    tables = build_tables(game, 2 * pits * seeds, folder=tmp_path)
    assert tables.probe(game.start()) == Found(int(np.sign(margin)), None)


@pytest.mark.slow
@pytest.mark.jit
def test_positions_agree_with_a_solver(tmp_path):
    game, chance = zermelo.load("kalah"), random.Random(1)
    tables = build_tables(game, 8, folder=tmp_path)
    compared = 0
    while compared < 1_000:
        s = game.start()
        while not game.is_end(s) and tables.probe(s) is None:
            s = game.succ(s, chance.choice(game.actions(s)))
        if not game.is_end(s):
            value = zermelo.solve(game, s, all_best=False).value
            assert tables.probe(s).value == (value if game.player(s) == 0 else -value), game.format(s)
            compared += 1
    assert Tables(game, tmp_path).checksum() == tables.checksum()
