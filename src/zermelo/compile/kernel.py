"""`@kernel`: a compiled function over any game's records, kept on disk and found again by the next process.

It is Numba's `njit` with four things put right for code that is generic over games:

- its cache is stamped with a fingerprint of everything the kernel calls, in whatever file, instead of the time its own
  file was written; together with the fingerprint in the record's type, nothing stale is ever found, and a fresh
  checkout of the same sources finds what the last one compiled;
- it says what it is compiling when it has to (`on_compile`);
- an interrupt is heard at once while it compiles, in another thread: compilers call Python back, and one raised in such
  a call would be lost, or leave the compiler with half of what it needs;
- a mistake in somebody's rules comes out as a RulesError that names the game, the function and the line.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import pickle
import sys
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from numba import njit, types
from numba.core.bytecode import FunctionIdentity
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from zermelo.compile.diagnostics.explain import explain
from zermelo.compile.emission import kernels_alone
from zermelo.compile.fingerprint import fingerprint
from zermelo.compile.overloads import METHODS, compiled_from
from zermelo.compile.targets import cpu as cpu  # what kernels call is compiled by it
from zermelo.compile.turns import leave_turn, leave_turns, take_turn
from zermelo.compile.variant import VARIANTS
from zermelo.core.files import user_folder
from zermelo.core.interruptible import interruptibly
from zermelo.core.patience import unhurried

JIT = not numba.config.DISABLE_JIT
OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}

# Numba tells two closures of one function apart, in the names of their machine code, by a number it counts up from 1 in
# every process. Code kept by two processes would meet under one name, and the linker would take the first for both.
FunctionIdentity._unique_ids = itertools.count(uuid.uuid4().int >> 72)  # at random: no two processes alike


def cache_directory() -> Path:
    """Where machine code is kept: $ZERMELO_CACHE, or the user's cache folder."""
    base = os.environ.get("ZERMELO_CACHE")
    if base:
        return Path(base)
    return user_folder("XDG_CACHE_HOME", ".cache") / "zermelo"


OURS = "zermelo"  # said for kernels that are no game's
_told: set[str] = set()  # games


def _say(kernel_name: str, game: str) -> None:
    """To a terminal, a line for every kernel; to a file, a pipe or a notebook one line for every game."""
    if sys.stderr.isatty():
        print(f"compiling {game}: {kernel_name} …", file=sys.stderr, flush=True)
    elif game not in _told and not (game == OURS and _told):
        print(f"compiling {game} (only the first time) …", file=sys.stderr, flush=True)
    _told.add(game)


def _be_quiet() -> None: ...


on_compile: Callable[[str, str], None] = _say
on_compiled: Callable[[], None] = _be_quiet


