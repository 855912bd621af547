"""Kalah: sowing against a plain walk, captures, extra turns, the end, margins known for small boards, notation."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from tests.games.small_games import check_interpreted, check_presentation, drawn_cells, random_states, refusal
from zermelo import OVER, Marks
from zermelo.search.plain_alphabeta import plain_alphabeta
from zermelo.search.playout import playouts

# The first player's margin with best play, for one, two, three and four seeds a pit.
MARGINS = {
    False: {1: (0, -2, 6, -2), 2: (2, -2, -2, -10), 3: (0, 4, 2, 2), 4: (2, 6, 6), 5: (0, 2), 6: (2,)},
    True: {1: (0, -2, 6, -2), 2: (2, -2, -2, -12), 3: (0, 4, 2, 2), 4: (2, 6, 8), 5: (0, 0), 6: (2,)},
}
SLOW = {(False, 4, 3), (True, 4, 3), (False, 5, 2)}


@pytest.fixture(scope="module")
def game():
    return zermelo.load("kalah")


def play(game, text, *moves):
    s = game.parse(text)
    for move in moves:
        s = game.succ(s, game.parse_action(s, move))
    return s


# -- rules -------------------------------------------------------------------------------------------------------------


def plain_move(rows, stores, me, pit, empty_capture):
    """Walk round the board seed by seed; whose turn it is next, or None at the end."""
    pits = len(rows[0])
    hand, rows[me][pit] = rows[me][pit], 0
    side, place = me, pit
    while hand:
        place += 1
        if place > pits or (place == pits and side != me):
            side, place = 1 - side, 0
        if place == pits:
            stores[me] += 1
        else:
            rows[side][place] += 1
        hand -= 1
    following = me if place == pits else 1 - me
    if place < pits and side == me and rows[me][place] == 1:
        opposite = rows[1 - me][pits - 1 - place]
        if opposite or empty_capture:
            stores[me] += 1 + opposite
            rows[me][place] = rows[1 - me][pits - 1 - place] = 0
    if not any(rows[0]) or not any(rows[1]):
        for p in (0, 1):
            stores[p] += sum(rows[p])
            rows[p][:] = [0] * pits
        return None
    return following


@pytest.mark.jit
@pytest.mark.parametrize(
    "options",
    [{}, {"pits": 6, "seeds": 6, "empty_capture": True}, {"pits": 2, "seeds": 4}, {"pits": 1, "seeds": 9}],
)
def test_moves_are_those_of_a_plain_walk(options):
    game = zermelo.load("kalah", **options)
    pits, seeds = game.options["pits"], game.options["seeds"]
    for seed in range(30):
        rows, stores, turn = [[seeds] * pits, [seeds] * pits], [0, 0], 0
        states = random_states(game, seed)
        for s, after in itertools.pairwise(states):
            assert list(game.actions(s)) == [i for i in range(pits) if rows[turn][i]]
            a = next(a for a in game.actions(s) if game.succ(s, a) == after)
            turn = plain_move(rows, stores, turn, a, game.options["empty_capture"])
            assert list(after.board) == [*rows[0], stores[0], *rows[1], stores[1]]
            assert game.player(after) == (OVER if turn is None else turn)
        assert sum(stores) == 2 * pits * seeds
        assert game.utility(states[-1]) == (stores[0] > stores[1]) - (stores[0] < stores[1])
        assert len(states) <= game.variant.max_plies


def test_a_last_seed_in_the_store_gives_another_turn(game):
    s = play(game, "4 4 4 4 4 4 0 / 4 4 4 4 4 4 0 S", "3")
    assert game.format(s) == "4 4 0 5 5 5 1 / 4 4 4 4 4 4 0 S"
    s = play(game, "4 4 4 4 4 4 0 / 4 4 4 4 4 4 0 N", "3")
    assert game.format(s) == "4 4 4 4 4 4 0 / 4 4 0 5 5 5 1 N"


def test_the_other_store_is_left_out(game):
    s = play(game, "0 0 0 0 1 8 0 / 1 1 1 1 1 1 0 S", "6")
    assert game.format(s) == "0 0 0 0 1 0 4 / 2 2 2 2 2 0 0 N"  # the eighth seed fell into pit 1 and took two


def test_captures():
    usual = zermelo.load("kalah", compiled=False)
    also_empty = zermelo.load("kalah", empty_capture=True, compiled=False)
    for game in (usual, also_empty):
        s = play(game, "1 0 3 0 0 0 5 / 0 0 0 0 7 1 2 S", "1")
        assert game.format(s) == "0 0 3 0 0 0 13 / 0 0 0 0 0 1 2 N"
        s = play(game, "1 1 3 0 0 0 5 / 0 0 0 0 7 1 2 S", "1")  # not into an empty pit
        assert game.format(s) == "0 2 3 0 0 0 5 / 0 0 0 0 7 1 2 N"
    nothing_opposite = "1 0 3 0 0 0 5 / 0 0 0 0 0 1 2 S"
    assert usual.format(play(usual, nothing_opposite, "1")) == "0 1 3 0 0 0 5 / 0 0 0 0 0 1 2 N"
    assert also_empty.format(play(also_empty, nothing_opposite, "1")) == "0 0 3 0 0 0 6 / 0 0 0 0 0 1 2 N"


def test_a_full_lap_captures():
    game = zermelo.load("kalah", pits=2, seeds=4, compiled=False)
    s = play(game, "5 0 0 / 1 1 0 S", "1")  # the fifth seed comes home to the pit it left, which is empty
    assert game.format(s) == "0 1 4 / 2 0 0 N"


def test_the_end(game):
    s = play(game, "0 0 0 0 0 1 20 / 3 2 0 0 0 1 21 S", "6")
    assert game.format(s) == "0 0 0 0 0 0 21 / 0 0 0 0 0 0 27 S"
    assert game.player(s) == OVER
    assert [game.utility(s, 0), game.utility(s, 1)] == [-1, 1]
    # the row of whoever does not move may be the empty one
    s = play(game, "1 0 0 0 0 0 20 / 0 0 0 0 3 0 24 S", "1")
    assert game.format(s) == "0 0 0 0 0 0 24 / 0 0 0 0 0 0 24 N"
    assert game.utility(s) == 0


def test_score_and_evaluation():
    for score, unit in ((False, 49.0), (True, 1.0)):
        game = zermelo.load("kalah", score=score, compiled=False)
        assert game.evaluate(game.parse("1 0 0 0 0 0 20 / 0 0 0 0 3 0 24 S")) == -4 / unit
    s = play(game, "0 0 0 0 0 1 20 / 3 2 0 0 0 1 21 S", "6")
    assert [game.utility(s, 0), game.utility(s, 1)] == [-6, 6]


@pytest.mark.jit
@pytest.mark.parametrize(
    ("empty_capture", "pits", "seeds", "margin"),
    [
        pytest.param(rule, pits, seeds, margin, marks=[pytest.mark.slow] if (rule, pits, seeds) in SLOW else [])
        for rule, boards in MARGINS.items()
        for pits, margins in boards.items()
        for seeds, margin in enumerate(margins, 1)
    ],
)
def test_margins_known(empty_capture, pits, seeds, margin):
    """A window of one seed either side of the margin: what lies inside is exact."""
    game = zermelo.load("kalah", pits=pits, seeds=4, empty_capture=empty_capture, score=True)
    row = f"{seeds} " * pits
    s = game.parse(f"{row} 0 / {row} 0 S")
    assert plain_alphabeta(game, s, game.variant.max_plies, (margin - 1, margin + 1)).value == margin


@pytest.mark.jit
def test_random_games_end(game):
    result = playouts(game, 5000, seed=1)
    assert result.unfinished == 0
    assert 35 < result.moves / 5000 < 55


# -- notation and drawing ----------------------------------------------------------------------------------------------


@settings(max_examples=8)
@given(st.integers(0, 10_000), st.sampled_from([{}, {"pits": 2, "seeds": 4}]))
def test_positions_and_moves_survive_as_text(seed, options):
    check_presentation(zermelo.load("kalah", **options), seed)


@pytest.mark.jit
@pytest.mark.parametrize("options", [{}, {"pits": 6, "seeds": 6, "empty_capture": True}])
def test_interpreted_as_compiled(options):
    game = zermelo.load("kalah", **options)
    for seed in range(5):
        check_interpreted(game, seed)


def test_many_seeds_fit():
    game = zermelo.load("kalah", pits=12, seeds=50, compiled=False)
    s = game.start()
    for _ in range(30):
        if game.player(s) != OVER:
            s = game.succ(s, game.actions(s)[-1])
    assert sum(s.board) == 1200


def test_positions_are_read_freely(game):
    s = game.parse("4 4 4 4 4 4 0 4 4 4 4 4 4 0")
    assert s == game.start()
    assert game.parse("4 4 4 4 4 4 0/4 4 4 4 4 4 0 n").turn == 1


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "6 pits and a store"),
        ("4 4 4", "6 pits and a store"),
        ("4 4 4 4 4 4 0 / 4 4 4 4 4 -4 0 S", "6 pits and a store"),
        ("4 4 4 4 4 4 0 / 4 4 4 4 4 4 0 E", "S or N"),
        ("4 4 4 4 4 4 0 / 4 4 4 4 4 4 1 S", "at most 48 seeds"),
        ("4 4 4 4 4 4 0 / 0 0 0 0 0 0 24 S", "row is empty"),
        ("999999999999 4 4 4 4 4 0 / 4 4 4 4 4 4 0 S", "at most 48 seeds"),
    ],
)
def test_wrong_positions_are_explained(game, text, word):
    assert word in refusal(game.parse, text)


@pytest.mark.parametrize("text", ["", "0", "7", "n1", "one", "-1"])
def test_wrong_moves_are_explained(game, text):
    assert "not a pit" in refusal(game.parse_action, game.start(), text)


def test_moves_are_read_freely(game):
    assert game.parse_action(game.start(), " S3") == 2
    assert "not a legal move" in refusal(game.parse_action, game.parse("0 4 4 4 4 4 4 / 4 4 4 4 4 4 0 S"), "1")


@pytest.mark.parametrize("options", [{"pits": 0}, {"pits": 17}, {"seeds": 0}, {"seeds": 65}, {"turn": 7}, {"over": 1}])
def test_wrong_options_are_explained(options):
    refusal(lambda: zermelo.load("kalah", **options))


def test_text(game):
    assert game.text(game.parse("1 3 6 0 12 4 4 / 0 9 0 0 2 2 5 S")) == (
        "    6  5  4  3  2  1\n"
        "    2  2  0  0  9  0   north\n"
        " 5                    4\n"
        "    1  3  6  0 12  4   south\n"
        "    1  2  3  4  5  6"
    )


def test_drawing(game):
    s = game.parse("1 3 6 0 12 4 4 / 0 9 0 0 2 2 5 S")
    assert drawn_cells(game, s) == {f"{side}{i}" for side in "sn" for i in range(1, 7)}
    marked = game.svg(s, Marks(last=("n4",), targets=("s1", "s2"), arrows=(("s1", "s2"),), flip=True))
    assert marked.count('class="kalah-last"') == 1
    assert marked.count('class="target"') == 2
    assert marked.count('class="arrow"') == 1
    assert marked.count('class="kalah-seed"') == 48
