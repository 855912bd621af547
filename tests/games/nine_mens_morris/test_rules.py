"""Nine men's morris: perft against a second implementation on sets, the end of games, notation, drawings."""

import itertools
import json
import random
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo import OVER, GameError, History, Marks
from zermelo.compile.dispatch import noisy
from zermelo.compile.record import rows
from zermelo.games.nine_mens_morris.notation import NAMES
from zermelo.games.nine_mens_morris.rules import FULL, closing, neighbours

PERFT = json.loads((Path(__file__).parents[2] / "data/perft/nine-mens-morris.json").read_text())
LINES = [(case["position"], depth, lines) for case in PERFT for depth, lines in enumerate(case["depths"], 1)]


@pytest.fixture(scope="module")
def game():
    return zermelo.load("nine-mens-morris")


def random_state(game, seed, plies):
    """The position after some random plies, or the last one before the game is over."""
    chance, s = random.Random(seed), game.start()
    for _ in range(plies):
        after = game.succ(s, chance.choice(game.actions(s)))
        if game.is_end(after):
            break
        s = after
    return s


# -- a second implementation: points are names, sides are sets ---------------------------------------------------------

POINTS = {f"{c}{r}" for c, r in zip("adgbdfcdeabcefgcdebdfadg", "777666555444444333222111", strict=True)}
MILLS = [
    {"a7", "d7", "g7"}, {"b6", "d6", "f6"}, {"c5", "d5", "e5"}, {"a4", "b4", "c4"},
    {"e4", "f4", "g4"}, {"c3", "d3", "e3"}, {"b2", "d2", "f2"}, {"a1", "d1", "g1"},
    {"a1", "a4", "a7"}, {"b2", "b4", "b6"}, {"c3", "c4", "c5"}, {"d1", "d2", "d3"},
    {"d5", "d6", "d7"}, {"e3", "e4", "e5"}, {"f2", "f4", "f6"}, {"g1", "g4", "g7"},
]  # fmt: skip
BESIDE = {p: set() for p in POINTS}
for mill in MILLS:
    first, middle, last = sorted(mill)
    for a, b in ((first, middle), (middle, last)):
        BESIDE[a].add(b)
        BESIDE[b].add(a)


def plain_moves(mine, theirs, hand, flying):
    """(from or None, to, taken or None): the moves of a side with `hand` men yet to place."""
    if len(mine) + hand < 3:
        return
    empty = POINTS - mine - theirs
    safe = {p for mill in MILLS if mill <= theirs for p in mill}
    prey = theirs - safe or theirs
    for origin in [None] if hand else sorted(mine):
        rest = mine - {origin}
        reach = empty if hand or (flying and len(mine) == 3) else BESIDE[origin] & empty
        for to in reach:
            closes = any(to in mill and mill <= rest | {to} for mill in MILLS)
            for taken in prey if closes and prey else [None]:
                yield origin, to, taken


def plain_perft(mine, theirs, hand, other_hand, flying, depth):
    if depth == 0:
        return 1
    total = 0
    for origin, to, taken in plain_moves(mine, theirs, hand, flying):
        after = (mine - {origin}) | {to}
        total += plain_perft(theirs - {taken}, after, other_hand, max(hand - 1, 0), flying, depth - 1)
    return total


def plain(s):
    """(men of the side to move, the others', its men in hand, theirs)."""
    men = [{name for bit, name in enumerate(NAMES) if board >> bit & 1} for board in (s.white, s.black)]
    return men[s.turn], men[1 - s.turn], (s.left + 1) // 2, s.left // 2


# -- rules -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "depth", "lines"),
    [pytest.param(*case, marks=[pytest.mark.slow] if case[2] > 10**5 else []) for case in LINES if case[2] < 6_000_000],
)
def test_perft_of_the_plain_implementation(game, position, depth, lines):
    s = game.parse(position) if position else game.start()
    assert plain_perft(*plain(s), True, depth) == lines


