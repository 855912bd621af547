"""What a backgammon position is worth, by hand: the race, and, while the sides can meet, blots, points and primes.

Everything is counted in pips (the distance all of one's checkers have to go; a roll is worth 8⅙ of them on average)
and then turned into a result to be expected: a lead of x pips, over a standard deviation of σ, wins with probability
Φ(x/σ). The value is 2Φ - 1, from player 0's side, within (-1, 1): gammons and backgammons are not foreseen.
"""

from math import sqrt

import numpy as np

from zermelo.compile.bits import highest, lowest, popcount
from zermelo.compile.rules import helper
from zermelo.games.backgammon.plays import BAR, at_least

HALF_A_ROLL = 4.0  # what it is worth to be the next to roll
VARIANCE = 2.3  # of the race, for every pip either side has left: 18.6 a roll, 8⅙ pips a roll
CONTACT = 300.0  # variance added while hits can still decide
HIT = np.array([0.0, 0.33, 0.5, 0.62, 0.7])  # the chance that one of so many opposing points within six pips hits
FAR_HIT = 0.1  # the same, with none within six pips but some within twelve
# what holding a point is worth, in pips: my home and bar points block, points in their home hold
MADE = np.array(
    [
        *(0.0, 0.5, 2.0, 4.0, 6.0, 7.0, 6.0),  # off, my home board
        *(5.0, 3.0, 2.0, 1.0, 1.0, 1.0),  # my outer board
        *(1.0, 1.0, 1.5, 2.0, 2.5, 3.0),  # their outer board
        *(3.0, 5.0, 5.0, 3.0, 1.0, 1.0, 0.0),  # their home board, bar
    ]
)


@helper
def pip_count(points, p):
    total = 0
    for i in range(1, 26):
        total += i * points[p, i]
    return total


@helper
def mirrored(theirs):
    """The opponent's points as I number them; their bar becomes bit 0."""
    seen = 0
    while theirs:
        seen |= 1 << (25 - lowest(theirs))
        theirs &= theirs - 1
    return seen


@helper
def structure(points, p):
    """What player p's points, primes and blots are worth, in pips, against an opponent who is not past them."""
    mine, two, _, _ = at_least(points, p)
    theirs, their_two, _, _ = at_least(points, 1 - p)
    against = mirrored(theirs)
    closed = popcount(their_two & 0x7E)  # their home points, which a checker on the bar cannot enter
    worth = 0.0
    made = two & ~(1 << BAR)
    while made:
        worth += MADE[lowest(made)]
        made &= made - 1
    worth += prime(two & ~(1 << BAR), against)
    blots = mine & ~two & ~(1 << BAR)
    while blots:
        i = lowest(blots)
        blots &= blots - 1
        worth -= danger(against, i) * (25 - i + 2.0 * closed)
    return worth - points[p, BAR] * closed * (0.5 + 0.5 * closed)


@helper
def prime(made, against):
    """Four, five, six points in a row, with somebody behind them."""
    four = made & made >> 1 & made >> 2 & made >> 3
    five = four & made >> 4
    six = five & made >> 5
    if four == 0 or against & ((1 << highest(four)) - 1) == 0:
        return 0.0
    return 17.0 if six else 9.0 if five else 4.0


@helper
def danger(against, i):
    """The chance, roughly, that a blot on i is hit."""
    near = (against << 6 >> i) & 63 if i <= 6 else against >> (i - 6) & 63
    if near:
        return HIT[min(popcount(near), 4)]
    behind = against & ((1 << i) - 1)
    return FAR_HIT if behind and i - highest(behind) <= 12 else 0.0


@helper
def worth(s):
    """2Φ - 1 of player 0's lead."""
    mine, theirs = pip_count(s.points, 0), pip_count(s.points, 1)
    lead = float(theirs - mine)
    if s.turn >= 0:
        lead += HALF_A_ROLL if s.turn == 0 else -HALF_A_ROLL
    variance = VARIANCE * (mine + theirs) + 10.0
    if touching(s.points):
        lead += structure(s.points, 0) - structure(s.points, 1)
        variance += CONTACT
    z = lead / sqrt(variance)
    return z / sqrt(1.57 + z * z)  # close to 2Φ(z) - 1


@helper
def touching(points):
    """Is a checker of one side still in front of one of the other?"""
    mine, _, _, _ = at_least(points, 0)
    theirs, _, _, _ = at_least(points, 1)
    return highest(mine) + highest(theirs) > 25


@helper
def quick_look(points, p, play):
    """How good a play looks before it is made, in pips and more than 0: every step by itself, as if it were the last.

    A second checker on a point makes it, the second-last one that leaves it gives it up.
    """
    total, landed = 100.0, 0
    while play != 0:
        source, die = play & 31, play >> 5 & 7
        play >>= 8
        target = max(source - die, 0)
        if target == 0:
            total += 4.0
        else:
            if points[1 - p, 25 - target] == 1:
                total += target + 6.0
            if points[p, target] == 1 or landed >> target & 1:
                total += 3.0 + MADE[target]
            elif points[p, target] == 0:
                total -= 4.0
            landed |= 1 << target
        if points[p, source] == 2 and source != BAR:
            total -= 4.0 + MADE[source]
    return max(total, 1.0)
