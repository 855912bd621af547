"""What a network sees of othello."""

import numpy as np

import zermelo

GAME = zermelo.load("othello", compiled=False)


def test_the_side_to_move_is_plane_0():
    start = GAME.start()
    assert np.argwhere(GAME.planes(start)).tolist() == [[0, 3, 4], [0, 4, 3], [1, 3, 3], [1, 4, 4]]
    mine, theirs = GAME.planes(GAME.succ(start, 2 * 8 + 3))  # d3
    assert np.argwhere(mine).tolist() == [[4, 4]]
    assert np.argwhere(theirs).tolist() == [[2, 3], [3, 3], [3, 4], [4, 3]]


def test_a_pass_has_the_last_number():
    assert GAME.variant.policy_size == 65
    blocked = GAME.parse("OX" + "-" * 25 + "XX------XX" + "-" * 27 + " X")
    assert [GAME.policy_index(blocked, a) for a in GAME.actions(blocked)] == [64]


def test_only_what_keeps_the_start_is_a_symmetry():
    """The start turned by a quarter has the colours exchanged."""
    images = GAME.hook("symmetries")()
    start = GAME.planes(GAME.start()).reshape(2, 64)
    assert len(images) == 4
    assert all((start[:, cells] == start).all() and policy[64] == 64 for cells, policy in images)
