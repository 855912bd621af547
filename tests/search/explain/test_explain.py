"""`zermelo.explain`: why this move."""

import json
import sys
import time
from xml.etree import ElementTree

import pytest

import zermelo
from zermelo import textbook
from zermelo.core.game import CHANCE
from zermelo.drawing.tree.drawing import draw
from zermelo.search.explain.explain import Explainer, explain
from zermelo.search.explain.tree import top_of_tree
from zermelo.search.report import EXACT, PROVEN

TINY = 1e-6
DRAWN = 6e-4  # a tree shows three decimals


@pytest.fixture(scope="module")
def three_bins():
    return explain(zermelo.load("three-bins"), depth=4)


@pytest.fixture(scope="module")
def tic_tac_toe():
    return zermelo.load("tic-tac-toe")


# -- games whose refutations are known ---------------------------------------------------------------------------------


def test_three_bins(three_bins):
    told = three_bins
    assert (told.choice, told.value, told.view) == ("B", 1, 0)
    assert told.report.proof == PROVEN
    assert told.pv == ("B", "1")
    found = {one.name: (one.value, one.worse, one.reply, one.distance) for one in told.alternatives}
    assert found == {"B": (1, None, "1", 2), "C": (-5, 6, "-5", 2), "A": (-50, 51, "-50", 2)}
    assert [one.name for one in told.alternatives] == ["B", "C", "A"]
    text = told.text()
    assert "refuted by -5\n" in text
    assert "refuted by -50\n" in text
    assert "6.000 worse" in text


def test_what_a_refutation_spares_is_pruned(three_bins):
    root = three_bins.tree()
    by_move = {child.action: child for child in root.children}
    assert root.best is by_move["B"]
    refuted = [child for child in root.children if child.bound == "upper"]
    assert refuted
    for child in refuted:
        assert child.value <= 1
        (spared,) = [reply for reply in child.children if reply.pruned]
        assert f"refutes {child.action}" in spared.pruned
        assert child.best.value <= 1
    assert [reply.value for reply in by_move["B"].children] == [1, 3]


def test_the_second_player_sees_it_from_the_other_side(tic_tac_toe):
    told = explain(tic_tac_toe, tic_tac_toe.parse("xo. .x. ..."), depth=9)
    assert (told.view, told.choice, told.value, told.report.distance) == (1, "c1", -1, 4)
    first, *others = told.alternatives
    assert (first.name, first.distance, first.worse) == ("c1", 4, None)
    assert {(one.value, one.distance, one.worse, one.reply) for one in others} == {(-1, 2, 0, "c1")}
    assert "2 plies sooner" in told.text()
    assert told.tree().kind == "min"
    assert told.tree().value == 1  # a tree is from player 0's view
    assert all(child.value == 1 for child in told.tree().children)


def test_a_win_at_once(tic_tac_toe):
    told = explain(tic_tac_toe, tic_tac_toe.parse("xx. oo. ..."), depth=9)
    assert (told.choice, told.value, told.report.distance) == ("c3", 1, 1)
    assert told.alternatives[0].pv == (told.report.best,)
    blunder = next(one for one in told.alternatives if one.name == "a1")
    assert blunder.reply == "c2"
    assert told.tree().best.kind == "end"


# -- against the textbook ----------------------------------------------------------------------------------------------


def trees():
    for seed in range(4):
        yield {"seed": seed, "turn": seed % 2}
        yield {"seed": seed, "extra": 40, "turn": seed % 2}
        yield {"seed": seed, "chance": 30, "extra": 20}


