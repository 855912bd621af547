"""One suite that every game passes, whichever games there are."""

import xml.etree.ElementTree as ElementTree
from random import Random

import pytest

import zermelo
from zermelo import CHANCE, Game, Marks
from zermelo.check import check_game
from zermelo.core.history import History

NAMES = zermelo.games()


@pytest.fixture(scope="module", params=NAMES)
def game(request):
    return zermelo.load(request.param)


def random_history(game, seed, plies):
    random, history = Random(seed), History(game)
    while not history.is_over and len(history.moves) < plies:
        if history.player() == CHANCE:
            outcomes, weights = zip(*game.chances(history.state), strict=True)
            history.play(random.choices(outcomes, weights)[0])
        else:
            history.play(random.choice(list(history.actions())))
    return history


@pytest.mark.jit
def test_check_finds_no_fault(game):
    report = check_game(game, games=10, seconds=3.0, positions=150)
    assert report.ok, str(report)
    assert report.states > 1


@pytest.mark.jit
def test_taking_back_every_move_leads_to_the_start(game):
    history = random_history(game, 3, 30)
    played = list(history.moves)
    assert played
    assert [history.undo() for _ in played] == played[::-1]
    assert history.state == game.start()


@pytest.mark.jit
def test_positions_and_moves_survive_as_text(game):
    history = random_history(game, 5, 40)
    for s, a in zip(history.states, history.moves, strict=False):
        assert game.parse(game.format(s)) == s
        if game.player(s) != CHANCE:
            assert game.parse_action(s, game.format_action(s, a)) == a


def refusal(game, text):
    """What the game says of a text; "read" where it is a position after all."""
    try:
        game.parse(text)
    except zermelo.GameError as problem:
        return str(problem)
    return "read"


@pytest.mark.jit
def test_bad_texts_get_one_sentence(game):
    for text in ("", "§", "a" * 300, "{}", "0" * 70, "\n\n", "x=1"):
        assert "\n" not in refusal(game, text)
        with pytest.raises(zermelo.GameError) as caught:
            game.parse_action(game.start(), text or "§")
        assert "\n" not in str(caught.value)


@pytest.mark.jit
def test_drawings_mark_and_name_what_is_clicked(game):
    history = random_history(game, 7, 12)
    s = next(s for s in history.states if game.player(s) >= 0)
    clicks = [game.clicks(s, a) for a in game.actions(s)]
    drawing = game.svg(s, Marks(targets=tuple(c[-1] for c in clicks if c), flip=False))
    assert game.text(s).strip()
    if drawing is None:
        return
    root = ElementTree.fromstring(drawing)
    assert root.get("viewBox")
    names = {element.get("data-at") for element in root.iter()}
    for cells in clicks:
        assert cells, "a drawn game says what is clicked"
        assert cells[0] in names
    assert game.svg(s, Marks(flip=True)) is not None


def test_names_are_the_files(game):
    assert isinstance(game, Game)
    assert game.name in NAMES
