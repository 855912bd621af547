"""The lecture page without a browser: trees, lessons, sentences, the quiz, and what a visitor may send."""

import json
from math import inf

import pytest

from zermelo.core.game import CHANCE, GameError
from zermelo.core.registry import load
from zermelo.interfaces.studio.catalogue import Catalogue
from zermelo.interfaces.studio.pages.lecture.code import ALGORITHMS, lit, pseudo_code
from zermelo.interfaces.studio.pages.lecture.lesson import SearchLesson, count_orders, fitting, make_lesson
from zermelo.interfaces.studio.pages.lecture.look import code_html, dark_style, orders_html, png_script, width_of
from zermelo.interfaces.studio.pages.lecture.quiz import question_at
from zermelo.interfaces.studio.pages.lecture.trees import (
    LONGEST,
    MOST,
    ORDERS,
    LectureGame,
    from_game,
    from_json,
    leaf_table,
    ordered,
    presets,
    random_tree,
    swapped,
    typed,
    value_of,
    with_leaf,
)
from zermelo.interfaces.studio.pages.lecture.walkthrough import Walkthrough, decimal, path_of, preset_tree, whole
from zermelo.interfaces.studio.tasks import perform
from zermelo.textbook import alphabeta, expectiminimax

GAME_1 = '{"A": [-50, 50], "B": [1, 3], "C": [-5, 15]}'


@pytest.fixture(scope="module")
def catalogue():
    return Catalogue()


@pytest.fixture
def walk():
    return Walkthrough(typed(GAME_1), "Game 1")


# -- trees -------------------------------------------------------------------------------------------------------------


def test_the_presets_are_the_games_they_say(catalogue):
    trees = {preset["key"]: preset_tree(catalogue, preset["key"])[0] for preset in presets()}
    assert value_of(trees["bins"]) == 1
    assert trees["bins"] == typed(GAME_1)
    for key, name in (("bins", "three-bins"), ("coin", "coin-bins")):
        game = load(name, compiled=False)
        assert [leaf for _, _, leaf in leaf_table(trees[key])] == [leaf for _, _, leaf in leaf_table(from_game(game))]
        assert value_of(trees[key]) == expectiminimax(game, game.start())
    assert value_of(trees["coin"]) == -2
    assert value_of(trees["nim"]) == 1  # five is no multiple of three
    assert [value_of(child) for child in trees["xo"].children] == [-1, 1, 0]
    assert all(tree.size <= MOST for tree in trees.values())


def test_a_tree_is_a_game_whose_moves_have_names():
    game = LectureGame(typed(GAME_1))
    assert game.format((2, 1)) == "C > b"
    assert game.format(()) == "the root"
    assert game.utility((2, 1)) == 15
    assert game.utility((2, 1), 1) == -15
    assert game.parse_action((), "C") == 2
    with pytest.raises(GameError):
        game.parse_action((), "D")


def test_every_order_has_the_same_value_and_best_first_the_fewest_leaves():
    for seed in range(8):
        tree = random_tree(seed, 3, 4)
        counted = count_orders(tree, seed)
        assert {expectiminimax(LectureGame(ordered(tree, order, 5)), ()) for order in ORDERS} == {value_of(tree)}
        assert counted["best"] == min(counted.values())
        assert counted["worst"] <= tree.leaves
    assert count_orders(typed(GAME_1), 1)["given"] == 5
    assert count_orders(typed(GAME_1), 1)["reversed"] == 6


def test_an_order_remembers_where_a_leaf_was_given_and_leaves_nature_alone():
    tree = typed('[[{"p": 0.5, "value": 1}, {"p": 0.5, "value": 2}], [3, 4]]')
    turned = ordered(tree, "reversed")
    assert [(value, at) for _, at, value in leaf_table(turned)] == [(4, (1, 1)), (3, (1, 0)), (1, (0, 0)), (2, (0, 1))]


def test_a_leaf_is_changed_and_the_old_tree_stays():
    tree = typed(GAME_1)
    assert value_of(with_leaf(tree, (2, 0), 4)) == 4
    assert value_of(tree) == 1
    for at, value in (
        ((2,), 1),
        ((9,), 1),
        ((2, 0), "7"),
        ((2, 0), None),
        ((2, 0), inf),
        ((2, 0), 1e9),
        ((0, 0), True),
    ):
        with pytest.raises(GameError):
            with_leaf(tree, at, value)


