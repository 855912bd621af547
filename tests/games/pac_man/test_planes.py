"""What a network sees of pac-man."""

import numpy as np

import zermelo

GAME = zermelo.load("pac-man", layout="tiny", moves=300, compiled=False)
WALLS, DOTS, CAPSULES, PACMAN, BEFORE, LEFT, LEFT_HIGH, GHOST, SCARED = range(9)


def test_the_maze_and_who_is_in_it():
    planes = GAME.planes(GAME.start())
    assert planes.shape == (9, 5, 7)
    assert planes[WALLS].sum() == 7 * 5 - 12
    assert np.argwhere(planes[DOTS]).tolist() == [[1, 4], [3, 1]]
    assert np.argwhere(planes[CAPSULES]).tolist() == [[3, 3]]
    assert np.argwhere(planes[PACMAN]).tolist() == [[1, 1]]
    assert np.argwhere(planes[GHOST]).tolist() == [[3, 5]]
    assert not planes[BEFORE].any()
    assert planes[[LEFT, LEFT_HIGH], 1, 1].tolist() == [300 - 2 * 128, 2]
    assert not planes[4:7, planes[WALLS] == 1].any()


def test_a_ghost_leaves_behind_where_it_came_from():
    s = GAME.start()
    for move in ("east", "north", "east"):
        s = GAME.succ(s, GAME.parse_action(s, move))
    planes = GAME.planes(s)
    assert planes[GHOST, 2, 5] == 1
    assert planes[GHOST, 3, 5] == -1
    assert (planes[BEFORE][planes[WALLS] == 0] == 1).all()


def test_ghosts_come_in_the_order_in_which_they_move():
    game = zermelo.load("pac-man", layout="trapped", compiled=False)
    s = game.start()
    first = [np.argwhere(game.planes(s)[plane] == 1).tolist() for plane in (7, 9)]
    s = game.succ(s, game.actions(s)[0])
    s = game.succ(s, game.actions(s)[0])  # the second ghost is to move
    assert np.argwhere(game.planes(s)[7] == 1).tolist() == first[1]


def test_a_maze_without_walls():
    game = zermelo.load("pac-man", layout="P..\n", compiled=False)
    assert game.planes(game.start()).shape == (7, 1, 3)
    assert not game.planes(game.start())[WALLS].any()
