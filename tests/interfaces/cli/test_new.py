"""`zermelo new`: every template is a right game, and nothing is ever written over."""

import re

import pytest

import zermelo
from zermelo.check import check_game

KINDS = ("placement", "movement", "dice")


@pytest.mark.jit
@pytest.mark.parametrize("kind", KINDS)
def test_every_template_passes_check(zermelo_cli, tmp_path, kind):
    outcome = zermelo_cli("new", "my-own-game", "--kind", kind, "--directory", tmp_path)
    assert outcome.code == 0
    assert "zermelo check" in outcome.out
    assert "zermelo explain" in outcome.out
    assert [path.name for path in tmp_path.iterdir()] == ["my_own_game.py"]
    game = zermelo.load(f"{tmp_path / 'my_own_game.py'}:MyOwnGame")
    assert game.name == "my-own-game"
    report = check_game(game, games=5, positions=120, seconds=15)
    assert report.ok, str(report)
    assert report.is_compiled


@pytest.mark.parametrize("kind", KINDS)
def test_a_template_is_commented_and_has_no_marks_left(zermelo_cli, tmp_path, kind):
    zermelo_cli("new", "other", "--kind", kind, "--directory", tmp_path)
    text = (tmp_path / "other.py").read_text()
    assert "__" not in text
    assert text.startswith('"""other: ')
    assert text.count("#") >= 5
    compile(text, "other.py", "exec")
    assert all(len(line) <= 120 for line in text.splitlines())


@pytest.mark.parametrize(("name", "title"), [("none", "NoneGame"), ("board", "BoardGame"), ("helper", "Helper")])
def test_a_class_hides_nothing_that_the_template_needs(name, title, zermelo_cli, tmp_path):
    assert zermelo_cli("new", name, "--directory", tmp_path).code == 0
    (written,) = tmp_path.iterdir()
    game = zermelo.load(f"{written}:{title}", compiled=False)
    assert game.name == name
    assert "<svg" in game.svg(game.start())


def test_the_planes_of_the_template_are_right_once_they_are_no_comment(zermelo_cli, tmp_path):
    zermelo_cli("new", "shown", "--directory", tmp_path)
    before, comment, rest = re.split(
        r"((?:    # +(?:def planes|for|if|out).*\n)+)", (tmp_path / "shown.py").read_text()
    )
    asked = re.search(r"policy_size=.*\)(?=\. \(See)", before)[0]
    text = before.replace("max_plies=SIZE * SIZE)", f"max_plies=SIZE * SIZE, {asked})") + comment.replace(
        "    # ", "    "
    )
    (tmp_path / "shown.py").write_text(text + rest)
    game = zermelo.load(f"{tmp_path / 'shown.py'}:Shown", compiled=False)
    assert game.variant.plane_shape == (2, 4, 4)
    report = check_game(game, games=2, positions=40, seconds=10)
    assert report.ok, str(report)


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_game_can_be_explained(zermelo_cli, tmp_path, kind, monkeypatch):
    zermelo_cli("new", "seen", "--kind", kind, "--directory", tmp_path)
    monkeypatch.chdir(tmp_path)
    game = zermelo.load("seen.py:Seen", compiled=False)
    assert game.text(game.start())
    assert game.parse(game.format(game.start())) == game.start()


def test_nothing_is_written_over(zermelo_cli, refused, tmp_path):
    (tmp_path / "mine.py").write_text("precious")
    assert "is there already, and is left as it is" in refused("new", "mine", "--directory", tmp_path)
    assert (tmp_path / "mine.py").read_text() == "precious"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("name", ["My-Game", "my_game", "3d-chess", "-x", "a--b", "../x", "x.py", "", "ä", "a" * 60])
def test_names_that_are_none(refused, tmp_path, name):
    assert "is not a game's name" in refused("new", "--directory", tmp_path, "--", name)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there(refused, tmp_path):
    assert "there is no folder" in refused("new", "x", "--directory", tmp_path / "nowhere")


def test_a_kind_that_is_not_there(refused, tmp_path):
    assert "'cards' is not one of" in refused("new", "x", "--kind", "cards", "--directory", tmp_path)


@pytest.mark.parametrize("name", ["chess", "numpy", "random", "open-spiel", "class"])
def test_a_file_that_would_hide_a_module_gets_another_name(zermelo_cli, refused, tmp_path, name):
    """Beside chess.py, `import chess` means that file, for the package and for everybody else."""
    module = name.replace("-", "_")
    outcome = zermelo_cli("new", name, "--directory", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [f"{module}_game.py"]
    assert f"({module}.py would hide the Python module {module})" in outcome.out
    title = "".join(part.capitalize() for part in name.split("-"))
    assert zermelo.load(f"{tmp_path / module}_game.py:{title}", compiled=False).name == name
    assert "is there already" in refused("new", name, "--directory", tmp_path)
