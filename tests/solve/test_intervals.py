"""Games in which dice bring positions back: values between proven bounds."""

import numpy as np
import pytest

import zermelo
from zermelo import CHANCE, OVER, GameError, rules
from zermelo.solve import exact
from zermelo.solve.graph import explore
from zermelo.solve.intervals import bounds

GOAL = 100
PIG = zermelo.load("pig")


def chance_to_win(first, second):
    """Neller and Presser's equations for scores from `first` and `second` on: of the player to move with i points, j
    against, k this turn, improved until nothing changes."""
    win = {}

    def chance(i, j, k):
        return 1.0 if i + k >= GOAL else win.get((i, j, k), 0.0)

    change = 1.0
    while change > 1e-14:
        change = 0.0
        for i, j in [(i, j) for i in range(first, GOAL) for j in range(second, GOAL)] + [
            (j, i) for i in range(first, GOAL) for j in range(second, GOAL)
        ]:
            for k in range(GOAL - i):
                roll = (1 - chance(j, i, 0) + sum(chance(i, j, k + die) for die in range(2, 7))) / 6
                hold = 1 - chance(j, i + k, 0) if k else 0.0
                change = max(change, abs(max(roll, hold) - chance(i, j, k)))
                win[i, j, k] = max(roll, hold)
    return win


def test_both_need_one_roll():
    """p = 5/6 + 1/6 · (1 − p): the first player wins six games of seven."""
    solution = zermelo.solve(PIG, PIG.parse("98-98 0+0"))
    assert abs(solution.value - 5 / 7) <= solution.error
    assert 0 < solution.error < 1e-9
    assert [PIG.format_action(solution.state, a) for a in solution.best] == ["roll"]


@pytest.mark.parametrize("total", [0, 4, 8])
def test_as_the_published_equations_say(total):
    win = chance_to_win(88, 90)
    solution = zermelo.solve(PIG, PIG.parse(f"88-90 0+{total}"))
    assert abs(solution.value - (2 * win[88, 90, total] - 1)) <= solution.error + 1e-12
    roll = (1 - win[90, 88, 0] + sum(1.0 if total + die >= 12 else win[88, 90, total + die] for die in range(2, 7))) / 6
    hold = 1 - win[90, 88 + total, 0] if total else 0.0
    names = [PIG.format_action(solution.state, a) for a in solution.best]
    assert names == (["hold"] if hold > roll else ["roll"])


def test_a_root_of_chance_and_limits():
    assert zermelo.solve(PIG, PIG.parse("98-98 0+0?")).value == pytest.approx(5 / 7)
    with pytest.raises(GameError, match="not solved within the limits"):
        zermelo.solve(PIG, PIG.parse("10-10 0+0"), nodes=50_000)


def test_more_positions_than_there_is_room_for():
    assert explore(PIG, PIG.parse("90-90 0+0"), most=100) is None


@pytest.mark.slow
@pytest.mark.jit
def test_the_whole_game():
    small = zermelo.solve(zermelo.load("pig", goal=2))
    assert abs(small.value - 5 / 7) <= small.error
    solution = zermelo.solve(PIG)
    assert (1 + solution.value) / 2 == pytest.approx(0.530592, abs=1e-6)  # as published


# -- who could go on for ever ------------------------------------------------------------------------------------------


@rules(name="waiting", players=2, max_actions=2, max_chance_outcomes=2, utility_range=(-1, 1))
class Waiting:
    """Wait, and it is the other's turn; or toss a coin, and lose three times in four."""

    state = {"turn": "i1", "tossed": "i1", "winner": "i1"}

    def start(s):
        pass

    def player(s):
        return OVER if s.winner else CHANCE if s.tossed else s.turn

    def actions(s, out):
        out[0], out[1] = 0, 1
        return 2

    def chances(s, out, probability):
        out[0], out[1] = 1, 2
        probability[0] = 0.75 if s.turn else 0.25
        probability[1] = 1 - probability[0]
        return 2

    def apply(s, action):
        if s.tossed:
            s.winner = action
        elif action:
            s.tossed = 1
        else:
            s.turn = 1 - s.turn

    def utility(s, out):
        out[0] = 1.0 if s.winner == 1 else -1.0
        out[1] = -out[0]


def test_bounds_hold_whatever_an_endless_game_counts(monkeypatch):
    """Nobody need toss the coin who would rather go on for ever; and nobody need go on."""
    game = Waiting(compiled=False)
    graph = explore(game, game.start())
    low, high = bounds(graph, lambda: None)
    assert (low <= high).all()
    assert np.allclose([low[0], high[0]], [-0.5, 0.5])
    monkeypatch.setattr(exact, "EASY", 100)
    with pytest.raises(GameError, match=r"players can go on for ever.*from -0\.5 to 0\.5 to player 0"):
        zermelo.solve(game)
