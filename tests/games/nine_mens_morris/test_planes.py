"""What a network sees of nine men's morris."""

import numpy as np
import pytest

import zermelo
from zermelo.games.nine_mens_morris.notation import NAMES

GAME = zermelo.load("nine-mens-morris", compiled=False)
ALONG_LINES = zermelo.load("nine-mens-morris", flying=False, compiled=False)


def after(*moves):
    s = GAME.start()
    for move in moves:
        s = GAME.succ(s, GAME.parse_action(s, move))
    return s


def test_men_hands_and_quiet_plies():
    mine, theirs, hand, their_hand, quiet = GAME.planes(after("a7", "d3", "g1"))  # black to move
    assert np.argwhere(mine).tolist() == [[4, 3]]
    assert np.argwhere(theirs).tolist() == [[0, 0], [6, 6]]
    assert (np.unique(hand).tolist(), np.unique(their_hand).tolist()) == ([0, 8], [0, 7])
    assert np.count_nonzero(hand) == 24
    assert not quiet.any()


@pytest.mark.parametrize(("game", "size"), [(GAME, 14_400), (ALONG_LINES, 2_200)])
def test_how_many_numbers_there_are(game, size):
    assert game.variant.policy_size == size
    symmetries = game.hook("symmetries")()
    assert len(symmetries) == 16
    assert len({cells.tobytes() for cells, _ in symmetries}) == 16


def test_taking_off_is_part_of_the_number():
    s = after("a7", "d3", "d7", "d2", "b6", "b2")
    closing = [a for a in GAME.actions(s) if GAME.format_action(s, a).startswith("g7x")]
    numbers = [GAME.policy_index(s, a) for a in closing]
    assert [n % 25 for n in numbers] == [NAMES.index(GAME.format_action(s, a)[-2:]) for a in closing]
    assert {n // 25 for n in numbers} == {25 * NAMES.index("g7")}


def test_the_rings_may_change_places():
    symmetries = GAME.hook("symmetries")()
    outer, inner = (GAME.planes(after(*moves)).reshape(5, 49) for moves in (("a7", "d6"), ("c5", "d6")))
    assert any((outer[:, cells] == inner).all() for cells, _ in symmetries)
