"""The command line: `zermelo games`, `play`, `match`, `tournament`, `replay`, `train`, `plan`, `explain`, `check`, ….

    app         the commands put together; errors and interruptions turned into exit codes
    common/     what several commands share: console (output, progress), interrupts (Ctrl-C), loading (games, options,
                positions as they are typed), catalogue (what games there are), report_text, terminal_game, …
    and one module for each command

Exit codes: 0 fine, 1 a fault was found, 2 bad input, 130 interrupted.
"""

from __future__ import annotations

import os
import sys

INTERRUPTED = 130

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """Run a command line; the exit code. Ctrl-C is heard from here on, even while the rest is being imported."""
    try:
        from zermelo.interfaces.cli.common.interrupts import leave_if_busy, listening

        with listening():
            from zermelo.interfaces.cli.app import run
            from zermelo.interfaces.cli.common.crashes import crashes_are_told

            if arguments is None:  # the process is ours: not where a program calls this
                crashes_are_told(sys.argv[1:])
            return run(arguments)
    except KeyboardInterrupt:
        try:
            leave_if_busy()
            print("interrupted", file=sys.stderr)
        except KeyboardInterrupt:  # once more, while leaving: at once
            os._exit(INTERRUPTED)
        return INTERRUPTED
