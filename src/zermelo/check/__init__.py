"""Finds what is wrong with rules before anybody searches, plays or trains with them.

`zermelo.check` is this package, and calling it checks a game:

    print(zermelo.check(zermelo.load("my.py:MyGame")))

    my-game: 1 fault in 1,204 positions (every one of up to 4 plies) and 200 random games, 2.1 s
    1. not zero-sum: the payoffs (1, 1) sum to 2, and zero_sum=False is not declared
       after 3 moves (there is no shorter way): a1 b2 a2
       position: xo. x.. ...

Every position near the start is looked at, and those of many random games. At each of them, for any `Game`:
whose turn it is, the legal actions, the chances, the payoffs, states that are values and hash alike, texts that are
read back as they were written, drawings that are well-formed. Rules over records are moreover run interpreted and
compiled in lock-step. What is wrong is told with the shortest list of moves that shows it.

    report        check_game, and what it says
    states        the vocabulary, and what holds for the numbers of any game
    plain         one state of a Game over any Python object
    records       one state of rules over a record, interpreted and compiled
    keys          … whether positions with one key are alike
    hooks         … what they offer a search
    features      … what they offer a learner
    planes        … what they show a network
    endings       … how they number endings
    presentation  notation, drawings, clicks
    walk          from state to state
    turns         … who has the turn on the way
    cycles        … and what comes back in games without an end
    shrink        shorter lists of moves that show the same
    smaller       … and smaller variants of the game that do
    contract      the page docs/contract.md, made from the tables of hooks and declarations
"""

from zermelo.check.report import KINDS, Fault, Report, check_game
from zermelo.core.callable_package import make_callable

__all__ = ["KINDS", "Fault", "Report", "check_game"]

make_callable(__name__, "zermelo.check.report:check_game")
