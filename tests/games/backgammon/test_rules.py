"""Backgammon: every play of every roll against a plain second implementation, the rules case by case, the notation."""

import xml.etree.ElementTree as ElementTree
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo.core.game import CHANCE, OVER, GameError, Marks
from zermelo.core.history import History
from zermelo.games.backgammon import mat
from zermelo.games.backgammon.plays import MAX_PLAYS
from zermelo.search.playout import playouts

GAME = zermelo.load("backgammon")
INTERPRETED = GAME.interpreted
FAR = {1: 15}  # an opponent who has no part in it


# -- a second implementation: lists, recursion, both orders of the dice, and a comparison at the end -------------------


def reference_plays(mine, theirs, dice):
    """The set of (mine, theirs) after every legal play: counts by point, 25 the bar and 0 off, each in its own view."""
    orders = [dice * 2] if dice[0] == dice[1] else [dice, dice[::-1]]
    found = set()  # (the dice used, mine, theirs)
    for order in orders:
        found |= _play_on({((), tuple(mine), tuple(theirs))}, order)
    most = max(len(used) for used, _, _ in found)
    plays = {play for play in found if len(play[0]) == most}
    if most == 1:
        highest = max(used[0] for used, _, _ in plays)
        plays = {play for play in plays if play[0][0] == highest}
    return {(mine, theirs) for _, mine, theirs in plays}


def _play_on(begun, dice):
    """Everything that is reached with none, one, … of `dice`, in this order."""
    if not dice:
        return begun
    further = set()
    for used, mine, theirs in begun:
        for source in range(25, 0, -1):
            after = _step(mine, theirs, source, dice[0])
            if after:
                further.add(((*used, dice[0]), *after))
    return begun | _play_on(further, dice[1:])


def _step(mine, theirs, source, die):
    mine, theirs = list(mine), list(theirs)
    if not mine[source] or (mine[25] and source != 25):
        return None
    target = source - die
    if target <= 0:
        if any(mine[7:]) or (target < 0 and any(mine[source + 1 :])):
            return None
        target = 0
    elif theirs[25 - target] > 1:
        return None
    elif theirs[25 - target] == 1:
        theirs[25 - target] = 0
        theirs[25] += 1
    mine[source] -= 1
    mine[target] += 1
    return tuple(mine), tuple(theirs)


def own_plays(s):
    """The positions after every action, as the reference has them; no two actions may share one."""
    after = [GAME.succ(s, a) for a in GAME.actions(s)]
    positions = [rows(t, s.turn) for t in after]
    assert len(set(positions)) == len(positions), f"two actions lead to one position in {GAME.format(s)}"
    return set(positions)


def rows(s, p):
    return tuple(s.points[p].tolist()), tuple(s.points[1 - p].tolist())


def check_against_reference(s):
    mine, theirs = rows(s, s.turn)
    assert own_plays(s) == reference_plays(mine, theirs, [s.dice[0], s.dice[1]]), GAME.format(s)


def position(mine, theirs, turn=0, dice=(0, 0)):
    """A state from {point: checkers}, each side in its own view; what is missing from fifteen has been borne off."""
    points = np.zeros((2, 26), int)
    for p, row in ((turn, mine), (1 - turn, theirs)):
        for point, count in row.items():
            points[p, point] = count
        points[p, 0] = 15 - points[p].sum()
    return zermelo.load("backgammon", points=points.tolist(), turn=turn, dice=list(dice)).start()


def plays(s):
    return {GAME.format_action(s, a) for a in GAME.actions(s)}


# -- legal plays -------------------------------------------------------------------------------------------------------


def test_plays_agree_with_the_reference_in_random_games():
    random = np.random.default_rng(1)
    checked = 0
    while checked < 1500:
        s = GAME.start()
        while GAME.player(s) != OVER:
            if GAME.player(s) != CHANCE and (s.dice[0] != s.dice[1] or random.random() < 0.3):
                check_against_reference(s)
                checked += 1
            s = GAME.succ(s, int(random.choice(GAME.actions(s))))


