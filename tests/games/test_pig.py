"""Pig: the value of games by their own rules and by the published equations, the rules, notation, drawings."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo import CHANCE, OVER, GameError, Marks
from zermelo.compile.dispatch import apply, expand, utility
from zermelo.compile.kernel import kernel
from zermelo.search.playout import playouts

GAME = zermelo.load("pig")
HOLD, ROLL = 0, 1


def reached(game, seed, plies):
    """A position after random plies, short of the end."""
    random, s = np.random.default_rng(seed), game.start()
    for _ in range(plies):
        after = game.succ(s, int(random.choice(game.actions(s))))
        if game.is_end(after):
            break
        s = after
    return s


# -- values -----------------------------------------------------------------------------------------------------------


def all_states(game):
    found, todo = {game.start()}, [game.start()]
    while todo:
        s = todo.pop()
        for a in game.actions(s):
            after = game.succ(s, a)
            if after not in found:
                found.add(after)
                todo.append(after)
    return found


def value_by_rules(game):
    """Player 0's expected payoff at the start: every state improved again and again until nothing changes."""
    states = all_states(game)
    worth = {s: game.utility(s, 0) if game.is_end(s) else 0.0 for s in states}
    children = {s: [game.succ(s, a) for a in game.actions(s)] for s in states if not game.is_end(s)}
    change = 1.0
    while change > 1e-12:
        change = 0.0
        for s, after in children.items():
            if game.player(s) == CHANCE:
                value = sum(worth[t] for t in after) / 6
            else:
                value = (max, min)[game.player(s)](worth[t] for t in after)
            change = max(change, abs(value - worth[s]))
            worth[s] = value
    return worth[game.start()]


def value_by_equations(goal):
    """Neller and Presser: the chance of the player to move with i points, j against, k this turn; to win is 1."""
    win = np.zeros((goal, goal, goal + 6))

    def chance(i, j, k):
        return 1.0 if i + k >= goal else win[i, j, k]

    change = 1.0
    while change > 1e-13:
        change = 0.0
        for i in range(goal):
            for j in range(goal):
                for k in range(goal - i):
                    roll = (1 - chance(j, i, 0) + sum(chance(i, j, k + die) for die in range(2, 7))) / 6
                    hold = 1 - chance(j, i + k, 0) if k else 0.0
                    change = max(change, abs(max(roll, hold) - win[i, j, k]))
                    win[i, j, k] = max(roll, hold)
    return 2 * win[0, 0, 0] - 1


@pytest.mark.parametrize("goal", [2, 5, 10])
def test_values_of_small_games(goal):
    assert value_by_rules(zermelo.load("pig", goal=goal)) == pytest.approx(value_by_equations(goal), abs=1e-9)


@kernel
def improve(states, out, probability, payoff, win, i, j):
    """One pass over the totals of scores i against j; win[i, j, k] is the chance of the player to move."""
    change = 0.0
    for k in range(win.shape[2] - 1, -1, -1):
        s, t, u = states[0], states[1], states[2]
        s.scores[0], s.scores[1], s.total, s.turn, s.rolling = i, j, k, 0, 0
        best = 0.0
        if k != 1 and i + k < win.shape[0]:
            _, n = expand(s, out, probability)
            actions = out[:n].copy()
            for a in actions:
                states[1] = states[0]
                apply(t, a)
                value = 0.0
                p, n = expand(t, out, probability)
                if p != CHANCE:
                    value = 1.0 - win[t.scores[1], t.scores[0], 0]
                for c in range(n if p == CHANCE else 0):
                    states[2] = states[1]
                    apply(u, out[c])
                    if u.turn == 0:
                        value += probability[c] * (win[i, j, u.total] if i + u.total < win.shape[0] else won(u, payoff))
                    else:
                        value += probability[c] * (1.0 - win[j, i, 0])
                best = max(best, value)
            change = max(change, abs(best - win[i, j, k]))
            win[i, j, k] = best
    return change


@zermelo.helper
def won(s, payoff):
    """Player 0 has enough: hold, and see who has won."""
    apply(s, HOLD)
    utility(s, payoff)
    return 1.0 if payoff[0] > 0 else 0.0


