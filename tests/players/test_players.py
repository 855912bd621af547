"""Players that are not people: legal, reproducible, and as good as they say."""

import random

import pytest

import zermelo
from zermelo import CHANCE, OVER, Game, GameError, History
from zermelo.players.human import Human
from zermelo.players.player import as_history, first_choice
from zermelo.players.search_player import SearchPlayer
from zermelo.search.limits import Limits
from zermelo.search.report import Report
from zermelo.textbook import alphabeta, limited_minimax

PLAIN = ("random", "minimax:depth=2", "expectiminimax:depth=1", "level=2", "level=6")


class Countdown(Game):
    """Take one or two from ten; whoever takes the last wins. Plain Python."""

    name = "countdown"

    def start(self):
        return (10, 0)

    def player(self, s):
        return OVER if s[0] == 0 else s[1]

    def actions(self, s):
        return [n for n in (1, 2) if n <= s[0]]

    def succ(self, s, a):
        return (s[0] - a, 1 - s[1])

    def utility(self, s, player=0):
        return 1.0 if player == 1 - s[1] else -1.0


class Back(Game):
    """Walk on a line of five places; standing on a place again is a loss for who went there."""

    name = "back"
    repetition = "loss"

    def start(self):
        return (2, 0)

    def player(self, s):
        return s[1]

    def actions(self, s):
        return [step for step in (-1, 1) if 0 <= s[0] + step < 5]

    def succ(self, s, a):
        return (s[0] + a, 1 - s[1])

    def utility(self, s, player=0):
        return 0.0


def play(game, players, seed=0):
    history = History(game)
    dice = random.Random(seed)
    while not history.is_over and len(history.moves) < 300:
        if history.player() == CHANCE:
            outcomes, weights = zip(*game.chances(history.state), strict=True)
            history.play(dice.choices(outcomes, weights)[0])
        else:
            history.play(players[history.player()].choose(history))
    return history


@pytest.mark.parametrize("name", ["tic-tac-toe", "pig", "partners"])
@pytest.mark.parametrize("text", PLAIN)
def test_legal_and_reproducible(name, text):
    game = zermelo.load(name, **({"goal": 20} if name == "pig" else {}))
    games = []
    for _ in range(2):
        players = [zermelo.player(text, game) for _ in range(game.players)]
        for number, player in enumerate(players):
            player.reset(number)
        games.append(play(game, players).moves)
    assert games[0] == games[1]
    assert games[0]


def test_another_seed_gives_other_games():
    game = zermelo.load("tic-tac-toe")
    player = zermelo.player("random", game)
    lines = set()
    for seed in range(20):
        player.reset(seed)
        lines.add(tuple(play(game, [player, player]).moves))
    assert len(lines) > 15


def test_a_seed_in_the_text_counts_too():
    game = zermelo.load("connect-four")
    moves = {
        text: [p.choose(game.start()) for p in [zermelo.player(text, game)] for _ in range(20)]
        for text in ("random:seed=1", "random:seed=2")
    }
    assert moves["random:seed=1"] != moves["random:seed=2"]


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four"])
def test_minimax_plays_a_move_of_the_textbooks_value(name):
    game = zermelo.load(name, **({"width": 4, "height": 4} if name == "connect-four" else {}))
    player = zermelo.player("minimax:depth=3", game)
    draw = random.Random(4)
    for _ in range(15):
        history = History(game)
        for _ in range(draw.randrange(6)):
            if not history.is_over:
                history.play(draw.choice(history.actions()))
        if history.is_over:
            continue
        s = history.state
        action = player.choose(history)
        value = alphabeta(game, s, depth=3)
        assert alphabeta(game, game.succ(s, action), depth=2) == value
        sign = 1 if game.player(s) == 0 else -1
        assert player.report.value == sign * value
        assert player.report.best == action


def test_expectiminimax_averages_the_dice():
    game = zermelo.load("pig", goal=12)
    player = zermelo.player("expectiminimax:depth=2", game)
    history = first_choice(game)
    action = player.choose(history)
    s = history.state
    values = {a: limited_minimax(game, game.succ(s, a), 1) for a in game.actions(s)}
    assert values[action] == pytest.approx(max(values.values()))
    assert player.report.value == pytest.approx(values[action])
    assert {m.action: m.value for m in player.report.moves} == pytest.approx(values)


