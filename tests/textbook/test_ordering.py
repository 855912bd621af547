from tests.textbook.textbook_games import Tree, end
from zermelo.textbook import as_given, best_first, shuffled, worst_first

MAX = (0, end(2), end(5), end(1), end(5))
MIN = (1, *MAX[1:])


def utility(s):
    return s[1][0]


def test_best_first_is_decreasing_at_max_and_increasing_at_min_and_stable():
    order = best_first(Tree(MAX), utility)
    assert order(MAX, range(4)) == [1, 3, 0, 2]
    assert order(MIN, range(4)) == [2, 0, 1, 3]


def test_worst_first_is_the_other_way_around():
    order = worst_first(Tree(MAX), utility)
    assert order(MAX, range(4)) == [2, 0, 1, 3]
    assert order(MIN, range(4)) == [1, 3, 0, 2]


def test_the_games_own_evaluation_is_the_default():
    game = Tree(MAX)
    by_game = sorted(range(4), key=lambda a: -game.evaluate(game.succ(MAX, a)))
    assert best_first(game)(MAX, range(4)) == by_game


def test_given_is_given():
    assert as_given(MAX, [3, 1, 2]) == [3, 1, 2]


def test_shuffled_keeps_the_actions_and_follows_the_seed():
    actions = list(range(20))
    first, again, other = shuffled(1), shuffled(1), shuffled(2)
    once = first(MAX, actions)
    assert sorted(once) == actions
    assert once == again(MAX, actions)
    assert once != other(MAX, actions)
    assert once != first(MAX, actions)  # a new order at the next node
    assert actions == list(range(20))
