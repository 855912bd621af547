"""Repetition, in the one place where it counts, with a tiny game: a token that two players push to and fro."""

import pytest

from zermelo import CHANCE, OVER, Game, GameError, History, load


class Token(Game):
    """A state is (where the token is, whose turn). It is pushed by -1 or 1 within 0 … 3; at 3 the pusher has won."""

    name = "token"
    passes = False
    chancy = False

    def __init__(self, repetition=None, repetitions=2):
        self.repetition, self.repetitions = repetition, repetitions

    def start(self):
        return (1, 0)

    def player(self, s):
        return OVER if s[0] == 3 else CHANCE if self.chancy and s[1] == 1 else s[1]

    def actions(self, s):
        moves = [m for m in (-1, 1) if 0 <= s[0] + m <= 3] + [0] * self.passes
        return [] if s[0] == 3 else moves

    def chances(self, s):
        return [(a, 1 / len(self.actions(s))) for a in self.actions(s)]

    def succ(self, s, a):
        return (s[0] + a, 1 - s[1])

    def utility(self, s, player=0):
        return -1.0 if player == s[1] else 1.0


class IgnoringTurn(Token):
    def repetition_key(self, s):
        return s[0]


def play(game, *moves):
    history = History(game)
    for move in moves:
        history.play(move)
    return history


def test_without_a_rule_repetition_means_nothing():
    history = play(Token(), -1, 1, -1, 1, -1, 1)
    assert not history.is_over
    assert history.player() == 0
    assert history.state == (1, 0)


def test_a_game_that_ends_by_its_rules():
    history = play(Token("draw"), 1, 1)
    assert history.is_over
    assert not history.is_repeated
    assert (history.utility(0), history.utility(1)) == (-1, 1)
    assert history.actions() == []


@pytest.mark.parametrize("times", [2, 3])
def test_a_draw_by_repetition(times):
    history = History(Token("draw", times))
    for _ in range(times - 1):
        assert not history.is_over
        history.play(-1)
        history.play(1)
    assert history.is_over
    assert history.is_repeated
    assert history.player() == OVER
    assert history.actions() == ()
    assert (history.utility(0), history.utility(1)) == (0, 0)
    with pytest.raises(GameError, match="the game is over"):
        history.play(1)


def test_whoever_repeats_has_lost():
    history = play(Token("loss"), -1, 1)  # player 1 brought the first position back
    assert history.is_over
    assert (history.utility(0), history.utility(1)) == (1, -1)


def test_nature_cannot_lose():
    class Chancy(Token):
        chancy = True

    history = play(Chancy("loss"), -1, 1)  # player 0 pushed, nature pushed back
    assert history.is_repeated
    assert (history.utility(0), history.utility(1)) == (-1, 1)


def test_a_forbidden_repetition_is_not_legal():
    history = play(Token("forbidden"), -1)
    assert history.actions() == []  # the only move would bring the first position back
    assert history.is_over
    history = play(Token("forbidden"), 1)
    assert history.actions() == [1]
    assert [history.is_legal(a) for a in (-1, 0, 1)] == [False, False, True]
    with pytest.raises(GameError, match="token: -1 would repeat a position"):
        history.play(-1)
    assert history.state == (2, 1)
    assert history.moves == [1]


def test_a_pass_repeats_nothing():
    class Passing(IgnoringTurn):
        passes = True

    history = play(Passing("forbidden"), 0, 0, 0)
    assert history.actions() == [-1, 1, 0]
    history.play(1)
    assert history.actions() == [1, 0]


def test_what_counts_as_the_same_position_is_the_games_business():
    one, other = Token("draw"), IgnoringTurn("draw")
    one.passes = other.passes = True
    assert not play(one, 0).is_over  # the same place, and the other's turn
    assert play(other, 0).is_over


def test_a_forbidden_repetition_with_a_higher_count():
    history = play(Token("forbidden", 3), -1, 1, -1)
    assert history.actions() == []


def test_an_illegal_move_changes_nothing():
    history = play(Token("draw"), 1)
    for wrong in (2, 0, None, "1"):
        with pytest.raises(GameError, match="is not a legal action here"):
            history.play(wrong)
    assert history.moves == [1]
    assert len(history.states) == 2


def test_an_illegal_move_is_refused_whatever_it_is():
    history = History(load("tic-tac-toe", compiled=False))
    for wrong in (9, -1, "a3", None):
        assert not history.is_legal(wrong)
        with pytest.raises(GameError, match="is not a legal action here"):
            history.play(wrong)


def test_moves_can_be_taken_back():
    history = play(Token("draw"), -1, 1)
    assert history.is_over
    assert history.undo() == 1
    assert not history.is_over
    assert history.state == (0, 1)
    history.play(1)
    assert history.is_over
    assert [history.undo(), history.undo()] == [1, -1]
    assert history.state == (1, 0)
    with pytest.raises(GameError, match="no move to take back"):
        history.undo()
    assert not play(Token("draw"), -1).is_over


def test_a_game_may_be_taken_up_in_the_middle():
    history = History(Token("draw"), (2, 0))
    history.play(-1)
    history.play(1)
    assert history.is_repeated
