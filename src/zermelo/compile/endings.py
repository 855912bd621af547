"""The classes of endings that a game numbers, as its hook `endings(limit)` lists them: groups, each of one or more.

    [[Ending(0, "one stone", 3, 1)], [Ending(1, "…", 9, 2), Ending(2, "…", 9, 2)], …]

A group leads to itself, to groups before it, or to the end of the game: it can be worked out when those before it are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.compile.declarations import RulesError
from zermelo.core.game import Game, GameError

if TYPE_CHECKING:
    from zermelo.compile.record_game import RecordGame
    from zermelo.compile.variant import Variant


class Ending(NamedTuple):
    """A class of positions, numbered from 0 to size - 1 by `rank`."""

    number: int  # what `ending(s)` says; numbers may be left out between them
    name: str  # as people call it, such as "2 men, 1 king – 1 king": the side to move first
    size: int
    limit: int  # the least limit with which `endings` lists it: how many pieces, seeds, …
    one_sided: bool = False  # what a player alone has still to do, numbered by `race_rank` instead


Groups = list[list[Ending]]


def numbers_endings(game: Game[Any, Any]) -> bool:
    """Does this game say how its endings are numbered?"""
    variant = getattr(game, "variant", None)
    return variant is not None and "ending" in variant.functions


def need_endings(game: Game[Any, Any]) -> None:
    """A GameError if this game does not."""
    if not numbers_endings(game):
        raise GameError(f"{game.name} does not number its endings (ending, rank, unrank, endings), so it has no tables")


def won_payoff(variant: Variant) -> float | None:
    """What a won ending pays; a lost one pays the opposite, a drawn one nothing. None where there may be more to win
    than that: other payoffs are listed, or none are, and the range is not the usual one."""
    if variant.utility_values is None:
        return 1.0 if tuple(variant.utility_range or ()) == (-1.0, 1.0) else None
    most = max(map(abs, variant.utility_values))
    return most if {*map(abs, variant.utility_values)} <= {0.0, most} else None


def read_endings(game: RecordGame, limit: int) -> Groups:
    """The groups up to `limit`; a GameError if this game numbers none, a RulesError if they are no such list."""
    need_endings(game)
    own = game.hook("endings")
    assert own is not None
    groups: Groups = []
    seen: set[int] = set()
    for group in own(limit):
        groups.append([Ending(*one) for one in group])
        for one in groups[-1]:
            if one.number < 0 or one.number in seen or one.size < 1 or not 0 <= one.limit <= limit:
                raise RulesError(
                    f"{game.name}: endings({limit}) lists {one!r}: numbers are from 0 up and listed once, sizes from 1 "
                    f"up, limits not above {limit}"
                )
            seen.add(one.number)
        if not groups[-1]:
            raise RulesError(f"{game.name}: endings({limit}) lists a group without a class")
    return groups
