"""Chess, by the laws of FIDE, with the draws that a player may claim (threefold repetition, fifty moves) taken at once.

Seven boards of 64 bits and five small numbers make 64 bytes; bit n is the square n:

    8  56 57 58 59 60 61 62 63     white, black      whose man stands there
    7  48 49 50 51 52 53 54 55     pawns, knights, kings
    6  40 41 42 43 44 45 46 47     diagonals         what moves like a bishop: bishops and queens
    5  32 33 34 35 36 37 38 39     straights         what moves like a rook: rooks and queens
    4  24 25 26 27 28 29 30 31
    3  16 17 18 19 20 21 22 23     turn              0 white, 1 black
    2   8  9 10 11 12 13 14 15     castling          bits: 1 K, 2 Q, 4 k, 8 q
    1   0  1  2  3  4  5  6  7     en_passant        the square a pawn has passed, 0 if it cannot legally be taken there
        a  b  c  d  e  f  g  h     clock, fullmove   half-moves since a pawn moved or something was taken; move number

So a queen is a bit in two boards, and needs no code of its own. Actions are drawn in play.py.
Positions are written as FEN, moves as SAN (Nbd2, exd6, e8=Q+, O-O), and read as SAN or UCI (e2e4, e7e8q).

References: FIDE Laws of Chess (2023), articles 3, 5 and 9; Shannon, Programming a computer for playing chess (1950).
"""

from zermelo.compile.random import scramble
from zermelo.compile.rules import helper, rules
from zermelo.core.game import OVER
from zermelo.games.chess import notation
from zermelo.games.chess.attacks import NONE, in_check, men, u64
from zermelo.games.chess.drawing import draw
from zermelo.games.chess.endings import class_of, endings, rank_of, set_up_ranked
from zermelo.games.chess.evaluation import bounded, pawns_ahead
from zermelo.games.chess.features import COUNT, MOST, write_features
from zermelo.games.chess.moves import can_answer, cannot_mate, generate
from zermelo.games.chess.notation import NAMES, uci
from zermelo.games.chess.ordering import move_score_of
from zermelo.games.chess.pgn import from_pgn, pgn
from zermelo.games.chess.planes import PLANES, POLICY, number_of, write_planes
from zermelo.games.chess.play import play

__all__ = ["Chess", "from_pgn", "pgn", "uci"]


CLOCK_TELLS = 60  # from this clock on, positions that differ in it are kept apart in a table: the end comes into sight


@helper
def mixed(board, place):
    """A hash of one board, different in every place. Sums of them do not collide as products and shifts of boards do,
    whose highest bits have nowhere to go."""
    return scramble(board + u64(place) * u64(0x9E3779B97F4A7C15))


@helper
def hashed(s, clock):
    small = u64(s.turn | s.castling << 1 | s.en_passant << 5 | clock << 11)
    boards = mixed(s.white, 1) + mixed(s.pawns, 2) + mixed(s.knights, 3)
    boards += mixed(s.diagonals, 4) + mixed(s.straights, 5) + mixed(s.kings, 6)
    return boards + mixed(small, 7)


# One output, the points to be expected: a draw is half a win.
TRAINING = {
    "pretrain": 3_000,
    "games": 50_000,
    "depth": 2,
    "lam": 0.85,
    "learning_rate": 0.01,
    "final_learning_rate": 0.0003,
    "opening": 8,
    "actors": 2,
    "games_per_round": 50,
}


