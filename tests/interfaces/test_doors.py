"""Every door leads to the same search: Python, the command line, a player, the studio."""

import json

import pytest

import zermelo
from zermelo import History
from zermelo.interfaces.cli import main
from zermelo.interfaces.studio.tasks import perform

NODES = 3000
POSITIONS = [
    ("chess", ("e4", "e5", "Nf3"), "alphabeta"),
    ("connect-four", ("4", "4"), "alphabeta"),
    ("backgammon", ("6-5",), "alphabeta"),
    ("connect-four", ("4",), "mcts"),
    ("tic-tac-toe", ("b2",), "montecarlo"),
]
EVALUATORS = ("handcrafted", "learned", None)


@pytest.fixture(params=POSITIONS, ids=lambda one: f"{one[0]} {one[2]}")
def asked(request):
    name, moves, search = request.param
    history = History(zermelo.load(name))
    for text in moves:
        history.play(history.game.parse_action(history.state, text))
    written = [history.game.format_action(s, a) for s, a in zip(history.states, history.moves, strict=False)]
    return name, history, written, search


def through_python(history, search, evaluator):
    settings = {} if evaluator is None else {"evaluator": evaluator}
    report = zermelo.search(history.game, history, nodes=NODES, algorithm=search, **settings)
    return history.game.format_action(history.state, report.best), report.value_for(0), report.nodes


def through_the_command_line(name, moves, search, evaluator, capsys):
    more = [] if evaluator is None else ["--evaluator", evaluator]
    command = ["search", name, "--moves", ",".join([*moves, ""]), "-a", search, "--nodes", str(NODES), "--json", *more]
    assert main(command) == 0
    told = json.loads(capsys.readouterr().out)
    return told["best"], told["value"] if told["view"] == 0 else -told["value"], told["nodes"]


def spec_of(search, evaluator):
    word = "simulations" if search == "mcts" else "nodes"
    return f"{search}:{word}={NODES}" + (f",evaluator={evaluator}" if evaluator else "")


def through_a_player(history, search, evaluator):
    player = zermelo.player(spec_of(search, evaluator), history.game)
    move = history.game.format_action(history.state, player.choose(history))
    return move, player.report.value_for(0), player.report.nodes


def through_the_studio(name, moves, search, evaluator):
    message = {"task": "move", "game": name, "moves": moves, "player": spec_of(search, evaluator)}
    told = perform(message, lambda news: None)
    return told["move"], told["report"]["value"], told["report"]["nodes"]


@pytest.mark.jit
def test_the_same_move_and_value_through_every_door(asked, capsys):
    name, history, moves, search = asked
    for evaluator in EVALUATORS if search == "alphabeta" else (None,):
        found = through_python(history, search, evaluator)
        assert through_the_command_line(name, moves, search, evaluator, capsys) == found
        assert through_a_player(history, search, evaluator) == found
        if search not in ("mcts", "montecarlo"):  # the studio plays with a seed of its own
            assert through_the_studio(name, moves, search, evaluator) == found


@pytest.mark.jit
def test_an_explanation_is_of_the_same_search(capsys):
    game = zermelo.load("chess")
    told = zermelo.explain(game, nodes=NODES)
    report = zermelo.search(game, nodes=NODES)
    assert (told.report.best, told.report.depth) == (report.best, report.depth)
    assert main(["search", "chess", "--nodes", str(NODES), "--why", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["choice"] == game.format_action(game.start(), report.best)


@pytest.mark.jit
def test_the_default_evaluator_is_the_learned_one():
    game = zermelo.load("chess")
    found = {evaluator: zermelo.search(game, nodes=NODES, evaluator=evaluator).value for evaluator in EVALUATORS}
    assert found[None] == found["learned"] != found["handcrafted"]