def test_two_neighbours_change_places():
    tree = swapped(typed(GAME_1), (2,), -1)
    assert [child.label for child in tree.children] == ["A", "C", "B"]
    assert [node.at for path, node in tree.walk()] == [path for path, node in tree.walk()]
    for path, by in (((0,), -1), ((2,), 1), ((), 1), ((7,), 1), ((0,), 5)):
        with pytest.raises(GameError):
            swapped(tree, path, by)


def test_typed_trees_are_bounded_and_two_sided():
    for text in (
        "",
        "   ",
        None,
        7,
        "[1, 2",
        "[[], 1]",
        "[" * 5000,
        "[1" + ", 1" * 2000 + "]",
        '{"utilities": [1, 2, 3]}',
    ):
        with pytest.raises(GameError):
            typed(text)
    with pytest.raises(GameError, match=f"{MOST} nodes"):
        typed("[" + ",".join("1" for _ in range(MOST)) + "]")
    with pytest.raises(GameError, match=f"{LONGEST:,}"):
        typed("[1, 2]" + " " * LONGEST)
    assert typed("[[1, 2], [3, 4]]", "max, chance").children[0].mover == CHANCE
    assert typed("[[1, 2], [3, 4]]", "  ").children[0].mover == 1


def test_a_random_tree_comes_from_its_seed_and_is_bounded():
    assert random_tree(3, 3, 3) == random_tree(3, 3, 3) != random_tree(4, 3, 3)
    assert random_tree(3, 2, 4, chance=True).has_chance
    for seed, branching, depth in ((0, 10, 8), (0, 0, 3), (0, 3, 0), (-1, 2, 2), (0, 11, 1)):
        with pytest.raises(GameError):
            random_tree(seed, branching, depth)


def test_the_task_unfolds_a_position_of_any_game():
    sent = []
    answer = perform({"task": "unfold", "game": "tic-tac-toe", "position": "xox oxo ...", "plies": 2}, sent.append)
    tree = from_json(answer["tree"])
    assert tree.size > 3
    assert {"began": True} in sent
    assert tree == from_game(load("tic-tac-toe", compiled=False), "xox oxo ...", 2)
    lesson = make_lesson(tree, "minimax")
    assert "The tree was taken no deeper than b1 > a1: its estimate is 0.111." in map(lesson.sentence, range(20))
    with pytest.raises(GameError, match="too many to look at"):
        perform({"task": "unfold", "game": "tic-tac-toe", "position": "", "plies": 4}, sent.append)


# -- lessons -----------------------------------------------------------------------------------------------------------


def test_alpha_beta_on_game_1_step_by_step():
    lesson = make_lesson(typed(GAME_1), "alphabeta")
    assert isinstance(lesson, SearchLesson)
    assert lesson.result == "value 1, by B"
    assert lesson.steps == 27
    assert lesson.sentence(14) == "B > a gave 1, the first value MIN has at B: v = 1, and the window is [−50, 1]."
    assert lesson.sentence(24).startswith("Cut C > b: MIN already holds C to −5 or less, and MAX has α = 1")
    assert lesson.sentence(25).startswith("C is worth at most −5")
    assert lesson.sentence(27) == "Done: the tree is worth 1 to MAX, who plays B."
    assert [lesson.code[i][1].strip() for i in lesson.lit(24)] == ["if α ≥ β: return v  ▷ cut the rest"]
    assert (lesson.counts(23).leaves, lesson.counts(23).cut) == (5, 0)
    assert (lesson.counts(27).nodes, lesson.counts(27).leaves, lesson.counts(27).cut) == (9, 5, 1)


