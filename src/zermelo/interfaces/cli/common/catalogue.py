"""What games there are, read from their files without running them: the compiler need not be waited for.

A number of players, or a chance node, that depends on the variant is None.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.core.registry import games


@dataclass(frozen=True)
class Entry:
    name: str
    players: int | None  # None: it depends on the variant
    chance: bool | None
    description: str
    options: dict[str, Any]  # the variant's parameters and their defaults


def catalogue() -> list[Entry]:
    import zermelo.games as package

    folder = Path(next(iter(package.__path__)))
    return [read_entry(name, _rules_file(folder, name.replace("-", "_"))) for name in games()]


def _rules_file(folder: Path, name: str) -> Path:
    """A game is a file, or a folder with its rules in `rules.py`."""
    file = folder / f"{name}.py"
    return file if file.exists() else folder / name / "rules.py"


def read_entry(name: str, path: Path) -> Entry:
    module = ast.parse(path.read_text(encoding="utf-8"))
    about = (ast.get_docstring(module) or "").partition("\n")[0]
    description = about.partition(": ")[2] or about
    for node in module.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            declared = _decorated(node, name) if node.decorator_list else None
            if declared is None and isinstance(node, ast.ClassDef) and _constant(_assigned(node, "name")) == name:
                declared = {}
            if declared is not None:
                return Entry(name, _players(node, declared), _chance(node), description, _options(node))
    return Entry(name, None, None, description, {})


def _decorated(node: ast.ClassDef | ast.FunctionDef, name: str) -> dict[str, ast.expr] | None:
    """What stands in @rules(…), if it is this game's."""
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Name) and decorator.func.id == "rules":
            declared = {word.arg: word.value for word in decorator.keywords if word.arg}
            if _constant(declared.get("name")) == name:
                return declared
    return None


def _players(node: ast.ClassDef | ast.FunctionDef, declared: dict[str, ast.expr]) -> int | None:
    said = declared.get("players") or _assigned(node, "players")
    if said is None:
        return None if _sets_itself(node, "players") else 2
    players = _constant(said)
    return players if isinstance(players, int) else None


def _chance(node: ast.AST) -> bool | None:
    """Are there chance nodes? None where they are defined under a condition."""
    found: bool | None = False
    for inner in ast.walk(node):
        body = getattr(inner, "body", None)
        for child in body if isinstance(body, list) else ():
            if isinstance(child, ast.FunctionDef) and child.name == "chances":
                found = True if isinstance(inner, ast.ClassDef) else None
    return found


def _options(node: ast.ClassDef | ast.FunctionDef) -> dict[str, Any]:
    function = node
    if isinstance(node, ast.ClassDef):  # a Game subclass is made with the arguments of its __init__
        made = [n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"]
        if not made:
            return {}
        function = made[0]
    assert isinstance(function, ast.FunctionDef)
    names = [argument.arg for argument in function.args.args if argument.arg != "self"]
    defaults = function.args.defaults
    return dict(zip(names[len(names) - len(defaults) :], map(_default, defaults), strict=True))


def _default(node: ast.expr) -> Any:
    value = _constant(node)
    return ast.unparse(node) if value is None else value


def _assigned(node: ast.AST, name: str) -> ast.expr | None:
    """The expression given to `name` in a class, alone or in a row: `players, teams = 4, (0, 1, 0, 1)`."""
    for inner in ast.walk(node):
        for statement in inner.body if isinstance(inner, ast.ClassDef) else ():
            if isinstance(statement, ast.Assign):
                for target in statement.targets:
                    if isinstance(target, ast.Name) and target.id == name:
                        return statement.value
                    if isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
                        for one, value in zip(target.elts, statement.value.elts, strict=False):
                            if isinstance(one, ast.Name) and one.id == name:
                                return value
    return None


def _sets_itself(node: ast.AST, name: str) -> bool:
    return any(isinstance(n, ast.Attribute) and n.attr == name and isinstance(n.ctx, ast.Store) for n in ast.walk(node))


def _constant(node: ast.expr | None) -> Any:
    return node.value if isinstance(node, ast.Constant) else None
