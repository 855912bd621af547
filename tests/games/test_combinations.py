"""Sets of cells as numbers."""

from itertools import combinations
from math import comb

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from zermelo.games._shared.combinations import nth_set, number_set, spread, squeeze


def board(cells):
    return np.uint64(sum(1 << c for c in cells))


def test_the_sets_of_a_size_are_numbered_without_a_gap():
    for n, k in ((5, 0), (5, 1), (6, 2), (64, 2), (34, 3), (9, 4), (7, 7)):  # the last sets of (34, 3) are not listed
        numbers = [int(number_set(board(cells))) for cells in combinations(range(n), k)]
        assert sorted(numbers) == list(range(comb(n, k)))
        assert all(number_set(nth_set(number, k, n)) == number for number in numbers)


@given(st.sets(st.integers(0, 63), max_size=12))
def test_any_set_has_a_number_of_its_own(cells):
    number = number_set(board(cells))
    assert 0 <= number < comb(64, len(cells))
    assert nth_set(number, len(cells), 64) == board(cells)


@given(st.sets(st.integers(0, 40)), st.sets(st.integers(0, 40), max_size=8))
def test_taken_cells_are_left_out_and_put_back(cells, taken):
    cells -= taken
    squeezed = squeeze(board(cells), board(taken))
    assert squeezed == board(c - sum(t < c for t in taken) for c in cells)
    assert spread(squeezed, board(taken)) == board(cells)