@st.composite
def odd_positions(draw):
    """Positions of all sorts: crowded home boards, many on the bar, few checkers left."""
    free, sides = list(range(1, 25)), []
    for _ in (0, 1):
        reach = draw(st.sampled_from([6, 7, 9, 12, 24]))
        row = Counter()
        for _ in range(draw(st.integers(1, 15))):
            choices = [i for i in free if i <= reach] + [25]
            row[draw(st.sampled_from(choices))] += 1
        sides.append(row)
        free = [25 - i for i in free if i not in row]
    dice = draw(st.tuples(st.integers(1, 6), st.integers(1, 6)))
    return position(sides[0], sides[1], turn=draw(st.integers(0, 1)), dice=sorted(dice, reverse=True))


@settings(max_examples=300, deadline=None)
@given(odd_positions())
def test_plays_agree_with_the_reference_in_odd_positions(s):
    check_against_reference(s)
    assert INTERPRETED.actions(INTERPRETED.parse(GAME.format(s))) == GAME.actions(s)


def test_larger_die_if_only_one_can_be_played():
    assert plays(position({13: 1}, {21: 2}, dice=(6, 5))) == {"13/2"}  # by way of 7 or of 8: one position
    assert plays(position({13: 1}, {23: 2}, dice=(6, 5))) == {"13/7"}  # either could be played, but not both
    assert plays(position({13: 1}, {23: 2, 18: 2}, dice=(6, 5))) == {"13/8"}  # the six is blocked


def test_both_dice_must_be_played_if_there_is_a_way():
    blocked = {18: 2, 21: 2, 24: 2}  # my 7, 4 and 1
    assert plays(position({8: 1, 3: 1}, blocked, dice=(2, 1))) == {"8/6 3/2", "8/5"}
    assert plays(position({8: 1, 2: 1}, blocked, dice=(2, 1))) == {"8/5"}


def test_ways_that_hit_differ_from_ways_that_do_not():
    s = position({13: 1}, {18: 1, 13: 14}, dice=(6, 5))  # a blot on my 7
    assert plays(s) == {"13/7*/2", "13/2"}


def test_doubles_give_up_to_four_steps():
    assert plays(position({24: 2}, {9: 15}, dice=(3, 3))) == {"24/15 24/21", "24/18(2)", "24/12"}
    assert plays(position({24: 2}, {13: 2}, dice=(4, 4))) == {"24/16(2)"}  # their 13 is my 12
    assert plays(position({24: 1}, {10: 2}, dice=(3, 3))) == {"24/18"}  # two steps, and their 10 is my 15
    assert plays(position({24: 1}, {4: 2}, dice=(3, 3))) == {"cannot move"}


def test_the_bar_comes_first():
    closed = dict.fromkeys(range(1, 7), 2)
    assert plays(position({25: 1, 6: 14}, closed, dice=(6, 3))) == {"cannot move"}
    assert plays(position({25: 2, 6: 13}, {1: 2, 2: 1, 13: 12}, dice=(2, 1))) == {"bar/23*"}
    assert plays(position({25: 1, 8: 1}, {3: 2, 13: 13}, dice=(5, 3))) == {"bar/17", "bar/20 8/5"}
    assert plays(position({25: 3, 8: 1}, FAR, dice=(4, 4))) == {"bar/21(3) 8/4", "bar/17 bar/21(2)"}


def test_bearing_off():
    assert plays(position({6: 1, 4: 1}, FAR, dice=(6, 4))) == {"6/off 4/off", "6/2 4/off"}
    assert plays(position({5: 1, 3: 1}, FAR, dice=(6, 4))) == {"5/off 3/off", "5/1 3/off"}  # a large die: the highest
    assert plays(position({6: 2, 5: 1}, FAR, dice=(5, 4))) == {"6/1 5/1", "6/2 5/off", "6/2 6/1"}  # nothing from below
    assert plays(position({7: 1, 2: 1}, FAR, dice=(6, 1))) == {"7/off", "7/1 2/1"}
    assert plays(position({7: 2}, FAR, dice=(6, 1))) == {"7/6 7/1"}  # they are not all home
    assert plays(position({1: 3}, FAR, dice=(1, 1))) == {"1/off(3)"}