@pytest.mark.slow
@pytest.mark.jit
def test_the_starter_wins_53_06_percent():
    win = np.zeros((100, 100, 100))
    states, out, probability, payoff = np.zeros(3, GAME.variant.dtype), np.zeros(6, np.int64), np.zeros(6), np.zeros(2)
    for total in range(198, -1, -1):  # scores only grow: those that sum to most first
        for i in range(max(0, total - 99), total // 2 + 1):
            change = 1.0
            while change > 1e-9:
                change = improve(states, out, probability, payoff, win, i, total - i)
                change = max(change, improve(states, out, probability, payoff, win, total - i, i))
    assert win[0, 0, 0] == pytest.approx(0.5306, abs=5e-5)


# -- rules ------------------------------------------------------------------------------------------------------------


def test_a_turn_by_hand():
    s = GAME.start()
    assert GAME.actions(s) == (ROLL,)
    rolling = GAME.succ(s, ROLL)
    assert GAME.player(rolling) == CHANCE
    assert GAME.chances(rolling) == [(die, 1 / 6) for die in range(1, 7)]
    s = GAME.succ(rolling, 5)
    assert (GAME.player(s), s.total, GAME.actions(s)) == (0, 5, (HOLD, ROLL))
    held = GAME.succ(s, HOLD)
    assert (GAME.player(held), held.scores.tolist(), held.total) == (1, [5, 0], 0)
    lost = GAME.succ(GAME.succ(s, ROLL), 1)
    assert (GAME.player(lost), lost.scores.tolist(), lost.total) == (1, [0, 0], 0)


def test_who_has_enough_holds_and_wins():
    s = GAME.parse("35-96 1+6")
    assert GAME.actions(s) == (HOLD,)
    end = GAME.succ(s, HOLD)
    assert GAME.player(end) == OVER
    assert [GAME.utility(end, p) for p in (0, 1)] == [-1, 1]
    assert GAME.parse(GAME.format(end)) == end


@pytest.mark.jit
def test_random_games():
    result = playouts(GAME, 20_000, seed=1)
    assert result.unfinished == 0
    assert 0.02 < result.mean[0] < 0.12  # it helps to begin


def test_the_evaluation_sees_the_lead():
    assert GAME.evaluate(GAME.parse("50-20 0+0")) > GAME.evaluate(GAME.parse("20-50 0+0"))
    assert GAME.evaluate(GAME.parse("20-20 0+10")) > 0 > GAME.evaluate(GAME.parse("20-20 1+10"))


# -- notation and drawings --------------------------------------------------------------------------------------------


@settings(max_examples=80)
@given(st.integers(0, 10**6), st.integers(0, 120))
def test_round_trips_and_interpreted_rules(seed, plies):
    s = reached(GAME, seed, plies)
    assert GAME.parse(GAME.format(s)) == s
    t = GAME.interpreted.parse(GAME.format(s))
    assert GAME.interpreted.actions(t) == GAME.actions(s)
    assert GAME.interpreted.evaluate(t) == GAME.evaluate(s)
    for a in GAME.actions(s):
        assert GAME.parse_action(s, GAME.format_action(s, a)) == a
        assert GAME.format(GAME.interpreted.succ(t, a)) == GAME.format(GAME.succ(s, a))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "42",
        "42-35",
        "42-35 2+0",
        "1-0 0+0",
        "0-0 0+1",
        "100-0 0+0",
        "99-0 0+9",
        "99-0 0+3?",
        "300-0 1+0",
        "100-0 1+2",
    ],
)
def test_bad_positions_get_one_sentence(text):
    with pytest.raises(GameError) as caught:
        GAME.parse(text)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("position", "text"), [("0-0 0+0", "hold"), ("0-0 0+5", "fold"), ("0-0 0+5", ""), ("0-0 0+5?", "7")]
)
def test_bad_moves_get_one_sentence(position, text):
    with pytest.raises(GameError) as caught:
        GAME.parse_action(GAME.parse(position), text)
    assert len(str(caught.value).splitlines()) == 1


def test_moves_may_be_shortened():
    assert GAME.parse_action(GAME.parse("0-0 0+5"), "R") == ROLL
    assert GAME.parse_action(GAME.parse("0-0 0+5"), "h") == HOLD


def test_goals():
    assert zermelo.load("pig", goal=20).options["goal"] == 20
    with pytest.raises(GameError):
        zermelo.load("pig", goal=1)


def test_text():
    assert GAME.text(GAME.parse("42-35 0+12")) == (
        "player 0  ████████████████▒▒▒▒▒···················  42\n"
        "player 1  ██████████████··························  35\n"
        "player 0 to move, 12 so far this turn"
    )


def test_svg():
    for marks in (Marks(), Marks(flip=True, last=("roll",), targets=("hold",))):
        root = ElementTree.fromstring(GAME.svg(GAME.parse("42-35 0+12"), marks))
        assert {e.get("data-at") for e in root.iter()} - {None} == {"roll", "hold"}
    assert GAME.clicks(GAME.parse("42-35 0+12"), HOLD) == ("hold",)
