"""What a network sees of checkers, and a number for every route."""

from random import Random

import numpy as np

import zermelo
from zermelo.games.checkers.planes import POLICY

GAME = zermelo.load("checkers", compiled=False)
TURN = {"B": "W", "W": "B"}


def exchanged(text):
    """The position with its colours exchanged and the board turned by half."""
    turn, *sides = text.split(":")
    men = {side[0]: [w for w in side[1:].split(",") if w] for side in sides if side[0] in "BW"}
    turned = {c: [("K" if w[0] == "K" else "") + str(33 - int(w.lstrip("K"))) for w in men[c]] for c in "BW"}
    return f"{TURN[turn]}:W{','.join(turned['B'])}:B{','.join(turned['W'])}"


def test_the_side_to_move_moves_up():
    white = GAME.planes(GAME.parse("W:W21,K30:B1,K3:H7"))
    assert np.argwhere(white[:4]).tolist() == [[0, 5, 0], [1, 7, 2], [2, 0, 1], [3, 0, 5]]
    assert (white[4] == 7).all()
    black = GAME.planes(GAME.parse("B:W21,K30:B1,K3"))
    assert np.argwhere(black).tolist() == [[0, 7, 6], [1, 7, 2], [2, 2, 7], [3, 0, 5]]


def test_both_sides_see_the_same_game():
    random = Random(5)
    for _ in range(6):
        s = GAME.start()
        while not GAME.is_end(s) and s.quiet == 0:
            other = GAME.parse(exchanged(GAME.format(s)))
            assert (GAME.planes(s) == GAME.planes(other)).all()
            assert {GAME.policy_index(s, a) for a in GAME.actions(s)} == {
                GAME.policy_index(other, a) for a in GAME.actions(other)
            }
            s = GAME.succ(s, random.choice(list(GAME.actions(s))))


def test_routes_with_the_same_ends_have_numbers_of_their_own():
    """A king that can go round either way, and on: many routes, all from one square."""
    s = GAME.parse("W:WK27:B6,7,8,14,15,16,22,23,24")
    routes = GAME.actions(s)
    ends = {GAME.format_action(s, a).split("x")[-1] for a in routes}
    assert len(routes) > len(ends)
    numbers = [GAME.policy_index(s, a) for a in routes]
    assert len(set(numbers)) == len(numbers)
    assert all(128 <= n < POLICY for n in numbers)


def test_there_are_1328_routes_and_128_steps():
    assert GAME.variant.policy_size == POLICY == 1328 + 128
    steps = [GAME.policy_index(GAME.start(), a) for a in GAME.actions(GAME.start())]
    assert len(set(steps)) == 7
    assert max(steps) < 128
