"""What a network sees of kalah: the board as whoever moves sits at it."""

import zermelo


def test_both_sides_sit_at_the_same_board():
    game = zermelo.load("kalah", pits=3, seeds=6, compiled=False)
    south, north = (game.planes(game.parse(text)) for text in ("1 2 3 4 / 5 6 7 8 S", "5 6 7 8 / 1 2 3 4 N"))
    assert south.tolist() == [[[8, 7, 6, 5, 0], [0, 1, 2, 3, 4]]]
    assert (south == north).all()
    assert game.variant.policy_size == 3


def test_more_seeds_than_a_plane_can_hold():
    game = zermelo.load("kalah", pits=2, seeds=50, compiled=False)
    low, high = game.planes(game.parse("0 1 150 / 1 0 48 S"))
    assert (low + 128 * high.astype(int)).tolist() == [[48, 0, 1, 0], [0, 0, 1, 150]]
