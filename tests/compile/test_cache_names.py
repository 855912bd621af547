"""What recompiles: the names under which machine code is kept, in copies of the package with something edited.

A name is made of the kernel's fingerprint, the record's type (which carries the game's) and the evaluator's; nothing is
compiled here. Docstrings, comments, line numbers and error messages change none of them; what a kernel calls does.
"""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import zermelo

PACKAGE = Path(zermelo.__file__).parent
ROOMS = ("core", "compile")  # where everything is called by everybody

NAMES = """
import importlib, json, pkgutil
import zermelo
from zermelo.compile.fingerprint import fingerprint
from zermelo.compile.kernel import _Cache
from zermelo.compile.record_game import RecordGame

found = {}
for module in pkgutil.walk_packages(zermelo.__path__, "zermelo."):
    room = module.name.split(".")[1]
    needs_more = "cuda" in module.name or "card" in module.name  # numba-cuda; what it compiles is not kept here
    if room in ("core", "compile", "evaluate", "search", "solve", "learn", "check") and not needs_more:
        for name, value in vars(importlib.import_module(module.name)).items():
            cache = getattr(value, "_cache", None)
            if isinstance(cache, _Cache):
                found[f"{cache._function.__module__}.{cache._function.__name__}"] = fingerprint(cache._function)
            elif isinstance(value, type) and hasattr(value, "estimate") and value.__module__ == module.name:
                found[f"{module.name}.{name}"] = fingerprint(value.estimate)
for name in zermelo.games():
    game = zermelo.load(name)
    if isinstance(game, RecordGame):
        found[name] = game.variant.dtype.names[-1]
print(json.dumps(found))
"""


class Reworded(ast.NodeTransformer):
    """Every docstring and every error message says something else; where there is no docstring, there is one."""

    def __init__(self):
        self.docstrings = self.messages = 0

    def visit_Module(self, node):
        self.generic_visit(node)
        self.docstrings += 1
        text = ast.get_docstring(node, clean=False)
        if text is None:
            node.body.insert(0, ast.Expr(ast.Constant("Reworded.")))
        else:
            node.body[0].value = ast.Constant(text + " Reworded.")
        return node

    visit_FunctionDef = visit_ClassDef = visit_Module  # noqa: N815

    def visit_Raise(self, node):
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                part.value += " (reworded)"
                self.messages += 1
        return node


def names_in(folder):
    """Every kernel, evaluator and game of the package in `folder`, with its fingerprint."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run([sys.executable, "-c", NAMES], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    return names_in(copied(tmp_path_factory.mktemp("before")))


def copied(folder):
    shutil.copytree(PACKAGE, folder / "zermelo", ignore=shutil.ignore_patterns("__pycache__", "weights", "*.png"))
    return folder


@pytest.mark.jit
def test_rewording_recompiles_nothing(before, tmp_path):
    copied(tmp_path)
    reworded = Reworded()
    for room in ROOMS:
        for file in (tmp_path / "zermelo" / room).rglob("*.py"):
            tree = ast.fix_missing_locations(reworded.visit(ast.parse(file.read_text())))
            file.write_text(ast.unparse(tree))  # without comments, and on other lines
    assert reworded.docstrings > 200
    assert reworded.messages > 30
    after = names_in(tmp_path)
    assert len(after) > 60
    assert [name for name in before | after if before.get(name) != after.get(name)] == []


@pytest.mark.jit
@pytest.mark.parametrize(
    ("file", "text", "other", "changed", "unchanged"),
    [
        # a helper: what calls it, in kernels and in rules
        ("compile/random.py", "x >> np.uint64(27)", "x >> np.uint64(26)", ["playout.play_random", "chess"], ["nim"]),
        # the default of a hook
        (
            "compile/hooks.py",
            "    return action\n",
            "    return action + 1\n",
            ["features.read_policy_indices"],
            ["playout.play_random", "questions.step", "alphabeta.kernel.search", "chess"],
        ),
        # how a compiled kernel picks the rules' function
        (
            "compile/guards.py",
            "rules.functions.get(name, default))",
            "rules.functions.get(name) or default)",
            ["playout.play_random", "questions.step", "alphabeta.kernel.search"],
            ["nim", "chess"],
        ),
    ],
    ids=["helper", "default", "target"],
)
def test_what_a_kernel_calls_recompiles_it(before, tmp_path, file, text, other, changed, unchanged):
    path = copied(tmp_path) / "zermelo" / file
    source = path.read_text()
    assert source.count(text) == 1
    path.write_text(source.replace(text, other))
    after = names_in(tmp_path)
    assert before.keys() == after.keys()
    for word in changed:
        assert [name for name in before if name.endswith(word) and before[name] != after[name]], word
    for word in unchanged:
        assert [name for name in before if name.endswith(word) and before[name] == after[name]], word
