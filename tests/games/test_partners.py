from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from tests.games.small_games import check_interpreted, check_presentation, drawn_cells, payoffs, refusal
from zermelo.core.game import OVER
from zermelo.search.exhaustive import exhaustive
from zermelo.search.plain_alphabeta import plain_alphabeta
from zermelo.textbook import maxn, minimax

game = zermelo.load("partners")
rows = st.sampled_from([5, 8]).flatmap(lambda n: st.lists(st.integers(0, 99), min_size=n, max_size=n))


@cache
def best_lead(row):
    """How much more the team to move claims than the other, both claiming as much as they can: worked out apart."""
    if not row:
        return 0
    return max(row[0] - best_lead(row[1:]), row[-1] - best_lead(row[:-1]))


def sign(x):
    return (x > 0) - (x < 0)


@given(rows)
@settings(max_examples=200)
def test_the_value(row):
    game = zermelo.load("partners", length=len(row), row=row)
    value = sign(best_lead(tuple(row)))
    tree = exhaustive(game)
    assert tree.value == value
    assert tree.ends == 2 ** (len(row) - 1)
    assert minimax(game, game.start()) == value
    assert plain_alphabeta(game, depth=len(row)).value == value
    if len(row) % 2 == 0:
        assert value >= 0


def test_players_and_teams():
    assert (game.players, game.teams) == (4, (0, 1, 0, 1))
    s, turns = game.start(), []
    while game.player(s) != OVER:
        turns.append(game.player(s))
        s = game.succ(s, 0)
    assert turns == [0, 1, 2, 3, 0, 1, 2, 3]
    assert list(s.sums) == [3 + 4 + 5 + 2, 1 + 1 + 9 + 6]
    assert payoffs(game, s) == [-1, 1, -1, 1]
    assert exhaustive(game).value == 1


def test_partners_want_the_same():
    assert maxn(game, game.start()) == (1, -1, 1, -1)


def test_the_ends_of_the_row():
    s = game.parse("4 1 5 9 | 3 8")
    assert game.format(game.succ(s, 0)) == "1 5 9 | 7 8"
    assert game.format(game.succ(s, 1)) == "4 1 5 | 12 8"
    assert game.actions(game.parse("7 | 1 1")) == (0,)
    assert game.utility(game.parse("| 4 4")) == 0


@given(st.sampled_from([1, 5, 8]), st.integers(0, 99))
@settings(max_examples=20)
def test_presentation_and_plain_python(length, seed):
    game = zermelo.load("partners", length=length)
    check_presentation(game, seed)
    check_interpreted(game, seed)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1 x | 0 0", "'x' is not a number"),
        ("1 2 3 4 5 6 7 8 9", "at most 8 numbers, not 9"),
        ("1 2 | 3", "two sums"),
        ("100 | 0 0", "from 0 to 99"),
        ("1 2 3 4 5 6 7 8 | 1 0", "after 0 claims team 0 cannot have 1"),
    ],
)
def test_bad_positions(text, why):
    assert why in refusal(game.parse, text)


def test_bad_moves_and_fields():
    assert "not from 'middle'" in refusal(game.parse_action, game.start(), "middle")
    assert game.parse_action(game.start(), " R ") == 1
    assert game.parse_action(game.parse("7 | 1 1"), "right") == 0
    assert "1 to 16 numbers" in refusal(lambda: zermelo.load("partners", length=17))
    assert "cannot be" in refusal(lambda: zermelo.load("partners", row=[1, 2, 3]))
    assert "from 0 to 99" in refusal(lambda: zermelo.load("partners", length=1, row=[-5]))


def test_the_drawings():
    assert game.text(game.parse("4 1 | 3 8")) == "4 1\nplayers 0 and 2: 3   players 1 and 3: 8"
    assert drawn_cells(game, game.start()) == {"left", "right"}
    assert drawn_cells(game, game.parse("7 | 1 1")) == {"left"}