# 12,700 plies: at most 96 pawn moves and 30 captures set the clock back to 0, and it never passes 100.
# 256 actions: the most known in any position are 218.
@rules(
    name="chess",
    players=2,
    max_actions=256,
    max_plies=12_700,
    utility_range=(-1, 1),
    repetition="draw",
    repetitions=3,
    stuck_ends=True,
    num_features=COUNT,
    max_active_features=MOST,
    policy_size=POLICY,
    small_endings=3,
    plane_shape=PLANES,
    training=TRAINING,
)
class Chess:
    """Attack the king so that it cannot be saved."""

    state = {
        "white": "u8",
        "black": "u8",
        "pawns": "u8",
        "knights": "u8",
        "diagonals": "u8",
        "straights": "u8",
        "kings": "u8",
        "fullmove": "u2",
        "turn": "i1",
        "castling": "u1",
        "en_passant": "u1",
        "clock": "u1",
    }

    def start(s):
        s.white = u64(0x000000000000FFFF)
        s.black = u64(0xFFFF000000000000)
        s.pawns = u64(0x00FF00000000FF00)
        s.knights = u64(0x4200000000000042)
        s.diagonals = u64(0x2C0000000000002C)
        s.straights = u64(0x8900000000000089)
        s.kings = u64(0x1000000000000010)
        s.castling = 15
        s.fullmove = 1

    def player(s):
        return OVER if s.clock >= 100 or cannot_mate(s) else s.turn

    def side_to_move(s):
        return s.turn

    def actions(s, out):
        return generate(s, out, False)

    def noisy(s, out):
        return generate(s, out, True)

    def apply(s, action):
        play(s, action)

    def utility(s, out):
        """Mate is a win even when it comes with the hundredth half-move; everything else is a draw."""
        out[0] = 0.0
        if in_check(s, s.turn) and not can_answer(s):
            out[0] = 2.0 * s.turn - 1.0
        out[1] = -out[0]

    def key(s):
        """Everything but the two counters; the black men are what is left when the white ones are known."""
        return hashed(s, 0)

    def evaluate(s):
        """x / (|x| + 4) for an advantage of x pawns; see evaluation.py."""
        return bounded(pawns_ahead(s))

    def features(s, index, value):
        """White's less black's, for a value from white's side; see features.py."""
        return write_features(s, index, value)

    def planes(s, out):
        """The men and the rights, as the side to move sees them; see planes.py."""
        write_planes(s, out)

    def policy_index(s, action):
        """AlphaZero's 73 × 64, as the side to move sees them; see planes.py."""
        return number_of(s.turn, action)

    def reversible_plies(s):
        return s.clock

    # -- for a search --------------------------------------------------------------------------------------------------

    def search_key(s):
        return hashed(s, s.clock if s.clock >= CLOCK_TELLS else 0)

    def move_score(s, action):
        return move_score_of(s, action)

    def threatened(s):
        """Check."""
        return in_check(s, s.turn)

    def null_move(s):
        """Not in check, and not where every move may be for the worse: with pawns only."""
        pieces = men(s, s.turn) & ~(s.pawns | s.kings)
        if pieces == NONE or in_check(s, s.turn):
            return False
        s.en_passant = 0
        s.fullmove += s.turn
        s.turn = 1 - s.turn
        return True

    # -- endings with few men: see endings.py --------------------------------------------------------------------------

    def ending(s):
        return class_of(s)

    def rank(s):
        return rank_of(s)

    def unrank(s, ending, rank):
        return set_up_ranked(s, ending, rank)

    endings = endings

    # -- notation and drawing ------------------------------------------------------------------------------------------

    def format(s):
        return notation.format_fen(s)

    def parse(s, text):
        notation.parse_fen(s, text)

    def validate(s):
        return notation.validate(s)

    def format_action(s, a):
        return notation.format_san(s, a)

    def parse_action(s, text):
        return notation.parse_move(s, text)

    def clicks(s, a):
        promotion = a >> 12 & 7
        squares = (NAMES[a & 63], NAMES[a >> 6 & 63])
        return (*squares, "=" + " NBRQ"[promotion]) if promotion else squares

    def refusal(s, cell):
        return notation.refusal(s, cell)

    def text(s):
        return notation.draw_text(s)

    def svg(s, marks):
        return draw(s, marks)

    def uci(s, a):
        return notation.uci(s, a)

    def pgn(history, names):
        return pgn(history, **dict(zip(("White", "Black"), names, strict=False)))