@pytest.mark.parametrize("text", ["minimax:depth=10", "expectiminimax:depth=10", "level=9", "level=10"])
def test_a_plain_python_game_is_searched_by_the_textbook(text):
    game = Countdown()
    player = zermelo.player(text, game)
    assert player.choose((4, 0)) == 1  # three left is lost for the other
    assert player.choose((5, 1)) == 2
    assert player.choose((2, 0)) == 2


@pytest.mark.parametrize("text", ["minimax:depth=1", "expectiminimax:depth=2", "level=5"])
def test_repetition_counts_at_the_root(text):
    game = Back()
    history = History(game)
    history.play(1)  # 3
    # going back to 2 is a loss: whoever looks goes to 4
    history = History(game, (2, 0))
    history.play(1)
    history.play(-1)  # (2, 0) stands for the second time
    assert history.is_over
    history.undo()
    assert zermelo.player(text, game).choose(history) == 1
    assert len(history.moves) == 1  # left as it was


def test_nothing_to_choose():
    game = zermelo.load("tic-tac-toe")
    over = game.parse("xxx oo. ...")
    with pytest.raises(GameError, match="the game is over"):
        zermelo.player("random", game).choose(over)
    pig = zermelo.load("backgammon")
    with pytest.raises(GameError, match="nature's turn"):
        zermelo.player("random", pig).choose(pig.start())


def test_fixed_depth_is_for_two_sides():
    game = zermelo.load("chinese-checkers", players=3, size=2)
    with pytest.raises(GameError, match="two sides"):
        zermelo.player("minimax", game)


def test_a_person_is_asked_until_the_move_is_legal(capsys):
    game = zermelo.load("tic-tac-toe")
    typed = iter(["z9", "b2"])
    player = Human(game, "human", ask=lambda prompt: next(typed))
    assert game.format_action(game.start(), player.choose(game.start())) == "b2"
    assert "z9" in capsys.readouterr().err
    assert player.is_human


# -- any search --------------------------------------------------------------------------------------------------------


class Stub:
    """A search that finds the last move best."""

    def __init__(self, game, stopped="depth", best=-1):
        self.game, self.stopped, self.best, self.forgot, self.asked = game, stopped, best, 0, []

    def reports(self, position, limits):
        self.asked.append(limits)
        s, best = position.state, position.actions()[-1] if self.best == -1 else self.best
        yield Report(self.game, s, "stub", position.actions()[0], 0.0)
        yield Report(self.game, s, "stub", best, 0.0, stopped=self.stopped)

    def stop(self):
        self.stopped = "stop"

    def clear(self):
        self.forgot += 1


def test_the_last_report_is_the_answer():
    game = zermelo.load("tic-tac-toe")
    stub = Stub(game)
    player = SearchPlayer(game, "stub", stub, Limits(depth=2))
    assert player.choose(game.start()) == game.actions(game.start())[-1]
    assert player.report.algorithm == "stub"
    player.reset(3)
    assert stub.forgot == 1
    assert player.report is None
    player.prepare()
    assert stub.asked[-1] == Limits(nodes=1)


def test_a_stopped_search_has_an_answer():
    game = zermelo.load("tic-tac-toe")
    assert SearchPlayer(game, "stub", Stub(game, "stop"), Limits(seconds=1)).choose(game.start()) == 8
    assert SearchPlayer(game, "stub", Stub(game, "stop", best=None), Limits(seconds=1)).choose(game.start()) in range(9)


def test_a_search_without_an_answer():
    game = zermelo.load("tic-tac-toe")
    with pytest.raises(GameError, match="found no move"):
        SearchPlayer(game, "stub", Stub(game, best=None), Limits(seconds=1)).choose(game.start())
    hurried = SearchPlayer(game, "stub", Stub(game, "seconds", best=None), Limits(seconds=1))
    assert hurried.choose(game.start()) in game.actions(game.start())


def test_a_single_move_needs_no_clock():
    game = zermelo.load("nim", fruits=1)
    stub = Stub(game)
    assert SearchPlayer(game, "stub", stub, Limits(seconds=60)).choose(game.start()) == 1
    assert stub.asked == []


def test_a_second_a_move_where_nothing_is_said():
    game = zermelo.load("tic-tac-toe")
    assert zermelo.player("alphabeta", game).limits == Limits(seconds=1.0, shortening=0.1)
    assert zermelo.player("alphabeta:depth=3", game).limits == Limits(depth=3, shortening=0.1)


def test_as_history_takes_both():
    game = zermelo.load("tic-tac-toe")
    history = History(game)
    assert as_history(game, history) is history
    assert as_history(game, game.start()).state == game.start()
