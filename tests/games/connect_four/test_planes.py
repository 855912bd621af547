"""What a network sees of connect four."""

import numpy as np

import zermelo

GAME = zermelo.load("connect-four", compiled=False)


def test_the_side_to_move_is_plane_0():
    mine, theirs = GAME.planes(GAME.parse("4453"))  # x: 4, 5; o: 4, 3; x to move
    assert np.argwhere(mine).tolist() == [[5, 3], [5, 4]]
    assert np.argwhere(theirs).tolist() == [[4, 3], [5, 2]]
    mine, theirs = GAME.planes(GAME.parse("445"))
    assert np.argwhere(mine).tolist() == [[4, 3]]
    assert np.argwhere(theirs).tolist() == [[5, 3], [5, 4]]


def test_the_mirror_image():
    (cells, columns), (mirrored, reversed_columns) = GAME.hook("symmetries")()
    assert cells.tolist() == list(range(42))
    assert columns.tolist() == list(range(7))
    assert reversed_columns.tolist() == [6, 5, 4, 3, 2, 1, 0]
    left, right = (GAME.planes(GAME.parse(moves)).reshape(2, 42) for moves in ("1123", "7765"))
    assert (left[:, mirrored] == right).all()


def test_a_single_column_is_its_own_image():
    assert len(zermelo.load("connect-four", width=1, compiled=False).hook("symmetries")()) == 1
