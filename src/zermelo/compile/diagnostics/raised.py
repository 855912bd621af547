"""What rules have raised, in one sentence: the game, the exception, and the line where anybody can tell it."""

from __future__ import annotations

import traceback
from pathlib import Path

from zermelo.compile.declarations import RulesError

_MACHINERY = ("core", "compile", "check")  # rooms whose frames are between a caller and somebody's rules


def explain_raised(title: str, wrong: Exception, when: str = "") -> RulesError:
    """`when`: what was being done with the rules. Compiled, only what they raise themselves has a line."""
    reason = f"{type(wrong).__name__}: {wrong}".partition("\n")[0].removesuffix(": ")
    return RulesError(
        f"{title}: its rules go wrong{when} ({reason}{line_raised(wrong)}); `zermelo check {title}` looks into it"
    )


def line_raised(wrong: BaseException) -> str:
    """Where in somebody's own file it happened: the deepest frame outside of the machinery and of libraries."""
    package = Path(__file__).parents[2]
    others = (*(str(package / room) for room in _MACHINERY), "<")
    own = [
        frame
        for frame in traceback.extract_tb(wrong.__traceback__)
        if not frame.filename.startswith(others) and "site-packages" not in frame.filename
    ]
    return f", line {own[-1].lineno} of {Path(own[-1].filename).name}" if own else ""
