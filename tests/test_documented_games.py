"""Every game that the documentation shows, in pages and in docstrings, goes through `check`."""

import ast
import inspect
import re
import textwrap
from pathlib import Path

import pytest

import zermelo
from tests.test_documents import DOCUMENTS, ROOT
from zermelo.check import check_game

PRELUDE = "import numpy as np\nfrom zermelo import CHANCE, OVER, Game, GameError, helper, rules\n\n"
SKETCH = re.compile(r"class \w+[^\n]*: \.\.\.")  # where a class stands, not what is in it


def games_in_page(path):
    return [block for block in re.findall(r"```python\n(.*?)```", path.read_text(), re.DOTALL) if is_game(block)]


def games_in_docstrings(path):
    """The indented blocks of docstrings that hold a class of rules, or of a game."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            text = inspect.cleandoc(ast.get_docstring(node, clean=False) or "")
            blocks = re.findall(r"(?:^ {4,}.*\n?|^\n)+", text, re.MULTILINE)
            found += [block for block in map(textwrap.dedent, blocks) if is_game(block)]
    return found


def is_game(block):
    makes_one = re.search(r"^class \w+\(Game\b|^@rules(.|\n)*?^(class|def) ", block, re.MULTILINE)
    return bool(makes_one) and not SKETCH.search(block)


SHOWN = [
    pytest.param(block, id=f"{path.relative_to(ROOT)}-{i}")
    for path in [*DOCUMENTS, *sorted((ROOT / "src").rglob("*.py"))]
    for i, block in enumerate(games_in_page(path) if path.suffix == ".md" else games_in_docstrings(path))
]


@pytest.mark.parametrize("source", SHOWN)
def test_a_game_that_is_shown_is_right(source, tmp_path):
    (tmp_path / "shown.py").write_text(PRELUDE + source)
    game = zermelo.load(str(Path(tmp_path / "shown.py")))
    report = check_game(getattr(game, "interpreted", game), games=20, positions=200, seconds=10)
    assert report.ok, str(report)


def test_they_are_found():
    names = {name for param in SHOWN for name in re.findall(r"^class (\w+)", param.values[0], re.MULTILINE)}
    assert names >= {"TakeTwo", "Countdown", "Nim"}
    assert len(SHOWN) >= 4
