"""Coin bins: three bins, and a fair coin between the agent's choice and the opponent's.

                     ▲                         moves    0  the agent (player 0) is to pick a bin
          A ╱       B│        ╲ C                       1  the coin is in the air
           ○         ○         ○                        2  the opponent (player 1) is to pick a number
       ½ ╱  ╲ ½  ½ ╱  ╲ ½  ½ ╱  ╲ ½                     3  over
        ▼    ▼    ▼    ▼    ▼    ▼             bin      0, 1, 2 for A, B, C: the one that counts so far
        A    C    B    A    C    B             number   0 the left, 1 the right one of the bin

Heads: the choice stands. Tails: it moves one bin to the left, and from A round to C, as drawn (`shift="right"`: to the
right, and from C round to A). Expectiminimax is worth −2 either way, by C with "left" and by B with "right".

Actions are the numbers that go into `bin` and `number`, outcomes are 0 heads and 1 tails. Positions are written `-`,
then `C?` while the coin is in the air, then `C` and `C 15`.

What is learned of it is a table: a feature for every number of moves and every bin.
"""

from zermelo.compile.rules import rules
from zermelo.core.game import CHANCE, OVER, GameError
from zermelo.drawing import svg
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

COIN = ("heads", "tails")


@rules(name="coin-bins")
def coin_bins(shift="left"):
    if shift not in ("left", "right"):
        raise GameError(f"coin-bins: shift must be 'left' or 'right', not {shift!r}")
    STEP = 2 if shift == "left" else 1  # two to the right is one to the left: there are three

    class CoinBins:
        """The agent picks a bin, a coin may shift the choice, the opponent picks a number from where it landed."""

        max_actions, max_chance_outcomes, max_plies = 3, 2, 3
        utility_range, utility_values = (-50, 50), UTILITIES
        num_features, max_active_features, policy_size, training = 12, 1, 3, TRAINING
        state = {"moves": "i1", "bin": "i1", "number": "i1"}

        def start(s):
            pass

        def player(s):
            return (0, CHANCE, 1, OVER)[s.moves]

        def actions(s, out):
            n = 3 if s.moves == 0 else 2
            for i in range(n):
                out[i] = i
            return n

        def chances(s, out, probability):
            for side in range(2):
                out[side] = side
                probability[side] = 0.5
            return 2

        def apply(s, choice):
            if s.moves == 0:
                s.bin = choice
            elif s.moves == 1:
                s.bin = (s.bin + choice * STEP) % 3
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
            if s.moves == 1:
                return COIN[a]
            return NAMES[a] if s.moves == 0 else str(BINS[s.bin][a])

        def parse_action(s, text):
            return parse_choice(s, text)

        def clicks(s, a):
            return (s.game.format_action(s, a),)

        def format(s):
            return format_bins(*chosen(s)) + "?" * (s.moves == 1)

        def parse(s, text):
            bin, number = parse_bins(text.strip().removesuffix("?"))
            in_the_air = text.strip().endswith("?")
            if in_the_air and (bin is None or number is not None):
                raise GameError("a question mark, the coin in the air, stands after a bin and nothing else")
            s.moves = 0 if bin is None else 1 if in_the_air else 2 if number is None else 3
            s.bin, s.number = bin or 0, number or 0

        def validate(s):
            if not (0 <= s.moves <= 3 and 0 <= s.bin <= 2 and 0 <= s.number <= 1):
                return "moves go from 0 to 3, bin from 0 to 2, number is 0 or 1"
            if (s.moves < 3 and s.number) or (s.moves < 1 and s.bin):
                return "nothing can be chosen before its turn"
            return None

        def text(s):
            return text_bins(*chosen(s)) + ("\nthe coin is in the air" if s.moves == 1 else "")

        def svg(s, marks):
            return draw_bins("coin bins", *chosen(s), marks, draw_coin(s, marks))

    return CoinBins


def chosen(s):
    """(bin, number), None for what has not been chosen yet."""
    return s.bin if s.moves > 0 else None, s.number if s.moves > 2 else None


def draw_coin(s, marks):
    """The two sides of the coin below the bins."""
    for i, side in enumerate(COIN):
        x = 170 + 116 * i
        kind = "last" if side in marks.last else "target" if side in marks.targets else ""
        yield svg.rect(x - 50, 176, 100, 44, rx=22, class_=f"ball {kind}".rstrip(), data_at=side)
        yield svg.text(x, 204, side, class_=f"number {kind}".rstrip(), pointer_events="none")
