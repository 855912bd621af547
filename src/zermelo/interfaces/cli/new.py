"""`zermelo new`: a game file of somebody's own, commented and working, to be changed into another game."""

from __future__ import annotations

import keyword
import os
import re
import sys
from enum import StrEnum
from importlib import resources
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Annotated

import typer

from zermelo.core.game import GameError
from zermelo.interfaces.cli.common.console import say
from zermelo.interfaces.cli.doctor import OPTIONAL


class Kind(StrEnum):
    placement = "placement"
    movement = "movement"
    dice = "dice"


def new(
    name: Annotated[str, typer.Argument(help="Lower-case letters, digits and dashes: my-game.")],
    kind: Annotated[
        Kind, typer.Option("--kind", "-k", help="Stones are placed, pieces are moved, or dice are thrown.")
    ] = Kind.placement,
    directory: Annotated[Path, typer.Option("--directory", "-d", help="Where to write the file.")] = Path(),
) -> None:
    """Write a commented, working game file of your own."""
    target, title = write_game(name, kind.value, directory)
    place = f"{target}:{title}"
    module = name.replace("-", "_")
    say(f"wrote {target}" + ("" if target.stem == module else f" ({module}.py would hide the Python module {module})"))
    say(f"\n    zermelo check {place}      are its rules right?")
    say(f"    zermelo explain {place} --depth 2      what does a search see?")
    say(f"\nChange it, and check it again. In Python: zermelo.load({place!r})", "dim")


def write_game(name: str, kind: str, directory: Path) -> tuple[Path, str]:
    """The file written and the name of the class in it; a file that is there already is left alone."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or len(name) > 50:
        raise GameError(f"'{name}' is not a game's name: small letters, digits and single dashes, as in my-game")
    if not directory.is_dir():
        raise GameError(f"there is no folder '{directory}'")
    module = name.replace("-", "_")
    target = directory / f"{module}_game.py" if _hides_another(module, directory) else directory / f"{module}.py"
    template = (
        resources.files("zermelo.interfaces.cli.templates").joinpath(f"{kind}.py.txt").read_text(encoding="utf-8")
    )
    title = "".join(part.capitalize() for part in name.split("-"))
    if keyword.iskeyword(title) or re.search(rf"^(from|import) .*\b{title}\b", template, re.MULTILINE):
        title += "Game"
    _write_new(target, template.replace("__NAME__", name).replace("__CLASS__", title))
    return target, title


def _hides_another(module: str, directory: Path) -> bool:
    """Would a file of that name be imported in place of a module that is installed, or that zermelo itself may use?"""
    if module in OPTIONAL or module in sys.stdlib_module_names or keyword.iskeyword(module):
        return True
    elsewhere = [path for path in sys.path if Path(path or ".").resolve() != directory.resolve()]
    found = PathFinder.find_spec(module, elsewhere)
    return found is not None and found.loader is not None  # without one it is a folder, and files come first


def _write_new(target: Path, text: str) -> None:
    """Whole or not at all, and never over something else."""
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        if target.exists() or target.is_symlink():
            raise FileExistsError
        beside.write_text(text, encoding="utf-8")
        try:
            os.link(beside, target)  # unlike a rename, this never replaces a file
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            beside.rename(target)
    except FileExistsError:
        raise GameError(f"'{target}' is there already, and is left as it is") from None
    except OSError as problem:
        raise GameError(f"'{target}' cannot be written: {problem.strerror or problem}") from None
    finally:
        beside.unlink(missing_ok=True)
