"""The commands put together, and what becomes of errors: one sentence on stderr and an exit code, never a traceback.

Only what is light is imported here. A command imports what it needs when it runs: the compiler takes most of a second.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import Annotated, Any

import typer

from zermelo.compile.watchdog import RulesWatchdog, StuckCall
from zermelo.core.game import GameError
from zermelo.interfaces.cli import INTERRUPTED
from zermelo.interfaces.cli.check import check
from zermelo.interfaces.cli.common.console import complain, stop_spinning
from zermelo.interfaces.cli.doctor import doctor
from zermelo.interfaces.cli.experiment import experiment
from zermelo.interfaces.cli.explain import explain
from zermelo.interfaces.cli.games import games
from zermelo.interfaces.cli.match import match
from zermelo.interfaces.cli.new import new
from zermelo.interfaces.cli.perft import perft
from zermelo.interfaces.cli.plan import plan
from zermelo.interfaces.cli.play import play
from zermelo.interfaces.cli.replay import replay
from zermelo.interfaces.cli.search import search
from zermelo.interfaces.cli.solve import solve
from zermelo.interfaces.cli.studio import studio
from zermelo.interfaces.cli.tables import tables
from zermelo.interfaces.cli.tournament import tournament
from zermelo.interfaces.cli.train import train
from zermelo.interfaces.cli.weights import weights

BAD_INPUT = 2

app = typer.Typer(
    name="zermelo",
    help="Write a game's rules once, in plain Python, and get everything.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
for command in (
    *(games, play, studio, search, solve, match, tournament, replay, train, plan, weights),
    *(explain, check, new, perft, doctor),
):
    app.command()(command)
app.add_typer(tables, name="tables")
app.add_typer(experiment, name="experiment")


def _show_version(wanted: bool) -> None:
    if wanted:
        import zermelo

        print(f"zermelo {zermelo.__version__}")
        raise typer.Exit


@app.callback()
def _zermelo(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Write a game's rules once, in plain Python, and get everything: exact values, compiled search, traces."""


def run(arguments: list[str] | None = None) -> int:
    """Run a command line; the exit code."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us: nobody wants to hear anything
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        if hasattr(stream := getattr(sys, name), "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that has no ▲ shows a ? instead
    watchdog = RulesWatchdog(_leave_stuck)
    try:
        code: Any = app(args=arguments, prog_name="zermelo", standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except Exception as error:
        if os.environ.get("ZERMELO_TRACEBACK"):
            raise
        return _explain(error)
    finally:
        watchdog.close()
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    try:
        sys.stdout.flush()
    except OSError as error:
        return _explain(error)
    return code if isinstance(code, int) else 0


def _explain(error: Exception) -> int:
    if isinstance(error, BrokenPipeError):  # `zermelo … | head` has read enough
        _close_quietly()
        return 0
    if isinstance(error, GameError):
        complain(str(error) + _loop_in(getattr(error, "game", None), getattr(error, "state", None)))
        return BAD_INPUT
    if hasattr(error, "format_message"):  # how the command line itself was written
        message = error.format_message()
        if not message:  # only the help was wanted
            return BAD_INPUT
        context = getattr(error, "ctx", None)
        where = f" (see {context.command_path} --help)" if context is not None else ""
        complain(message.replace("Value error, ", "").rstrip(".") + where)
        return BAD_INPUT
    if isinstance(error, MemoryError):
        wanted = str(error).partition(" for an array")[0]
        complain(f"there is not enough memory for this{': ' if wanted else ''}{wanted[:1].lower()}{wanted[1:]}")
        return BAD_INPUT
    if isinstance(error, OSError) and error.filename is None and error.errno in (errno.ENOSPC, errno.EIO, errno.EDQUOT):
        _close_quietly()
        complain(f"the output cannot be written: {error.strerror}")
        return BAD_INPUT
    from zermelo.compile.diagnostics.raised import line_raised

    said = "Python's recursion ended" if isinstance(error, RecursionError) else f"{type(error).__name__}: {error}"
    complain(f"{said}{line_raised(error)} (ZERMELO_TRACEBACK=1 shows where)")
    return BAD_INPUT


def _loop_in(game: Any, state: Any) -> str:
    """Where rules that never come back do so, if they do it in plain Python too."""
    if game is None:
        return ""
    from zermelo.check.loops import find_loop

    found = find_loop(game, state)
    return f" ({found})" if found else ""


def _leave_stuck(stuck: StuckCall) -> None:
    """Rules never come back, and nothing can bring them back: say so, and end the process."""
    where = _loop_in(stuck.game, stuck.state) if stuck.is_compiled else ""
    sys.stdout.flush()
    stop_spinning()
    complain(stuck.sentence + where)
    os._exit(BAD_INPUT)


def _close_quietly() -> None:
    """Keep Python from complaining about a closed pipe when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