def test_a_drawing_shows_all_leaves_before_they_are_visited_and_strikes_out_what_was_cut():
    lesson = make_lesson(typed(GAME_1), "alphabeta")
    first, last = lesson.drawing(0).svg, lesson.drawing(27).svg
    for leaf in ("−50", "50", "1", "3", "−5", "15"):
        assert f">{leaf}</text>" in first
    assert 'class="cut"' in last
    assert "edge pruned" in last
    assert "edge pruned" not in first.split('class="legend"')[0]
    assert width_of(first) == width_of(last)  # nothing jumps
    assert "step 24 of 27: Cut C" in lesson.drawing(24, caption=True).svg


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("text", [GAME_1, '[[{"p": 0.25, "tree": [1, 5]}, {"p": 0.75, "tree": [-2, 3]}], [0, 2]]', "7"])
def test_every_step_of_every_algorithm_has_a_sentence_a_line_and_a_drawing(algorithm, text):
    tree = typed(text)
    if algorithm not in fitting(tree):
        with pytest.raises(GameError, match="expectiminimax"):
            make_lesson(tree, algorithm)
        return
    lesson = make_lesson(tree, algorithm, rounds=12)
    for k in range(lesson.steps + 1):
        assert lesson.sentence(k).endswith(".")
        assert "None" not in lesson.sentence(k)
        assert "?" not in lesson.sentence(k)
        assert bool(lesson.lit(k)) == (k > 0), (k, lesson.sentence(k))
        assert lesson.drawing(k).svg.startswith("<svg")
    assert lesson.counts(0).leaves == 0


def test_the_algorithms_find_their_values():
    values = {name: make_lesson(typed(GAME_1), name).result for name in ("minimax", "expectimax", "expectiminimax")}
    assert values == {"minimax": "value 1, by B", "expectimax": "value 5, by C", "expectiminimax": "value 1, by B"}
    sampled = make_lesson(typed(GAME_1), "mcts", rounds=200, seed=1)
    assert sampled.result.endswith("by B")
    assert sampled.counts(sampled.steps).rounds == 200


def test_visits_and_means_stand_in_the_drawing_of_a_sampled_tree():
    lesson = make_lesson(typed(GAME_1), "mcts", rounds=12)
    first, last = lesson.drawing(0).svg, lesson.drawing(lesson.steps).svg
    assert 'class="note">12×</text>' in last
    assert 'class="note">' not in first
    assert "most visited" in last
    assert width_of(first) == width_of(last)
    simulated = next(k for k, step in enumerate(lesson.rounds, 1) if step.event == "simulate" and step.played)
    assert lesson.drawing(simulated).svg.count('class="halo"') == 3  # the root, the new node, the end of the game


def test_pruned_leaves_and_visited_leaves_are_all_leaves():
    for seed in range(5):
        tree = random_tree(seed, 3, 3)
        lesson = make_lesson(tree, "alphabeta")
        counts = lesson.counts(lesson.steps)
        assert counts.leaves + counts.cut == tree.leaves
        assert lesson.value == alphabeta(LectureGame(tree), ()) == value_of(tree)


def test_lines_for_chance_are_only_there_where_there_is_chance():
    for algorithm in ("expectiminimax", "alphabeta", "mcts"):
        assert len(pseudo_code(algorithm, True)) > len(pseudo_code(algorithm, False))
    assert lit(pseudo_code("minimax", False), "update-chance") == []
    assert lit(pseudo_code("minimax", False), "") == []


def test_what_is_wrong_with_rounds_is_said():
    for options in ({"rounds": 0}, {"rounds": 10_000}, {"exploration": -1}, {"exploration": 1e9}):
        with pytest.raises(GameError):
            make_lesson(typed(GAME_1), "mcts", **options)
    with pytest.raises(GameError):
        make_lesson(typed(GAME_1), "guessing")


# -- the quiz ----------------------------------------------------------------------------------------------------------


def test_the_quiz_asks_where_something_could_be_cut():
    lesson = make_lesson(typed(GAME_1), "alphabeta")
    asked = {k: q for k in range(lesson.steps + 1) if (q := question_at(lesson.game, lesson.trace, k))}
    assert {k: q.is_cut for k, q in asked.items()} == {14: False, 23: True}
    assert asked[23].choices == (((2, 1), "C > b"),)
    assert asked[23].branch_of((2, 1)) == (2, 1)
    assert asked[23].branch_of((1,)) is None


def test_the_quiz_does_not_say_what_it_asks_for(walk):
    """Neither above the question nor in it nor in the drawing: that the window is empty is what one is to see."""
    walk.set_quiz(True)
    walk.go(27)
    walk.answer(None)
    walk.go(27)
    assert walk.sentence == "C > a gave −5, the first value MIN has at C: v = −5."
    asked = walk.question.text
    assert asked == "MIN moves at C and has v = −5; C was entered with [1, ∞]. Which branch is cut next?"
    assert "[1, −5]" in walk.lesson.drawing(23).svg
    assert "[1, −5]" not in walk.lesson.drawing(23, is_asked=True).svg
    walk.answer((2, 1))
    assert walk.sentence.startswith("Right")
    walk.go(22)
    walk.go(23)
    assert walk.sentence.endswith("the window is [1, −5], which is empty.")  # it has been answered


