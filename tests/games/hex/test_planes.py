"""What a network sees of hex: whoever moves joins top and bottom."""

import numpy as np

import zermelo

GAME = zermelo.load("hex", size=3, compiled=False)


def test_rows_are_columns_to_the_second_player():
    mine, theirs = GAME.planes(GAME.parse(".x./..o/..."))  # x to move
    assert np.argwhere(mine).tolist() == [[0, 1]]
    assert np.argwhere(theirs).tolist() == [[1, 2]]
    mine, theirs = GAME.planes(GAME.parse(".x./..o/x.."))  # o to move
    assert np.argwhere(mine).tolist() == [[2, 1]]
    assert np.argwhere(theirs).tolist() == [[0, 2], [1, 0]]


def test_moves_are_numbered_as_they_are_seen():
    first, second = GAME.start(), GAME.parse("x../.../...")
    assert [GAME.policy_index(first, a) for a in (1, 5)] == [1, 5]
    assert [GAME.policy_index(second, a) for a in (1, 5)] == [3, 7]


def test_whoever_has_lost_sees_the_other_join_left_and_right():
    red, blue = GAME.parse("xo./xo./x.."), GAME.parse("xxo/ooo/x.x")
    for won in (red, blue):
        assert GAME.is_end(won)
        theirs = GAME.planes(won)[1]  # whoever is to move has lost
        assert theirs.any(axis=0).all(), "a chain crosses every column"
