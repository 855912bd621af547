"""Chess: endings with three or four men, and the numbers they have.

A position is seen by the side to move, the board turned over so that it goes up: a position and the same with colours
exchanged have one number. A class is what both sides have beside their kings, the mover's first, at most two men:

    kind      1 pawn   2 knight   3 bishop   4 rook   7 queen          number   ((8 a + b) 8 + c) 8 + d
    class     KRP – K has a = 4, b = 1 (the more valuable first), c = d = 0; a move leads to K – KRP: these make a group

Within a class comes first where both kings stand, as a number of pairs that are not adjacent and not the same turned or
mirrored, then the other men one by one:

    kings     462 pairs where no pawn tells directions apart, else 1,806 (only left and right are the same)
    a man     64 squares; a pawn 48; two alike  C(64, 2) = 2,016 or C(48, 2) = 1,128
    pawns     against each other: 56 for the one that does not move, of which the last eight, one a file, say that it
              has just made a double step and can be taken en passant

Numbers are left unused where two men would share a square, where the side to move could take the king, and where both
kings stand on a diagonal and the mirrored position has the smaller number. Castling rights have no part in this: with
any left a position is in no class. Nor have the fifty moves and repetition: values are those of play without them.
"""

from itertools import combinations_with_replacement

import numpy as np

from zermelo.compile.bits import lowest, popcount
from zermelo.compile.endings import Ending
from zermelo.compile.rules import helper
from zermelo.games._shared.combinations import nth_set, number_set
from zermelo.games._shared.symmetries import number_pairs, turned_and_mirrored
from zermelo.games.chess.attacks import KING, NONE, ONE, bit, in_check, men, u64
from zermelo.games.chess.play import en_passant_takers

MOST_MEN = 4
PAWN, KNIGHT, BISHOP, ROOK, QUEEN = 1, 2, 3, 4, 7
LETTERS = {QUEEN: "Q", ROOK: "R", BISHOP: "B", KNIGHT: "N", PAWN: "P"}
NOBODY = 64
PASSED = 48  # a pawn that can be taken en passant: this, and its file

TURNED = np.array(turned_and_mirrored(8, 8))  # (8, 64)
MIRRORED = [t for t, turned in enumerate(TURNED.tolist()) if turned[:2] in ([0, 1], [7, 6])]  # files only
APART = np.array([[a != b and not int(KING[a]) >> b & 1 for b in range(64)] for a in range(64)])
# Without pawns, with pawns: a pair's number, the symmetry that makes it the pair of that number, another that does.
PAIRS = np.array([number_pairs(TURNED, range(8), APART), number_pairs(TURNED, MIRRORED, APART)])  # (2, 3, 64, 64)
NUMBERS = int(PAIRS[0, 0].max()) + 1, int(PAIRS[1, 0].max()) + 1
FIRST = np.zeros((2, max(NUMBERS)), np.int64)  # [·, number]: where the kings stand, the mover's times 64
for _first, (_numbers, _symmetry, _) in zip(FIRST, PAIRS, strict=True):
    _kings = np.flatnonzero((_numbers >= 0) & (_symmetry == 0))
    _first[_numbers.ravel()[_kings]] = _kings


# -- what is on the board ----------------------------------------------------------------------------------------------


@helper
def kind_on(s, square):
    """The kind of man on a square; 0 where none is. A queen is rook and bishop, and so is her number."""
    own = s.pawns >> u64(square) & ONE | (s.knights >> u64(square) & ONE) << ONE
    return int(own) + 3 * int(s.diagonals >> u64(square) & ONE) + 4 * int(s.straights >> u64(square) & ONE)


@helper
def weight_of(s, square):
    """What is listed first: the mover's men, then the more valuable."""
    return kind_on(s, square) + 8 * int(men(s, s.turn) >> u64(square) & ONE)


@helper
def two_men(s):
    """The squares of the men that are not kings, as they are listed; NOBODY where there is no second one."""
    left = (s.white | s.black) & ~s.kings
    first = lowest(left)
    left &= left - ONE
    if left == NONE:
        return first, NOBODY
    second = lowest(left)
    return (second, first) if weight_of(s, second) > weight_of(s, first) else (first, second)


@helper
def class_of(s):
    count = popcount(s.white | s.black)
    if s.castling != 0 or count < 3 or count > MOST_MEN:
        return -1
    first, second = two_men(s)
    weight = weight_of(s, first)
    if second == NOBODY:
        return 512 * (weight - 8) if weight >= 8 else 8 * weight
    other = weight_of(s, second)
    if other >= 8:
        return 512 * (weight - 8) + 64 * (other - 8)
    return 512 * (weight - 8) + 8 * other if weight >= 8 else 8 * weight + other


# -- numbers -----------------------------------------------------------------------------------------------------------


@helper
def are_alike(s, first, second):
    return second != NOBODY and weight_of(s, first) == weight_of(s, second)


@helper
def rank_as(s, symmetry, flip, pair, first, second):
    """The number of a position, its kings being those of `pair` after a symmetry."""
    lowest_square = 8 if kind_on(s, first) == PAWN else 0
    a = TURNED[symmetry, first ^ flip] - lowest_square
    if are_alike(s, first, second):
        both = bit(a) | bit(TURNED[symmetry, second ^ flip] - lowest_square)
        return pair * pairs_of(lowest_square != 0) + number_set(both)
    number = pair * squares_of(lowest_square != 0) + a
    if second == NOBODY:
        return number
    b = TURNED[symmetry, second ^ flip]
    if kind_on(s, second) != PAWN:
        return number * 64 + b
    if lowest_square == 0:
        return number * 48 + b - 8
    return number * 56 + (PASSED + (b & 7) if s.en_passant != 0 else b - 8)


