"""Files that are written whole or not at all, and read only if they are files; and where a user's own are.

A device or a pipe is refused by name: what is read from one may never end, and a rename would put a file in its place.
"""

from __future__ import annotations

import functools
import os
import shutil
import stat
import tempfile
import uuid
from contextlib import suppress
from pathlib import Path

from zermelo.core.game import GameError, shorten


def write_atomically(path: Path | str, content: bytes) -> None:
    """All of it under its name, or nothing: first beside it, then renamed. A link keeps pointing where it does."""
    need_plain(path)
    target = Path(os.path.realpath(path))
    scratch = target.with_name(f".{target.name}.{uuid.uuid4().hex[:12]}.tmp")
    try:
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(0, "it may not be written to")
        with scratch.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, scratch)
        scratch.replace(target)
    except OSError as problem:
        with suppress(OSError):
            scratch.unlink(missing_ok=True)
        raise GameError(f"'{path}' cannot be written: {reason(problem)}") from None


def need_plain(path: Path | str) -> None:
    """Refuse what is there and is no ordinary file."""
    try:
        kind = os.stat(path).st_mode
    except FileNotFoundError:
        return
    except (OSError, ValueError) as problem:  # ValueError: a zero byte in the name
        raise GameError(f"'{path}' cannot be used: {reason(problem)}") from None
    if not stat.S_ISREG(kind):
        what = "a folder" if stat.S_ISDIR(kind) else "a device or a pipe"
        raise GameError(f"'{path}' is {what}; give an ordinary file")


def read_plain(path: Path | str, most: int = 1 << 30) -> bytes:
    """What an ordinary file holds, if that is no more than `most` bytes."""
    need_plain(path)
    try:
        with Path(path).open("rb") as file:
            content = file.read(most + 1)
    except (OSError, ValueError) as problem:
        raise GameError(f"'{path}' cannot be read: {reason(problem)}") from None
    if len(content) > most:
        raise GameError(f"'{path}' has more than {most:,} bytes: this is not what it is taken for")
    return content


def given_path(text: Path | str) -> Path:
    """A file as somebody names it; ~ is their home, where they have one."""
    if not isinstance(text, str | os.PathLike) or not str(text) or "\0" in str(text):
        raise GameError(f"{shorten(text)} is not the name of a file or a folder")
    return Path(os.path.expanduser(text))


def user_folder(variable: str, usual: str) -> Path:
    """Where the user's files of one kind go: where a variable of the environment says, or in the home folder."""
    if base := os.environ.get(variable):
        return Path(base)
    try:
        return Path.home() / usual
    except RuntimeError:  # a container's number without a name: no HOME, no entry among the users
        return _own_temporary_folder() / usual


@functools.cache
def _own_temporary_folder() -> Path:
    """The same one from program to program, if nobody else can write to it: code that is run is kept there."""
    folder = Path(tempfile.gettempdir()) / f"zermelo-{os.getuid()}"
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        seen = folder.lstat()
        if stat.S_ISDIR(seen.st_mode) and seen.st_uid == os.getuid() and not seen.st_mode & 0o022:
            return folder
    return Path(tempfile.mkdtemp(prefix="zermelo-"))


def reason(problem: BaseException) -> str:
    """The system's words, without its numbers."""
    return str(getattr(problem, "strerror", None) or problem)
