"""Looks on from a thread of its own, and says which function of somebody's rules never comes back.

A process that runs rules (a command, a worker of a match, of the studio) has one: `RulesWatchdog(bark)`. Every second
it looks at what every thread is doing. The same call, seen in many looks in a row, is stuck:

    machine code    Python stands in `RecordGame.run`, with a kernel that asks the rules one question (ASKING);
                    or with any other, and nothing changes any more in the arrays that it works on
    plain Python    it stands in a function of somebody's own file that the package has called, or further down

Searches, perft and learning may take as long as they like, but never stand still; of a search that does not stop says
`search.limits.Stuck`.
"""

from __future__ import annotations

import sys
import sysconfig
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any

LOOKS = 10  # in which the same call is seen: then it is stuck
PAUSE = 1.0  # seconds between two of them; counted in looks, not on a clock: the process may have been suspended
STILL = 25  # looks in which no array changes that a kernel of many steps works on: every step writes to one
SAMPLE = 1 << 18  # bytes of an array that are looked at: of a larger one, some here and there
QUESTIONS = "zermelo.compile.questions"  # the kernels that ask one, and the hooks they ask
ASKING = {
    "set_up": "start",
    "step": "apply",
    "look": "player, actions, chances or utility",
    "pay": "utility",
    "judge": "evaluate",
    "judge_players": "evaluate_players",
    "identify": "key",
    "identify_repetition": "repetition_key",
    "see": "planes",
    "see_owners": "owners",
    "number_action": "policy_index",
}
_PACKAGE = str(Path(__file__).parents[1])
_PLACES = {
    n: Path(found.origin).parent for n in ("numba", "numpy", "typer") if (found := find_spec(n)) and found.origin
}
_COMPILER = str(_PLACES["numba"])
_LIBRARIES = {str(place.parent) for place in _PLACES.values()}
_OTHERS = (sysconfig.get_paths()["stdlib"], *_LIBRARIES, "<")  # wherever somebody has installed them
_INSTALLED = ("/site-packages/", "/dist-packages/", "\\site-packages\\")


@dataclass(frozen=True)
class StuckCall:
    """A call of somebody's rules that does not come back."""

    sentence: str
    game: Any  # and the state it was about: None where that is not known
    state: Any
    thread: int
    is_compiled: bool


class RulesWatchdog:
    """Calls `bark` once for every call that is stuck."""

    def __init__(self, bark: Callable[[StuckCall], None]):
        self._bark = bark
        self._seen: dict[
            int, tuple[FrameType, int, int]
        ] = {}  # by thread: what it was doing, on what, in how many looks
        self._ended = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def close(self) -> None:
        self._ended.set()

    def _watch(self) -> None:
        while not self._ended.wait(PAUSE):
            self.look()

    def look(self) -> None:
        """One look at all threads."""
        seen: dict[int, tuple[FrameType, int, int]] = {}
        for thread, top in sys._current_frames().items():
            works = _is_run(top) and _kernel(top) not in ASKING
            frame = top if works else _asked(top)
            if frame is None:
                continue
            content = _content(top) if works else 0
            before, was, looks = self._seen.get(thread, (None, 0, 0))
            looks = looks + 1 if frame is before and content == was else 1
            seen[thread] = frame, content, looks
            if looks == (STILL if works else LOOKS):
                self._bark(_stuck(frame, thread))
        self._seen = seen


def _content(frame: FrameType) -> int:
    """A number that changes with the arrays a kernel works on; another one at every look, if it has none."""
    import numpy as np  # not before there are arrays: commands that need none start without it

    arrays = list(_arrays(frame.f_locals.get("arguments", ()), np.ndarray))
    if not arrays:
        return time.monotonic_ns()
    total = 0
    for array in arrays:
        flat = array.reshape(-1) if array.flags.c_contiguous else array.ravel()
        step = max(1, flat.nbytes // SAMPLE)
        total = zlib.crc32(flat[::step].tobytes(), total)
    return total


def _arrays(thing: Any, kind: type) -> Iterator[Any]:
    if isinstance(thing, kind):
        yield thing
    elif isinstance(thing, tuple | list):
        for one in thing:
            yield from _arrays(one, kind)


def _asked(top: FrameType) -> FrameType | None:
    """The call of somebody's rules that a thread is in, if it is in one."""
    if _is_run(top):
        return top if _kernel(top) in ASKING else None
    frame: FrameType | None = top
    own = asked = None
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(_PACKAGE):  # whatever calls the package is not rules
            asked = own
        elif file.startswith(_COMPILER):
            own = None  # called to compile, not to play
        elif not file.startswith(_OTHERS) and not any(folder in file for folder in _INSTALLED):
            own = frame  # the outermost of theirs: those it calls may come and go
            if frame.f_code.co_name == "<module>":  # being imported: that may take its time
                own = None
        frame = frame.f_back
    return asked


def _is_run(frame: FrameType) -> bool:
    return frame.f_code.co_name == "run" and frame.f_code.co_filename.endswith("record_game.py")


def _kernel(frame: FrameType) -> str:
    """The kernel's name, if it asks one question; kernels of many steps may be called alike."""
    op = frame.f_locals.get("op")
    return getattr(op, "__name__", "") if getattr(op, "__module__", "") == QUESTIONS else ""


def _state(frame: FrameType) -> Any:
    """The state that was asked about: every method of a game calls it s."""
    caller = frame.f_back if _is_run(frame) else frame
    for _ in range(6):
        if caller is None:
            break
        s = caller.f_locals.get("s")
        if hasattr(s, "game") and hasattr(s, "record"):
            return s
        caller = caller.f_back
    return None


def _stuck(frame: FrameType, thread: int) -> StuckCall:
    state = _state(frame)
    game: Any = frame.f_locals["self"] if _is_run(frame) else getattr(state, "game", None)
    if _is_run(frame) and _kernel(frame) not in ASKING:
        title = getattr(game, "origin", "") or game.name
        sentence = f"{title}: some function of the rules never comes back; zermelo check {title} names it"
        return StuckCall(sentence, game, None, thread, False)
    if _is_run(frame):
        what = f"{game.name}: {ASKING[_kernel(frame)]}, compiled,"
    else:
        what = f"{frame.f_code.co_name}, line {frame.f_lineno} of {Path(frame.f_code.co_filename).name},"
    sentence = f"{what} has not returned after {LOOKS * PAUSE:.0f} seconds"
    return StuckCall(sentence, game, state, thread, _is_run(frame))
