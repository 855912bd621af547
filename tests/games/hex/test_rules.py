"""Hex: who has joined the sides, by a plain search; winning openings; distances; notation, drawings."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from tests.games.small_games import check_interpreted, check_presentation, drawn_cells, random_states, refusal
from zermelo import OVER, Marks
from zermelo.games._shared.cell_sets import neighbours
from zermelo.search.exhaustive import exhaustive
from zermelo.search.playout import playouts


@pytest.fixture(scope="module")
def small():
    return zermelo.load("hex", size=3)


@pytest.fixture(scope="module")
def usual():
    return zermelo.load("hex")


def sides(size, player):
    """The cells of the two sides a player joins."""
    edge = range(size)
    if player == 0:
        return set(edge), {size * (size - 1) + i for i in edge}
    return {size * i for i in edge}, {size * i + size - 1 for i in edge}


def stones_missing(board, size, player):
    """How many stones `player` needs, by Dijkstra's algorithm on a list of signs."""
    near, cost = neighbours(size, size, hexagons=True), {"xo"[player]: 0, ".": 1}
    start, goal = sides(size, player)
    far = {c: cost[board[c]] for c in start if board[c] in cost}
    todo = set(far)
    while todo:
        c = min(todo, key=far.__getitem__)
        if c in goal:
            return far[c]
        todo.remove(c)
        for q in near[c]:
            if board[q] in cost and far[c] + cost[board[q]] < far.get(q, 999):
                far[q] = far[c] + cost[board[q]]
                todo.add(q)
    return None


# -- rules -------------------------------------------------------------------------------------------------------------


def test_neighbours():
    near = neighbours(3, 3, hexagons=True)
    assert near[4] == [1, 2, 3, 5, 6, 7]  # b2: b1 c1 a2 c2 a3 b3
    assert near[0] == [1, 3]
    assert near[2] == [1, 4, 5]
    assert near[8] == [5, 7]


@pytest.mark.jit
@pytest.mark.parametrize(("size", "games"), [(3, 60), (11, 8), (14, 3)])
def test_a_game_is_over_when_a_plain_search_finds_the_sides_joined(size, games):
    game = zermelo.load("hex", size=size)
    for seed in range(games):
        for s in random_states(game, seed):
            board = game.format(s).replace("/", "")
            missing = [stones_missing(board, size, p) for p in (0, 1)]
            assert list(game.actions(s)) == [
                c for c in range(size * size) if board[c] == "." and game.player(s) != OVER
            ]
            if 0 not in missing:
                assert game.player(s) == board.count("x") - board.count("o")
                assert game.evaluate(s) == pytest.approx((missing[1] - missing[0]) / (size + 1))
            else:
                winner = missing.index(0)
                assert missing[1 - winner] is None  # nobody is blocked without being beaten
                assert game.player(s) == OVER
                assert game.utility(s, winner) == 1 == -game.utility(s, 1 - winner)


@pytest.mark.jit
def test_the_first_move_helps_in_random_games(small, usual):
    result = playouts(small, 20_000, seed=1)
    assert result.unfinished == 0
    assert 0.25 < result.mean[0] < 0.4
    assert playouts(usual, 500, seed=1).moves < 500 * 121


def openings(game, wins):
    """The first moves after which `wins` finds player 0 to win."""
    s = game.start()
    return {game.format_action(s, a) for a in game.actions(s) if wins(game.succ(s, a))}


@pytest.mark.jit
@pytest.mark.parametrize(("size", "winning"), [(2, {"b1", "a2"}), (3, {"c1", "a2", "b2", "c2", "a3"})])
def test_winning_openings(size, winning):
    game = zermelo.load("hex", size=size)
    assert openings(game, lambda s: exhaustive(game, s).value == 1) == winning


@pytest.mark.slow
@pytest.mark.jit
def test_winning_openings_4_by_4():
    game, known = zermelo.load("hex", size=4), {}
    along = sorted(
        range(16), key=lambda c: abs(c % 4 + c // 4 - 3) + 0.1 * abs(c % 4 - c // 4)
    )  # the short diagonal first

    def mover_wins(s):
        key = game.key(s)
        if key not in known:
            moves = (game.succ(s, c) for c in along if c in game.actions(s))
            known[key] = any(game.is_end(after) or not mover_wins(after) for after in moves)
        return known[key]

    assert openings(game, lambda s: not mover_wins(s)) == {"d1", "c2", "b3", "a4"}


# -- notation and drawing ----------------------------------------------------------------------------------------------


@settings(max_examples=8)
@given(st.integers(0, 10_000), st.sampled_from([3, 11]))
def test_positions_and_moves_survive_as_text(seed, size):
    check_presentation(zermelo.load("hex", size=size), seed)


@pytest.mark.jit
def test_interpreted_as_compiled(small, usual):
    check_interpreted(small, seed=1)
    plain = usual.interpreted
    for s in random_states(usual, 7)[::9]:
        twin = plain.parse(usual.format(s))
        assert plain.actions(twin) == usual.actions(s)
        assert (plain.evaluate(twin), plain.key(twin)) == (usual.evaluate(s), usual.key(s))
        assert all(plain.succ(twin, a) == usual.succ(s, a) for a in usual.actions(s)[::11])


def test_keys_tell_positions_apart(small):
    chance, seen = random.Random(1), {}
    for _ in range(50):
        for s in random_states(small, chance.random()):
            assert seen.setdefault(small.key(s), small.format(s)) == small.format(s)
    assert len(seen) > 100


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "3 rows"),
        (".../...", "3 rows"),
        (".../..../...", "row 2"),
        ("x../.o./..z", "row 3"),
        ("xx./.../...", "x begins"),
        ("o../.../...", "x begins"),
        ("x.o/x.o/x.o", "over before"),
    ],
)
def test_wrong_positions_are_explained(small, text, word):
    assert word in refusal(small.parse, text)


@pytest.mark.parametrize("text", ["", "d1", "a4", "a0", "11", "pass"])
def test_wrong_moves_are_explained(small, text):
    assert "not a cell" in refusal(small.parse_action, small.start(), text)


def test_moves_are_read_freely(small):
    s = small.start()
    assert small.parse_action(s, " B3 ") == 7
    assert "not a legal move" in refusal(small.parse_action, small.succ(s, 7), "b3")


@pytest.mark.parametrize("options", [{"size": 1}, {"size": 20}, {"turn": 1}, {"swap": True}])
def test_wrong_options_are_explained(options):
    refusal(lambda: zermelo.load("hex", **options))


def test_text(small):
    assert small.text(small.parse("x../.o./...")) == "  a b c\n1 ● · ·\n 2 · ○ ·\n  3 · · ·"


def test_drawing(small):
    s = small.parse("x../.o./...")
    names = {f"{column}{row}" for column in "abc" for row in "123"}
    assert drawn_cells(small, s) == names
    marked = small.svg(s, Marks(last=("b2",), targets=("a2", "nowhere"), arrows=(("a1", "c3"),), flip=True))
    assert marked.count("hex-last") == 2  # once in the style
    assert marked.count('class="target"') == 1
    assert marked.count('class="arrow"') == 1
