"""Connect four: drop discs into columns; four in a row wins. Any width × height that fits 64 bits.

A board of 7 × 6 has this bit order, the usual one since Tromp's solver: a column is `height + 1` bits, and the extra
bit on top stays empty, so that a line never runs over from one column into the next:

     6 13 20 27 34 41 48      ← always empty
     5 12 19 26 33 40 47
     4 11 18 25 32 39 46      mine   the discs of the side to move
     3 10 17 24 31 38 45      mask   all discs
     2  9 16 23 30 37 44      turn   whose turn it is: 0 or 1
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42      mask + bottom bit of a column = the lowest empty place of that column

An action is a column, from 0; people count from 1. A position is the board row by row from the top with x, o and dots
("......./…/...xo.."), or, where there are nine columns at most, the string of moves that leads to it ("4453").

What a network sees are two planes of the board as it is drawn: the discs of the side to move, and the other side's.
"""

from dataclasses import replace

import numpy as np

from zermelo.compile.bits import popcount
from zermelo.compile.painting import painter
from zermelo.compile.rules import helper, rules
from zermelo.core.game import OVER, GameError
from zermelo.drawing import svg
from zermelo.drawing.board import CELL, EDGE, Board, board_text
from zermelo.games.connect_four.features import make_features

u64 = np.uint64
NONE, ONE = u64(0), u64(1)
LOSES = -np.inf  # the move_score of a move after which the other side completes a four at once: never the best
HOPELESS = 14  # with so few places empty, it pays to ask whether any line of four is left
MIRRORED = 16  # up to so many discs, mirror images share an entry in a table; later they hardly ever meet
TRAINING = {
    "games": 1_000_000,
    "depth": 1,
    "target": "root",
    "lam": 0.8,
    "learning_rate": 1.0,
    "final_learning_rate": 0.2,
    "coherence": True,
    "epsilon": 0.15,
    "opening": 8,
    "games_per_round": 500,
}
ZERO_TRAINING = {
    "rounds": 400,
    "blocks": 8,
    "channels": 96,
    "moves_per_round": 4,
    "simulations": 48,
    "fast_simulations": 12,
    "ramp": 0.1,
    "opening": 14,  # what is asked of the network is any position, not only those it would play itself
    "root_value": 0.7,  # what a search thinks of a random position is nearer the truth than how one game from it ends
    "learning_rate": 0.0015,
    "averaging": 0.999,
}


