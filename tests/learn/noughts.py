"""A small game to learn: three in a row on a 3 × 3 board, with features of the plainest kind."""

from zermelo import OVER, rules
from zermelo.compile.rules import helper

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@helper
def winner(board):
    """1 or 2 for three in a row of player 0 or 1, 0 for none."""
    for a, b, c in LINES:
        if board[a] != 0 and board[a] == board[b] and board[a] == board[c]:
            return board[a]
    return 0


@rules(
    name="noughts",
    players=2,
    max_actions=9,
    max_plies=9,
    utility_range=(-1, 1),
    utility_values=(-1, 0, 1),
    num_features=20,
    max_active_features=9,
    training={"hidden": (4,), "games": 2000, "learning_rate": 0.05, "epsilon": 0.1, "games_per_round": 20},
)
class Noughts:
    state = {"board": ("i1", (9,)), "turn": "i1", "moves": "i1"}

    def start(s):
        pass

    def player(s):
        return OVER if s.moves == 9 or winner(s.board) != 0 else s.turn

    def actions(s, out):
        n = 0
        for cell in range(9):
            if s.board[cell] == 0:
                out[n] = cell
                n += 1
        return n

    def apply(s, cell):
        s.board[cell] = 1 + s.turn
        s.turn = 1 - s.turn
        s.moves += 1

    def utility(s, out):
        won = winner(s.board)
        out[0] = 1 if won == 1 else -1 if won == 2 else 0
        out[1] = -out[0]

    def features(s, index, value):
        """Every stone, mine or theirs; the middle counts half as much, so that not all values are 1."""
        n = 0
        for cell in range(9):
            if s.board[cell] != 0:
                index[n] = cell if s.board[cell] == 1 + s.turn else 9 + cell
                value[n] = 0.5 if cell == 4 else 1.0
                n += 1
        return n

    def perspective(s):
        return s.turn