def test_no_roll_has_more_plays_than_declared():
    """Four steps with one die d are a multiset of points; how many there can be is found from the highest point down.

    Either no play bears off, and points up to d are never left; or one does, and then at most three checkers are not
    home. With a checker on the bar three steps are free, fewer than C(17, 3) = 680 ways; two dice have fewer than
    15 · 15 + 15. A bound needs no blocking: each relaxation only adds plays.
    """
    assert max(most_plays(die, die + 1, 15) for die in range(1, 7)) == MAX_PLAYS
    assert max(most_plays(die, 1, 3) for die in range(1, 7)) < 680
    spread = dict.fromkeys((24, 23, 21, 20, 18, 17, 15, 14, 12, 11, 9, 8, 6, 5, 3), 1)
    assert len(GAME.actions(position(spread, {25: 15}, dice=(1, 1)))) == MAX_PLAYS


def most_plays(die, lowest, outside):
    """The most multisets of four steps from points `lowest` … 24, with at most `outside` checkers above the home board.

    For a row of points d apart, ways[t][k] counts choices of t steps of which the last k were from the last point. Of
    many ways to place checkers only those are kept that no other surpasses in every count: what follows adds up counts.
    """
    total = {(0, 0): {(1, 0, 0, 0, 0)}}
    for first in range(die):
        chain = {(0, 0): {(1,) + (0,) * 14}}
        for point in sorted((i for i in range(lowest, 25) if i % die == first), reverse=True):
            chain = _widen(chain, point, outside)
        sums = {
            n: {tuple(sum(v[_AT[t, k]] for k in range(t + 1)) for t in range(5)) for v in vs} for n, vs in chain.items()
        }
        joined = {}
        for (a, b), left in total.items():
            for (c, d), right in sums.items():
                if a + b + c + d <= 15 and b + d <= outside:
                    joined.setdefault((a + c, b + d), set()).update(_product(v, w) for v in left for w in right)
        total = {n: _best(vs) for n, vs in joined.items()}
    return max(v[4] for vs in total.values() for v in vs)