@pytest.mark.parametrize("flying", [True, False])
def test_moves_agree_with_the_plain_implementation(flying):
    game, phases = zermelo.load("nine-mens-morris", flying=flying), set()
    for seed in range(30):
        chance, s = random.Random(seed), game.start()
        while not game.is_end(s):
            men, _, hand, _ = plain(s)
            phases.add("place" if hand else "three" if len(men) == 3 else "move")
            named = {
                tuple(game.format_action(s, a).replace("x", " ").replace("-", " ").split()) for a in game.actions(s)
            }
            expected = list(plain_moves(*plain(s)[:3], flying))
            assert named == {tuple(filter(None, move)) for move in expected}
            assert len(game.actions(s)) == len(expected)
            s = game.succ(s, chance.choice(game.actions(s)))
        assert not list(plain_moves(*plain(s)[:3], flying)) or s.quiet == 100
    assert phases == {"place", "move", "three"}


def test_there_are_24_points_16_mills_and_32_lines_between_points():
    lines = [mask for mask in itertools.combinations(range(24), 3) if _is_mill(mask)]
    assert len(lines) == len(MILLS) == 16
    assert {frozenset(NAMES[bit] for bit in mask) for mask in lines} == {frozenset(mill) for mill in MILLS}
    assert set(NAMES) == POINTS
    for bit, name in enumerate(NAMES):
        assert {NAMES[b] for b in range(24) if neighbours(1 << bit) >> b & 1} == BESIDE[name]
    assert sum(map(len, BESIDE.values())) == 2 * 32


def _is_mill(mask):
    men = sum(1 << bit for bit in mask)
    return men & closing(men) == men


def test_the_first_player_has_24_moves(game):
    assert sorted(game.format_action(game.start(), a) for a in game.actions(game.start())) == sorted(POINTS)


def test_men_in_a_mill_are_safe_while_there_are_others(game):
    s = game.parse("bbb/.../.../ww..b./.../.../... w 10")
    assert [game.format_action(s, a) for a in game.actions(s) if a & 31 == NAMES.index("c4")] == ["c4xf4"]
    s = game.parse("bbb/.../.../ww..../.../.../..w w 12")
    assert {game.format_action(s, a) for a in game.actions(s) if a & 31 == NAMES.index("c4")} == {
        "c4xa7",
        "c4xd7",
        "c4xg7",
    }


def test_two_mills_at_once_take_one_man(game):
    s = game.parse("ww./b../.../b...bw/.../.../b.w w 8")
    after = game.succ(s, game.parse_action(s, "g7xb6"))
    assert after.black.bit_count() == 3


def test_flying_is_a_parameter(game):
    text = "ww./b../.../...b../.../b../b.w w 0"
    assert game.parse_action(game.parse(text), "g1-c3")
    stay = zermelo.load("nine-mens-morris", flying=False)
    with pytest.raises(GameError, match="'g1-c3' is not a legal move here; legal are: "):
        stay.parse_action(stay.parse(text), "g1-c3")


@pytest.mark.slow
def test_no_position_offers_more_than_max_actions(game):
    """Every set of a side's men is tried, the others' being wherever they hinder least: an upper bound."""
    boards = np.arange(1 << 24, dtype=np.int64)
    men = np.bitwise_count(boards)
    most = 0
    for count in range(1, 10):
        x = boards[men == count]
        placing = np.bitwise_count(closing(x) & ~x & FULL).astype(np.int64)
        moves, closers = np.zeros(len(x), np.int64), np.zeros(len(x), np.int64)
        for bit in range(24):
            targets = np.where(x >> bit & 1, neighbours(1 << bit) & ~x, 0)
            moves += np.bitwise_count(targets)
            closers += np.bitwise_count(targets & closing(x ^ (1 << bit)))
        for others in range(1, 10):
            empty = 24 - count - others
            most = max(most, int((moves + closers * (others - 1)).max()))
            if count < 9:
                most = max(most, int((empty + np.minimum(placing, empty) * (others - 1)).max()))
    assert most == game.max_actions == 102
    for others in range(3, 10):  # three flying men: two of them share at most one line, so three moves close a mill
        assert 3 * (24 - 3 - others) + 3 * (others - 1) < most


