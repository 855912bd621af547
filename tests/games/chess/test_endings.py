"""Endings of chess: the numbers they have."""

import numpy as np
import pytest

import zermelo
from zermelo.compile.endings import read_endings
from zermelo.compile.record_game import State
from zermelo.games.chess.endings import class_of, endings, rank_of, set_up_ranked

pytestmark = pytest.mark.filterwarnings("ignore:overflow")  # of boards of 64 bits, interpreted

GAME = zermelo.load("chess", compiled=False)
SIZES = {one.number: one.size for group in endings(4) for one in group}
NAMES = {one.name: one.number for group in endings(4) for one in group}


PASSING, NOT_PASSING = "8/8/8/3pP3/8/8/8/K6k w - d6 0 1", "8/8/8/3pP3/8/8/8/K6k w - - 0 1"


def positions(name, count, seed=1):
    """(rank, position) of some numbers of a class that are not unused."""
    number, rng = NAMES[name], np.random.default_rng(seed)
    while count:
        records = np.zeros(1, GAME.variant.dtype)
        rank = int(rng.integers(SIZES[number]))
        if set_up_ranked(GAME.variant.view(records[0]), number, rank):
            count -= 1
            yield rank, GAME.parse(GAME.format(State(GAME, records)))  # and it is a position


def squares(fen):
    """The men as a board of 8 × 8 letters, the first rank below."""
    rows = fen.split()[0].split("/")
    return np.array([list("".join("." * int(c) if c.isdigit() else c for c in row)) for row in rows])


def fen(board, turn, passed="-"):
    return "/".join("".join(c if c != "." else "1" for c in row) for row in board) + f" {turn} - {passed} 0 1"


def numbered(text):
    s = GAME.parse(text)
    return class_of(s), rank_of(s)


def test_five_classes_with_three_men_and_thirty_with_four():
    """Kings stand in 462 ways, in 1,806 where there are pawns."""
    groups = read_endings(GAME, 4)
    assert len(groups) == 5 + 30
    assert groups[:5] == read_endings(GAME, 3)
    assert {len(group) for group in groups if group[0].name not in ("KQ – KQ", "KP – KP")} == {1, 2}
    assert SIZES[NAMES["KQ – K"]] == 462 * 64
    assert SIZES[NAMES["KP – KQ"]] == 1806 * 48 * 64
    assert SIZES[NAMES["KBB – K"]] == 462 * 64 * 63 // 2


@pytest.mark.parametrize("name", ["KQ – K", "K – KR", "KBB – K", "KB – KN", "KR – KR", "K – KBN", "KR – KP", "KPP – K"])
def test_every_number_is_that_of_the_position_set_up_and_of_its_images(name):
    has_pawns = "P" in name
    for rank, s in positions(name, 25):
        board = squares(GAME.format(s))
        assert (class_of(s), rank_of(s)) == (NAMES[name], rank)
        for turn in range(1 if has_pawns else 4):
            for image in (np.rot90(board, turn), np.rot90(board, turn)[:, ::-1]):
                assert numbered(fen(image, "w")) == (NAMES[name], rank)
                assert numbered(fen(np.char.swapcase(image[::-1]), "b")) == (NAMES[name], rank)


def test_a_pawn_that_can_be_taken_in_passing_has_a_number_of_its_own():
    taken, mirrored, not_taken = (numbered(text) for text in (PASSING, "K6k/8/8/8/3pP3/8/8/8 b - e3", NOT_PASSING))
    assert taken[0] == mirrored[0] == not_taken[0] == NAMES["KP – KP"]
    assert taken == mirrored != not_taken
    records = np.zeros(1, GAME.variant.dtype)
    assert set_up_ranked(GAME.variant.view(records[0]), *taken)
    assert GAME.format(State(GAME, records)) == PASSING


def test_numbers_of_pawns_in_passing_are_legal():
    """Nothing stands where the pawn came from, and taking it leaves no king in check."""
    found, rng = 0, np.random.default_rng(1)
    for pair in rng.integers(1806, size=300).tolist():
        records = np.zeros(1, GAME.variant.dtype)
        s = GAME.variant.view(records[0])
        e5, d = 28, 48 + 3
        if set_up_ranked(s, NAMES["KP – KP"], (pair * 48 + e5) * 56 + d):
            found += 1
            assert GAME.parse(GAME.format(State(GAME, records))).en_passant == s.en_passant != 0
    assert found > 200


def test_what_is_no_ending():
    for text in ("8/8/8/3k4/8/8/8/K7 w - -", "r3k3/8/8/8/8/8/8/1K6 b q -", "8/8/8/3k4/8/8/PPP5/K7 w - -"):
        assert class_of(GAME.parse(text)) == -1
    assert class_of(GAME.parse("8/8/8/3k4/8/8/PP6/K7 w - -")) == NAMES["KPP – K"]