_AT = {(t, k): t * (t + 1) // 2 + k for t in range(5) for k in range(t + 1)}


def _widen(chain, point, outside):
    wider = {}
    for (home, out), vs in chain.items():
        for count in range(min(4, 15 - home - out) + 1):
            far = count if point > 6 and outside < 15 else 0  # where all may be outside nobody counts them
            if out + far <= outside:
                places = wider.setdefault((home + count - far, out + far), set())
                places.update(_choose(v, count) for v in vs)
    return {n: _best(vs) for n, vs in wider.items()}


def _choose(ways, count):
    after = [0] * 15
    for (t, k), i in _AT.items():
        for steps in range(min(count + k, 4 - t) + 1):
            after[_AT[t + steps, steps]] += ways[i]
    return tuple(after)


def _product(v, w):
    return tuple(sum(v[i] * w[t - i] for i in range(t + 1)) for t in range(5))


def _best(vectors):
    kept = []
    for v in sorted(vectors, reverse=True):
        if not any(all(a >= b for a, b in zip(w, v, strict=True)) for w in kept):
            kept.append(v)
    return set(kept)


# -- chance, ends, estimates -------------------------------------------------------------------------------------------


def test_the_opening_roll_says_who_starts():
    s = GAME.start()
    chances = GAME.chances(s)
    assert len(chances) == 30
    assert sum(p for _, p in chances) == pytest.approx(1)
    assert all(p == 1 / 30 for _, p in chances)
    assert GAME.player(GAME.succ(s, 31)) == 0
    assert GAME.player(GAME.succ(s, 13)) == 1
    assert GAME.succ(s, 13).dice.tolist() == [3, 1]


def test_later_rolls():
    s = GAME.parse("4HPwATDgc/ABMA:1:-")
    chances = dict(GAME.chances(s))
    assert len(chances) == 21
    assert sum(chances.values()) == pytest.approx(1)
    assert all(p == (1 / 36 if roll % 11 == 0 else 1 / 18) for roll, p in chances.items())


@pytest.mark.parametrize(
    ("loser", "points"),
    [({1: 14}, 1), ({7: 15}, 2), ({18: 15}, 2), ({19: 1, 1: 14}, 3), ({25: 1, 1: 14}, 3), ({23: 1, 6: 13}, 1)],
)
def test_gammons_count_double_and_backgammons_three_times(loser, points):
    for turn in (0, 1):
        s = position({1: 1}, loser, turn=turn, dice=(2, 1))
        end = GAME.succ(s, GAME.actions(s)[0])
        assert GAME.player(end) == OVER
        assert GAME.utility(end, turn) == points
        assert GAME.utility(end, 1 - turn) == -points


def expected_rolls(row, seen):
    """How many rolls it takes to bear off, playing the best plays; `row` counts by point."""
    if row[0] == 15:
        return 0.0
    if row not in seen:
        s = zermelo.load("backgammon", points=[row, (0, 15, *(0,) * 24)], turn=0).start()
        total = 1.0
        for roll, probability in GAME.chances(s):
            rolled = GAME.succ(s, roll)
            after = {tuple(GAME.succ(rolled, a).points[0].tolist()) for a in GAME.actions(rolled)}
            total += probability * min(expected_rolls(r, seen) for r in after)
        seen[row] = total
    return seen[row]


@pytest.mark.parametrize(
    ("checkers", "rolls"),
    [
        ({4: 1}, 1.055556),
        ({5: 1}, 1.138889),
        ({6: 1}, 1.25),
        ({6: 2}, 2.109611),
        ({1: 5}, 2.694444),
        ({1: 15}, 6.979592),
    ],
)
def test_bearing_off_takes_as_long_as_is_known(checkers, rolls):
    row = tuple(checkers.get(i, 0) for i in range(1, 26))
    assert expected_rolls((15 - sum(row), *row), {}) == pytest.approx(rolls, abs=1e-6)


def test_the_evaluation_knows_who_leads():
    level = GAME.evaluate(GAME.start())
    assert level == pytest.approx(0, abs=1e-12)
    assert GAME.evaluate(position({6: 2}, {6: 14})) > 0.9
    assert GAME.evaluate(position({6: 14}, {6: 2})) < -0.9
    assert GAME.evaluate(position({6: 2, 5: 2}, {25: 2, 6: 12})) > GAME.evaluate(position({6: 2, 5: 2}, {24: 2, 6: 12}))


@settings(max_examples=100)
@given(odd_positions())
def test_the_evaluation_is_the_same_from_the_other_side(s):
    points = s.points.tolist()
    turned = zermelo.load("backgammon", points=points[::-1], turn=1 - s.turn, dice=s.dice.tolist()).start()
    assert -1 < GAME.evaluate(s) < 1
    assert GAME.evaluate(turned) == pytest.approx(-GAME.evaluate(s), abs=1e-12)
    assert GAME.interpreted.evaluate(s) == pytest.approx(GAME.evaluate(s), abs=1e-12)


def test_choosing_by_evaluation_beats_choosing_at_random():
    points = 0
    for seed in range(20):
        random, s = np.random.default_rng(seed), GAME.succ(GAME.start(), (31, 13)[seed % 2])
        while GAME.player(s) != OVER:
            outcomes = GAME.actions(s)
            if GAME.player(s) == CHANCE:
                a = random.choice(outcomes, p=[p for _, p in GAME.chances(s)])
            elif GAME.player(s) == 0:
                a = max(outcomes, key=lambda a: GAME.evaluate(GAME.succ(s, a)))
            else:
                a = random.choice(outcomes)
            s = GAME.succ(s, int(a))
        points += GAME.utility(s, 0)
    assert points > 25  # about 2.4 a game


@pytest.mark.jit
def test_random_games_are_even():
    result = playouts(GAME, 20_000, seed=5)
    assert result.unfinished == 0
    assert abs(result.mean[0]) < 5 * result.error[0]


# -- notation ----------------------------------------------------------------------------------------------------------


@st.composite
def reached(draw):
    """A position of a random game."""
    random, s = np.random.default_rng(draw(st.integers(0, 10**6))), GAME.start()
    for _ in range(draw(st.integers(0, 120))):
        after = GAME.succ(s, int(random.choice(GAME.actions(s))))
        if GAME.player(after) == OVER:
            break
        s = after
    return s


@settings(max_examples=60)
@given(reached())
def test_positions_and_plays_are_read_back(s):
    assert GAME.parse(GAME.format(s)) == s
    texts = [GAME.format_action(s, a) for a in GAME.actions(s)]
    assert len(set(texts)) == len(texts)
    for text, a in list(zip(texts, GAME.actions(s), strict=True))[:60]:
        assert GAME.parse_action(s, text) == a
        if "/" in text:
            assert GAME.parse_action(s, " ".join(reversed(text.upper().split()))) == a


@settings(max_examples=60)
@given(reached())
def test_interpreted_rules_agree(s):
    t = INTERPRETED.parse(GAME.format(s))
    assert INTERPRETED.player(t) == GAME.player(s)
    assert INTERPRETED.actions(t) == GAME.actions(s)
    for a in GAME.actions(s)[:20]:
        assert INTERPRETED.succ(t, a)._bytes == GAME.succ(s, a)._bytes


def test_position_ids():
    assert GAME.format(GAME.start()) == "4HPwATDgc/ABMA:-:-"
    assert GAME.format(GAME.parse("4HPwATDgc/ABMA")) == "4HPwATDgc/ABMA:0:-"
    opening = GAME.parse("4HPwATDgc/ABMA:1:13")
    assert GAME.format(opening) == "4HPwATDgc/ABMA:1:31"
    assert GAME.format(GAME.succ(opening, GAME.parse_action(opening, "8/5 6/5"))) == "sGfwATDgc/ABMA:0:-"


@pytest.mark.parametrize(
    "text",
    [
        "4HPwATDgc/ABMA:2:31",
        "4HPwATDgc/ABMA:0",
        "4HPwATDgc/ABMA:0:7",
        "4HPwATDgc/ABMA:0:70",
        "4HPwATDgc/ABMA:-:31",
        "4HPwATDgc/ABM:0:31",
        "4HPwATDgc/ABM§:0:31",
        "//////////////",
        "AAAAAAAAAAAAAA",
        "4HPwATDgc/ABMP",
        "",
    ],
)
def test_bad_positions_get_one_sentence(text):
    with pytest.raises(GameError) as caught:
        GAME.parse(text)
    assert len(str(caught.value).splitlines()) == 1


def test_impossible_positions_are_refused():
    both = [[0] * 26, [0] * 26]
    both[0][6], both[1][19] = 15, 15
    with pytest.raises(GameError, match="both players have checkers on player 0's 6 point"):
        zermelo.load("backgammon", points=both)
    with pytest.raises(GameError, match="fifteen"):
        zermelo.load("backgammon", points=[[0] * 26, [0] * 26])
    with pytest.raises(GameError, match="the higher first"):
        zermelo.load("backgammon", dice=[1, 3], turn=0)
    with pytest.raises(GameError, match="turn"):
        zermelo.load("backgammon", turn=3)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("8/5 6/5", "8/5 6/5"),
        ("6/5, 8/5", "8/5 6/5"),
        ("24/23/20", "24/20"),
        ("24 / 20", "24/20"),
        ("13/10 10/9", "13/9"),
    ],
)
def test_plays_are_read_leniently(text, meant):
    s = GAME.parse("4HPwATDgc/ABMA:0:31")
    assert GAME.format_action(s, GAME.parse_action(s, text)) == meant


