"""Endings of checkers: how many there are, and the numbers they have."""

import numpy as np
import pytest

import zermelo
from tests.games.checkers.test_planes import exchanged
from zermelo.compile.endings import read_endings
from zermelo.compile.record_game import State
from zermelo.games.checkers.endings import class_of, rank_of, set_up_ranked

GAME = zermelo.load("checkers", compiled=False)
EITHER_SIDE_EMPTY = {2: 6_972, 3: 261_224, 4: 7_092_774, 5: 148_688_232, 6: 2_503_611_964}  # published


def test_there_are_as_many_positions_as_published():
    """Published totals also count positions in which one side has no piece: (28 men's squares, 32 kings') choose k."""
    for pieces, total in EITHER_SIDE_EMPTY.items():
        one_sided = 2 * sum(
            np.prod([28 - i for i in range(men)] + [32 - men - i for i in range(pieces - men)], dtype=object)
            // (factorial(men) * factorial(pieces - men))
            for men in range(pieces + 1)
        )
        listed = [one for group in read_endings(GAME, pieces) for one in group if one.limit == pieces]
        assert sum(one.size for one in listed) == total - one_sided


def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


def test_a_group_holds_the_class_with_colours_exchanged():
    names = [[one.name for one in group] for group in read_endings(GAME, 3)]
    assert names[:3] == [["1 king – 1 king"], ["1 king – 1 man", "1 man – 1 king"], ["1 man – 1 man"]]
    assert len(names) == 9
    assert ["1 king – 2 men", "2 men – 1 king"] in names


@pytest.mark.parametrize("number", [82, 91, 99, 171, 747, 819, 1476])
def test_every_number_is_that_of_the_position_set_up(number):
    sizes = {one.number: one.size for group in read_endings(GAME, 4) for one in group}
    rng = np.random.default_rng(number)
    for rank in rng.integers(0, sizes[number], 60).tolist():
        records = np.zeros(1, GAME.variant.dtype)
        s = GAME.variant.view(records[0])
        assert set_up_ranked(s, number, rank)
        assert (class_of(s), rank_of(s)) == (number, rank)
        state = GAME.parse(GAME.format(State(GAME, records)))  # and it is a position
        other = GAME.parse(exchanged(GAME.format(state)))
        assert (class_of(other), rank_of(other)) == (number, rank)


def test_what_is_no_ending():
    for text in ("B:W:B1", "B:W21,22,23,24,25:B1,2,3,4"):
        assert class_of(GAME.parse(text)) == -1
    assert class_of(GAME.parse("B:W21,22,23,24:B1,2,3,4")) >= 0
