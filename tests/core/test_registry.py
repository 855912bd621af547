"""Finding games: by name, in files, in files that have changed."""

import pickle
import re

import pytest

import zermelo
from zermelo import Game, GameError
from zermelo.compile.record_game import RecordGame

GAME = """
from zermelo import OVER, Game, rules
from registry_helper import START


@rules(name="my-game", players=1, max_actions=1, zero_sum=False)
class MyGame:
    state = {"left": "i4"}

    def start(s):
        s.left = START

    def player(s):
        return 0 if s.left else OVER

    def actions(s, out):
        out[0] = 1
        return 1

    def apply(s, action):
        s.left -= action

    def utility(s, out):
        out[0] = 1.0


class Plain(Game):
    name = "plain"

    def __init__(self, size=3):
        self.size = size

    def start(self):
        return self.size

    def player(self, s):
        return OVER if s == 0 else 0

    def actions(self, s):
        return [1] if s else []

    def succ(self, s, a):
        return s - a

    def utility(self, s, player=0):
        return 0.0


instance = Plain(7)
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "my_game.py").write_text(GAME)
    (tmp_path / "registry_helper.py").write_text("START = 3\n")
    return tmp_path


def load(folder, name="MyGame", **options):
    return zermelo.load(f"{folder / 'my_game.py'}:{name}", **options)


def left(folder):
    return load(folder, compiled=False).start().left


# -- by name -----------------------------------------------------------------------------------------------------------


def test_games_are_listed_and_found():
    assert "tic-tac-toe" in zermelo.games()
    assert zermelo.games() == sorted(zermelo.games())
    game = zermelo.load("tic-tac-toe")
    assert isinstance(game, RecordGame)
    assert game.name == game.origin == "tic-tac-toe"
    assert not [name for name in zermelo.games() if name.startswith(("_", "-"))]


def test_every_listed_game_is_found():
    for name in zermelo.games():
        assert zermelo.load(name).name == name


def test_the_package_gives_its_names_when_asked():
    assert zermelo.load is not None
    assert zermelo.GameError is GameError
    assert "load" in dir(zermelo)
    with pytest.raises(AttributeError, match="no attribute 'lod'"):
        zermelo.lod  # noqa: B018


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tictactoe", "did you mean tic-tac-toe?"),
        ("zzz", "there are: "),
        ("", "there are: "),
        ("nowhere.py", "there is no file 'nowhere.py'"),
        ("nowhere.py:Game", "there is no file 'nowhere.py'"),
        ("../games", "there is no file"),
    ],
)
def test_a_name_that_is_none(name, words):
    with pytest.raises(GameError, match=re.escape(words)):
        zermelo.load(name)


# -- in a file ---------------------------------------------------------------------------------------------------------


def test_games_in_a_file(folder):
    assert load(folder, "MyGame").name == load(folder, "my-game").name == "my-game"
    assert load(folder, "Plain", size=5).start() == 5
    assert load(folder, "instance").start() == 7


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("Other", {}, "defines no game 'Other'; it defines: MyGame, Plain, instance"),
        ("Plain", {"sise": 5}, "needs other options than sise: size=3"),
        ("instance", {"size": 5}, "takes no options"),
        ("MyGame", {"right": 5}, "has no option 'right'; it has: left"),
    ],
)
def test_what_a_file_does_not_offer(folder, name, options, words):
    with pytest.raises(GameError, match=re.escape(words)):
        load(folder, name, **options)


def test_a_file_with_many_games_needs_a_name(folder):
    with pytest.raises(GameError, match="say which game"):
        zermelo.load(str(folder / "my_game.py"))


def test_a_file_with_one_game_needs_none(tmp_path):
    (tmp_path / "one.py").write_text(
        "from zermelo import Game\n" + GAME[GAME.index("class Plain") : GAME.index("instance")]
    )
    assert isinstance(zermelo.load(str(tmp_path / "one.py")), Game)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = = 1", "broken.py, line 1: invalid syntax"),
        ("x = 1\ny = 1 / 0\n", "broken.py, line 2: ZeroDivisionError"),
        ("import nowhere_at_all", "line 1: ModuleNotFoundError"),
        ("x = 1", "it defines: none"),
    ],
)
def test_a_broken_file_is_told_by_line(tmp_path, text, words):
    (tmp_path / "broken.py").write_text(text)
    with pytest.raises(GameError, match=re.escape(words)):
        zermelo.load(str(tmp_path / "broken.py"))


def test_games_survive_a_pickle(folder):
    game = load(folder, compiled=False)
    again = pickle.loads(pickle.dumps(game))
    assert again.start() == game.start()


# -- in a file that has changed ----------------------------------------------------------------------------------------


def test_a_file_is_read_once(folder):
    assert load(folder).variant is load(folder).variant


def test_a_changed_file_is_read_again(folder):
    assert left(folder) == 3
    (folder / "my_game.py").write_text(GAME.replace("s.left = START", "s.left = START + 1"))
    assert left(folder) == 4


def test_a_changed_helper_is_read_again(folder):
    assert left(folder) == 3
    (folder / "registry_helper.py").write_text("START = 4\n")  # as many bytes, in the same second
    assert left(folder) == 4


def test_what_a_helper_imports_is_read_again(folder):
    (folder / "registry_helper.py").write_text("from registry_deeper import START\n")
    (folder / "registry_deeper.py").write_text("START = 5\n")
    assert left(folder) == 5
    (folder / "registry_deeper.py").write_text("START = 6\n")
    assert left(folder) == 6


def test_helpers_of_one_name_in_two_folders(folder, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    (other / "my_game.py").write_text(GAME)
    (other / "registry_helper.py").write_text("START = 8\n")
    assert [left(folder), left(other), left(folder)] == [3, 8, 3]


@pytest.mark.jit
def test_a_changed_helper_is_compiled_anew(folder):
    assert load(folder).start().left == 3
    (folder / "registry_helper.py").write_text("START = 4\n")
    assert load(folder).start().left == 4


def test_a_mended_file_is_read_again(folder):
    (folder / "my_game.py").write_text("x = = 1")
    with pytest.raises(GameError):
        load(folder)
    (folder / "my_game.py").write_text(GAME)
    assert left(folder) == 3


def test_the_modules_of_a_program_are_let_be(folder):
    import sys

    before = sys.modules["zermelo.core.game"]
    left(folder)
    (folder / "registry_helper.py").write_text("START = 4\n")
    left(folder)
    assert sys.modules["zermelo.core.game"] is before