@pytest.mark.parametrize("options", list(trees()), ids=str)
def test_every_value_is_the_textbooks(options):
    game = zermelo.load("random-tree", branching=3, depth=5, **options)
    s = game.start()
    told = explain(game, s, depth=8, breadth=3, plies=3)
    sign = 1 if told.view == 0 else -1
    assert told.report.proof == PROVEN
    assert told.value == pytest.approx(sign * textbook.expectiminimax(game, s), abs=TINY)
    assert len(told.alternatives) == 3
    for one in told.alternatives:
        after = game.succ(s, one.action)
        truth = sign * textbook.expectiminimax(game, after)
        assert one.value == pytest.approx(truth, abs=TINY)
        if one.worse is not None:
            assert one.worse == pytest.approx(told.value - truth, abs=TINY)
        if one.reply is not None:
            answered = game.succ(after, one.pv[1])
            assert game.player(after) == 1 - told.view
            assert sign * textbook.expectiminimax(game, answered) == pytest.approx(truth, abs=TINY)
    is_whole = told.report.depth >= game.start().depth  # else the tree's values are those to a smaller depth
    for node in told.tree().walk() if is_whole else ():
        if node.pruned:
            assert node.value is None
            continue
        if node.value is None:
            continue
        truth = textbook.expectiminimax(game, node.state)
        assert node.bound in ("lower", "upper") or node.value == pytest.approx(truth, abs=DRAWN)
        assert node.bound != "lower" or truth >= node.value - DRAWN
        assert node.bound != "upper" or truth <= node.value + DRAWN


def test_chance_at_the_root():
    start = (zermelo.load("random-tree", branching=3, depth=4, chance=40, seed=seed) for seed in range(50))
    game = next(game for game in start if game.player(game.start()) == CHANCE)
    told = explain(game, depth=6)
    assert told.choice is None
    assert sum(one.probability for one in told.alternatives) == pytest.approx(1)
    average = sum(one.probability * one.value for one in told.alternatives)
    assert told.value == pytest.approx(average, abs=TINY)
    root = told.tree()
    assert root.kind == "chance"
    assert sum(child.probability for child in root.children) == pytest.approx(1)
    assert "chance to move" in told.text()
    assert "The outcomes" in told.text()


# -- forms and limits --------------------------------------------------------------------------------------------------


def test_json_comes_back_as_it_went(three_bins):
    content = three_bins.as_dict()
    assert json.loads(json.dumps(content)) == content
    assert content["choice"] == "B"
    assert [one["move"] for one in content["alternatives"]] == ["B", "C", "A"]
    assert content["by_depth"][-1]["move"] == "B"
    assert content["pruning"]["legal"] == 3
    assert content["tree"]["best"] == "B"
    assert len(content["tree"]["children"]) == 3


def test_it_can_be_drawn(three_bins):
    drawing = draw(three_bins.tree())
    assert "✂" in drawing.text
    picture = ElementTree.fromstring(three_bins._repr_svg_())
    assert picture.tag.endswith("svg")
    assert "pruned" in three_bins._repr_svg_()
    assert drawing.text in three_bins.text()


def test_the_choice_by_depth(tic_tac_toe):
    told = explain(tic_tac_toe, depth=5)
    assert [stage.depth for stage in told.stages] == [1, 2, 3, 4, 5]
    assert [stage.nodes for stage in told.stages] == sorted(stage.nodes for stage in told.stages)
    assert told.stages[-1].move == told.choice
    assert "The choice by depth" in told.text()
    assert {one.depth for one in told.alternatives} == {5}


def test_its_size_is_bounded(tic_tac_toe):
    told = explain(tic_tac_toe, depth=4, breadth=2, plies=1)
    assert len(told.tree().children) == 2
    assert not any(child.children for child in told.tree().children)
    assert len(told.alternatives) == 9
    assert "… 6 more" in told.text(most=3)
    assert "2 of 9 moves" in told.text()
    assert explain(tic_tac_toe, depth=2, plies=0).tree().children == []


def test_one_ply(tic_tac_toe):
    told = explain(tic_tac_toe, depth=1)
    values = {one.name: one.value for one in told.alternatives}
    assert len(values) == 9
    for name, value in values.items():
        after = tic_tac_toe.succ(tic_tac_toe.start(), tic_tac_toe.parse_action(tic_tac_toe.start(), name))
        assert value == pytest.approx(tic_tac_toe.evaluate(after))


