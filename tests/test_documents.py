"""What the documents show is run: README and docs as doctests, the game in the README, the examples."""

import ast
import doctest
import pydoc
import re
import runpy
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest
import typer

import zermelo
from zermelo.check import check_game
from zermelo.interfaces.cli import main
from zermelo.interfaces.cli.app import app
from zermelo.search.exhaustive import exhaustive

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
LONG = {"reinforce"}  # learns, in a library that compiles for some seconds first
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.jit
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_sessions_in_documents_give_what_they_show(path):
    result = doctest.testfile(str(path), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


def test_the_readme_shows_a_session():
    finder = doctest.DocTestParser().get_examples((ROOT / "README.md").read_text())
    assert len(finder) >= 8


@pytest.mark.jit
def test_the_game_in_the_readme_is_right(tmp_path):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    source = next(block for block in blocks if "@rules" in block)
    (tmp_path / "take_two.py").write_text(source)
    game = zermelo.load(str(tmp_path / "take_two.py") + ":TakeTwo")
    assert exhaustive(game).value == 1  # seven is not a multiple of three
    assert check_game(game, games=20, positions=50).ok


@pytest.mark.jit
@pytest.mark.parametrize("name", ["README.md", "docs/batches.md"])
def test_a_million_games_in_five_lines(name, capsys):
    """As written, but for the device and the number of games."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(), re.DOTALL)
    source = next(block for block in blocks if "1_000_000" in block)
    assert 'device="cuda"' in source
    assert len([line for line in source.splitlines() if line.strip()]) <= 5
    exec(source.replace("1_000_000", "2_000").replace('"cuda"', '"cpu"'), {})
    first, second = map(float, re.findall(r"-?\d\.\d*", capsys.readouterr().out))
    assert first == -second
    assert 0.05 < first < 0.2  # who begins wins 55.6 % of random games, and loses 44.1 %


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_between_documents_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", path.read_text()):
        if "://" not in target:
            assert (path.parent / target).exists(), f"{path.name} links to {target}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_named_in_documents_are_there(path):
    """Seen from the repository, from the package or from the document; those that a reader is to write are not."""
    text = path.read_text()
    names = re.findall(r"(?<![\w./-])((?:[\w.-]+/)+[\w-]+\.(?:py|md|json|cpp))\b", text)  # with a folder, anywhere
    names += re.findall(r"`((?:[\w-]+/)+)`", text)  # folders in backticks
    for name in names:
        if not re.search(r"my[-_]game|path/to|build/", name):
            places = (ROOT, ROOT / "src" / "zermelo", path.parent)
            assert any((place / name).exists() for place in places), f"{path.name} names {name}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_names_of_the_package_in_documents_are_there(path):
    for name in set(re.findall(r"\bzermelo(?:\.[A-Za-z]\w*)+", path.read_text())):
        assert pydoc.locate(name) is not None, f"{path.name} names {name}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_targets_of_make_in_documents_are_there(path):
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    text = path.read_text()
    assert targets >= set(re.findall(r"`make ([\w-]+)`", text) + re.findall(r"^    make ([\w-]+)", text, re.MULTILINE))


def commands_in(text):
    """The command lines of a document, in its blocks and in backticks; those with an ellipsis stand for several."""
    text = text.replace("\\\n", " ")
    lines = re.findall(r"^    (zermelo .*)$", text, re.MULTILINE) + re.findall(r"`(zermelo [^`]+)`", text)
    return [line for line in lines if "…" not in line.partition("#")[0]]


def test_every_command_is_documented():
    written = {line.split()[1] for path in DOCUMENTS for line in commands_in(path.read_text())}
    assert set(typer.main.get_command(app).commands) <= written


def test_the_readme_asks_for_the_python_that_the_package_needs():
    with (ROOT / "pyproject.toml").open("rb") as file:
        needed = tomllib.load(file)["project"]["requires-python"]
    assert f"Python {needed.removeprefix('>=')} or newer" in (ROOT / "README.md").read_text()


def test_the_commands_of_the_readme_that_are_quick_run(tmp_path, monkeypatch, capsys):
    """Those that list, explain or write a file; the others compile, play, train or serve, and have their own tests."""
    monkeypatch.chdir(tmp_path)
    lines = commands_in((ROOT / "README.md").read_text())
    quick = [line for line in lines if line.split()[1] in ("games", "explain", "new")]
    assert len(quick) >= 4
    for line in quick:
        assert main(shlex.split(line, comments=True)[1:]) == 0, line
        assert capsys.readouterr().out.strip()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_commands_in_documents_are_understood(path):
    """Command and options are read as they are typed; nothing is run."""
    command = typer.main.get_command(app)
    for line in commands_in(path.read_text()):
        _, *arguments = shlex.split(line.replace("\n", " "), comments=True)
        try:
            understand(command, arguments)
        except click.ClickException as error:
            pytest.fail(f"{line}: {error.format_message()}")


def understand(command, arguments):
    if isinstance(command, click.Group) and arguments:
        _, found, rest = command.resolve_command(click.Context(command), arguments)
        understand(found, rest)
    elif arguments:  # a bare name, as in "the command zermelo train", stands for the command itself
        with command.make_context(command.name, list(arguments)):
            pass


@pytest.mark.parametrize("name", zermelo.games())
def test_every_game_has_its_page(name):
    page = ROOT / "docs" / "games" / f"{name}.md"
    assert page.is_file()
    assert len(page.read_text().split()) > 60


@pytest.mark.jit
@pytest.mark.parametrize(
    "path", [pytest.param(p, id=p.stem, marks=[pytest.mark.slow] * (p.stem in LONG)) for p in EXAMPLES]
)
def test_examples_run(path):
    for library in re.findall(r"needs (\w+) and (\w+)$", ast.get_docstring(ast.parse(path.read_text())), re.MULTILINE):
        for name in library:
            pytest.importorskip(name, reason=f"{path.name} needs {name}")
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_every_page_has_its_place_in_the_site():
    """docs/site/assemble.py stops with a sentence about a page that the list of pages does not name."""
    assemble = runpy.run_path(str(ROOT / "docs" / "site" / "assemble.py"))
    pages = assemble["site"]()
    named = set(re.findall(r"\]\(([^)]+)\)", pages["SUMMARY.md"]))
    assert named == {place for place in pages if place.endswith(".md")} - {"SUMMARY.md"}


def test_the_reference_describes_every_room():
    """Each folder of the package says in one sentence what it is, and each of its modules is on its page."""
    assemble = runpy.run_path(str(ROOT / "docs" / "site" / "assemble.py"))
    pages = assemble["site"]()
    shown = set(re.findall(r"^::: ([\w.]+)$", "\n".join(map(str, pages.values())), re.MULTILINE))
    source = ROOT / "src"
    for path in (source / "zermelo").rglob("*.py"):
        module = ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__")
        if not any(part.startswith("_") for part in module.split(".")) and module != "zermelo":
            assert module in shown
    for package in assemble["rooms"]():
        assert package.sentence.endswith((".", "…")), package.name


def test_the_index_of_games_names_them_all():
    index = (ROOT / "docs" / "games" / "README.md").read_text()
    assert re.findall(r"\[([\w-]+)\]\(\1\.md\)", index) == zermelo.games()
