"""The search for many players against the textbook, and against recursions that try everything."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from tests.search.kernel_oracles import tree
from tests.search.multiplayer.oracles import (
    HUNT,
    LOTTERY,
    TEAMS,
    judged,
    ring_walk,
    slow_best_reply,
    slow_maxn,
    slow_paranoid,
    trees,
)
from zermelo.compile.kernel import JIT
from zermelo.core.game import CHANCE, Game, GameError
from zermelo.core.history import History
from zermelo.search.exhaustive import exhaustive
from zermelo.search.limits import Limits
from zermelo.search.multiplayer.searcher import KINDS, Multiplayer
from zermelo.search.plain_alphabeta import plain_alphabeta
from zermelo.search.report import AT_MOST, EXACT
from zermelo.search.searcher import answer
from zermelo.textbook import limited_maxn, limited_minimax, maxn

DEPTHS = st.integers(1, 5)


def many(n):
    """So many examples, compiled; a few are enough to see that plain Python runs it as well."""
    return settings(max_examples=n if JIT else max(8, n // 20))


def same(value):
    return pytest.approx(value, abs=1e-9)


def reports(game, kind, depth, position=None, **options):
    """One report for each depth that was completed."""
    searcher = Multiplayer(game, kind, **options)
    return list(searcher.reports(position or game.start(), Limits(depth=depth)))


def slow(game, kind, history, depth, root_player):
    if kind == "maxn":
        return slow_maxn(history, depth)[root_player]
    return (slow_paranoid if kind == "paranoid" else slow_best_reply)(history, depth, root_player)


def check_root(game, kind, found, history):
    """Value, choice and bounds of a report against the recursion."""
    root_player, s = found.view, history.state
    depth = found.depth
    assert found.value == same(slow(game, kind, history, depth, root_player))
    if game.player(s) == CHANCE:
        assert found.best is None
        return
    after = {}
    for a in history.actions():
        history.play(a)
        values = slow_maxn(history, depth - 1) if kind == "maxn" else None
        total = (
            sum(values[p] for p in range(game.players) if game.side(p) == game.side(root_player)) if values else None
        )
        after[a] = (values[root_player], total) if values else (slow(game, kind, history, depth - 1, root_player),) * 2
        history.undo()
    best = max(total for _, total in after.values())
    assert found.best == next(a for a, (_, total) in after.items() if total >= best - 1e-12)
    assert {move.action for move in found.moves} == set(after)
    assert found.moves[0].action == found.best
    assert found.pv[0] == found.best
    for move in found.moves:
        if move.bound == EXACT:
            assert move.value == same(after[move.action][0])
        else:
            assert move.bound == AT_MOST
            assert after[move.action][1] <= best + 1e-12


# -- against the textbook ----------------------------------------------------------------------------------------------


@given(trees(), DEPTHS)
@many(600)
def test_maxn_is_the_textbooks_at_every_depth(game, depth):
    s = game.start()
    for found in reports(game, "maxn", depth):
        assert found.values == same(limited_maxn(game, s, found.depth, lambda s: judged(game, s)))
        assert found.value == found.values[found.view]
    if found.stopped == "proven":
        assert found.values == same(maxn(game, s))


@given(trees(("three", "lottery", "hunt")), DEPTHS)
@many(400)
def test_paranoid_is_the_textbooks_minimax_for_player_0(game, depth):
    s = game.start()
    if game.player(s) == 0:
        for found in reports(game, "paranoid", depth):
            wanted = limited_minimax(game, s, found.depth, evaluate=lambda s: judged(game, s)[0])
            assert found.value == same(wanted)


@given(trees(), DEPTHS, st.sampled_from(KINDS))
@many(600)
def test_value_choice_and_bounds_are_those_of_the_recursion(game, depth, kind):
    for found in reports(game, kind, depth):
        check_root(game, kind, found, History(game))


@given(trees(chance=[0]), DEPTHS, st.sampled_from(KINDS))
@many(300)
def test_the_line_leads_to_the_value(game, depth, kind):
    for found in reports(game, kind, depth):
        s = game.start()
        for a in found.pv:
            s = game.succ(s, a)
        end = [game.utility(s, p) for p in range(game.players)] if game.is_end(s) else judged(game, s)
        assert found.value == end[found.view]
        assert game.is_end(s) or len(found.pv) == found.depth


# -- two players -------------------------------------------------------------------------------------------------------


@given(trees(("two",)), DEPTHS)
@many(400)
def test_between_two_all_three_are_minimax(game, depth):
    s = game.start()
    for kind in KINDS:
        for found in reports(game, kind, depth):
            wanted = exhaustive(game, s, found.depth)
            sign = 1 if found.view == 0 else -1
            assert found.value == same(sign * wanted.value)
            assert found.value == same(sign * plain_alphabeta(game, s, found.depth).value)
            assert found.best == wanted.best


@pytest.mark.parametrize("kind", KINDS)
def test_games_for_two(kind):
    tic_tac_toe = zermelo.load("tic-tac-toe", compiled=False)
    found = answer(Multiplayer(tic_tac_toe, kind), tic_tac_toe.parse("x.. .o. ..x"), Limits())
    assert (found.value, found.proof, found.stopped) == (0, "proven", "proven")
    nim = zermelo.load("nim", fruits=7, compiled=False)
    found = answer(Multiplayer(nim, kind), nim.start(), Limits())
    assert (found.value, found.best, found.proof) == (1, 1, "proven")


# -- pruning, interpreting ---------------------------------------------------------------------------------------------


@given(trees(), DEPTHS, st.sampled_from(KINDS))
@many(500)
def test_pruning_changes_nothing_but_the_nodes(game, depth, kind):
    fast, everything = reports(game, kind, depth), reports(game, kind, depth, pruning=False)
    for few, all_nodes in zip(fast, everything, strict=False):
        assert (few.best, few.value, few.values) == (all_nodes.best, all_nodes.value, all_nodes.values)
        assert few.pv == all_nodes.pv or kind != "maxn"  # the others may come by equal values in another order
        assert few.nodes <= all_nodes.nodes
        assert all(move.bound == EXACT for move in all_nodes.moves)
    if len(fast) < len(everything):  # the leaves that were estimated did not matter
        assert (fast[-1].stopped, fast[-1].value) in [
            ("proven", everything[-1].value),
            ("finished", everything[-1].value),
        ]


def test_pruning_prunes():
    for kind, game in (("maxn", LOTTERY(branching=4, depth=5, seed=3)), ("paranoid", tree(branching=4, depth=5))):
        fast, everything = (reports(game, kind, 5, pruning=pruning)[-1] for pruning in (True, False))
        assert fast.counters["cuts"] > 0
        assert fast.nodes < 0.75 * everything.nodes


def test_payoffs_that_are_not_kept_switch_pruning_off():
    """Bounds that leaves break are dropped, and the depth is searched again."""
    game = LOTTERY(branching=3, depth=4, seed=8)
    wrong = reports(game, "maxn", 4, utility_range=(-0.5, 0.5))
    assert [r.values for r in wrong] == [r.values for r in reports(game, "maxn", 4, pruning=False)]
    assert wrong[-1].counters["cuts"] == 0
    wrong = reports(game, "paranoid", 4, utility_range=(-0.5, 0.5))
    assert [r.value for r in wrong] == [r.value for r in reports(game, "paranoid", 4, pruning=False)]


@given(trees(), st.integers(1, 3), st.sampled_from(KINDS))
@many(60)
def test_plain_python_finds_the_identical_result(game, depth, kind):
    for plain, fast in zip(reports(game.interpreted, kind, depth), reports(game, kind, depth), strict=True):
        assert (plain.best, plain.values, plain.pv, plain.nodes) == (fast.best, fast.values, fast.pv, fast.nodes)
        assert plain.value == fast.value


# -- repetition --------------------------------------------------------------------------------------------------------

WALKS = [
    {"rule": "draw"},
    {"rule": "draw", "times": 3, "luck": True},
    {"rule": "loss"},
    {"rule": "loss", "luck": True, "sides": (0, 1, 1)},
    {"rule": "forbidden"},
    {"rule": "forbidden", "luck": True, "sides": (0, 1, 0)},
]


def check_walk(kind, salt, options):
    """Every position of a game, with what came before it."""
    game = ring_walk(**options, salt=salt)
    history = History(game)
    for move in range(4):
        if history.is_over:
            break
        for found in reports(game, kind, 4, history):
            check_root(game, kind, found, history)
        legal = history.actions()
        history.play(legal[(move + salt) % len(legal)])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("options", WALKS, ids=str)
def test_repetition_along_the_path_and_in_the_game_so_far(options, kind):
    for salt in range(2):
        check_walk(kind, salt, options | {"compiled": False})


@pytest.mark.jit
@pytest.mark.parametrize("kind", KINDS)
def test_repetition_compiled(kind):
    for salt in range(9):
        check_walk(kind, salt, WALKS[-1])


# -- proofs ------------------------------------------------------------------------------------------------------------


def test_what_is_proven_and_what_is_not():
    game = zermelo.load("partners", compiled=False)
    for kind in ("maxn", "paranoid"):
        found = reports(game, kind, 9)[-1]
        assert (found.depth, found.stopped, found.proof, found.value) == (8, "proven", "proven", 1)
        assert [r.proof for r in reports(game, kind, 7)] == ["estimate"] * 7
    held = reports(tree(players=3, branching=3, depth=4, seed=2), "best-reply", 9)[-1]
    assert held.counters["estimated"] == 0
    assert held.counters["held"] > 0  # some opponent was not free: the game's own value may be another
    assert (held.stopped, held.proof) == ("finished", "estimate")


def test_a_win_that_cannot_be_improved_ends_the_search():
    game = zermelo.load("connect-four", compiled=False)
    s = game.start()
    for column in (0, 6, 1, 6, 2, 5):  # three in the bottom row, and the fourth place is free
        s = game.succ(s, column)
    for kind in KINDS:
        found = answer(Multiplayer(game, kind), s, Limits(depth=3))
        assert (found.best, found.value, found.proof, found.stopped, found.depth) == (3, 1, "proven", "proven", 1)


# -- odds and ends -----------------------------------------------------------------------------------------------------


def test_nature_at_the_root():
    game = tree(players=3, branching=3, depth=4, chance=100, seed=1)
    found = reports(game, "maxn", 3)[-1]
    assert (found.best, found.pv, found.view) == (None, (), 0)
    assert found.values == same(maxn(game, game.start()))


def test_what_is_refused():
    class Plain(Game):
        start = player = actions = succ = utility = None

    with pytest.raises(GameError, match="one of maxn, paranoid, best-reply, not 'alphabeta'"):
        Multiplayer(tree(), "alphabeta")
    with pytest.raises(GameError, match="plain Python game"):
        Multiplayer(Plain())
    with pytest.raises(GameError, match="least, most"):
        Multiplayer(tree(), utility_range=(1, -1))
    with pytest.raises(GameError, match="the game is over"):
        answer(Multiplayer(tree(depth=0)), tree(depth=0).start(), Limits(depth=1))


def test_trees_have_the_teams_they_should():
    assert (TEAMS().teams, HUNT().teams, LOTTERY().teams) == ((0, 1, 0, 2), (0, 1, 1), None)
