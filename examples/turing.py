"""Turing's paper machine, in outline: an evaluation of one's own, given to a search from the textbook.

In "Digital computers applied to games" (1953) Alan Turing described a program for chess that he worked by hand. It
compares material as a *ratio*, White's over Black's, so that whoever is ahead wants to exchange: 10 against 9 is less
than 4 against 3. Among moves that keep the same ratio it takes the one after which its pieces have more freedom. He
also followed exchanges to their end; here the search just stops after two plies.
"""

import math

import zermelo
from zermelo.textbook import alphabeta

VALUES = {"P": 1, "N": 3, "B": 3.5, "R": 5, "Q": 10, "K": 0}
game = zermelo.load("chess")


def men(s, side):
    """The letters of one side's men, from the FEN."""
    letters = [c for c in game.format(s).split()[0] if c.isalpha() and c.isupper() == (side == 0)]
    return [c.upper() for c in letters]


def material(s):
    """Between -1 and 1, growing with the ratio r = White / Black: (r - 1) / (r + 1), kept short of a win."""
    white, black = (sum(VALUES[letter] for letter in men(s, side)) for side in (0, 1))
    return 0.99 * (white - black) / (white + black)


def freedom(s):
    """Turing's positional points for the side that has just moved: √moves of every piece, a capture counting twice,
    and half a point for giving check."""
    fields = game.format(s).split()
    fields[1], fields[3] = "bw"[s.turn == 1], "-"
    try:
        again = game.parse(" ".join(fields))  # as if it could move once more
    except zermelo.GameError:  # … and take the king
        return 0.5
    moves: dict[str, int] = {}
    for a in game.actions(again):
        origin = game.clicks(again, a)[0]
        moves[origin] = moves.get(origin, 0) + (2 if "x" in game.format_action(again, a) else 1)
    return sum(math.sqrt(n) for n in moves.values())


def choose(s):
    """The move with the best material two plies on; among equals, the one that gives most freedom."""
    sign = 1 if s.turn == 0 else -1

    def worth(a):
        after = game.succ(s, a)
        ahead = sign * alphabeta(game, after, depth=1, evaluate=material)
        return round(ahead, 9), 0.0 if game.is_end(after) else freedom(after)

    return max(game.actions(s), key=worth)


def main():
    s, line = game.start(), []
    while not game.is_end(s) and len(line) < 16:
        a = choose(s)
        line.append(game.format_action(s, a))
        s = game.succ(s, a)
    print(*(f"{i // 2 + 1}. {move}" if i % 2 == 0 else move for i, move in enumerate(line)))
    print(s)
    print(f"material {material(s):+.3f} (White's view), the game's own evaluation {game.evaluate(s):+.3f}")


if __name__ == "__main__":
    main()
