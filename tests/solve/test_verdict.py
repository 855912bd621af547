"""What tables say of a position and its actions, in games whose truth is found out another way."""

import math

import pytest

from tests.solve.graph_game import graph_game, solve_graph
from tests.solve.test_expected import DICE, position, race, worth
from tests.solve.test_tables import node_state
from zermelo import CHANCE, OVER, rules, search, solve
from zermelo.compile.endings import Ending
from zermelo.solve.tables.build import build_tables
from zermelo.tables.tables import Tables
from zermelo.tables.verdict import Worth, judge, judge_actions, ranked_actions


def truth_of_actions(game, solved, s):
    """{action: (value to whoever moves in s, plies from s on)}"""
    told = {}
    for a in game.actions(s):
        t = game.succ(s, a)
        value, plies = solved[int(t.record[0]["node"])]
        same = int(t.record[0]["turn"]) == int(s.record[0]["turn"])
        told[a] = (value if same else -value, None if value == 0 else plies + 1)
    return told


@pytest.mark.parametrize("seed", [4, 5, 18, 19])
def test_worths_and_perfect_actions_are_those_of_the_graph(seed, tmp_path):
    game = graph_game(seed)
    tables = build_tables(game, 3, with_plies=True, folder=tmp_path)
    alone = Tables(game, tmp_path / "none")
    seen, solved = set(), solve_graph(seed)
    for node, (value, plies) in solved.items():
        s = node_state(game, node, node % 2)
        verdict = judge(tables, s)
        if game.is_end(s):
            assert verdict is None
            continue
        assert verdict.view == node % 2
        assert verdict.worth == Worth(value, plies if value else None)
        truth = truth_of_actions(game, solved, s)
        assert {a: tuple(after) for a, after in verdict.actions.items()} == truth
        ends = [plies if value else 0 for value, plies in truth.values()]
        good = {a for a, after in truth.items() if after[0] == value}
        best = (min if value > 0 else max)(ends[k] for k, a in enumerate(truth) if a in good)
        assert {*verdict.perfect} == {a for k, a in enumerate(truth) if a in good and ends[k] == best}
        assert ranked_actions(verdict.actions)[0] in verdict.perfect
        assert verdict.has_plies
        seen.add((value, len(verdict.perfect) > 1, len(good) > len(verdict.perfect)))
        assert judge(alone, s) is None or all(game.is_end(game.succ(s, a)) for a in truth)
    assert {value for value, _, _ in seen} == {-1, 0, 1}
    assert any(several for _, several, _ in seen)


def test_without_plies_all_that_keep_the_worth_are_perfect(tmp_path):
    game = graph_game(19)
    tables = build_tables(game, 3, folder=tmp_path)
    verdicts = [judge(tables, node_state(game, node)) for node in solve_graph(19)]
    won = [verdict for verdict in verdicts if verdict is not None and verdict.worth.value > 0]
    assert not all(verdict.has_plies for verdict in won)
    for verdict in won:
        assert {*verdict.perfect} == {a for a, after in verdict.actions.items() if after.value > 0}


def test_what_is_not_worked_out_is_known_by_what_it_leads_to(tmp_path):
    game = graph_game(2)
    tables = build_tables(game, 2, with_plies=True, folder=tmp_path)  # without the last quarter
    whole = build_tables(game, 3, with_plies=True, folder=tmp_path / "whole")
    known = partly = 0
    for node in (n for n in solve_graph(2) if n >= 36):
        s = node_state(game, node)
        verdict, actions = judge(tables, s), judge_actions(tables, s)
        if verdict is not None:
            known += 1
            assert verdict == judge(whole, s)
        elif not game.is_end(s):
            partly += any(after is not None for after in actions.values())
            assert None in actions.values()
            assert actions[ranked_actions(actions)[-1]] is None
    assert known
    assert partly


def test_on_average_before_and_after_the_die(tmp_path):
    game = race()
    tables = build_tables(game, 2, folder=tmp_path)
    for mine, theirs, turn in ((3, 3, 0), (5, 2, 1), (6, 6, 0)):
        s = position(game, mine, theirs, turn)
        before = judge(tables, s)
        assert (before.view, before.is_average) == (turn, True)
        assert math.isclose(before.worth.value, worth(mine, theirs), rel_tol=1e-6)
        average = sum(p * before.actions[die].value for die, p in DICE.items())
        assert math.isclose(average, worth(mine, theirs), rel_tol=1e-6)
        for die in DICE:
            after = judge(tables, game.succ(s, die))
            assert after.worth == before.actions[die]
            assert after.view == turn
            best = max(after.actions.values())
            assert {*after.perfect} == {a for a, one in after.actions.items() if one == best}


def test_in_words():
    assert Worth(1.0, 13).words(False) == "won in 13 plies"
    assert Worth(1.0).words(False) == "won"
    assert Worth(-1.0, 1).words(False) == "lost in 1 ply"
    assert Worth(0.0).words(False) == "drawn"
    assert Worth(-0.25).words(True) == "-0.2500 on average"


@rules(name="coin-race", players=2, max_actions=2, max_chance_outcomes=2, utility_range=(-1, 1))
class CoinRace:
    """Take one, or toss a coin that takes two or none; whoever takes the last one wins. There is no `perspective`, so
    that averages are player 0's, also where player 1 is to move."""

    state = {"left": "i1", "turn": "i1", "toss": "i1"}

    def start(s):
        s.left = 4

    def player(s):
        return CHANCE if s.toss else OVER if s.left <= 0 else s.turn

    def actions(s, out):
        out[0], out[1] = 0, 1
        return 2

    def chances(s, out, probability):
        out[0], out[1] = 1, 2
        probability[0], probability[1] = 0.25, 0.75
        return 2

    def apply(s, action):
        if s.toss:
            s.left -= action
            s.toss = 0
            s.turn = 1 - s.turn
        elif action == 0:
            s.left -= 1
            s.turn = 1 - s.turn
        else:
            s.toss = 1

    def utility(s, out):
        out[s.turn], out[1 - s.turn] = -1, 1

    def ending(s):
        return 0 if not s.toss and s.left > 0 else -1

    def rank(s):
        return (s.left - 1) * 2 + s.turn

    def unrank(s, ending, rank):
        s.left, s.turn = rank // 2 + 1, rank % 2
        return True

    def endings(limit):
        return [[Ending(0, "all", 8, 1)]] if limit >= 1 else []


def test_averages_are_turned_to_whoever_moves(tmp_path):
    game = CoinRace(compiled=False)
    tables = build_tables(game, 1, folder=tmp_path)

    def truth(s):
        p = game.player(s)
        if p == OVER:
            return game.utility(s, 0)
        if p == CHANCE:
            return sum(weight * truth(game.succ(s, a)) for a, weight in game.chances(s))
        return (max if p == 0 else min)(truth(game.succ(s, a)) for a in game.actions(s))

    for left in (1, 2, 3, 4):
        for turn in (0, 1):
            s = game.parse(f"left={left} turn={turn} toss=0")
            verdict = judge(tables, s)
            assert verdict.view == turn
            assert verdict.worth.value == pytest.approx(truth(s) * (1 if turn == 0 else -1))
            assert search(game, s, depth=3, tables=tmp_path).value == pytest.approx(truth(s))
            assert solve(game, s, tables=tmp_path).value == pytest.approx(truth(s))