@pytest.mark.jit
def test_time_ends_it():
    game = zermelo.load("random-tree", branching=20, depth=30)
    told = explain(game, seconds=0.3)
    assert told.report.stopped == "seconds"
    assert told.report.seconds < 3  # 0.15 on a machine that does nothing else
    assert len(told.alternatives) == 20
    assert told.alternatives[0].action == told.report.best
    assert told.report.depth > 2


@pytest.mark.jit
def test_every_move_has_a_value_of_its_own_however_short_the_time():
    game = zermelo.load("random-tree", branching=20, depth=30)
    told = explain(game, seconds=0.002)
    assert {one.bound for one in told.alternatives} == {EXACT}
    assert min(one.depth for one in told.alternatives) >= 1
    assert len({one.value for one in told.alternatives}) > 10
    if told.report.depth > 1:  # else all are as deep, on a machine that does much else
        assert not told.is_complete
        assert "the limits came before all were asked as deep as the choice" in told.text()
    assert (told.alternatives[0].value, told.alternatives[0].depth) == (told.value, told.report.depth)


@pytest.mark.jit
def test_the_choice_is_one_ply_deep_even_where_no_depth_was_finished():
    game = zermelo.load("random-tree", branching=20, depth=30)
    told = explain(game, nodes=1)
    assert told.report.depth == 1
    assert told.report.stopped == "nodes"
    assert told.value == told.alternatives[0].value == max(one.value for one in told.alternatives)


@pytest.mark.jit
def test_reading_the_tree_takes_no_time_from_the_questions(monkeypatch):
    game = zermelo.load("random-tree", branching=20, depth=30)

    def slowly(*given):
        time.sleep(0.3)
        return top_of_tree(*given)

    monkeypatch.setattr(sys.modules[Explainer.__module__], "top_of_tree", slowly)
    told = explain(game, seconds=0.3)
    assert max(one.depth for one in told.alternatives[1:]) > 1


def test_a_value_says_how_deep_it_is(tic_tac_toe):
    told = explain(tic_tac_toe, depth=4)
    assert told.tree().depth == 4
    by_move = {one.name: one for one in told.alternatives}
    for child in told.tree().children:
        assert child.depth == 4
        if child.bound == "exact":  # what the tree says and what the list says is the same
            assert by_move[child.action].value == pytest.approx(child.value, abs=DRAWN)
    assert told.is_complete
    assert told.as_dict()["tree"]["depth"] == 4


def test_a_game_in_progress(tic_tac_toe):
    history = zermelo.History(tic_tac_toe)
    for text in ("a1", "b2"):
        history.play(tic_tac_toe.parse_action(history.state, text))
    told = zermelo.explain(tic_tac_toe, history, depth=3)
    assert told.state == history.state
    assert "3 plies" in str(told)


def test_what_cannot_be_explained(tic_tac_toe):
    with pytest.raises(zermelo.GameError, match="plain Python game"):
        explain(zermelo.load("tree"))
    with pytest.raises(zermelo.GameError, match="3 sides"):
        explain(zermelo.load("random-tree", players=3))
    with pytest.raises(zermelo.GameError, match="over"):
        explain(tic_tac_toe, tic_tac_toe.parse("xxx oo. ..."))
    with pytest.raises(zermelo.GameError, match="breadth of an explanation"):
        explain(tic_tac_toe, breadth=0)
    with pytest.raises(zermelo.GameError, match="plies"):
        explain(tic_tac_toe, plies=-1)
    with pytest.raises(zermelo.GameError, match="seconds"):
        explain(tic_tac_toe, seconds=-1)


@pytest.mark.jit
def test_a_learned_evaluation_down_to_the_depth_limit():
    from zermelo.evaluate.shipped import evaluator_for

    game = zermelo.load("connect-four")
    told = zermelo.explain(game, depth=2, plies=3, evaluator=evaluator_for(game, "learned"))
    leaves = [node for node in told.root.walk() if node.kind == "cutoff"]
    assert leaves
    assert all(node.value is None or -1 <= node.value <= 1 for node in leaves)
