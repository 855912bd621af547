"""What the drawing of a game that is played points out: the last move, where a piece may go, moves that are advised."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from zermelo.core.game import CHANCE, Game, Marks
from zermelo.interfaces.studio.endings import perfect_moves
from zermelo.interfaces.studio.pages.play.clicks import Cells

if TYPE_CHECKING:
    from zermelo.interfaces.studio.pages.play.played_game import PlayedGame

POINTED_OUT = 16  # moves at once, so that a board can still be seen


def marks_of(played: PlayedGame) -> Marks:
    """Of the position that is looked at."""
    game, history, clicks, flip = played.game, played.history, played.clicks, played.flip
    last: Cells = ()
    if played.here > 0:
        before = history.states[played.here - 1]
        if game.player(before) != CHANCE:
            last = game.clicks(before, history.moves[played.here - 1])
    ways = (played.hints if played.is_present else ()) or _perfect(played)
    arrows = tuple(dict.fromkeys(arrow for way in ways for arrow in _arrows(game, way)))
    single = tuple(way[0] for way in ways if len(way) == 1)
    if not played.is_present or not played.is_visitors_turn:
        return Marks(last, single, arrows, flip)
    targets = single if single and not clicks.cells else clicks.targets
    return Marks(clicks.cells or last, targets, arrows, flip)


def ways_of(game: Game[Any, Any], s: Any, moves: list[str]) -> tuple[Cells, ...]:
    """What is clicked for some moves, so many as can be pointed out."""
    return tuple(game.clicks(s, game.parse_action(s, move)) for move in moves[:POINTED_OUT])


def _perfect(played: PlayedGame) -> tuple[Cells, ...]:
    """The perfect moves, if they are known and wanted."""
    known = played.judgements.known(played.here) if played.shows_perfect else None
    return () if known is None else ways_of(played.game, played.history.states[played.here], perfect_moves(known))


def _arrows(game: Game[Any, Any], cells: Cells) -> tuple[tuple[str, str], ...]:
    if game.hook("click_orders") is not None and len(cells) % 2 == 0:  # from, to, from, to
        return tuple(zip(cells[::2], cells[1::2], strict=True))
    return tuple(pairwise(cells))