# -- the end -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["ww./b../.../...b../.../b../b.. w 0", "w.b/.../.../b....b/.../.../w.b w 0"])
def test_two_men_have_lost(game, text):
    s = game.parse(text)
    assert game.player(s) == OVER
    assert (game.utility(s, 0), game.utility(s, 1)) == (-1, 1)


def test_few_men_on_the_board_are_enough_while_others_are_in_hand(game):
    s = game.parse("b../b../.../b...../.../.../... w 8")
    assert game.player(s) == 0


def test_a_blocked_side_has_lost(game):
    s = game.parse("wbw/.../.../b....b/.../.../wbw w 0")
    assert game.player(s) == OVER
    assert game.utility(s, 0) == -1
    assert game.utility(s, 1) == 1


def test_a_hundred_quiet_plies_are_a_draw(game):
    s = game.parse("w.w/b.b/.../w....w/.../b.b/... w 0 99")
    after = game.succ(s, game.actions(s)[0])
    assert after.quiet == 100
    assert game.is_end(after)
    assert game.utility(after, 0) == game.utility(after, 1) == 0


def test_blocking_with_the_last_quiet_ply_still_wins(game):
    s = game.parse("wbw/.../.../b...b./.../.../wbw b 0 99")
    after = game.succ(s, game.parse_action(s, "f4-g4"))
    assert game.utility(after, 1) == 1


def test_the_third_repetition_is_a_draw(game):
    history = History(game, game.parse("w.w/b.b/.../w....w/.../b.b/... w 0"))
    for move in ["a4-a1", "b2-b4", "a1-a4", "b4-b2"] * 2:
        assert not history.is_over
        history.play(game.parse_action(history.state, move))
    assert history.is_over
    assert history.utility(0) == 0


def test_the_key_leaves_the_clock_out(game):
    s = game.parse("w.w/b.b/.../w....w/.../b.b/... w 0")
    assert game.key(s) == game.key(game.parse(game.format(s) + " 7"))
    assert game.key(s) != game.key(game.parse(game.format(s).replace("w 0", "b 0")))


# -- compiled and interpreted ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_interpreted_and_compiled_agree(game, seed):
    plain_game, chance, s = game.interpreted, random.Random(seed), game.start()
    while not game.is_end(s):
        t = plain_game.parse(game.format(s))
        assert plain_game.actions(t) == game.actions(s)
        assert plain_game.key(t) == game.key(s)
        assert plain_game.evaluate(t) == pytest.approx(game.evaluate(s))
        a = chance.choice(game.actions(s))
        s, t = game.succ(s, a), plain_game.succ(t, a)
        assert plain_game.format(t) == game.format(s)
    end = plain_game.parse(game.format(s))
    assert plain_game.is_end(end)
    assert plain_game.utility(end, 0) == game.utility(s, 0)


def test_noisy_actions_are_those_that_close_a_mill(game):
    for seed in range(60):
        s = random_state(game, seed, 2 * seed)
        out = rows(1, game.max_actions)[0]["at"]
        n = noisy(s.record[0], out)
        assert out[:n].tolist() == [a for a in game.actions(s) if "x" in game.format_action(s, a)]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 60))
def test_the_evaluation_is_fair_and_bounded(seed, plies):
    game = zermelo.load("nine-mens-morris")
    s = random_state(game, seed, plies)
    assert -1 < game.evaluate(s) < 1
    if s.left == 0:
        other = game.format(s).translate(str.maketrans("wb", "bw"))
        assert game.evaluate(game.parse(other)) == pytest.approx(-game.evaluate(s))


