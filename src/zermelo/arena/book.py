"""A book: a file of positions from which games begin, one a line. Empty lines and comments (# …) are passed over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zermelo.core.files import given_path, read_plain
from zermelo.core.game import Game, GameError

MOST = 100_000  # positions


def read_book(game: Game[Any, Any], book: Path | str | None, position: str | None = None) -> tuple[str, ...]:
    """Where games begin: at `position`, or at those of a book; empty: at the beginning. All are looked at."""
    if position is not None:
        if book is not None:
            raise GameError("games begin at a position or at those of a book, not both")
        _look_at(game, position)
        return (position,)
    if book is None:
        return ()
    path = given_path(book)
    try:
        lines = read_plain(path).decode().splitlines()
    except UnicodeDecodeError:
        raise GameError(f"'{path}' is no file of positions: it is not text") from None
    found = []
    for number, line in enumerate(map(str.strip, lines), 1):
        if line and not line.startswith("#"):
            try:
                _look_at(game, line)
            except GameError as problem:
                raise GameError(f"'{path}', line {number}: {problem}") from None
            found.append(line)
    if not 1 <= len(found) <= MOST:
        raise GameError(f"'{path}' holds {len(found):,} positions; a book has from 1 to {MOST:,}, one a line")
    return tuple(found)


def _look_at(game: Game[Any, Any], position: str) -> None:
    if game.is_end(game.parse(position)):
        raise GameError(f"the game is over in '{position}'")