def test_other_ways_to_write():
    s = position({25: 1, 6: 2}, {3: 1, 13: 14}, dice=(4, 3))
    for text in ("bar/22* 6/2", "25/22 6/2", "6/2 BAR/22*", "bar/22 6/2"):
        assert GAME.format_action(s, GAME.parse_action(s, text)) == "bar/22* 6/2"
    off = position({6: 2, 5: 1}, FAR, dice=(6, 6))
    assert {GAME.parse_action(off, text) for text in ("6/off(2) 5/off", "6/0 6/0 5/0")} == {GAME.actions(off)[0]}
    assert GAME.parse_action(GAME.start(), "3-1") == 31
    assert GAME.parse_action(GAME.parse("4HPwATDgc/ABMA"), "1 3") == 31


def test_a_star_tells_ways_apart():
    s = position({13: 1}, {18: 1, 17: 1, 13: 13}, dice=(6, 5))  # blots on my 7 and 8
    assert plays(s) == {"13/7*/2", "13/8*/2"}
    with pytest.raises(GameError, match="does not say what is hit"):
        GAME.parse_action(s, "13/2")
    assert GAME.format_action(s, GAME.parse_action(s, "13/8/2")) == "13/8*/2"


@pytest.mark.parametrize("text", ["", "pass", "8/2", "8-5", "8/5 6/5 4/3", "8/5(2)", "bar/20", "x", "8/", "99/98"])
def test_bad_plays_get_one_sentence(text):
    with pytest.raises(GameError) as caught:
        GAME.parse_action(GAME.parse("4HPwATDgc/ABMA:0:31"), text)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("text", ["33", "7", "31 5", "a"])