@rules(name="connect-four")
def connect_four(width=7, height=6):
    """Seven columns, six rows; four in a row wins."""
    if width < 1 or height < 1 or width * (height + 1) > 64:
        raise GameError(f"connect-four: {width} × {height} does not fit: width × (height + 1) may be 64 at most")
    STRIDE = height + 1
    BOTTOM = u64(sum(1 << (STRIDE * column) for column in range(width)))
    FULL = u64(int(BOTTOM) * ((1 << height) - 1))
    ODD = u64(int(BOTTOM) * sum(1 << row for row in range(0, height, 2)))  # the first, third, fifth … row
    PARITY = 16 if height % 2 == 0 else 0  # what a threat on a row of the own kind is worth more
    COLUMN = u64((1 << STRIDE) - 1)
    NEAR_CENTRE = np.array([0.5 - abs(2 * column - width + 1) / (4.0 * width) for column in range(width)])
    # up, and to the right: falling, level, rising
    SHIFTS = (u64(1), u64(STRIDE - 1), u64(STRIDE), u64(STRIDE + 1))
    TWO, THREE = u64(2), u64(3)

    @helper
    def four(discs):
        for shift in SHIFTS:
            pairs = discs & (discs >> shift)
            if pairs & (pairs >> (TWO * shift)) != u64(0):
                return True
        return False

    @helper
    def lines(free):
        """How many fours fit into the places of `free`."""
        n = 0
        for shift in SHIFTS:
            pairs = free & (free >> shift)
            n += popcount(pairs & (pairs >> (TWO * shift)))
        return n

    @helper
    def completes(discs, shift):
        """The places that make a four with three of `discs` along one axis: beyond either end, or in a gap."""
        right, left = discs >> shift, discs << shift
        pair_right, pair_left = right & (discs >> (TWO * shift)), left & (discs << (TWO * shift))
        found = pair_right & (left | (discs >> (THREE * shift)))
        return found | (pair_left & (right | (discs << (THREE * shift))))

    @helper
    def threats(discs, empty):
        """Empty places that would complete a four of `discs`. Below three of them no place is empty."""
        found = (discs << ONE) & (discs << TWO) & (discs << THREE)
        found |= completes(discs, SHIFTS[1]) | completes(discs, SHIFTS[2]) | completes(discs, SHIFTS[3])
        return found & empty

    @helper
    def list_columns(places, out):
        n = 0
        for column in range(width):
            out[n] = column  # the next one takes its place if it is none: no jump, which nobody would foresee
            n += places & (COLUMN << u64(column * STRIDE)) != NONE
        return n

    @helper
    def mirrored(code):
        """The same columns from right to left."""
        image = NONE
        for column in range(width):
            image |= ((code >> u64(column * STRIDE)) & COLUMN) << u64((width - 1 - column) * STRIDE)
        return image

    @helper
    def spread(code):
        k = code * u64(0x9E3779B97F4A7C15)
        return k ^ (k >> u64(29))

    FEATURES = make_features(width, height, threats)
    write_features = FEATURES.write if FEATURES else None

    # the places row by row from the top, as they are drawn
    PLACES = [(x, y) for y in range(height)[::-1] for x in range(width)]
    NAMES = [f"{'abcdefghijklmnopqrstuvwxyz'[x % 26] * (1 + x // 26)}{y + 1}" for x, y in PLACES]
    BITS = [u64(1 << (x * STRIDE + y)) for x, y in PLACES]
    paint = painter([x * STRIDE + y for x, y in PLACES])
    LABELS = [str(x + 1) for x in range(width)]

    class ConnectFour:
        __doc__ = f"Drop discs into {width} columns of {height}; four in a row wins."
        players = 2
        max_actions = width
        max_plies = width * height
        utility_range = (-1, 1)
        policy_size = width
        plane_shape = (2, height, width)
        state = {"mine": "u8", "mask": "u8", "turn": "i8"}

        def start(s):
            pass

        def player(s):
            if four(s.mine ^ s.mask) or s.mask == FULL:
                return OVER
            return s.turn

        def actions(s, out):
            return list_columns((s.mask + BOTTOM) & FULL, out)  # the lowest empty place of every column that has one

        def apply(s, column):
            s.mine = s.mine ^ s.mask
            s.mask = s.mask | (s.mask + (ONE << u64(column * STRIDE)))
            s.turn = 1 - s.turn

        def utility(s, out):
            if four(s.mine ^ s.mask):  # only the side that has just moved can have a four
                out[s.turn] = -1.0
                out[1 - s.turn] = 1.0
            else:
                out[0] = 0.0
                out[1] = 0.0

        def key(s):
            # mine + mask + BOTTOM is one number per position; the multiplication spreads its bits
            return spread(s.mine + s.mask + BOTTOM)

        def evaluate(s):
            """Lines open to a side less those open to the other, places that complete one counting more: in (-1, 1).

            When the columns fill up, whoever moves first gets the first, third, fifth … place of the last one, and the
            other side the places between: a threat there is worth most (Allis, A knowledge-based approach of
            connect-four, 1988).
            """
            first = s.mine if s.turn == 0 else s.mine ^ s.mask
            second = s.mask ^ first
            empty = FULL & ~s.mask
            mine, theirs = threats(first, empty), threats(second, empty)
            score = lines(first | empty) - lines(second | empty)
            score += 8 * (popcount(mine) - popcount(theirs))
            score += PARITY * (popcount(mine & ODD) - popcount(theirs & ~ODD))
            return score / (abs(score) + 40.0)

        def noisy(s, out):
            """Columns where either side would complete a four at once."""
            theirs = s.mine ^ s.mask
            room = (s.mask + BOTTOM) & FULL
            return list_columns((threats(s.mine, FULL & ~s.mask) | threats(theirs, FULL & ~s.mask)) & room, out)

        zero_training = ZERO_TRAINING
        if FEATURES:
            num_features, max_active_features = FEATURES.sizes
            training = TRAINING

            def features(s, index, value):
                """Columns, rows and diagonals as the first player sees them; see _connect_four_features.py."""
                return write_features(s.mine if s.turn == 0 else s.mine ^ s.mask, s.mask, s.turn, index, value)

        def planes(s, out):
            paint(out, (s.mine, s.mine ^ s.mask))

        def symmetries():
            """Left and right may be exchanged."""
            columns, cells = np.arange(width), np.arange(width * height).reshape(height, width)
            return [(cells.ravel(), columns), (cells[:, ::-1].ravel(), columns[::-1].copy())][:width]

        # -- for a search ----------------------------------------------------------------------------------------

        def search_key(s):
            """Mirror images are worth the same. In mine + mask + BOTTOM no column carries into the next."""
            code = s.mine + s.mask + BOTTOM
            if popcount(s.mask) <= MIRRORED:
                code = min(code, mirrored(code))
            return spread(code)

        def known_result(s, out):
            """A four next move; two that the other side cannot both be kept from; the last two places; no line left."""
            empty = FULL & ~s.mask
            room = (s.mask + BOTTOM) & FULL
            if threats(s.mine, room) != NONE:
                out[0], out[1] = 1.0 - 2.0 * s.turn, 1.0
                return True
            theirs = s.mine ^ s.mask
            danger = threats(theirs, empty)
            must = danger & room
            # safe: what stops every four there is, and opens the way to none
            safe = (room if must == NONE else must) & ~(danger >> ONE)
            if must & (must - ONE) != NONE or safe == NONE:
                out[0], out[1] = 2.0 * s.turn - 1.0, 2.0
                return room != NONE
            left = popcount(empty)
            if left <= 2 or (left <= HOPELESS and lines(s.mine | empty) + lines(theirs | empty) == 0):
                out[0], out[1] = 0.0, left
                return True
            return False

        def move_score(s, column):
            """How many places complete a four once this disc lies, centre first; LOSES if the other's four follows.

            Where the other side threatens a four at once, that is every move but the one that stops it, or wins.
            """
            empty = FULL & ~s.mask
            room = (s.mask + BOTTOM) & FULL
            place = room & (COLUMN << u64(column * STRIDE))
            danger = threats(s.mine ^ s.mask, empty)
            must = danger & room
            if (must != NONE and must != place) or (place << ONE) & danger != NONE:
                return 100.0 if four(s.mine | place) else LOSES
            return popcount(threats(s.mine | place, empty)) + NEAR_CENTRE[column]

        # -- notation and drawing --------------------------------------------------------------------------------

        def format_action(s, a):
            return str(a + 1)

        def parse_action(s, text):
            word = " ".join(text.split())
            if not word.isdecimal() or not 1 <= int(word) <= width:
                raise GameError(f"'{word}' is not a column from 1 to {width}")
            if int(word) - 1 not in s.game.actions(s):
                raise GameError(f"column {word} is full" if not s.game.is_end(s) else "the game is over")
            return int(word) - 1

        def clicks(s, a):
            return (_landing(s, a),)

        def click_orders(s, a):
            """A disc falls, so any cell of its column will do."""
            column = _landing(s, a).rstrip("0123456789")
            return [(f"{column}{y}",) for y in range(1, height + 1)]

        def format(s):
            return "/".join("".join(row) for row in _rows(s))

        def parse(s, text):
            word = text.strip()
            if not word or word.isdecimal():
                _parse_moves(s, word)
            else:
                _parse_board(s, word)

        def validate(s):
            if s.mask & ~FULL or s.mine & ~s.mask:
                return "there are discs off the board"
            hanging = [x for x in range(width) if (column := _column(s, x)) & (column + 1)]
            if hanging:
                return f"a disc hangs in the air in column {hanging[0] + 1}"
            if s.turn != popcount(s.mask) % 2 or popcount(s.mine) != popcount(s.mask) // 2:
                return "x moves first, so there are as many x as o, or one more"
            if four(s.mine):
                return "the side to move has four in a row already"
            if four(s.mine ^ s.mask) and not _could_be_last(s.mine ^ s.mask, s.mask):
                return "the game was over before the last move"
            return None

        def text(s):
            signs = [{"x": "●", "o": "○", ".": "·"}[c] for row in _rows(s) for c in row]
            return board_text(signs, width, LABELS)

        def svg(s, marks):
            upright = replace(marks, flip=False)  # discs do not fall upwards
            board = Board(NAMES, width, upright, cells="blue", column_labels=LABELS)
            board.add(svg.rect(EDGE, EDGE, width * CELL, height * CELL, class_="blue", rx=10, pointer_events="none"))
            for name, sign in zip(NAMES, (c for row in _rows(s) for c in row), strict=True):
                board.disc(name, {"x": "first", "o": "second", ".": "hole"}[sign])
            for name in marks.last:
                x, y = board.centre(name)
                board.add(svg.circle(x, y, 0.16 * CELL, fill="#ffffff", fill_opacity=0.75, pointer_events="none"))
            return board.svg("connect four")

    def _rows(s):
        first = s.mine if s.turn == 0 else s.mine ^ s.mask
        signs = ["x" if first & bit else "o" if s.mask & bit else "." for bit in BITS]
        return [signs[y * width : (y + 1) * width] for y in range(height)]

    def _landing(s, column):
        y = _column(s, column).bit_count()
        return NAMES[(height - 1 - y) * width + column]

    def _column(s, x):
        """The discs of a column, the lowest being bit 0."""
        return int(s.mask) >> (x * STRIDE) & ((1 << height) - 1)

    def _could_be_last(discs, mask):
        """Is there a disc on top of a column without which there is no four?"""
        return any(not four(discs & ~bit) for bit in BITS if discs & bit and not mask & (bit << ONE))

    def _parse_moves(s, word):
        for at, digit in enumerate(word, 1):
            column = int(digit) - 1
            if not 0 <= column < width:
                raise GameError(f"move {at} of '{word}' is not a column from 1 to {width}")
            if four(s.mine ^ s.mask):
                raise GameError(f"the game '{word}' is over before move {at}")
            if s.mask & u64(1 << (column * STRIDE + height - 1)):
                raise GameError(f"column {digit} is full at move {at} of '{word}'")
            ConnectFour.apply(s, column)

    def _parse_board(s, word):
        rows = word.lower().split("/")
        if len(rows) != height or any(len(row) != width for row in rows) or set(word.lower()) - set("xo./"):
            raise GameError(
                f"a position is a string of columns such as '4453', or {height} rows of {width} signs x, o and dot "
                "from the top, with / between"
            )
        discs = list(zip("".join(rows), BITS, strict=True))
        first, second = (sum(int(bit) for sign, bit in discs if sign == mark) for mark in "xo")
        s.mask = first | second
        s.turn = popcount(s.mask) % 2
        s.mine = second if s.turn else first  # `validate` sees to it that nothing hangs and that the numbers agree

    return ConnectFour
