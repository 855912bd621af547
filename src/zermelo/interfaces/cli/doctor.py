"""`zermelo doctor`: what is installed, compiled and cached, and whether it works."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from zermelo.core.stopwatch import Stopwatch
from zermelo.core.words import count
from zermelo.interfaces.cli.common.console import format_time, print_json, say, stdout, working
from zermelo.interfaces.cli.common.loading import AsJson, load_game

NEEDED = ("numpy", "numba", "llvmlite", "typer", "rich")
OPTIONAL = {
    "matplotlib": "figures of experiments",
    "chess": "comparing chess with another program",
    "open-spiel": "comparing games with another program",
}
# kernel files, and those half written when a process was stopped: `perft.count_lines-5f0c….nbc`
OURS = re.compile(r"(?P<kernel>\w+\.\w+)-[0-9a-f]{24}\.(nbc|[0-9a-f]{12}\.tmp)")
# endgame tables unpacked (tables/flat.py), and half of them: `checkers-0f….uint8`, `.checkers-0f….uint8.5c….tmp`
UNPACKED = re.compile(r"(?P<dot>\.)?[^/]+-[0-9a-f]{16}\.(uint8|uint16|float32)(?(dot)\.[0-9a-f]{12}\.tmp)")


def doctor(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Say whether this game's rules could run on a graphics card.")
    ] = None,
    clean: Annotated[
        bool, typer.Option("--clean", help="Empty the cache: compiled kernels and unpacked tables.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say what is installed, where compiled kernels are kept, and whether compiling works."""
    with working("looking around"):
        removed = _clean() if clean else None
        report = _examine()
        if game is not None:
            report["rules"] = _rules(game)
    if removed is not None:
        report["cache"]["removed"] = removed
    if as_json:
        print_json(report)
    else:
        _show(report)
    if not report["compiler"]["works"]:
        raise typer.Exit(1)


def _examine() -> dict[str, Any]:
    import zermelo

    return {
        "zermelo": zermelo.__version__,
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in NEEDED},
        "optional": {name: _version(name) for name in OPTIONAL},
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "compiler": _compile_something(),
        "card": _card(),
        "cache": _cache(),
    }


def _version(package: str) -> str | None:
    from importlib import metadata

    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        import llvmlite.binding as llvm

        name = str(llvm.get_host_cpu_name())
    except Exception:
        name = ""
    try:
        about = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
        model = re.search(r"model name\s*:\s*(.+)", about)
    except OSError:
        model = None
    return f"{model[1]} ({name})" if model and name else name or platform.processor() or "unknown"


def _compile_something() -> dict[str, Any]:
    """Does a tiny function come out right, and how long does it take?"""
    try:
        import numba

        if numba.config.DISABLE_JIT:
            return {"works": True, "note": "switched off by NUMBA_DISABLE_JIT: everything runs interpreted"}
        numba.njit(_add)(0, 0)  # the first compilation also starts the compiler
        watch = Stopwatch()
        right = numba.njit(_add)(2.5, 2) == 4.5
        return {"works": bool(right), "seconds": watch.seconds}
    except Exception as problem:
        return {"works": False, "note": f"{type(problem).__name__}: {problem}".partition("\n")[0]}


def _card() -> dict[str, Any]:
    try:
        from zermelo.batch.diagnosis import examine_card

        return examine_card()
    except Exception as problem:  # a broken compiler is told of above
        return {"works": False, "note": f"{type(problem).__name__}: {problem}".partition("\n")[0]}


def _rules(game: str) -> dict[str, Any]:
    from zermelo.batch.diagnosis import examine_rules
    from zermelo.search.searcher import need_rules

    return examine_rules(need_rules(load_game(game)))


def _add(a: Any, b: Any) -> Any:
    return a + b


def _describe_card(card: dict[str, Any]) -> str:
    if "card" not in card:
        return f"none to be used ({card['note']})"
    about = f"{card['card']}, {card['memory'] / 2**30:.0f} GB, CUDA {card['runtime']}"
    return about + (": plays the same games as the cores" if card["works"] else f": does not work ({card.get('note')})")


def _describe_rules(rules: dict[str, Any]) -> str:
    if rules["works"] is None:
        return f"not tried ({rules['note']})"
    return "its rules compile for a card" if rules["works"] else str(rules["note"])


def _files(folder: Path, ours: re.Pattern[str]) -> list[Path]:
    """The files in a folder that are ours."""
    try:
        return [path for path in folder.iterdir() if ours.fullmatch(path.name) and path.is_file()]
    except OSError:
        return []


def _kernels() -> list[Path]:
    from zermelo.compile.kernel import cache_directory

    return _files(cache_directory(), OURS)


def _unpacked() -> list[Path]:
    from zermelo.tables.flat import unpacked_folder

    return _files(unpacked_folder(), UNPACKED)


def _cache() -> dict[str, Any]:
    from zermelo.compile.kernel import cache_directory

    compiled, unpacked, size = _kernels(), _unpacked(), 0
    kernels = Counter(path.name.rpartition("-")[0] for path in compiled if path.suffix == ".nbc")
    for path in (*compiled, *unpacked):
        try:
            size += path.stat().st_size
        except OSError:  # another process has just cleaned up
            continue
    folder = cache_directory()
    parent = next((p for p in (folder, *folder.parents) if p.exists()), folder)
    return {
        "folder": str(folder),
        "writable": parent.is_dir() and os.access(parent, os.W_OK | os.X_OK),
        "files": len(compiled) + len(unpacked),
        "bytes": size,
        "kernels": dict(sorted(kernels.items())),
        "tables": sum(path.suffix != ".tmp" for path in unpacked),
    }


def _clean() -> int:
    removed = 0
    for path in (*_kernels(), *_unpacked()):
        try:
            path.unlink()
            removed += 1
        except OSError as problem:
            print(f"zermelo: {path.name} stays: {problem.strerror}", file=sys.stderr)
    return removed


def _show(report: dict[str, Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    compiler, cache = report["compiler"], report["cache"]
    took = format_time(compiler["seconds"]) if "seconds" in compiler else compiler.get("note", "")
    kernels = ", ".join(name + (f" ×{n}" if n > 1 else "") for name, n in cache["kernels"].items())
    size = f"{cache['bytes'] / 1e6:.1f} MB"
    rows = {
        "zermelo": report["zermelo"],
        "Python": f"{report['python']} on {report['system']}",
        "processor": f"{report['processor']}, {count(report['cores'], 'core')}",
        **{name: version or "missing" for name, version in report["packages"].items()},
        **{name: version or f"not installed (for {OPTIONAL[name]})" for name, version in report["optional"].items()},
        "compiling": f"works ({took})" if compiler["works"] else f"does not work: {took}",
        "graphics card": _describe_card(report["card"]),
        **({f"{report['rules']['game']} there": _describe_rules(report["rules"])} if "rules" in report else {}),
        "cache": cache["folder"] + ("" if cache["writable"] else " (cannot be written to: nothing is kept)"),
        "": f"{count(cache['files'], 'file')}, {size}"
        + (f", {cache['removed']} removed" if "removed" in cache else ""),
        "kernels": kernels or "none yet",
        **({"unpacked tables": f"{cache['tables']:,}"} if cache["tables"] else {}),
    }
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(ratio=1)
    for name, value in rows.items():
        table.add_row(name, Text(str(value)))
    stdout().print(table)
    if not compiler["works"]:
        say("Without the compiler games run interpreted: zermelo.load(name, compiled=False).", "yellow")
