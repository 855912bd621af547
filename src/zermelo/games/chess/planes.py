"""What a policy/value network sees of a chess position, and the numbers of moves: from the side to move.

Rows are ranks, from the far one; for black the board is turned upside down, so that whoever moves moves up it (files
stay where they are). Fifteen planes of 8 × 8:

     0 …  5   my pawns, knights, bishops, rooks, queens, king
     6 … 11   the other side's
    12        the rooks with which somebody may still castle
    13        the square on which a pawn can be taken en passant
    14        everywhere the half-moves since a pawn moved or something was taken, 0 to 100

What stood before is no part of the state, so there are no planes for it, nor for repetitions.

A policy has 73 planes of 8 × 8 too, as AlphaZero's has (Silver et al., A general reinforcement learning algorithm that
masters chess, shogi, and Go through self-play, Science 362, 2018): which way, and 64 squares to start from.

     0 … 55   a queen's move, 7 × the direction + steps - 1; castling is the king's, and promotion to a queen is this
    56 … 63   a knight's jump
    64 … 72   promotion to a knight, a bishop, a rook: taking to the left, straight on, taking to the right
"""

from zermelo.compile.bits import lowest
from zermelo.compile.rules import helper
from zermelo.games.chess.attacks import NONE, ONE, men, u64

PLANES, WAYS = (15, 8, 8), 73
POLICY = 64 * WAYS
THEIRS, CASTLING_ROOKS, EN_PASSANT_SQUARE, CLOCK = 6, 12, 13, 14
ROOKS = (7, 0, 63, 56)  # by the bit of the right to castle: K, Q, k, q
JUMPS, PROMOTIONS = 56, 64


@helper
def upright(turn):
    """What turns a square's number into that of a cell, by exclusive or: cells are numbered from the far rank."""
    return 0 if turn else 56


@helper
def write_planes(s, out):
    flip = upright(s.turn)
    theirs, left = men(s, 1 - s.turn), s.white | s.black
    while left != NONE:
        square = lowest(left)
        left &= left - ONE
        at, cell = u64(square), square ^ flip
        diagonal, straight = s.diagonals >> at & ONE, s.straights >> at & ONE
        kind = (s.knights >> at & ONE) + u64(2) * diagonal + u64(3) * straight - (diagonal & straight)
        kind += u64(5) * (s.kings >> at & ONE) + u64(THEIRS) * (theirs >> at & ONE)
        out[kind, cell >> 3, cell & 7] = 1
    for right in range(4):
        if s.castling >> right & 1:
            cell = ROOKS[right] ^ flip
            out[CASTLING_ROOKS, cell >> 3, cell & 7] = 1
    if s.en_passant != 0:
        cell = s.en_passant ^ flip
        out[EN_PASSANT_SQUARE, cell >> 3, cell & 7] = 1
    if s.clock != 0:
        for cell in range(64):
            out[CLOCK, cell >> 3, cell & 7] = min(s.clock, 100)


@helper
def number_of(turn, action):
    """64 × the way + the cell of the square the man stands on."""
    origin, target, promotion = action & 63, action >> 6 & 63, action >> 12 & 7
    right = (target & 7) - (origin & 7)
    up = ((target >> 3) - (origin >> 3)) * (1 - 2 * turn)
    if promotion != 0 and promotion != 4:
        way = PROMOTIONS + 3 * (promotion - 1) + right + 1
    elif right * up == 2 or right * up == -2:
        way = JUMPS + (right < 0) + 2 * (up < 0) + 4 * (up == 1 or up == -1)
    else:
        direction = 3 * ((right > 0) - (right < 0)) + (up > 0) - (up < 0)  # -4 to 4, and never 0
        way = 7 * (direction + 4 - (direction > 0)) + max(right, -right, up, -up) - 1
    return 64 * way + (origin ^ upright(turn))
