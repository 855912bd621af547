"""Bearing off: numbers, and what GNU Backgammon's databases say of all positions they have."""

import math
from pathlib import Path

import numpy as np
import pytest

import zermelo
from zermelo.compile.endings import read_endings
from zermelo.compile.record_game import State
from zermelo.games.backgammon.endings import class_of, endings, race_rank_of, rank_of, set_up_ranked
from zermelo.solve.tables.build import build_tables
from zermelo.tables.tables import VALUE

GAME = zermelo.load("backgammon", compiled=False)
ONE_SIDED, TWO_SIDED = Path("/usr/share/gnubg/gnubg_os0.bd"), Path("/var/lib/gnubg/gnubg_ts0.bd")
BOARDS = math.comb(21, 6)  # 54,264


def set_up(number, rank):
    records = np.zeros(1, GAME.variant.dtype)
    assert set_up_ranked(GAME.variant.view(records[0]), number, rank)
    return GAME.parse(GAME.format(State(GAME, records)))  # and it is a position


def home(*checkers):
    """Player 0 rolls, with checkers on the ace point, the next one, …; the other has two on the ace point."""
    first, second = [0] * 26, [13, 2] + [0] * 24
    first[1:7], first[0] = checkers, 15 - sum(checkers)
    return GAME.parse(GAME.format(zermelo.load("backgammon", points=(first, second), dice=(0, 0), turn=0).start()))


def test_every_number_is_that_of_the_position_set_up():
    sizes = {one.number: one.size for group in endings(8) for one in group}
    rng = np.random.default_rng(1)
    for number in (16 + 1, 6 * 16 + 6, 2 * 16 + 7, 8 * 16 + 3):
        for rank in (0, sizes[number] - 1, *rng.integers(sizes[number], size=20).tolist()):
            s = set_up(number, rank)
            assert (class_of(s), rank_of(s)) == (number, rank)
    for rank in (0, BOARDS - 1, *rng.integers(BOARDS, size=40).tolist()):
        assert race_rank_of(set_up(0, rank), 0) == rank


def test_there_are_as_many_as_there_should_be():
    groups = read_endings(GAME, 6)
    assert groups[0][0].size == BOARDS
    assert sum(one.size for group in groups[1:] for one in group) == 923**2
    assert len(groups[1:]) == 21


def test_a_play_leads_to_a_smaller_number():
    s = GAME.succ(home(3, 2, 2, 3, 3, 2), 65)
    before = race_rank_of(s, 0)
    assert all(race_rank_of(GAME.succ(s, a), 0) < before for a in GAME.actions(s))


def test_what_is_no_ending():
    assert class_of(GAME.start()) == -1
    assert race_rank_of(GAME.start(), 0) == -1
    s = home(0, 0, 0, 0, 0, 15)
    assert class_of(s) == 15 * 16 + 2
    assert class_of(GAME.succ(s, 65)) == -1  # rolled


# -- GNU Backgammon ----------------------------------------------------------------------------------------------------

ROLLS = {  # published expected rolls, by checkers on the points from the ace point up
    (0, 0, 0, 1, 0, 0): 1.055556,
    (0, 0, 0, 0, 1, 0): 1.138889,
    (0, 0, 0, 0, 0, 1): 1.25,
    (0, 0, 0, 0, 0, 2): 2.109611,
    (5, 0, 0, 0, 0, 0): 2.694444,
    (10, 0, 0, 0, 0, 0): 4.408179,
    (15, 0, 0, 0, 0, 0): 6.979592,
    (1, 1, 1, 1, 1, 1): 3.463648,
    (3, 3, 3, 2, 2, 2): 7.555030,
    (0, 0, 0, 0, 0, 15): 12.266187,
}


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    return build_tables(zermelo.load("backgammon"), 6, folder=tmp_path_factory.mktemp("tables"))


@pytest.mark.slow
@pytest.mark.jit
def test_rolls_as_published(tables):
    for checkers, rolls in ROLLS.items():
        turns = tables.turns(home(*checkers), 0)
        assert turns @ np.arange(len(turns)) == pytest.approx(rolls, abs=6e-7)


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.skipif(not ONE_SIDED.exists(), reason="no GNU Backgammon")
def test_distributions_of_rolls_are_gnu_backgammons(tables):
    """Its numbers are of 16 bits, each worked out from such numbers. Where two plays are that near to each other it
    may take the other one: a mean then stays what it is, and a distribution of the same mean is another."""
    content = np.fromfile(ONE_SIDED, np.uint8)[40:]
    index = content[: 8 * BOARDS].reshape(-1, 8)
    first, count, skipped = index[:, :4].copy().view("<u4").ravel(), index[:, 4], index[:, 5]
    shares = content[8 * BOARDS :].copy().view("<u2") / 65535
    ours = tables.file(0, "turns").content()
    theirs = np.zeros_like(ours)
    for i in range(BOARDS):
        theirs[i, skipped[i] : skipped[i] + count[i]] = shares[first[i] : first[i] + count[i]]
    apart = np.abs(theirs - ours).max(axis=1)
    assert (apart > 1e-4).sum() < 250
    assert apart.max() < 0.003
    assert np.abs((theirs - ours) @ np.arange(ours.shape[1])).max() < 2e-4


@pytest.mark.slow
@pytest.mark.jit
@pytest.mark.skipif(not TWO_SIDED.exists(), reason="no GNU Backgammon")
def test_equities_are_gnu_backgammons(tables):
    theirs = np.fromfile(TWO_SIDED, np.uint8)[40:].view("<u2").reshape(924, 924, 4)[:, :, 0] / 32767.5 - 1  # no cube
    compared = 0
    for header in tables.headers(VALUE):
        a, b = header.number >> 4, header.number & 15
        rows, columns = (slice(math.comb(n + 5, 6), math.comb(n + 6, 6)) for n in (a, b))
        ours = tables.file(header.number, VALUE).content().reshape(theirs[rows, columns].shape)
        assert np.abs(ours - theirs[rows, columns]).max() < 1.2e-4
        compared += ours.size
    assert compared == 923**2
