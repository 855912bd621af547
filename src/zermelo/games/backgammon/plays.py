"""The plays of a roll in backgammon: every legal one, and no two that lead to the same position.

Sets of points are bits of an integer, seen by the player who moves: bit 25 the bar, bits 24 … 1 the points.

    at_least[k]   where I have k checkers or more            (k = 1 … 4: nothing takes more than four)
    open_points   where the opponent has fewer than two
    blots         where the opponent has exactly one

A play is up to four steps in one integer, the first in the lowest byte; 0 is the play of somebody who cannot move:

    bits   31 … 24   23 … 16   15 … 8   7 … 0         a step    7 6 5    4 3 2 1 0
           4th       3rd       2nd      1st                     die      the point it leaves, 25 for the bar

Why nothing has to be compared. Write a position as a polynomial with one x^i for every checker on point i.

*Doubles.* A step with die d from i subtracts x^i (1 - x^-d), so the points left, as a multiset, follow from the
position reached, from the highest point down (bearing off changes nothing in that). Steps can always be put in falling
order: a higher step first never hinders a lower one. So falling sequences are all plays, each position once.

*Two different dice, high and low.* Two plays reach one position only in three ways:
1. the same two steps in the other order: keep it with the high die first, where that order is legal;
2. one checker runs with both dice, and the points in between differ, with nothing hit on either; a checker that comes
   to rest where another starts looks the same as one that runs;
3. two checkers are borne off, and the dice change places.
"""

from zermelo.compile.bits import highest, lowest
from zermelo.compile.rules import helper

BAR = 25
MAX_PLAYS = 2226  # the most different plays any roll can have (1-1): tests/games/test_backgammon.py computes it
CANNOT_MOVE = 0


@helper
def at_least(points, p):
    """Where player p has at least 1, 2, 3 and 4 checkers."""
    one, two, three, four = 0, 0, 0, 0
    for i in range(1, 26):
        count = points[p, i]
        one |= (count > 0) << i
        two |= (count > 1) << i
        three |= (count > 2) << i
        four |= (count > 3) << i
    return one, two, three, four


@helper
def opposition(points, p):
    """(open_points, blots) that player p meets."""
    open_points, blots = 0, 0
    for i in range(1, 25):
        count = points[1 - p, 25 - i]
        open_points |= (count < 2) << i
        blots |= (count == 1) << i
    return open_points, blots


@helper
def movable(mine, open_points, die):
    """The points from which `die` may be played."""
    if mine >> BAR:
        return (1 << BAR) & (open_points << die)
    sources = mine & (open_points << die)
    if 0 < mine < 1 << 7:  # all are home: bear off from the point of the die, or from the highest if that is lower
        top = highest(mine)
        sources |= mine & (1 << die) if top >= die else 1 << top
    return sources


@helper
def landing(source, die):
    """The bit of the point a step reaches; nothing for a checker borne off."""
    return ((1 << source) >> die) & ~1


# -- two different dice ------------------------------------------------------------------------------------------------


@helper
def plays_of_two(out, mine, two, open_points, blots, high, low):
    """All plays of two different dice, high > low, where I have one checker or more, and two."""
    single = mine & ~two
    with_high, with_low = movable(mine, open_points, high), movable(mine, open_points, low)
    quiet = open_points & ~blots
    runners = with_high & (quiet << high)  # may run on with the low die, and hit nothing in between
    n = 0
    # 1. The high die first.
    first = with_high
    while first:
        i = lowest(first)
        first &= first - 1
        moved = (mine & ~(single & (1 << i))) | landing(i, high)
        # a checker that takes the place of the one that leaves i might as well have run on itself
        then = movable(moved, open_points, low) & ~(runners & (1 << (i + low)))
        play = high << 5 | i | low << 13
        while then:
            out[n] = play | lowest(then) << 8
            then &= then - 1
            n += 1
    # 2. The low die first, where the high step is not legal before.
    first = with_low
    while first:
        i = lowest(first)
        first &= first - 1
        moved = (mine & ~(single & (1 << i))) | landing(i, low)
        then = movable(moved, open_points, high) & ~with_high
        if then and i <= low:  # borne off: so is whatever the high die bears off, and the dice may change places
            then &= ~((2 << high) - 1)
        if then & landing(i, low) & quiet and runners >> i & 1:  # the same run begun with the high die, if it may go on
            moved = (mine & ~(single & (1 << i))) | landing(i, high)
            if movable(moved, open_points, low) & landing(i, high):
                then &= ~landing(i, low)
        play = low << 5 | i | high << 13
        while then:
            out[n] = play | lowest(then) << 8
            then &= then - 1
            n += 1
    # 3. Only one die can be played: the higher one if possible.
    if n == 0:
        die = high if with_high else low
        first = with_high if with_high else with_low
        while first:
            out[n] = die << 5 | lowest(first)
            first &= first - 1
            n += 1
    return n


# -- doubles -----------------------------------------------------------------------------------------------------------


@helper
def less(here, more, bit):
    """`here` (at least k) once a checker has left `bit`, where `more` says at least k + 1."""
    return (here & ~bit) | (more & bit)


@helper
def plays_of_double(out, one, two, three, four, open_points, die):
    """All plays of a double: as many steps as possible up to four, in falling order."""
    n, longest = 0, 0
    # Four nested loops, a ≥ b ≥ c ≥ last; inside each, where one, two, … checkers stand once that step is made. A play
    # that stops short is kept only as long as none is longer.
    first = movable(one, open_points, die)
    while first:
        a = first & -first
        first ^= a
        to = a >> die & ~1
        one_a, two_a = less(one, two, a) | to, less(two, three, a) | (to & one)
        three_a = less(three, four, a) | (to & two)
        play_a = die << 5 | lowest(a)
        second = movable(one_a, open_points, die) & (2 * a - 1)
        if second == 0 and longest <= 1:
            n, longest = keep(out, n, longest, play_a, 1)
        while second:
            b = second & -second
            second ^= b
            to = b >> die & ~1
            one_b, two_b = less(one_a, two_a, b) | to, less(two_a, three_a, b) | (to & one_a)
            play_b = play_a | (die << 5 | lowest(b)) << 8
            third = movable(one_b, open_points, die) & (2 * b - 1)
            if third == 0 and longest <= 2:
                n, longest = keep(out, n, longest, play_b, 2)
            while third:
                c = third & -third
                third ^= c
                one_c = less(one_b, two_b, c) | (c >> die & ~1)
                play_c = play_b | (die << 5 | lowest(c)) << 16
                last = movable(one_c, open_points, die) & (2 * c - 1)
                if last == 0 and longest <= 3:
                    n, longest = keep(out, n, longest, play_c, 3)
                elif last and longest < 4:
                    n, longest = 0, 4
                while last and n < MAX_PLAYS:
                    out[n] = play_c | (die << 5 | lowest(last)) << 24
                    last &= last - 1
                    n += 1
    return n


@helper
def keep(out, n, longest, play, length):
    """Keep a play that went no further, and forget those that are shorter."""
    if length > longest:
        n = 0
    if n == MAX_PLAYS:
        return n, length
    out[n] = play
    return n + 1, length