def test_bad_opening_rolls_get_one_sentence(text):
    with pytest.raises(GameError) as caught:
        GAME.parse_action(GAME.start(), text)
    assert len(str(caught.value).splitlines()) == 1


def test_a_game_as_a_mat_file():
    history = History(GAME)
    for text in ("13", "8/5 6/5", "66", "24/18(2) 13/7(2)", "43", "24/21 13/9"):
        history.play(GAME.parse_action(history.state, text))
    assert mat(history, ("Ann", "Bob")) == (
        " 0 point match\n\n Game 1\n Ann : 0                        Bob : 0\n"
        "  1)                             31: 8/5 6/5\n"
        "  2) 66: 24/18 24/18 13/7 13/7   43: 13/9 24/21\n"
    )


# -- drawings ----------------------------------------------------------------------------------------------------------

DRAWN = """\
 12 11 10  9  8  7       6  5  4  3  2  1
┌──────────────────┬───┬──────────────────┐
│ X           O    │   │ O                │  O: 167 pips, 0 off
│ X           O    │   │ O                │
│ X           O    │   │ O                │
│ X                │   │ O                │
│ 6                │   │ O                │
│                  │BAR│                  │  O to play 3-1
│ O                │   │ X                │
│ O                │   │ X                │
│ O           X    │   │ X                │
│ O           X    │   │ X              O │
│ O           X    │ X │ X              O │  X: 157 pips, 0 off
└──────────────────┴───┴──────────────────┘
 13 14 15 16 17 18      19 20 21 22 23 24"""


def test_text():
    start = {24: 2, 13: 5, 8: 3, 6: 5}
    s = position(start, {25: 1, 13: 6, 8: 3, 6: 5}, turn=1, dice=(3, 1))
    assert GAME.text(s) == DRAWN
    assert "X wins a gammon" in GAME.text(position({}, {6: 15}))
    assert "the opening roll" in GAME.text(GAME.start())


def test_svg_names_every_cell():
    cells = {*map(str, range(1, 25)), "bar", "off"}
    for marks in (Marks(), Marks(flip=True, last=("24", "18"), targets=("off", "5"), arrows=(("bar", "20"),))):
        root = ElementTree.fromstring(GAME.svg(GAME.start(), marks))
        assert {e.get("data-at") for e in root.iter()} - {None} == cells
    stuck = position({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2), dice=(6, 3))
    root = ElementTree.fromstring(GAME.svg(stuck))
    assert {e.get("data-at") for e in root.iter()} - {None} == {*cells, "pass"}


def test_clicks():
    s = GAME.parse("4HPwATDgc/ABMA:1:31")
    assert GAME.clicks(s, GAME.parse_action(s, "8/5 6/5")) == ("17", "20", "19", "20")
    stuck = position({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2), dice=(6, 3))
    assert GAME.clicks(stuck, GAME.actions(stuck)[0]) == ("pass",)
