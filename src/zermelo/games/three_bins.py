"""Three bins: the agent picks a bin, the opponent picks one of its two numbers, and the agent is paid that number.

                 ▲                     moves    0  the agent (player 0) is to pick a bin
        A ╱      │B      ╲ C                    1  the opponent (player 1) is to pick a number
         ▼       ▼        ▼                     2  over
       ╱   ╲   ╱   ╲    ╱   ╲          bin      0, 1, 2 for A, B, C
     −50   50  1   3   −5   15         number   0 the left, 1 the right one of the bin

Actions are the numbers that go into `bin` and `number`. Against the worst opponent B is best and worth 1; against one
who tosses a coin, C is best and worth 5. Positions are written `-`, then `C`, then `C 15`.

What is learned of it is a table: a feature for every number of moves and every bin.
"""

from zermelo.compile.rules import rules
from zermelo.core.game import OVER
from zermelo.games._shared.bins import (
    BINS,
    NAMES,
    TRAINING,
    UTILITIES,
    draw_bins,
    format_bins,
    parse_bins,
    parse_choice,
    text_bins,
)


@rules(
    name="three-bins",
    players=2,
    max_actions=3,
    max_plies=2,
    utility_range=(-50, 50),
    utility_values=UTILITIES,
    num_features=9,
    max_active_features=1,
    policy_size=3,
    training=TRAINING,
)
class ThreeBins:
    """The agent picks a bin, the opponent a number from it."""

    state = {"moves": "i1", "bin": "i1", "number": "i1"}

    def start(s):
        pass

    def player(s):
        return OVER if s.moves == 2 else s.moves

    def actions(s, out):
        n = 3 if s.moves == 0 else 2
        for i in range(n):
            out[i] = i
        return n

    def apply(s, choice):
        if s.moves == 0:
            s.bin = choice
        else:
            s.number = choice
        s.moves += 1

    def utility(s, out):
        out[0] = BINS[s.bin][s.number]
        out[1] = -out[0]

    def features(s, index, value):
        index[0] = 3 * s.moves + s.bin
        value[0] = 1
        return 1

    def format_action(s, a):
        return NAMES[a] if s.moves == 0 else str(BINS[s.bin][a])

    def parse_action(s, text):
        return parse_choice(s, text)

    def clicks(s, a):
        return (s.game.format_action(s, a),)

    def format(s):
        return format_bins(*chosen(s))

    def parse(s, text):
        bin, number = parse_bins(text)
        s.moves = (bin is not None) + (number is not None)
        s.bin, s.number = bin or 0, number or 0

    def validate(s):
        if not (0 <= s.moves <= 2 and 0 <= s.bin <= 2 and 0 <= s.number <= 1):
            return "moves and bin go from 0 to 2, number is 0 or 1"
        if (s.moves < 2 and s.number) or (s.moves < 1 and s.bin):
            return "nothing can be chosen before its turn"
        return None

    def text(s):
        return text_bins(*chosen(s))

    def svg(s, marks):
        return draw_bins("three bins", *chosen(s), marks)


def chosen(s):
    """(bin, number), None for what has not been chosen yet."""
    return s.bin if s.moves > 0 else None, s.number if s.moves > 1 else None