@helper
def squares_of(is_pawn):
    return 48 if is_pawn else 64


@helper
def pairs_of(are_pawns):
    return 1128 if are_pawns else 2016


@helper
def rank_of(s):
    flip = 56 * s.turn
    king = lowest(men(s, s.turn) & s.kings) ^ flip
    other = lowest(men(s, 1 - s.turn) & s.kings) ^ flip
    pawns = 1 if s.pawns else 0
    first, second = two_men(s)
    pair, symmetry, again = PAIRS[pawns, 0, king, other], PAIRS[pawns, 1, king, other], PAIRS[pawns, 2, king, other]
    number = rank_as(s, symmetry, flip, pair, first, second)
    if again == symmetry:
        return number
    return min(number, rank_as(s, again, flip, pair, first, second))


# -- positions ---------------------------------------------------------------------------------------------------------


@helper
def put(s, kind, square, side):
    """A man on an empty square; False where somebody stands."""
    there = bit(square)
    if (s.white | s.black) & there:
        return False
    if side == 0:
        s.white |= there
    else:
        s.black |= there
    if kind == 0:
        s.kings |= there
    if kind == PAWN:
        s.pawns |= there
    if kind == KNIGHT:
        s.knights |= there
    if kind in (BISHOP, QUEEN):
        s.diagonals |= there
    if kind in (ROOK, QUEEN):
        s.straights |= there
    return True


@helper
def set_up_ranked(s, ending, rank):
    """White is to move: it goes up."""
    a, b, c, d = ending >> 9, ending >> 6 & 7, ending >> 3 & 7, ending & 7
    kind, more = (a, b if b else c) if a else (c, d)
    side, other_side = 0 if a else 1, 0 if b else 1
    pawns = 1 if kind == PAWN or more == PAWN else 0
    low = 8 if kind == PAWN else 0
    passed = -1
    # 1. The squares of the men.
    if more == 0:
        ways = squares_of(kind == PAWN)
        pair, first, second = rank // ways, rank % ways + low, np.int64(NOBODY)
    elif kind == more and side == other_side:
        ways = pairs_of(kind == PAWN)
        both = nth_set(rank % ways, 2, 64)
        pair, first = rank // ways, lowest(both) + low
        second = np.int64(lowest(both & (both - ONE)) + low)
    else:
        ways = 64 if more != PAWN else 56 if kind == PAWN else 48
        second, pair = rank % ways, rank // ways
        if more == PAWN and second >= PASSED:
            passed = second - PASSED
            second = 32 + passed
        elif more == PAWN:
            second += 8
        first, pair = pair % squares_of(kind == PAWN) + low, pair // squares_of(kind == PAWN)
    # 2. All on the board, nobody on somebody else's square.
    s.fullmove = 1
    kings = FIRST[pawns, pair]
    put(s, 0, kings >> 6, 0)
    put(s, 0, kings & 63, 1)
    if not put(s, kind, first, side) or (more != 0 and not put(s, more, second, other_side)):
        return False
    if in_check(s, 1):
        return False
    # 3. A double step was possible, and the pawn can be taken.
    if passed >= 0:
        if (s.white | s.black) & (bit(40 + passed) | bit(48 + passed)):
            return False
        s.en_passant = 40 + passed
        if en_passant_takers(s, 0) == NONE:
            return False
    # 4. Of two positions that are the same mirrored, the one with the smaller number.
    return PAIRS[pawns, 2, kings >> 6, kings & 63] == 0 or rank_of(s) == rank


# -- the list ----------------------------------------------------------------------------------------------------------


def endings(limit):
    """Classes of up to `limit` men, 3 or 4."""
    groups = []
    for count in range(1, min(limit, MOST_MEN) - 1):
        for pawns in range(count + 1):
            for more in combinations_with_replacement(LETTERS, count):
                if more.count(PAWN) == pawns:
                    for mine in _parts(more):
                        theirs = _without(more, mine)
                        groups.append([_ending(*each) for each in dict.fromkeys(((mine, theirs), (theirs, mine)))])
    return groups


def _parts(more):
    """What one side may have of these men: all of them, or the first of two against the second."""
    return [more] if len(more) == 1 else [more, more[:1]]


def _without(more, mine):
    return more[len(mine) :]


def _ending(mine, theirs):
    a, b, c, d = (*mine, 0, 0)[:2] + (*theirs, 0, 0)[:2]
    pawns = 1 if PAWN in mine + theirs else 0
    if a == b != 0 or c == d != 0:
        size = 1128 if pawns else 2016
    else:
        size = int(np.prod([48 if kind == PAWN else 64 for kind in mine + theirs]))
        size = size * 56 // 48 if a == c == PAWN else size
    name = " – ".join("K" + "".join(LETTERS[kind] for kind in side) for side in (mine, theirs))
    return Ending(((8 * a + b) * 8 + c) * 8 + d, name, NUMBERS[pawns] * size, 2 + len(mine + theirs))
