"""What a network sees of dots and boxes: the drawing as a grid."""

import numpy as np
import pytest

import zermelo

GAME = zermelo.load("dots-and-boxes", compiled=False)


def test_lines_and_boxes():
    drawn, free, mine, theirs = GAME.planes(GAME.parse("-. |1|.. -. ..... .. 1"))
    assert np.argwhere(drawn).tolist() == [[0, 1], [1, 0], [1, 2], [2, 1]]
    assert len(np.argwhere(free)) == 8
    assert not (drawn & free).any()
    assert np.argwhere(mine).tolist() == [[1, 1]]
    assert not theirs.any()


@pytest.mark.parametrize(("rows", "cols", "images"), [(2, 2, 8), (2, 3, 4), (1, 1, 8)])
def test_lines_turn_with_the_board(rows, cols, images):
    game = zermelo.load("dots-and-boxes", rows=rows, cols=cols, compiled=False)
    symmetries = game.hook("symmetries")()
    assert len(symmetries) == images
    count, height, width = game.variant.plane_shape
    start = game.start()
    for cells, policy in symmetries:
        for line in game.actions(start):
            one = game.planes(game.succ(start, int(policy[line]))).reshape(count, height * width)
            other = game.planes(game.succ(start, line)).reshape(count, height * width)
            assert (one[:, cells] == other).all()