# -- notation ----------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 120))
def test_positions_and_moves_round_trip(seed, plies):
    game = zermelo.load("nine-mens-morris")
    s = random_state(game, seed, plies)
    assert game.parse(game.format(s)) == s
    names = [game.format_action(s, a) for a in game.actions(s)]
    assert len(set(names)) == len(names)
    for name, a in zip(names, game.actions(s), strict=True):
        assert game.parse_action(s, name) == a
        assert game.clicks(s, a) == tuple(name.replace("x", "-").split("-"))


@pytest.mark.parametrize("text", ["a4-a1xb6", "A4-A1xB6", "a4a1xb6", "a4 - a1 x b6", "a4-a1-b6", "a4-a1:b6"])
def test_moves_may_be_written_in_many_ways(game, text):
    s = game.parse("w.w/b.b/.../w....w/.../b.b/.ww w 0")
    assert game.format_action(s, game.parse_action(s, text)) == "a4-a1xb6"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a4-a1", "closes a mill; say which man to take off: b2, b6, f2, f6"),
        ("a4-a1xg7", "closes a mill; only b2, b6, f2, f6 can be"),
        ("a4-b4xb6", "closes no mill"),
        ("a4-f4", "is not a legal move here; legal are: "),
        ("d4", "there is no point d4"),
        ("", "is not a morris move"),
        ("a4-", "is not a morris move"),
        ("h1-h2", "is not a morris move"),
    ],
)
def test_bad_moves_are_explained(game, text, complaint):
    with pytest.raises(GameError, match=complaint) as told:
        game.parse_action(game.parse("w.w/b.b/.../w....w/.../b.b/.ww w 0"), text)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "a morris position is rows"),
        ("w../.../.../....../.../... w 17", "rows of 3, 3, 3, 6, 3, 3 and 3"),
        ("x../.../.../....../.../.../... w 18", "'x' on a7"),
        (".../.../.../....../.../.../... x 18", "the side to move is w or b"),
        (".../.../.../....../.../.../... w x", "'x' is not a number of men"),
        (".../.../.../....../.../.../... b 18", "white places first"),
        (".../.../.../....../.../.../... w 20", "at most 18"),
        ("w../.../.../....../.../.../... w 18", "white has 10 men"),
        ("www/bbb/.../....../.../.../... w 0 101", "is not a number of plies"),
        ("www/.../.../....../.../.../... w 2 5", "5 quiet plies cannot be while men are placed"),
        ("www/bb./.../....../.../.../... w 0", "over before the last move"),
    ],
)
def test_bad_positions_are_explained(game, text, complaint):
    with pytest.raises(GameError, match=complaint) as told:
        game.parse(text)
    assert "\n" not in str(told.value)


# -- drawings ----------------------------------------------------------------------------------------------------------

DRAWN = """\
7 ○─────────·─────────·
  │         │         │
6 │  ·──────●──────·  │
  │  │      │      │  │
5 │  │  ·───·───·  │  │
  │  │  │       │  │  │
4 ·──·──· ○6 ●7 ·──·──●
  │  │  │       │  │  │
3 │  │  ·───·───·  │  │
  │  │      │      │  │
2 │  ·──────·──────·  │
  │         │         │
1 ·─────────·─────────·
  a  b  c   d   e  f  g"""


def test_the_text_drawing(game):
    assert game.text(game.parse("w../.b./.../.....b/.../.../... b 13")) == DRAWN


@pytest.mark.parametrize("flip", [False, True])
def test_the_svg_names_every_point(game, flip):
    marks = Marks(last=("d6",), targets=("a1", "g1"), arrows=(("a7", "d7"),), flip=flip)
    root = ET.fromstring(game.svg(game.parse("w../.b./.../.....b/.../.../... b 13"), marks))
    assert {element.get("data-at") for element in root.iter()} >= POINTS
    lines = [element for element in root.iter() if element.get("class") == "grid"]
    assert len(lines) == 16
