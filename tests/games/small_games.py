"""What the tests of the small games share: random play, and what every game promises of its presentation."""

import xml.etree.ElementTree as ElementTree
from random import Random

import pytest

from zermelo.core.game import CHANCE, OVER, GameError


def random_states(game, seed, most=300):
    """The states of one random game, the first and the last included."""
    rng, states = Random(seed), [game.start()]
    while game.player(states[-1]) != OVER and len(states) <= most:
        states.append(game.succ(states[-1], rng.choice(game.actions(states[-1]))))
    return states


def check_presentation(game, seed):
    """Positions and actions can be written and read again, and every action can be clicked in the drawing."""
    for s in random_states(game, seed):
        line = game.format(s)
        assert "\n" not in line
        assert game.parse(line) == s, line
        assert game.text(s)
        names = drawn_cells(game, s)
        for a in game.actions(s):
            assert game.parse_action(s, game.format_action(s, a)) == a
            assert names is None or set(game.clicks(s, a)) <= names


def drawn_cells(game, s):
    """The names of the cells in the drawing, which must be XML; None where the game draws none."""
    picture = game.svg(s)
    if picture is None:
        return None
    root = ElementTree.fromstring(picture)
    names = [e.get("data-at") for e in root.iter() if e.get("data-at")]
    assert len(names) == len(set(names))
    return set(names)


def check_interpreted(game, seed):
    """Plain Python says the same of every state as the compiled rules do."""
    plain = game.interpreted
    assert plain.start() == game.start()
    for s in random_states(game, seed):
        twin = plain.parse(game.format(s))
        assert twin == s
        assert plain.player(twin) == game.player(s)
        assert plain.actions(twin) == game.actions(s)
        assert plain.key(twin) == game.key(s)
        assert plain.evaluate(twin) == game.evaluate(s)
        if game.player(s) == CHANCE:
            assert plain.chances(twin) == game.chances(s)
        if game.player(s) == OVER:
            assert [plain.utility(twin, p) for p in range(game.players)] == payoffs(game, s)
        for a in game.actions(s):
            assert plain.succ(twin, a) == game.succ(s, a)


def payoffs(game, s):
    return [game.utility(s, p) for p in range(game.players)]


def refusal(read, *arguments):
    """The one sentence in which a GameError refuses bad input."""
    with pytest.raises(GameError) as refused:
        read(*arguments)
    sentence = str(refused.value)
    assert sentence
    assert "\n" not in sentence
    return sentence
