"""The public ring: what `zermelo` offers a script is there, is what type checkers see, and costs nothing until used."""

import ast
import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import zermelo

ROOT = Path(__file__).parents[1]
CALLABLE = ("batch", "check", "games", "search", "solve")  # packages that are functions as well


def typed_names() -> dict[str, tuple[str, str]]:
    """What type checkers are told: the module of each public name, and what it is called there."""
    tree = ast.parse((ROOT / "src" / "zermelo" / "__init__.py").read_text())
    block = next(
        node for node in tree.body if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
    )
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    return {alias.asname or alias.name: (str(node.module), alias.name) for node in imports for alias in node.names}


def test_type_checkers_are_told_of_every_public_name():
    assert set(typed_names()) == set(zermelo.__all__)


@pytest.mark.parametrize("name", sorted(set(zermelo.__all__) - set(CALLABLE)))
def test_a_name_is_what_type_checkers_are_told(name):
    module, original = typed_names()[name]
    assert getattr(zermelo, name) is getattr(importlib.import_module(module), original)


@pytest.mark.parametrize("name", CALLABLE)
def test_a_package_that_can_be_called_has_the_signature_type_checkers_are_told(name):
    module, original = typed_names()[name]
    function = getattr(importlib.import_module(module), original)
    package = getattr(zermelo, name)
    assert package is importlib.import_module(f"zermelo.{name}")
    assert inspect.signature(package) == inspect.signature(function)


@pytest.mark.jit
def test_packages_are_called():
    game = zermelo.load("three-bins")
    assert "three-bins" in zermelo.games()
    assert zermelo.solve(game).value == zermelo.search(game, depth=2).value == 1
    assert zermelo.check(game, games=2, positions=10).ok


def test_a_name_that_is_not_there_is_refused():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = zermelo.nothing


def test_a_name_is_imported_when_it_is_used():
    """The compiler takes most of a second; a script that does not use it does not wait for it."""
    script = "import sys, zermelo; zermelo.games(); zermelo.History; assert not {'numba', 'numpy'} & set(sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def mypy(path: Path) -> str:
    """What mypy --strict says about a script, as it would with the package installed; nothing about the package."""
    pytest.importorskip("mypy")
    options = ["--strict", "--follow-imports=silent", "--config-file=", "--no-error-summary", "--hide-error-context"]
    command = [sys.executable, "-m", "mypy", *options, f"--cache-dir={ROOT / '.mypy_cache'}", str(path)]
    environment = {"MYPYPATH": str(ROOT / "src"), "PATH": ""}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment).stdout


def test_the_package_says_that_it_is_typed():
    assert (ROOT / "src" / "zermelo" / "py.typed").is_file()


def test_a_script_that_uses_the_ring_passes_strict_type_checking():
    path = ROOT / "examples" / "public.py"
    assert mypy(path) == ""
    names = {node.attr for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Attribute)}
    functions = {name for name in zermelo.__all__ if name.islower()} - {"helper", "rules"}  # these make games
    assert functions <= names


WRONG = """
import zermelo
game = zermelo.load(3)
zermelo.search(game, seconds="1")
a: int = zermelo.search(game).best_move
b: str = zermelo.solve(game)
zermelo.check()
zermelo.search(3)
e: str = zermelo.match(game, "random", "random").score
zermelo.train(game).weight
c: list[int] = zermelo.games()
d: float = zermelo.player("random", game)
zermelo.nothing
"""


def test_wrong_uses_are_seen(tmp_path):
    """Each line but the first is an error: nothing of the ring is Any."""
    (tmp_path / "wrong.py").write_text(WRONG.lstrip())
    lines = {int(line.split(":")[1]) for line in mypy(tmp_path / "wrong.py").splitlines() if "error:" in line}
    assert lines == set(range(2, 13))
