"""Othello in words: the names of squares and moves, positions and games as text."""

import re

from zermelo.core.game import GameError

SIDES, SIGNS = ("black", "white"), ("X", "O")
PASSES = ("pass", "pa", "ps", "--", "@@")  # as players and other programs write it; the first is ours
READ = {"X": "X", "*": "X", "B": "X", "●": "X", "O": "O", "W": "O", "○": "O", "-": "-", ".": "-", "_": "-", "·": "-"}


class Notation:
    """Of boards of one size."""

    def __init__(self, size):
        self.size = size
        self.columns, self.rows = "abcdefgh"[:size], "12345678"[:size]
        self.squares = [column + row for row in self.rows for column in self.columns]
        self.moves = [*self.squares, PASSES[0]]  # by action

    def signs(self, s):
        """X, O or - for every square, from a1."""
        black, white = (int(s.mine), int(s.theirs))[:: 1 if s.turn == 0 else -1]
        return ["X" if black >> q & 1 else "O" if white >> q & 1 else "-" for q in range(len(self.squares))]

    def read_move(self, text):
        """The action somebody means, legal or not."""
        word = " ".join(text.lower().split())
        if word in PASSES:
            return len(self.squares)
        if word not in self.squares:
            raise GameError(f"'{word}' is neither a square from a1 to {self.squares[-1]} nor pass")
        return self.squares.index(word)

    def is_game(self, text):
        """Moves have digits, boards have none; no text at all is a game of no moves."""
        return not text.strip() or any(character.isdigit() for character in text)

    def split_game(self, text):
        words, rest = [], " ".join(text.lower().split())
        while rest:
            move = re.match(rf"([a-z]\d|{'|'.join(PASSES)})[ ,;]*", rest)
            if not move:
                raise GameError(f"move {len(words) + 1} of the game is not to be read: '{rest[:8]}'")
            words.append(move[1])
            rest = rest[move.end() :]
        return words

    def read_board(self, text):
        """The bits of black and of white, and the side to move."""
        *board, side = re.sub(r"[\s/|]", "", text.upper()) or " "
        if len(board) != len(self.squares):
            n = len(self.squares)
            raise GameError(
                f"a position is {n} signs X, O and - from a1 to {self.squares[-1]}, then X or O for the side to move: "
                f"{n + 1} signs, not {len(board) + 1}"
            )
        for square, sign in zip(self.squares, board, strict=True):
            if sign not in READ:
                raise GameError(f"'{sign}' on {square} is none of X, O and -")
        if READ.get(side) not in SIGNS:
            raise GameError(f"the last sign is the side to move, X or O, not '{side}'")
        black, white = (sum(1 << q for q, sign in enumerate(board) if READ[sign] == colour) for colour in SIGNS)
        return black, white, SIGNS.index(READ[side])
