"""Backgammon: bearing off, and the numbers its positions have.

What a player has at home, on six points, is a set of six cells among as many as there are checkers, and six more: a bar
for each point, with its checkers before it, the ace point's above all others.

    points     1  2  3  4  5  6            cells, from the highest down     | o | o o | | | o |
    checkers   1  2  0  0  1  0

So positions with fewer checkers have smaller numbers, and a play leads to a smaller one. They are those of GNU
Backgammon's databases: 54,264 with up to fifteen checkers, the empty board first.

A class is a count of checkers on the board, those of whoever rolls first: (a – b) has the number 16 a + b. A number is
that of the roller's checkers times the positions of b, and that of the other's, each among positions of as many. Class
0 is one-sided: what a player alone has still to bear off, whatever the other does.
"""

import math

from zermelo.compile.bits import highest
from zermelo.compile.endings import Ending
from zermelo.compile.rules import helper
from zermelo.games._shared.combinations import ONE, choose, nth_set, u64
from zermelo.games.backgammon.notation import CHECKERS

HOME = 6
ALONE = 0


@helper
def at_home(points, p):
    """How many checkers player p has on the board; -1 if not all of them are at home."""
    count = 0
    for i in range(1, HOME + 1):
        count += points[p, i]
    return count if count + points[p, 0] == CHECKERS else -1


@helper
def number_home(points, p, count):
    """The number of player p's home board among those with up to fifteen checkers; it has `count`."""
    cell, number = count + HOME - 1, 0
    for i in range(1, HOME + 1):
        number += choose(cell, HOME + 1 - i)
        cell -= points[p, i] + 1
    return number


@helper
def set_up_home(points, p, number):
    """Give player p the home board of this number, and the other checkers off."""
    cells, count = nth_set(number, HOME, CHECKERS + HOME), 0
    for i in range(1, HOME + 1):
        bar = highest(cells)
        cells ^= ONE << u64(bar)
        n = bar - highest(cells) - 1 if i < HOME else bar
        points[p, i] = n
        count += n
    points[p, 0] = CHECKERS - count


@helper
def fewer(count):
    """How many home boards have fewer checkers than `count`."""
    return choose(count + HOME - 1, HOME)


@helper
def boards_with(count):
    return choose(count + HOME - 1, HOME - 1)


@helper
def class_of(s):
    if s.turn < 0 or s.dice[0] != 0:
        return -1
    a, b = at_home(s.points, s.turn), at_home(s.points, 1 - s.turn)
    return 16 * a + b if a > 0 and b > 0 else -1


@helper
def rank_of(s):
    a, b = at_home(s.points, s.turn), at_home(s.points, 1 - s.turn)
    mine = number_home(s.points, s.turn, a) - fewer(a)
    return mine * boards_with(b) + number_home(s.points, 1 - s.turn, b) - fewer(b)


@helper
def race_rank_of(s, p):
    """Nobody is behind player p's checkers, and all of them are home."""
    for i in range(19, 26):
        if s.points[1 - p, i] != 0:
            return -1
    count = at_home(s.points, p)
    return number_home(s.points, p, count) if count >= 0 else -1


@helper
def set_up_ranked(s, ending, rank):
    """Player 0 rolls. Of a one-sided position the other has borne off none."""
    if ending == ALONE:
        set_up_home(s.points, 0, rank)
        s.points[1, HOME] = CHECKERS
        return True
    a, b = ending >> 4, ending & 15
    set_up_home(s.points, 0, fewer(a) + rank // boards_with(b))
    set_up_home(s.points, 1, fewer(b) + rank % boards_with(b))
    return True


# -- the list ----------------------------------------------------------------------------------------------------------


def endings(limit):
    """One-sided positions, all of them; then those of two sides with up to `limit` checkers each, from 1 to 15."""
    groups = [[Ending(ALONE, "a player alone", math.comb(CHECKERS + HOME, HOME), 1, True)]] if limit > 0 else []
    counts = [(a, b) for a in range(1, min(limit, CHECKERS) + 1) for b in range(1, a + 1)]
    for a, b in sorted(counts, key=lambda n: (n[0], n[0] + n[1])):
        groups.append([_ending(*each) for each in dict.fromkeys(((a, b), (b, a)))])
    return groups


def _ending(a, b):
    size = math.comb(a + HOME - 1, HOME - 1) * math.comb(b + HOME - 1, HOME - 1)
    return Ending(16 * a + b, f"{_checkers(a)} – {_checkers(b)}", size, max(a, b))


def _checkers(count):
    return f"{count} checker{'s' * (count > 1)}"
