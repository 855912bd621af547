"""Finding games: by name among those that come with the package, or in a file of the user's own.

load("tic-tac-toe")              games/tic_tac_toe.py
load("connect-four", width=5)    a variant
load("path/to/my.py:MyGame")     an object in a file
"""

from __future__ import annotations

import difflib
import hashlib
import importlib
import importlib.util
import inspect
import pkgutil
import sys
from collections.abc import Mapping
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from zermelo.core.files import given_path
from zermelo.core.game import Game, GameError, GameFamily, shorten


def games() -> list[str]:
    """The names of the games that come with the package."""
    folder = Path(__file__).parents[1] / "games"  # by its place: the core imports no game
    return sorted(m.name.replace("_", "-") for m in pkgutil.iter_modules([str(folder)]) if m.name[0] != "_")


def load(name: str, **options: Any) -> Game[Any, Any]:
    """The game called `name`, or the one at `file.py:Name`; `options` choose a variant or set fields at the start."""
    source = find(name)
    if isinstance(source, Game):
        if options:
            raise GameError(f"{name} takes no options")
        return source
    if isinstance(source, type):
        _check_options(name, source, options)
    game = source(**options)
    game.origin = name
    return game  # type: ignore[no-any-return]


def thaw(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as `load` takes them, from JSON, which has lists where they were tuples."""
    return {name: _tuple(value) for name, value in options.items()}


def _tuple(value: Any) -> Any:
    return tuple(_tuple(v) for v in value) if isinstance(value, list) else value


def as_game(game: Any) -> Game[Any, Any]:
    """A game; or the one that a name, rules or a class stand for, without options."""
    if isinstance(game, Game):
        return game
    if isinstance(game, str):
        return load(game)
    if isinstance(game, GameFamily):
        return game()  # type: ignore[operator, no-any-return]
    if isinstance(game, type) and issubclass(game, Game):
        _check_options(game.name, game, {})
        return game()
    raise GameError(f"{shorten(game)} is not a game: give one, or its name")


def _check_options(name: str, source: type, options: dict[str, Any]) -> None:
    """A Game subclass is made with the arguments of its own __init__."""
    try:
        inspect.signature(source).bind(**options)
    except TypeError:
        wanted = inspect.signature(source).parameters.values()
        says = ", ".join(p.name + ("" if p.default is p.empty else f"={p.default!r}") for p in wanted)
        given = ", ".join(options) or "nothing"
        raise GameError(f"{name} needs other options than {given}: {says or 'none at all'}") from None


def find(name: str) -> Any:
    """The rules, the Game subclass or the Game that `name` stands for."""
    if not isinstance(name, str):
        raise GameError(f"a game is loaded by its name, not by {shorten(name)}")
    if ".py" in name or "/" in name:
        return _in_file(name)
    if name not in games():
        close = difflib.get_close_matches(name, games(), 3, 0.5)
        hint = f"did you mean {' or '.join(close)}?" if close else f"there are: {', '.join(games())}"
        raise GameError(f"no game is called '{name}'; {hint}")
    module = importlib.import_module(f"zermelo.games.{name.replace('-', '_')}")
    found = [thing for thing in _candidates(module) if thing.name == name]
    if not found:
        raise GameError(f"the file of {name} holds no game of that name")
    return found[0]


def _candidates(module: ModuleType) -> list[Any]:
    """The games a module defines itself, in the order written."""
    return [
        thing
        for thing in vars(module).values()
        if isinstance(thing, Game)
        or (isinstance(thing, GameFamily) and _is_inside(thing, module))
        or (isinstance(thing, type) and issubclass(thing, Game) and _is_inside(thing, module))
    ]


def _is_inside(thing: Any, module: ModuleType) -> bool:
    """Is it defined in the module, or in a file of the package that the module is?"""
    return f"{thing.__module__}.".startswith(f"{module.__name__}.")


def _in_file(name: str) -> Any:
    path_text, _, attribute = name.rpartition(":") if ":" in name else (name, "", "")
    path = given_path(path_text)
    if not path.is_file():
        raise GameError(f"there is no file '{path_text}'")
    module = _import_file(path)
    candidates = _candidates(module)
    if not attribute:
        if len(candidates) != 1:
            names = ", ".join(_name_in(module, c) for c in candidates) or "none"
            raise GameError(f"say which game of {path_text} you mean, as {path_text}:Name; it defines: {names}")
        return candidates[0]
    for candidate in candidates:
        if attribute in (_name_in(module, candidate), candidate.name):
            return candidate
    names = ", ".join(_name_in(module, c) for c in candidates) or "none"
    raise GameError(f"{path_text} defines no game '{attribute}'; it defines: {names}")


def _name_in(module: ModuleType, thing: Any) -> str:
    return next(name for name, value in vars(module).items() if value is thing)


class _File:
    """A file of the user's own as it was when it was imported, with the modules beside it that it imported."""

    def __init__(self, path: Path, module: ModuleType):
        self.module = module
        self.beside = _modules_beside(path.parent)
        files = [path, *(Path(str(beside.__file__)) for beside in self.beside.values())]
        self.texts = {file: _digest(file) for file in files}

    @property
    def is_current(self) -> bool:
        return all(_digest(file) == text for file, text in self.texts.items())


_loaded: dict[Path, _File] = {}


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as problem:
        return str(problem)


def _modules_beside(folder: Path) -> dict[str, ModuleType]:
    """The modules that were imported from `folder`, by the names they are imported by."""
    found = {}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and name.partition(".")[0] not in ("zermelo", "__main__"):
            plain = folder.joinpath(*name.split("."))
            if Path(file) in (plain.with_name(f"{plain.name}.py"), plain / "__init__.py"):
                found[name] = module
    return found


def _forget_helpers(folder: Path) -> None:
    """Drop what earlier game files imported from beside them, if it has changed or stands in another folder.

    Its name may mean another file here, and a module that is still in sys.modules would not be read again.
    """
    for path, file in _loaded.items():
        if path.parent != folder or not file.is_current:
            for name, module in file.beside.items():
                if sys.modules.get(name) is module:
                    del sys.modules[name]


def _import_file(path: Path) -> ModuleType:
    """Run somebody's file as a module, anew whenever its text, or that of a helper beside it, has changed."""
    path = path.resolve()
    if path in _loaded and _loaded[path].is_current:
        return _loaded[path].module
    _forget_helpers(path.parent)
    importlib.invalidate_caches()
    name = f"zermelo_file_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or not isinstance(spec.loader, SourceFileLoader):
        raise GameError(f"'{path}' is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent))  # helpers beside it can be imported
    writes = sys.dont_write_bytecode
    sys.dont_write_bytecode = True  # a .pyc does not notice an edit within the same second
    try:
        exec(spec.loader.source_to_code(path.read_bytes(), str(path)), module.__dict__)
    except GameError:
        raise
    except SyntaxError as mistake:
        file = Path(mistake.filename or path).name
        raise GameError(f"{file}, line {mistake.lineno}: {mistake.msg}") from mistake
    except OSError as problem:
        raise GameError(f"'{path}' cannot be read: {problem.strerror or problem}") from problem
    except Exception as mistake:
        line = _line_in(mistake, path)
        raise GameError(f"{path.name}{line}: {type(mistake).__name__}: {mistake}") from mistake
    finally:
        sys.dont_write_bytecode = writes
        sys.path.remove(str(path.parent))
    _loaded[path] = _File(path, module)
    return module


def _line_in(mistake: Exception, path: Path) -> str:
    line, trace = "", mistake.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = f", line {trace.tb_lineno}"
        trace = trace.tb_next
    return line


def reload_game(origin: str, options: dict[str, Any], compiled: bool) -> Game[Any, Any]:
    """Load a game again in another process."""
    return load(origin, **options, compiled=compiled)
