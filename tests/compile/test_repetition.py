"""Repetition in kernels is what it is in a `History`: in random games of every rule, with dice, passes, teams."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from tests.search.cyclic_games import circles
from tests.search.multiplayer.oracles import ring_walk
from zermelo.compile.dispatch import at, repetition_key
from zermelo.compile.kernel import kernel
from zermelo.compile.repetition import ends_by_repetition, is_forbidden, repetition_payoff, stood_before
from zermelo.core.history import History

KINDS = [
    (circles, {"rule": rule, "times": times, "luck": luck, "positional": positional, "places": 5})
    for rule in ("draw", "loss", "forbidden")
    for times, luck, positional in ((2, False, False), (3, False, False), (2, True, True), (3, True, False))
] + [(ring_walk, {"rule": "loss", "luck": True, "sides": (0, 1, 0)}), (ring_walk, {"rule": "forbidden", "times": 3})]


@kernel
def judge(states, keys, top, mover, last_mover, payoff):
    """Of the last state of a path, come to by `mover`: (times it stood before, first place, over?, forbidden?)."""
    for i in range(top + 1):
        keys[i] = repetition_key(at(states, i))
    s = at(states, top)
    for p in range(len(payoff)):
        payoff[p] = repetition_payoff(s, p, last_mover)
    times, first = stood_before(s, keys, top, 0)
    return times, first, ends_by_repetition(s, keys, top), is_forbidden(s, keys, top, mover)


def judged(game, states, mover, last_mover):
    records = np.concatenate([s.record for s in states])
    payoff = np.zeros(game.players)
    found = game.run(judge, records, np.zeros(len(states), np.uint64), len(states) - 1, mover, last_mover, payoff)
    return [int(x) for x in found], payoff.tolist()


IRREVERSIBLE = [
    ("chess", "7k/8/8/8/8/8/P7/K7 w - - 0 1"),  # few moves, so that positions come back; the pawn's cannot
    ("chess", "8/8/8/1p6/1P6/k7/8/K7 b - - 3 1"),
    ("checkers", "B:WK1:BK32,21"),
]


def random_history(game, numbers, position=None):
    """A game in progress, its moves drawn by `numbers`."""
    history = History(game, position)
    for n in numbers:
        if history.is_over:
            break
        history.play(history.actions()[n % len(history.actions())])
    return history


def agree(game, numbers, position=None):
    """Kernel and History, on every position of a game and on every move that could be made at its end."""
    history = random_history(game, numbers, position)
    keys = [game.repetition_key(s) for s in history.states]
    for n in range(1, len(history.states) + 1):
        so_far = History(game, position)
        for a in history.moves[: n - 1]:
            so_far.play(a)
        mover = game.player(so_far.states[-2]) if n > 1 else -1
        (times, first, over, forbidden), payoff = judged(game, so_far.states, mover, so_far.last_mover)
        assert times == keys[: n - 1].count(keys[n - 1])
        assert first == keys.index(keys[n - 1])
        assert (over, forbidden) == (so_far.is_repeated, False)  # what was played was allowed
        if over:
            assert payoff == [so_far.utility(p) for p in range(game.players)]
    if not history.is_repeated and not game.is_end(history.state):
        mover = game.player(history.state)
        for a in game.actions(history.state):
            after = game.succ(history.state, a)
            (_, _, over, forbidden), _ = judged(game, [*history.states, after], mover, mover)
            assert forbidden == (a not in history.actions())
            if not forbidden:
                history.play(a)
                assert over == history.is_repeated
                history.undo()


@given(st.sampled_from(KINDS), st.integers(0, 2**32), st.lists(st.integers(0, 2), max_size=14))
@settings(max_examples=400, deadline=None)
def test_kernels_agree_with_history(kind, seed, numbers):
    make, options = kind
    draw = {"seed": seed} if make is circles else {"salt": seed % 3}
    agree(make(**options, **draw, compiled=False), numbers)


@given(st.sampled_from(IRREVERSIBLE), st.lists(st.integers(0, 63), max_size=24))
@settings(max_examples=25, deadline=None)
def test_nothing_is_missed_beyond_what_cannot_be_undone(game_and_position, numbers):
    """`reversible_plies` keeps a scan short; a History looks at everything."""
    name, position = game_and_position
    game = zermelo.load(name, compiled=False)
    agree(game, [n % 3 for n in numbers], game.parse(position))


@pytest.mark.jit
@pytest.mark.parametrize("rule", ["draw", "loss", "forbidden"])
def test_compiled_too(rule):
    game = circles(rule=rule, times=2, luck=True, positional=True, places=5, seed=7)
    for n in range(40):
        agree(game, [(n * k + k) % 3 for k in range(12)])
