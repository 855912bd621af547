"""Boards of bits as planes: what is painted by vectors, by words and by plain Python is the same."""

import numpy as np
import pytest
from numba import njit

from zermelo.compile.kernel import JIT
from zermelo.compile.painting import by_words, painter, vectors, words
from zermelo.compile.record import rows

FOUR = [7 * x + 5 - y for y in range(6) for x in range(7)]  # connect four's bits, as it is drawn
CASES = [
    ((2, 6, 7), FOUR, 0, 0),
    ((2, 8, 8), range(64), 0, 0),
    ((3, 9, 9), range(17), 1, 64),  # what a second word has of a board
    ((4, 3, 3), [63, 0, 5, 9, 33, 32, 31, 17, 40], 1, 0),
    ((2, 1, 1), [63], 0, 0),
]


@pytest.mark.jit
@pytest.mark.skipif(not JIT, reason="what is compiled")
@pytest.mark.parametrize(("shape", "bits", "first", "start"), CASES)
def test_what_is_compiled_paints_what_python_does(shape, bits, first, start):
    paint, there, rng = painter(bits, first, start), by_words(tuple(bits), first, start), np.random.default_rng(1)

    @njit
    def both(here, card, one, other):
        paint(here[0].at, (one, other))
        there(card[0].at, (one, other))

    for _ in range(20):
        one, other = rng.integers(0, 1 << 64, 2, np.uint64)
        plain, here, card = (rows(1, shape, "i1") for _ in range(3))
        for table in (plain, here, card):
            table["at"] = 7  # what is not painted stays
        paint(plain["at"][0], (one, other))
        both(here, card, one, other)
        assert plain["at"].tobytes() == here["at"].tobytes() == card["at"].tobytes()


def test_a_cell_is_its_bit():
    out = np.zeros((2, 6, 7), np.int8)
    painter(FOUR)(out, (np.uint64(1), np.uint64(1 << 47)))
    assert [tuple(place) for place in np.argwhere(out)] == [(0, 5, 0), (1, 0, 6)]


def test_vectors_cover_all_cells_and_no_more():
    for n in range(1, 200):
        cells = [at + k for at, size in vectors(n) for k in range(size)]
        assert set(cells) == set(range(n))


def test_words_are_aligned_and_follow_each_other():
    for whole in (84, 128, 567, 9, 2):
        for begin in range(0, whole, 3):
            at = 0
            for place, size in words(whole - begin, begin, whole):
                assert place == at
                assert all((begin + place + row * whole) % size == 0 for row in range(4))
                at += size
            assert at == whole - begin
