"""Which nodes are shown: trees of games, folding, stepping."""

import json

import pytest

from tests.drawing.tree.recorded_search import search
from zermelo.core.game import CHANCE, OVER, Game, GameError
from zermelo.core.trace import Node
from zermelo.drawing import draw, game_tree
from zermelo.drawing.tree.layout import SIBLINGS, Box, place
from zermelo.drawing.tree.view import view_tree
from zermelo.games.tree import tree_game


class Dice(Game[int, int]):
    """Roll a die, then it is over; to continue, pay one."""

    name = "dice"

    def start(self):
        return 0

    def player(self, s):
        return CHANCE if s == 0 else OVER

    def actions(self, s):
        return range(1, 7)

    def succ(self, s, a):
        return a

    def chances(self, s):
        return [(a, 1 / 6) for a in self.actions(s)]

    def utility(self, s, player=0):
        return float(s)


class Endless(Game[int, int]):
    """Four moves, always; somebody is a little better off."""

    name = "endless"

    def start(self):
        return 1

    def player(self, s):
        return s % 2

    def actions(self, s):
        return [0, 1, 2, 3]

    def succ(self, s, a):
        return 4 * s + a

    def utility(self, s, player=0):
        raise AssertionError

    def evaluate(self, s):
        return s / 10


def drawn(view):
    yield view
    for child in view.children:
        yield from drawn(child)


def test_game_tree_of_chance():
    root = game_tree(Dice())
    assert root.kind == "chance"
    assert [(child.kind, child.value, child.action) for child in root.children] == [
        ("end", float(i), str(i)) for i in range(1, 7)
    ]
    assert sum(child.probability for child in root.children) == pytest.approx(1)


def test_game_tree_ends_at_its_depth_with_estimates():
    root = game_tree(Endless(), depth=2)
    assert [node.kind for node in (root, root.children[0], root.children[0].children[0])] == ["min", "max", "cutoff"]
    assert root.children[0].children[1].value == 1.7
    assert "≈1.7" in draw(root).svg
    assert game_tree(Endless(), 2, depth=0).kind == "cutoff"


def test_game_tree_refuses_what_is_too_large():
    with pytest.raises(GameError, match=r"endless has more than 10,000 nodes: limit its depth"):
        game_tree(Endless())


def test_three_players_have_tuples():
    game = tree_game('[{"utilities": [1, 2, 3]}]')
    root = game_tree(game)
    assert (root.kind, root.children[0].value) == ("player", (1, 2, 3))


def test_teams_are_two_sided():
    class Teams(Dice):
        players, teams = 4, (0, 1, 0, 1)

        def player(self, s):
            return 2 if s == 0 else OVER

    assert game_tree(Teams()).kind == "max"


@pytest.mark.parametrize("max_nodes", [1, 2, 5, 20, 100, 400])
def test_folding_keeps_to_its_limit_and_counts_the_rest(max_nodes):
    root = game_tree(Endless(), depth=5)
    total = sum(1 for _ in root.walk())
    views = list(drawn(view_tree(root, max_nodes=max_nodes)))
    shown = [view for view in views if not view.folded]
    assert len(shown) <= max_nodes
    assert len(shown) + sum(view.folded for view in views) == total
    assert "more" in draw(root, max_nodes=max_nodes).text


def test_folding_keeps_optimal_play():
    tree = 7
    for _ in range(12):
        tree = [[tree, 8], [1, 9]]
    trace = search(tree_game(json.dumps(tree)))
    best = trace.root.best_path()
    views = list(drawn(view_tree(trace, max_nodes=60)))
    assert {id(node) for node in best} <= {id(view.node) for view in views if view.in_play}


def test_very_deep_and_very_wide_trees_are_folded():
    root = node = Node("max")
    for _ in range(400):
        node.best = Node("max")
        node.children.append(node.best)
        node = node.best
    root.children += [Node("end", value=1.0) for _ in range(500)]
    views = list(drawn(view_tree(root, max_nodes=1000)))
    assert len(views) < 260
    assert sum(view.folded for view in views if view.folded) + sum(not view.folded for view in views) == 901
    assert draw(root, max_nodes=1000).svg


def test_drawing_leaves_the_trace_as_it_was():
    game_1 = tree_game()
    trace = search(game_1)
    before = [(node.kind, node.value, len(node.children)) for node in trace.root.walk()]
    for k in range(len(trace.steps) + 1):
        draw(trace, upto=k, game=game_1)
    assert [(node.kind, node.value, len(node.children)) for node in trace.root.walk()] == before


def test_values_are_only_shown_once_known():
    game_1 = tree_game()
    trace = search(game_1)
    for k in range(len(trace.steps) + 1):
        for view in drawn(view_tree(trace, upto=k, game=game_1)):
            assert view.phase != "ahead" or view.value is None
    last = list(drawn(view_tree(trace, upto=len(trace.steps))))
    assert [view.value for view in last] == [node.value for node in trace.root.walk()]


def test_layout_centres_parents_and_spreads_small_subtrees():
    def leaf():
        return Box(10, 10)

    big = [Box(10, 10, children=[leaf() for _ in range(5)]) for _ in range(2)]
    root = Box(10, 10, children=[big[0], leaf(), big[1]])
    width = place(root)
    assert root.x == pytest.approx((big[0].x + big[1].x) / 2) == pytest.approx(root.children[1].x)
    assert min(leaf.x - 10 for leaf in big[0].children) == pytest.approx(0)
    assert max(leaf.x + 10 for leaf in big[1].children) == pytest.approx(width)
    for a, b in zip(big[0].children, big[0].children[1:], strict=False):
        assert b.x - a.x == pytest.approx(20 + SIBLINGS)
