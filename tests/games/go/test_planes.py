"""What a network sees of go."""

import numpy as np
import pytest

import zermelo

GAME = zermelo.load("go", size=3, compiled=False)
PASS = 9


def planes(text):
    return GAME.planes(GAME.parse(text))


def test_stones_atari_ko_passes_and_colour():
    black = planes(".X./XO./... X - 0 3")
    assert np.argwhere(black[0]).tolist() == [[0, 1], [1, 0]]
    assert np.argwhere(black[1]).tolist() == [[1, 1]]
    assert not black[2:].any()  # two liberties each, no ko, no pass, and black to move
    white = planes("XX./XO./... O - 1 5")
    assert np.argwhere(white[0]).tolist() == [[1, 1]]
    assert len(np.argwhere(white[1])) == 3
    assert white[5:].all()
    assert planes(".X./XOX/... O - 0 4")[2].sum() == 1  # one stone of white's in atari


def test_ko_is_marked():
    game = zermelo.load("go", size=4, compiled=False)
    s = game.parse(".XO./XO.O/.XO./.... X - 0 8")
    after = game.succ(s, game.parse_action(s, "C3"))
    assert np.argwhere(game.planes(after)[4]).tolist() == [[1, 1]]


@pytest.mark.parametrize(("size", "height", "images"), [(3, 0, 8), (4, 3, 4), (3, 1, 2), (1, 0, 1)])
def test_boards_have_the_symmetries_of_their_shape(size, height, images):
    game = zermelo.load("go", size=size, height=height, compiled=False)
    symmetries = game.hook("symmetries")()
    assert len(symmetries) == images
    assert all(policy[-1] == game.variant.policy_size - 1 for _, policy in symmetries)
