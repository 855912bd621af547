"""What a network sees of a backgammon position, from the side of whoever rolls or plays next.

TD-Gammon's 198 units (G. Tesauro, "Practical issues in temporal difference learning", Machine Learning 8, 1992):

    0 … 95      my points 1 … 24, four units each:       exactly one checker, two or more, exactly three, (n - 3) / 2
    96 … 191    the opponent's, as the opponent numbers them
    192, 193    on the bar, half a unit for each checker: mine, the opponent's
    194, 195    borne off, in fifteenths: mine, the opponent's
    196, 197    the sides can still meet; they have passed each other

(In Tesauro's network the last two say whose turn it is. Here it is always mine.) Then what people look at, for
each side, first mine: a network can find it out by itself, but it takes many more units and games.

    198 + 12 p  0  rolls of 36 that hit something        6  checkers in the other home board and on the bar, fourths
                1  rolls that let the rearmost escape    7  the longest row of made points, in sixths
                2  … the least from any point on the way 8  blots, in fourths
                3  home points made, in sixths           9  pips that must be gone before the sides have passed
                4  … squared, if the other is on the bar 10 borne off, from six on, in fifths
                5  pips to go, of 167                    11 … from eleven on

Sets of points are bits of an integer, as in `plays.py`; a side sees the other's points mirrored.
"""

import numpy as np

from zermelo.compile.bits import highest, popcount, reverse
from zermelo.compile.rules import helper
from zermelo.games.backgammon.plays import BAR

RAW = 198
SIDE = 12
NUM_FEATURES = RAW + 2 * SIDE
MAX_ACTIVE = 2 * (15 + 2 + SIDE) + 1  # fifteen blots, the bar, some borne off, what people look at; contact
HOME, BOARD = 0x7E, 0x1FFFFFE  # points 1 … 6, points 1 … 24
NOTHING, MIRROR = np.uint64(0), np.uint64(63 - 25)


def _escapes():
    """By which of the twelve points ahead are blocked (bit 0: the nearest): the rolls of 36 that carry a checker on."""
    table = np.zeros(4096, np.int64)
    for blocked in range(4096):
        for a in range(1, 7):
            for b in range(1, a + 1):
                stuck = blocked >> (a - 1) & 1 and blocked >> (b - 1) & 1
                if not stuck and not blocked >> (a + b - 1) & 1:
                    table[blocked] += 1 if a == b else 2
    return table


ESCAPES = _escapes()


@helper
def mirrored(points):
    """The other side's points as I number them: bit i becomes bit 25 - i."""
    return np.int64(reverse(np.uint64(points)) >> MIRROR)


@helper
def write_side(points, p, base, index, value, n):
    """The units of one side's points; (units so far, points with a checker, points with two, pips)."""
    one, two, pips = 0, 0, 0
    for i in range(1, 25):
        count = np.int64(points[p, i])
        if count == 0:
            continue
        one |= 1 << i
        pips += i * count
        at = base + 4 * (i - 1)
        if count == 1:
            index[n] = at
        else:
            index[n] = at + 1
            two |= 1 << i
        value[n] = 1.0
        n += 1
        if count >= 3:
            index[n] = at + 2 if count == 3 else at + 3
            value[n] = 1.0 if count == 3 else 0.5 * (count - 3)
            n += 1
    bar = np.int64(points[p, BAR])
    if bar > 0:
        one |= 1 << BAR
        pips += BAR * bar
    return n, one, two, pips


@helper
def hitting_rolls(mine, bar, blots, blocked):
    """How many of 36 rolls hit one of `blots`, if no other move comes first but entering from the bar."""
    if blots == 0:
        return 0
    runs = ~blocked & BOARD
    first = mine if bar == 0 else 1 << BAR
    others = mine & BOARD if bar == 1 else 0  # who may move once the only one on the bar has entered
    rolls = 0
    for a in range(1, 7):
        hit_a, after_a = (first >> a) & blots, (first >> a) & runs
        for b in range(1, a):
            hit = hit_a | ((first >> b) & blots) | ((after_a >> b) & blots) | ((((first >> b) & runs) >> a) & blots)
            if bar == 1:
                hit |= (others >> b) & blots if after_a != 0 else 0
                hit |= (others >> a) & blots if (first >> b) & runs != 0 else 0
            rolls += 2 if hit != 0 else 0
        here, hit = after_a, hit_a
        for _ in range(3):
            here = (here >> a) & BOARD
            hit |= here & blots
            here &= runs
        rolls += 1 if hit != 0 else 0
    return rolls


@helper
def escapes(their_two, i):
    """The rolls of 36 that carry a checker on my point i past the points they have made, as they number them."""
    return ESCAPES[(their_two & BOARD) >> (26 - i) & 0xFFF]


@helper
def write_look(base, points, p, one, two, pips, their_one, their_two, index, value, n):
    """What people look at, for the side p; each side's points as it numbers them."""
    bar, off = np.int64(points[p, BAR]), np.int64(points[p, 0])
    last, first = highest(one), 25 - highest(their_one)  # my rearmost checker, and theirs, as I number points
    home = popcount(two & HOME)
    rolls, free, least, row, between, back = 0, 36, 36, 0, 0, bar
    if last > first:  # the sides can still meet
        other, blocked = mirrored(their_one), mirrored(their_two)
        rolls = hitting_rolls(one, bar, other & ~blocked & BOARD, blocked)
        free = escapes(their_two, last)
        least = free
        for i in range(max(first, 7), last):
            least = min(least, escapes(their_two, i))
        for i in range(first + 1, 26):
            between += (i - first) * np.int64(points[p, i])
        for i in range(19, 25):
            back += np.int64(points[p, i])
        rows = two & BOARD
        while rows != 0:
            row += 1
            rows &= rows >> 1
    entering = (home / 6.0) ** 2 if their_one >> BAR else 0.0
    looks = (
        rolls / 36.0,
        free / 36.0,
        least / 36.0,
        home / 6.0,
        entering,
        pips / 167.0,
        back / 4.0,
        row / 6.0,
        popcount(one & ~two & BOARD) / 4.0,
        between / 167.0,
        min(max(off - 5, 0), 5) / 5.0,
        max(off - 10, 0) / 5.0,
    )
    for k in range(SIDE):
        if looks[k] != 0.0:
            index[n] = base + k
            value[n] = looks[k]
            n += 1
    return n


@helper
def write_features(points, me, index, value):
    you = 1 - me
    n, one, two, pips = write_side(points, me, 0, index, value, 0)
    n, their_one, their_two, their_pips = write_side(points, you, 96, index, value, n)
    for k in range(2):
        p = me if k == 0 else you
        if points[p, BAR] > 0:
            index[n] = 192 + k
            value[n] = 0.5 * points[p, BAR]
            n += 1
        if points[p, 0] > 0:
            index[n] = 194 + k
            value[n] = points[p, 0] / 15.0
            n += 1
    index[n] = 196 if highest(one) + highest(their_one) > 25 else 197
    value[n] = 1.0
    n += 1
    n = write_look(RAW, points, me, one, two, pips, their_one, their_two, index, value, n)
    return write_look(RAW + SIDE, points, you, their_one, their_two, their_pips, one, two, index, value, n)
