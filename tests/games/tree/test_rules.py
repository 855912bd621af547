"""Typed-in trees: what they mean, and what is said of those that are wrong."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.core.game import CHANCE, OVER, GameError
from zermelo.games.tree import TreeGame, tree_game


def movers(game, s=()):
    """Who moves at every inner node, parents first."""
    if not game.is_end(s):
        yield game.player(s)
        for a in game.actions(s):
            yield from movers(game, game.succ(s, a))


def leaves(game, s=(), player=0):
    if game.is_end(s):
        return [game.utility(s, player)]
    return [u for a in game.actions(s) for u in leaves(game, game.succ(s, a), player)]


def test_lists_alternate_between_max_and_min():
    game = tree_game("[[-50, 50], [1, 3], [-5, 15]]")
    assert list(movers(game)) == [0, 1, 1, 1]
    assert leaves(game) == [-50, 50, 1, 3, -5, 15]
    assert leaves(game, player=1) == [50, -50, -1, -3, 5, -15]
    assert game.players == 2
    assert game.zero_sum


def test_moves_have_names_or_letters():
    game = tree_game('{"A": [-50, 50], "go left": 3}')
    assert [game.format_action((), a) for a in game.actions(())] == ["A", "go left"]
    assert game.parse_action((), " go left ") == 1
    assert game.format((0, 1)) == "root > A > b"
    assert game.parse("root > A > b") == (0, 1)
    assert game.parse("root") == ()
    many = tree_game(json.dumps(list(range(60))))
    assert [many.format_action((), a) for a in (0, 25, 26, 52)] == ["a", "z", "aa", "ba"]


def test_without_a_tree_it_is_the_first_game_of_the_lecture():
    game = TreeGame()
    assert "└─ C ▼" in game.text(())
    assert leaves(game) == [-50, 50, 1, 3, -5, 15]
    assert "<svg" in game.svg((1,))


def test_chance_by_p_wherever_it_stands_and_without_using_up_a_turn():
    game = tree_game('[[{"p": 0.25, "tree": [1, 2]}, {"p": "3/4", "value": 3}], 4]')
    assert list(movers(game)) == [0, CHANCE, 1]
    assert game.chances((0,)) == [(0, 0.25), (1, 0.75)]


def test_named_outcomes():
    game = tree_game('{"heads": {"p": 0.5, "value": 1}, "tails": {"p": 0.5, "value": -1}}')
    assert game.player(()) == CHANCE
    assert game.format_action((), 1) == "tails"


def test_levels_name_the_movers_and_chance_is_uniform():
    game = tree_game("[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]", levels="max, chance,min")
    assert list(movers(game)) == [0, CHANCE, 1, 1, CHANCE, 1, 1]
    assert game.chances((1,)) == [(0, 0.5), (1, 0.5)]
    assert list(movers(tree_game("[[1, 2]]", levels="max,max,max"))) == [0, 0]


def test_a_node_may_name_its_player_for_an_extra_turn():
    game = tree_game('[{"player": "max", "tree": [[1, 2], 3]}, [4, 5]]')
    assert list(movers(game)) == [0, 0, 1, 1]
    assert list(movers(tree_game('{"player": "chance", "tree": [1, 2]}'))) == [CHANCE]


def test_many_players_take_turns_and_share_as_the_leaves_say():
    leaf = {"utilities": [1, 2, 3]}
    game = tree_game(json.dumps([[[[leaf, leaf], leaf], leaf], leaf]))
    assert (game.players, game.zero_sum) == (3, False)
    assert list(movers(game)) == [0, 1, 2, 0]
    assert [game.utility((1,), p) for p in range(3)] == [1, 2, 3]
    assert list(movers(tree_game(json.dumps([[leaf], [leaf]]), levels="p2,min"))) == [2, 1, 1]


def test_a_single_leaf_is_a_game_that_is_over():
    game = tree_game("7")
    assert game.player(()) == OVER
    assert game.utility(()) == 7


def test_utilities_never_are_minus_zero():
    assert [str(tree_game("[0, -0.0]").utility((i,), p)) for i in (0, 1) for p in (0, 1)] == ["0.0"] * 4


DEEP = "[" * 41 + "1" + "]" * 41

WRONG = {
    "": "this is not JSON: Expecting value at line 1, column 1",
    "[1, 2": "this is not JSON: Expecting ',' delimiter at line 1, column 6",
    "__import__('os')": "this is not JSON: Expecting value at line 1, column 1",
    "[]": "the node at root is empty: it needs at least one child",
    "[1, [2, {}]]": "the node at root > b > b is empty: it needs at least one child",
    "[1, null]": "'null' at root > b is not a number",
    "[1, true]": "'true' at root > b is not a number",
    '[1, "2"]': "'2' at root > b is not a number",
    "[NaN]": "the tree holds NaN, but its numbers must be finite",
    "[-Infinity]": "the tree holds -Infinity, but its numbers must be finite",
    "[1, 1e999]": "the number at root > b is too large",
    "[1" + "0" * 400 + "]": "the number at root > a is too large",
    "[1" + "0" * 5000 + "]": "the tree holds a number of too many digits",
    DEEP: "the tree is deeper than 40 moves",
    "[" * 100_000: "the tree is deeper than 40 moves",
    '{"a": 1, "a": 2}': "two moves at root have the same name",
    '{"a": 1, " a ": 2}': "two moves at root have the same name",
    '{"": 1}': "a move at root is called '': names have 1 to 40 printable characters and no >",
    '{"a > b": 1}': "a move at root is called 'a > b': names have 1 to 40 printable characters and no >",
    '{"a\\nb": 1}': "a move at root is called 'a\ufffdb': names have 1 to 40 printable characters and no >",
    '[{"value": 1, "value": 2}]': "the object at root > a has a key twice",
    '[{"value": 1, "B": 2}]': "the object at root > a has a move 'B' beside the reserved key value",
    '[{"p": 1}]': "the object at root > a needs exactly one of tree, value and utilities",
    '[{"value": 1, "tree": [1]}]': "the object at root > a needs exactly one of tree, value and utilities",
    '[{"tree": {"value": 1}}]': "the tree at root > a must be a number, a list or an object that names moves",
    '{"p": 1, "tree": [1]}': "the root has a p, but it is no outcome of anything",
    '[{"p": 0.5, "value": 1}, 2]': "at root some children have a p and some have none",
    '[{"p": 0.5, "value": 1}, {"p": 0.4, "value": 1}]': "the p's at root sum to 0.9, not to 1",
    '[{"p": -0.5, "value": 1}, {"p": 1.5, "value": 1}]': "the p at root > a is not between 0 and 1",
    '[{"p": "1/0", "value": 1}]': "the p at root > a is not between 0 and 1",
    '[{"p": "half", "value": 1}]': "'half' at root > a (its p) is not a number",
    '[{"p": true, "value": 1}]': "'true' at root > a (its p) is not a number",
    '[{"utilities": []}]': "the utilities at root > a must be a list of 1 to 8 numbers",
    '[{"utilities": 3}]': "the utilities at root > a must be a list of 1 to 8 numbers",
    '[{"utilities": [1, [2]]}]': "a list at root > a is not a number",
    '[{"utilities": [1, 2, 3]}, 4]': (
        "all leaves must be alike, but there is 3 utilities at root > a and a plain number at root > b"
    ),
    '[{"utilities": [1, 2, 3]}, {"utilities": [1, 2]}]': (
        "all leaves must be alike, but there is 3 utilities at root > a and 2 utilities at root > b"
    ),
    '[{"player": "max", "value": 1}]': "nobody moves at root > a: it is a leaf, and needs no player",
    '[{"player": "bob", "tree": [1]}]': (
        "nobody is called 'bob' (the player at root > a): say max, min, chance or p0 to p7"
    ),
    '[{"player": 0, "tree": [1]}]': "nobody is called '0' (the player at root > a): say max, min, chance or p0 to p7",
    '{"player": "max", "tree": [{"p": 1, "value": 1}]}': "the node at root names a player, but its children have p's",
    '{"player": "p2", "tree": [1]}': (
        'p2 moves, but the leaves say what 2 players get: give every leaf 3 numbers, as in {"utilities": [1, 2, 3]}'
    ),
}


@pytest.mark.parametrize("text", WRONG, ids=lambda text: text[:30])
def test_mistakes_are_named_in_one_sentence_with_their_place(text):
    with pytest.raises(GameError) as caught:
        tree_game(text)
    assert str(caught.value) == WRONG[text]
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_wrong_levels():
    with pytest.raises(GameError, match=r"^the tree has 2 levels of moves, but levels names 1 \('max'\)$"):
        tree_game("[[1, 2], 3]", levels="max")
    with pytest.raises(GameError, match=r"^nobody is called 'mx' \(in levels\): say max, min, chance or p0 to p7$"):
        tree_game("[1, 2]", levels="mx")
    with pytest.raises(GameError, match=r"^p3 moves, but the leaves say what 2 players get"):
        tree_game("[1, 2]", levels="p3")


def test_limits():
    assert tree_game("[" * 40 + "1" + "]" * 40).utility((0,) * 40) == 1
    with pytest.raises(GameError, match="more than 100,000 nodes"):
        tree_game(json.dumps([1] * 100_000))
    with pytest.raises(GameError, match="longer than 5,000,000 characters"):
        tree_game(" " * 5_000_001)
    with pytest.raises(GameError, match="typed in as JSON text"):
        tree_game([1, 2])


def test_questions_that_have_no_answer():
    game = tree_game()
    for ask in (
        lambda: game.utility(()),
        lambda: game.succ((), 3),
        lambda: game.parse("A > b"),
        lambda: game.parse("root > D"),
        lambda: game.parse("root > A > a > a"),
    ):
        with pytest.raises(GameError):
            ask()


numbers = st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False)
nested = st.recursive(numbers, lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=40)


def flat(tree):
    return [x for child in tree for x in flat(child)] if isinstance(tree, list) else [tree]


@given(nested)
@settings(max_examples=100, deadline=None)
def test_every_leaf_survives_the_round_trip(tree):
    game = tree_game(json.dumps(tree))
    assert leaves(game) == flat(tree)
    assert all(game.parse(game.format(s)) == s for s in walk(game))
    assert game.text(())


def walk(game, s=()):
    yield s
    for a in game.actions(s):
        yield from walk(game, game.succ(s, a))


jsonish = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["p", "tree", "value", "utilities", "player", "A", "B"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(jsonish, st.sampled_from([None, "max", "max,min,chance", "p0,p1,p2"]))
@settings(max_examples=200, deadline=None)
def test_whatever_is_typed_in_is_a_game_or_one_sentence(tree, levels):
    try:
        game = tree_game(json.dumps(tree), levels)
    except GameError as error:
        sentence = str(error)
    else:
        sentence = game.format(next(walk(game)))
        assert "<svg" in game.svg(())
    assert sentence.splitlines() == [sentence]
