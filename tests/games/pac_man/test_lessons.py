"""What pac-man's file says it teaches: the description holds together, and the game offers everything it names."""

import pytest

import zermelo
from zermelo.games.pac_man.maze import LAYOUTS

EMPTY = "%%%%%%%/%_____%/%_%%%_%/%_____%/%%%%%%%"
FULL = "%%%%%%%/%___._%/%_%%%_%/%._o__%/%%%%%%%"


@pytest.fixture(scope="module")
def described():
    found = zermelo.load("pac-man", compiled=False).hook("lessons")
    assert found is not None
    return found()


def load(**options):
    return zermelo.load("pac-man", compiled=False, **options)


def test_other_games_have_no_such_lessons():
    assert zermelo.load("tic-tac-toe", compiled=False).hook("lessons") is None


def test_every_maze_can_be_chosen(described):
    label, mazes = described["choices"]["layout"]
    assert label == "Maze"
    assert set(mazes) == set(LAYOUTS)


def test_every_world_and_evaluation_is_a_variant_of_the_same_positions(described):
    for layout in LAYOUTS:
        everybody = load(layout=layout, **described["everybody"])
        start = everybody.format(everybody.start())
        for evaluation in described["choices"]["evaluation"][1]:
            for _, nature in described["worlds"].values():
                game = load(layout=layout, evaluation=evaluation, **(nature or described["everybody"]))
                assert game.format(game.parse(start)) == start


def test_the_others_are_players_where_the_agent_searches(described):
    game = load(layout="small", **described["everybody"])
    assert [game.side(p) for p in range(game.players)] == [0, 1, 1]


def test_every_run_chooses_among_what_is_offered(described):
    for lesson in described["lessons"]:
        assert lesson["title"]
        assert len(lesson["runs"]) == 2
        for _, choices in lesson["runs"]:
            assert set(choices) == set(described["usual"])
            for option, (_, values) in described["choices"].items():
                assert choices[option] in values
            assert choices["world"] in described["worlds"]


@pytest.mark.parametrize(
    ("position", "score", "words", "won"),
    [
        (f"{EMPTY} pacman b4:west ghosts f2:stop:0 turn 1 left 9 score 512", 512, "eaten", True),
        (f"{FULL} pacman f2:east ghosts f2:stop:0 turn 1 left 9 score -501 caught", -501, "caught", False),
        (f"{FULL} pacman b4:west ghosts f2:stop:0 turn 0 left 0 score -9", -9, "time", False),
    ],
)
def test_score_and_ending(described, position, score, words, won):
    s = load(layout="tiny", moves=300).parse(position)
    assert described["score"](s) == score
    said, is_win = described["ending"](s)
    assert words in said
    assert is_win is won
