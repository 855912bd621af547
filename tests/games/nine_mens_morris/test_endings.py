"""Endings of nine men's morris: the numbers they have, and what they are worth."""

import numpy as np
import pytest

import zermelo
from zermelo.compile.endings import read_endings
from zermelo.compile.record_game import State
from zermelo.games.nine_mens_morris.endings import GOES_TO, class_of, rank_of, set_up_ranked
from zermelo.solve.tables.build import build_tables

GAME = zermelo.load("nine-mens-morris", compiled=False)


def position(white, black, turn=0):
    records = np.zeros(1, GAME.variant.dtype)
    records["white"], records["black"], records["turn"] = white, black, turn
    return GAME.parse(GAME.format(State(GAME, records)))


def image(men, goes_to):
    return sum(1 << int(goes_to[b]) for b in range(24) if men >> b & 1)


@pytest.mark.parametrize("number", [33, 43, 34, 44, 53, 45, 55])
def test_every_number_is_that_of_the_position_set_up_and_of_its_images(number):
    sizes = {one.number: one.size for group in read_endings(GAME, 5) for one in group}
    rng = np.random.default_rng(number)
    found = 0
    for rank in rng.integers(0, sizes[number], 30).tolist():
        records = np.zeros(1, GAME.variant.dtype)
        s = GAME.variant.view(records[0])
        if set_up_ranked(s, number, rank):
            found += 1
            for goes_to in GOES_TO:
                white, black = image(s.white, goes_to), image(s.black, goes_to)
                for seen in (position(white, black), position(black, white, 1)):
                    assert (class_of(seen), rank_of(seen)) == (number, rank)
    assert found > 15


def test_what_is_no_ending():
    assert class_of(GAME.start()) == -1
    assert class_of(position(0b111111, 0b111 << 8)) == -1
    assert class_of(position(0b11111, 0b111 << 8)) == 53


def orbits(mine, theirs):
    """Positions that are different under all symmetries, by Burnside's lemma: those that each symmetry keeps."""
    total = 0
    for goes_to in GOES_TO.tolist():
        ways = np.zeros((mine + 1, theirs + 1), object)  # [i, j]: ways to give whole cycles to either side
        ways[0, 0] = 1
        for length in cycles(goes_to):
            more = ways.copy()
            more[length:, :] += ways[: max(0, mine + 1 - length), :]
            more[:, length:] += ways[:, : max(0, theirs + 1 - length)]
            ways = more
        total += ways[mine, theirs]
    return total // len(GOES_TO)


def cycles(goes_to):
    left = set(range(24))
    while left:
        first = at = left.pop()
        length = 1
        while (at := goes_to[at]) != first:
            left.discard(at)
            length += 1
        yield length


def test_the_lemma_counts_all_where_nothing_is_symmetric():
    assert sum(1 for _ in cycles(list(range(24)))) == 24
    assert orbits(3, 0) == 158
    assert orbits(1, 0) == 4


@pytest.mark.slow
@pytest.mark.jit
def test_three_and_four_men(tmp_path):
    """As many positions as there are. With three men each whoever moves wins five positions of six (Gasser)."""
    game = zermelo.load("nine-mens-morris")
    tables = build_tables(game, 4, folder=tmp_path, with_plies=True)
    counts = {header.number: header.counts for header in tables.headers()}
    for number, count in counts.items():
        assert sum(count.values()) - count["none"] == orbits(number // 10, number % 10)
    assert [counts[33][kind] for kind in ("win", "loss", "draw")] == [140_621, 28_736, 269]
    rng, compared = np.random.default_rng(1), 0
    while compared < 200:
        men = rng.permutation(24)[:7]
        s = game.parse(GAME.format(position(int(sum(1 << men[:4])), int(sum(1 << men[4:])))))
        found = tables.probe(s)
        if found.plies is not None and 0 < found.plies <= 7:
            report = zermelo.search(game, s, depth=found.plies)
            assert report.value == found.value, game.format(s)
            compared += 1
