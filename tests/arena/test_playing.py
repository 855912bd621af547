"""One game: what becomes of a player who fails, and of a game that does not end."""

import time

import pytest

import zermelo
from zermelo import OVER, Game, GameError
from zermelo.arena.plan import make_plan
from zermelo.arena.playing import forfeit, play_game
from zermelo.arena.records import replay
from zermelo.players.player import Player, as_history


class Scripted(Player):
    """Does what `act(history)` says, and `get_ready(history)` before."""

    def __init__(self, game, act, seconds=None, get_ready=lambda history: None):
        super().__init__(game, "scripted")
        self.act, self.seconds, self.get_ready = act, seconds, get_ready

    def make_ready(self, position):
        self.get_ready(position)

    def choose(self, position):
        return self.act(as_history(self.game, position))


def first(history):
    return history.actions()[0]


def one_game(act, seconds=None, game=None, get_ready=lambda history: None, **settings):
    game = game or zermelo.load("tic-tac-toe")
    plan = make_plan(game, ["random", "random:seed=1"], opening=0, **settings)
    players = [Scripted(game, first), Scripted(game, act, seconds, get_ready)]
    return play_game(plan, plan.fixture(0), game, players)


def test_a_whole_game():
    record = one_game(first)
    assert record["reason"] == "finished"
    assert record["fault"] is None
    assert replay(record).utility() == record["payoffs"][0]
    assert record["players"] == ["random", "random:seed=1"]
    assert record["zermelo"] == zermelo.__version__


def fails(history):
    raise RuntimeError("out of ideas")


def fails_while_trying(history):
    history.play(history.actions()[0])
    history.play(history.actions()[0])
    raise GameError("lost in thought")


def oversteps(history):
    time.sleep(0.3)
    return first(history)


@pytest.mark.parametrize(
    ("act", "seconds", "reason", "details"),
    [
        (lambda history: 99, None, "illegal move", "99"),
        (lambda history: None, None, "illegal move", "None"),
        (lambda history: history.moves[0], None, "illegal move", "0"),
        (fails, None, "failed", "RuntimeError: out of ideas"),
        (fails_while_trying, None, "failed", "lost in thought"),
        (oversteps, 0.01, "overstepped time", "of 0.01 s"),
    ],
)
def test_a_fault_loses_the_game(act, seconds, reason, details):
    record = one_game(act, seconds, margin=0.1)
    assert record["reason"] == reason
    assert record["fault"]["seat"] == 1
    assert details in record["fault"]["details"]
    assert record["payoffs"] == [1.0, -1.0]
    assert len(record["moves"]) == 1
    assert replay(record).moves  # what was played before is there


def test_a_margin_forgives():
    assert one_game(oversteps, 0.01, margin=10.0)["reason"] == "finished"


def test_getting_ready_takes_no_time_of_the_clock_but_may_fail():
    record = one_game(first, 0.01, get_ready=oversteps, margin=0.1)
    assert record["reason"] == "finished"
    assert record["used"][1] < 0.2 < record["seconds"]
    record = one_game(first, get_ready=fails_while_trying)
    assert (record["reason"], record["fault"]) == ("failed", {"seat": 1, "details": "lost in thought"})
    assert len(record["moves"]) == 1


class Endless(Game):
    """Nobody ever wins."""

    name = "endless"

    def start(self):
        return 0

    def player(self, s):
        return s % 2

    def actions(self, s):
        return [1]

    def succ(self, s, a):
        return s + a

    def utility(self, s, player=0):
        return 0.0

    def is_end(self, s):
        return self.player(s) == OVER


def test_a_game_that_does_not_end_is_drawn():
    record = one_game(first, game=Endless(), max_plies=50)
    assert record["reason"] == "too long"
    assert record["payoffs"] == [0.0, 0.0]
    assert len(record["moves"]) == 50


def test_what_a_fault_costs():
    assert forfeit((0, 1), 0) == [-1.0, 1.0]
    assert forfeit((0, 1, 0, 1), 2) == [-1.0, 1.0, -1.0, 1.0]
    assert forfeit((0, 1, 2), 1) == [0.5, -1.0, 0.5]
    assert forfeit((0,), 0) == [-1.0]


def test_a_watch_can_say_what_is_lost_now():
    game = zermelo.load("tic-tac-toe")
    plan = make_plan(game, ["random", "random:seed=1"], opening=0)
    seen = []

    class Watching:
        def begins(self, seat, seconds, lost):
            self.seat, self.lost = seat, lost

        def ends(self):
            seen.append(len(self.lost((self.seat, "failed", "x"))["moves"]))

    def tries(history):
        history.play(history.actions()[0])
        history.undo()
        return first(history)

    players = [Scripted(game, tries), Scripted(game, first)]
    record = play_game(plan, plan.fixture(0), game, players, Watching())
    assert seen == list(range(len(record["moves"])))
