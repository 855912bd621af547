"""What a network sees of backgammon: one row of points, as whoever rolls or plays numbers them."""

import zermelo

GAME = zermelo.load("backgammon", compiled=False)
START = {24: 2, 13: 5, 8: 3, 6: 5}


def standing(plane):
    return {cell: int(n) for cell, n in enumerate(plane[0]) if n}


def test_both_see_the_start_alike():
    opening = GAME.planes(GAME.start())
    for roll in (31, 13):  # player 0's die is higher, then player 1's
        planes = GAME.planes(GAME.succ(GAME.start(), roll))
        assert (planes[:6] == opening[:6]).all()
        assert [set(planes[die].ravel().tolist()) for die in (6, 7)] == [{3}, {1}]
    assert not opening[6:].any()
    assert standing(opening[0]) == START
    assert standing(opening[2]) == dict.fromkeys(sorted(START), 1)
    assert not opening[1].any()
    assert standing(opening[3]) == {25 - point: n for point, n in START.items()}


def test_blots_points_bar_and_what_is_off():
    s = GAME.succ(GAME.start(), 31)
    s = GAME.succ(s, GAME.parse_action(s, "24/21 24/23"))
    planes = GAME.planes(s)  # of player 1, before the roll: the blots are the other side's
    assert standing(planes[4]) == {4: 1, 2: 1}
    assert standing(planes[3]) == {4: 1, 2: 1, 12: 5, 17: 3, 19: 5}
    assert standing(planes[5]) == {12: 1, 17: 1, 19: 1}
    assert not planes[6:].any()
    s = GAME.succ(s, 31)
    hit = GAME.succ(s, GAME.parse_action(s, "24/23 24/21"))
    assert GAME.planes(hit)[3:5].any()


def test_there_is_no_policy():
    assert GAME.variant.policy_size is None
    assert GAME.hook("symmetries") is None