def set_on_compile(function: Callable[[str, str], None], done: Callable[[], None] = _be_quiet) -> None:
    """Have `function(kernel, game)` called before anything is compiled, and `done()` afterwards."""
    global on_compile, on_compiled
    on_compile, on_compiled = function, done


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` when it is first called with a game's records."""
    if not JIT:
        return function
    dispatcher = njit(**OPTIONS)(function)
    dispatcher._cache = _Cache(function)
    compile_for_args = dispatcher._compile_for_args

    def compile_or_explain(*arguments: Any, **named: Any) -> Any:
        try:
            with kernels_alone():
                return compile_for_args(*arguments, **named)
        except Exception as error:  # Numba lets some of its own mistakes out as KeyError or AssertionError
            raise explain(error, [numba.typeof(a) for a in arguments], OPTIONS) from error
        finally:
            leave_turns()  # of what was compiled in vain
            on_compiled()

    def compile_unhurried(*arguments: Any, **named: Any) -> Any:
        with unhurried():  # a loop without end is somebody's; how long a busy machine compiles is not
            return interruptibly(lambda: compile_or_explain(*arguments, **named))

    dispatcher._compile_for_args = compile_unhurried
    return dispatcher


# -- the cache ---------------------------------------------------------------------------------------------------------


def _is_safe(folder: Path) -> bool:
    """Machine code is only taken from a folder that nobody but this user and root could have written to."""
    if not hasattr(os, "getuid"):  # Windows keeps users' folders apart by other means
        return True
    found = folder.stat()
    return found.st_uid in (0, os.getuid()) and not found.st_mode & 0o002


class _Cache:
    """One file for one kernel compiled for one set of types: `exhaustive.search-5f0c….nbc`.

    The name is a hash of all that the machine code depends on: the kernel's fingerprint, the argument types (the
    game's fingerprint is in the record's; evaluators are looked at here), the processor, the versions. So there is no
    index to keep right when many processes write at once, and a file that is there is the right one. The files hold
    machine code made here for this user; like a `.pyc`, they are only read back from the user's own cache folder.
    """

    def __init__(self, function: Callable[..., Any]):
        self._function = function
        self._stamp = ""

    @property
    def cache_path(self) -> str:
        return str(cache_directory())

    def _file(self, signature: Any, context: Any) -> Path:
        if not self._stamp:  # not before the first call: only then is everything the kernel calls defined
            self._stamp = fingerprint(self._function)
        arguments = getattr(signature, "args", signature)
        kinds = [str(kind) for kind in arguments] + [fingerprint(*sources) for sources in _sources(arguments)]
        machine: tuple[Any, ...] = (OPTIONS, context.codegen().magic_tuple(), sys.version_info[:2], numba.__version__)
        if numba.config.BOUNDSCHECK:  # NUMBA_BOUNDSCHECK=1: every index is looked at, in kernels and rules
            machine += ("boundscheck",)
        digest = hashlib.sha256(repr((self._stamp, kinds, machine)).encode()).hexdigest()[:24]
        module = self._function.__module__.rsplit(".", 1)[-1]
        return cache_directory() / f"{module}.{self._function.__name__}-{digest}.nbc"

    def load_overload(self, signature: Any, context: Any) -> Any:
        context.refresh()
        file = self._file(signature, context)
        found = self._read(file, context)
        if found is None and take_turn(file):
            found = self._read(file, context)
        if found is not None:
            leave_turn(file)
            return found
        kinds = _records(getattr(signature, "args", signature))
        on_compile(self._function.__name__, next((VARIANTS[k].name for k in kinds if k in VARIANTS), OURS))
        return None

    def _read(self, file: Path, context: Any) -> Any:
        """The machine code in `file`; None if it is not there, or of no use."""
        try:
            if not _is_safe(file.parent):
                return None
            found = CompileResult._rebuild(context, *pickle.loads(file.read_bytes()))
            with suppress(OSError):  # somebody else's cache may be read and not written
                os.utime(file)
            return found
        except FileNotFoundError:
            pass
        except Exception:  # damaged: compile again, which replaces it
            with suppress(OSError):
                file.unlink(missing_ok=True)
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        if result.lifted or result.library.has_dynamic_globals:
            return
        file = self._file(signature, result.target_context)
        scratch = file.with_suffix(f".{uuid.uuid4().hex[:12]}.tmp")
        try:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            scratch.write_bytes(dumps(result._reduce()))
            scratch.replace(file)
        except OSError as problem:  # a full or read-only disk loses time, not the answer
            with suppress(OSError):
                scratch.unlink(missing_ok=True)
            print(f"zermelo: machine code not kept: {problem}", file=sys.stderr)
        finally:
            leave_turn(file)

    def flush(self) -> None: ...

    def enable(self) -> None: ...

    def disable(self) -> None: ...


def _sources(kinds: Iterable[Any]) -> Iterator[list[Any]]:
    """What types of arguments, and types inside them, are compiled from: an evaluator's methods, a type's own code."""
    for kind in kinds:
        if isinstance(kind, types.BaseNamedTuple):
            for name in sorted(METHODS):
                if hasattr(kind.instance_class, name):
                    yield [getattr(kind.instance_class, name)]
            yield from _sources(kind.types)
        elif sources := compiled_from(type(kind)):
            yield sources


def _records(kinds: Iterable[Any]) -> Iterator[Any]:
    """Types of arguments, those in tuples and of what is in arrays too: one of them may be a game's record."""
    for kind in kinds:
        if isinstance(kind, types.BaseTuple):
            yield from _records(kind.types)
        else:
            yield kind.dtype if isinstance(kind, types.Array) else kind
