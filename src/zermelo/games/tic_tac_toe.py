"""Tic-tac-toe: three in a row on a 3 × 3 board.

The record and the names of the cells:

    board   0 1 2     a3 b3 c3      0 empty, 1 crosses (player 0), -1 noughts (player 1)
            3 4 5     a2 b2 c2
            6 7 8     a1 b1 c1      an action is the number of the cell

Positions are written row by row from the top with x, o and a dot: `x.. .o. ...`; whose turn it is follows.

What is learned of it is a table: every position is a feature of its own. Its cells, read as digits (0 empty, 1 of the
side to move, 2 of the other side), are a number in base 3, and that is the feature's.

What a network sees are two planes: the marks of the side to move, and those of the other side.
"""

from zermelo.compile.rules import helper, rules
from zermelo.core.game import OVER, GameError
from zermelo.drawing import svg
from zermelo.drawing.board import Board, board_text
from zermelo.games._shared.symmetries import turned_and_mirrored, with_policy

NAMES = ("a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1")
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
SIGNS = {1: "x", -1: "o", 0: "."}


@helper
def winner(board):
    """1 or -1 for three in a row, 0 for none."""
    for a, b, c in LINES:
        if board[a] != 0 and board[a] == board[b] and board[a] == board[c]:
            return board[a]
    return 0


@rules(
    name="tic-tac-toe",
    players=2,
    max_actions=9,
    max_plies=9,
    utility_range=(-1, 1),
    utility_values=(-1, 0, 1),
    num_features=3**9,
    max_active_features=1,
    policy_size=9,
    plane_shape=(2, 3, 3),
    training={"games": 50_000, "learning_rate": 4.0, "final_learning_rate": 0.4, "lam": 0.5, "epsilon": 0.5},
    zero_training={
        "rounds": 100,
        "blocks": 2,
        "channels": 16,
        "parallel_games": 128,
        "moves_per_round": 8,
        "simulations": 16,
        "fast_simulations": 4,
        "window": 8192,
        "batch_size": 128,
        "averaging": 0.99,
        "opening": 4,
        "measured_games": 128,
    },
)
class TicTacToe:
    """Three in a row wins."""

    state = {"board": ("i1", (9,)), "turn": "i1", "moves": "i1"}

    def start(s):
        pass

    def player(s):
        if s.moves == 9 or winner(s.board) != 0:
            return OVER
        return s.turn

    def actions(s, out):
        n = 0
        for cell in range(9):
            if s.board[cell] == 0:
                out[n] = cell
                n += 1
        return n

    def apply(s, cell):
        s.board[cell] = 1 - 2 * s.turn
        s.turn = 1 - s.turn
        s.moves += 1

    def utility(s, out):
        out[0] = winner(s.board)
        out[1] = -out[0]

    def evaluate(s):
        """Lines that only crosses have begun less lines that only noughts have, in ninths: there are eight."""
        open_lines = 0
        for a, b, c in LINES:
            low = min(s.board[a], s.board[b], s.board[c])
            high = max(s.board[a], s.board[b], s.board[c])
            if low >= 0 and high > 0:
                open_lines += 1
            elif high <= 0 and low < 0:
                open_lines -= 1
        return open_lines / 9.0

    def perspective(s):
        return s.turn

    def features(s, index, value):
        number, mine = 0, 1 - 2 * s.turn
        for cell in range(9):
            number = 3 * number + mine * s.board[cell] % 3
        index[0] = number
        value[0] = 1
        return 1

    def planes(s, out):
        mine = 1 - 2 * s.turn
        for cell in range(9):
            if s.board[cell] != 0:
                out[0 if s.board[cell] == mine else 1, cell // 3, cell % 3] = 1

    @staticmethod
    def symmetries():
        return with_policy(turned_and_mirrored(3, 3))

    def format_action(s, a):
        return NAMES[a]

    def clicks(s, a):
        return (NAMES[a],)

    def format(s):
        signs = "".join(SIGNS[s.board[i]] for i in range(9))
        return f"{signs[:3]} {signs[3:6]} {signs[6:]}"

    def parse(s, text):
        words = text.lower().split()
        signs = "".join(words)
        if len(signs) != 9 or set(signs) - set("xo."):
            shown = " ".join(words)
            raise GameError(f"a tic-tac-toe position is nine of x, o and dot such as 'x.. .o. ...', not '{shown}'")
        crosses, noughts = signs.count("x"), signs.count("o")
        if crosses - noughts not in (0, 1):
            raise GameError(f"crosses begin, so {crosses} crosses and {noughts} noughts cannot be")
        for i, sign in enumerate(signs):
            s.board[i] = {"x": 1, "o": -1, ".": 0}[sign]
        s.turn = crosses - noughts
        s.moves = crosses + noughts

    def validate(s):
        crosses, noughts, empty = (sum(s.board[i] == sign for i in range(9)) for sign in (1, -1, 0))
        if crosses + noughts != s.moves or s.moves + empty != 9 or crosses - noughts != s.turn or s.turn not in (0, 1):
            return "board, turn and moves do not agree: crosses begin, and the sides take turns"
        has_line = {s.board[a] for a, b, c in LINES if s.board[a] and s.board[a] == s.board[b] == s.board[c]}
        if (1 if s.turn == 0 else -1) in has_line:  # only who has just moved can have made one
            return "the game was over before the last move"
        return None

    def text(s):
        return board_text([SIGNS[s.board[i]] for i in range(9)], 3, "abc", "321")

    def svg(s, marks):
        board = Board(NAMES, 3, marks, cells="plain", column_labels="abc", row_labels="321")
        for i, name in enumerate(NAMES):
            x, y = board.centre(name)
            if s.board[i] > 0:
                board.add(
                    svg.line(x - 16, y - 16, x + 16, y + 16, class_="pen first", pointer_events="none"),
                    svg.line(x - 16, y + 16, x + 16, y - 16, class_="pen first", pointer_events="none"),
                )
            elif s.board[i] < 0:
                board.add(svg.circle(x, y, 18, class_="pen second", pointer_events="none"))
        return board.svg("tic-tac-toe")
