"""What a network sees of chess, and AlphaZero's numbers of moves, counted here in another way: from the moves' text."""

from random import Random

import numpy as np
import pytest

import zermelo

GAME = zermelo.load("chess", compiled=False)
KINDS = "pnbrqk"


def random_positions(seed, plies):
    random, s = Random(seed), GAME.start()
    for _ in range(plies):
        if GAME.is_end(s):
            return
        yield s
        s = GAME.succ(s, random.choice(list(GAME.actions(s))))


def from_fen(text):
    """The men's planes, read off the text of a position."""
    board, turn = text.split()[:2]
    rows = [list("".join("." * int(c) if c.isdigit() else c for c in row)) for row in board.split("/")]
    if turn == "b":
        rows = [[c.swapcase() for c in row] for row in rows[::-1]]
    men = [c.upper() for c in KINDS] + list(KINDS)
    return np.array([[[c == man for c in row] for row in rows] for man in men], np.int8)


def test_men_are_seen_from_the_side_to_move():
    for seed in range(3):
        for s in random_positions(seed, 40):
            assert (GAME.planes(s)[:12] == from_fen(GAME.format(s))).all()


def test_rights_en_passant_and_the_clock():
    white, black = (
        GAME.planes(GAME.parse(f"r3k2r/8/8/3pP3/8/8/8/R3K2R {turn} KQq {passed} {clock} 40"))
        for turn, passed, clock in (("w", "d6", 0), ("b", "-", 7))
    )
    assert np.argwhere(white[12]).tolist() == [[0, 0], [7, 0], [7, 7]]
    assert np.argwhere(black[12]).tolist() == [[0, 0], [0, 7], [7, 0]]
    assert np.argwhere(white[13]).tolist() == [[2, 3]]
    assert not black[13].any()
    assert not white[14].any()
    assert (black[14] == 7).all()


def test_the_other_side_sees_the_same_game():
    """A position with colours exchanged and ranks turned is the same to a network, and so are its moves."""
    white = GAME.parse("r1bqk2r/1P3ppp/2n5/3pP3/8/2N5/p4PPP/R3K2R w KQkq d6 0 9")
    black = GAME.parse("r3k2r/P4ppp/2n5/8/3Pp3/2N5/1p3PPP/R1BQK2R b KQkq d3 0 9")
    assert (GAME.planes(white) == GAME.planes(black)).all()
    one, other = (sorted(GAME.policy_index(s, a) for a in GAME.actions(s)) for s in (white, black))
    assert one == other


STEPS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
JUMPS = [(1, 2), (-1, 2), (1, -2), (-1, -2), (2, 1), (-2, 1), (2, -1), (-2, -1)]


def number(uci, turn):
    """The same number from the move as UCI writes it."""
    x, y, to_x, to_y = ("abcdefgh12345678".index(c) % 8 for c in uci[:4])
    if turn:
        y, to_y = 7 - y, 7 - to_y
    right, up, piece = to_x - x, to_y - y, uci[4:]
    if piece and piece != "q":
        way = 64 + 3 * "nbr".index(piece) + right + 1
    elif (right, up) in JUMPS:
        way = 56 + JUMPS.index((right, up))
    else:
        steps = max(abs(right), abs(up))
        way = 7 * STEPS.index((right // steps, up // steps)) + steps - 1
    return 64 * way + 8 * (7 - y) + x


@pytest.mark.parametrize("seed", range(4))
def test_moves_have_alphazeros_numbers(seed):
    for s in random_positions(seed, 60):
        for a in GAME.actions(s):
            assert GAME.policy_index(s, a) == number(GAME.hook("uci")(s, a), s.turn)


def test_promotions_and_castling():
    s = GAME.parse("1n2k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1")
    given = {GAME.hook("uci")(s, a): GAME.policy_index(s, a) for a in GAME.actions(s)}
    assert len(set(given.values())) == len(given)
    assert all(n == number(uci, 0) for uci, n in given.items())
    assert {uci for uci in given if uci.startswith("a7")} == {f"a7{to}{p}" for to in ("a8", "b8") for p in "nbrq"}
    assert {"e1g1", "e1c1"} <= set(given)


def test_all_numbers_are_below_4672():
    assert GAME.variant.policy_size == 4672
    board = [chr(97 + x) + str(y + 1) for y in range(8) for x in range(8)]
    lines = {number(a + b, 0) for a in board for b in board if a != b and _is_line_or_jump(a, b)}
    assert lines <= set(range(4672))
    assert len(lines) == 1792  # as many moves of a queen or a knight as there are on an empty board


def _is_line_or_jump(a, b):
    right, up = abs(ord(a[0]) - ord(b[0])), abs(int(a[1]) - int(b[1]))
    return right * up == 2 or right == up or 0 in (right, up)