def test_the_quiz_holds_the_search_until_it_is_answered(walk):
    walk.set_quiz(True)
    walk.go(27)
    assert walk.step == 14
    assert walk.question is not None
    walk.go(27)
    assert walk.step == 14
    with pytest.raises(GameError, match="not asked about"):
        walk.answer((0, 0))
    assert walk.answer((1, 1)) is False
    assert walk.feedback.startswith("No: nothing is cut here. B may still")
    walk.go(27)
    assert walk.step == 23
    assert walk.feedback == ""
    assert walk.answer((2, 1)) is True
    assert walk.feedback.startswith("Right: it is cut. MIN already holds C to −5")
    assert (walk.quiz.right, walk.quiz.asked) == (1, 2)
    walk.go(27)
    assert walk.step == 27
    assert walk.question is None
    with pytest.raises(GameError):
        walk.answer(None)
    walk.go(0)
    walk.go(27)
    assert walk.step == 27  # nothing is asked twice
    walk.change(algorithm="minimax")
    assert not walk.quizzing
    assert walk.quiz.asked == 0


# -- the walkthrough ---------------------------------------------------------------------------------------------------


def test_stepping_stays_within_the_search(walk):
    walk.go(-5)
    assert walk.step == 0
    walk.go(10_000)
    assert walk.step == walk.lesson.steps


def test_a_changed_leaf_runs_the_search_anew(walk):
    walk.go(27)
    walk.set_leaf((2, 0), 4)
    assert walk.lesson.result == "value 4, by C"
    assert walk.step == walk.lesson.steps
    with pytest.raises(GameError):
        walk.set_leaf((2, 0), "x")
    assert walk.lesson.result == "value 4, by C"


def test_in_any_order_the_leaf_that_was_clicked_is_changed(walk):
    walk.change(order="best")
    walk.select((0, 0))
    assert walk.lesson.game.format((0, 0)) == "B > a"
    walk.set_leaf(walk.branch.at, 2)
    assert walk.settings.tree.below((1, 0)).value == 2
    assert walk.settings.order == "best"


def test_a_moved_branch_makes_the_shown_order_the_given_one(walk):
    walk.change(order="reversed")
    walk.select((0,))
    walk.move_branch(1)
    assert [child.label for child in walk.settings.tree.children] == ["B", "C", "A"]
    assert walk.settings.order == "given"
    assert walk.selected == (1,)
    with pytest.raises(GameError):
        walk.select((4, 4))


def test_minimax_gives_way_to_expectiminimax_when_chance_comes(walk, catalogue):
    walk.change(algorithm="minimax")
    walk.take(*preset_tree(catalogue, "coin"))
    assert walk.settings.algorithm == "expectiminimax"
    assert walk.lesson.result == "value −2, by C"
    with pytest.raises(GameError):
        walk.change(algorithm="magic")
    with pytest.raises(GameError):
        preset_tree(catalogue, "../etc")


@pytest.mark.parametrize("sent", [None, 7, "", "x-1", "n-a", "n--1", "n-99999", "n" + "-0" * 400, {"n": 1}, ["n-0"]])
def test_what_a_browser_sends_as_a_node_is_checked(sent):
    with pytest.raises(GameError):
        path_of(sent)


def test_nodes_are_named_as_the_drawing_names_them():
    assert path_of("n") == ()
    assert path_of("n-2-1") == (2, 1)
    assert whole(3.0, 1, 5, "x") == 3
    for value in (None, "3", 9, True, float("nan")):
        with pytest.raises(GameError, match="whole number from 1 to 5"):
            whole(value, 1, 5, "x")
    assert decimal(1.5, 0, 2, "x") == 1.5


def test_what_is_written_into_the_page_is_escaped():
    tree = typed('{"<img src=x onerror=y": [1, 2], "b": 3}')
    lesson = make_lesson(tree, "alphabeta", title="<b>")
    assert "<img" not in lesson.drawing(lesson.steps, caption=True).svg
    assert "&lt;" in code_html([("", "a < b")], [0])
    assert json.dumps('a"b') in png_script('a"b', "x.png")
    assert 'data-testid="lecture-order-best"' in orders_html({"best": 3}, 6, "best")
    assert "body.body--dark .zermelo-tree.light" in dark_style()
