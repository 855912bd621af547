"""Othello as people write and draw it: the names of squares and moves, positions and games as text, the picture."""

import re

from zermelo.core.game import GameError
from zermelo.drawing import svg
from zermelo.drawing.board import CELL, EDGE, Board, board_text

SIDES, SIGNS = ("black", "white"), ("X", "O")
PASSES = ("pass", "pa", "ps", "--", "@@")  # as players and other programs write it; the first is ours
READ = {"X": "X", "*": "X", "B": "X", "●": "X", "O": "O", "W": "O", "○": "O", "-": "-", ".": "-", "_": "-", "·": "-"}
STYLE = """
.zb .felt ~ .target { fill: #0b2b1b; fill-opacity: .5 } .zb .felt ~ .last { fill-opacity: .7 }
.zb .felt ~ .spot { fill: #22593d } .zb .felt ~ .word { fill: #3d350c; font-size: 14px }
.zb .felt ~ .pass { fill: #f6d33c; stroke: #a08a1c }
"""


class Sheet:
    """What is the same of every position on boards of one size."""

    def __init__(self, size):
        self.size = size
        self.columns, self.rows = "abcdefgh"[:size], "12345678"[:size]
        self.squares = [column + row for row in self.rows for column in self.columns]
        self.moves = [*self.squares, PASSES[0]]  # by action

    def signs(self, s):
        """X, O or - for every square, from a1."""
        black, white = (int(s.mine), int(s.theirs))[:: 1 if s.turn == 0 else -1]
        return ["X" if black >> q & 1 else "O" if white >> q & 1 else "-" for q in range(len(self.squares))]

    # -- reading -------------------------------------------------------------------------------------------------------

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

    # -- drawing -------------------------------------------------------------------------------------------------------

    def text(self, s):
        drawn = [{"X": "●", "O": "○", "-": "·"}[sign] for sign in self.signs(s)]
        return board_text(drawn, self.size, self.columns, self.rows)

    def svg(self, s, marks):
        board = Board(self.squares, self.size, marks, cells="felt", column_labels=self.columns, row_labels=self.rows)
        if self.size == 8:  # the four spots of a tournament board
            for x in (2, 6):
                for y in (2, 6):
                    board.add(svg.circle(EDGE + x * CELL, EDGE + y * CELL, 4.5, class_="spot", pointer_events="none"))
        for square, sign in zip(self.squares, self.signs(s), strict=True):
            if sign != "-":
                board.disc(square, "black" if sign == "X" else "white")
        if not (s.moves or s.over):
            middle = board.width / 2
            board.add(svg.rect(middle - 40, 3, 80, 20, rx=8, class_="pass", data_at="pass"))
            board.add(svg.text(middle, 18, "pass", class_="word", pointer_events="none"))
        return board.svg("othello", STYLE)
