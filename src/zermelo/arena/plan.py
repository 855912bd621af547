"""Which games are played, by whom, from which position and with which dice.

A plan holds players' specs and a seed. Everything in it follows from these, so that a plan can be carried out by many
processes, be stopped and go on, and give the same games each time (as far as its players do not look at the clock).

Games come in groups. Within a group the opening and the dice are the same, and every player sits in every seat once:

    two players, two seats    pairs:    A B   B A
    three in three seats      rounds:   A B C   B C A   C A B
    two in three seats                  A B A   B A B
    teams                     a side is a seat: A B A B   B A B A
    one seat                  everybody plays the same dice: A   B

A round robin plays one group of every pair of players, then the next of every pair, and so on.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from dataclasses import dataclass, field
from typing import Any

from zermelo.core.game import Game, GameError
from zermelo.core.registry import thaw
from zermelo.core.spec import whole

MATCH, ROUND_ROBIN = "match", "tournament"
MOST_GAMES = 1_000_000


@dataclass(frozen=True)
class Fixture:
    """One game to be played. `seats[p]` is the number of the player (its place among the specs) who plays p."""

    number: int
    group: int  # games of one group share their opening and their dice
    seats: tuple[int, ...]
    lineup: tuple[int, ...]  # who meets in this group; in a match, everybody


@dataclass(frozen=True)
class Plan:
    """A match or a round robin."""

    game: str  # its origin: what `zermelo.load` is given
    options: dict[str, Any]
    players: tuple[str, ...]  # specs, such as "alphabeta:seconds=1"
    seats: int  # of the game
    sides: tuple[int, ...]  # sides[p]: whom player p of the game plays for
    kind: str = MATCH
    seed: int = 0
    opening: int = 0  # random plies
    positions: tuple[str, ...] = ()  # where games begin, one round after the other; none: at the beginning
    seconds: float | None = None  # a move, for players whose specs give no limit
    margin: float = 1.0  # seconds by which a move may overstep its player's time
    max_plies: int = 10_000  # a game that is longer counts as drawn
    lineups: tuple[tuple[int, ...], ...] = field(init=False)

    def __post_init__(self) -> None:
        seats, everybody = len(set(self.sides)), tuple(range(len(self.players)))
        if len(self.players) < 2:
            raise GameError("at least two players are needed; the same spec may be given twice")
        if self.kind == MATCH or seats == 1:
            if 1 < seats < len(self.players):
                raise GameError(
                    f"{self.game} seats {seats}, but {len(self.players)} players are given; "
                    "zermelo tournament plays everybody against everybody"
                )
            lineups: tuple[tuple[int, ...], ...] = (everybody,)
        elif seats == 2:
            lineups = tuple(itertools.combinations(everybody, 2))
        else:
            raise GameError(f"a tournament is for games of one or two sides, and {self.game} has {seats}; try a match")
        object.__setattr__(self, "lineups", lineups)

    @property
    def per_group(self) -> int:
        """How many games a group has: one for every player in it."""
        return len(self.lineups[0])

    @property
    def is_two_sided(self) -> bool:
        return len(set(self.sides)) == 2

    @property
    def per_round(self) -> int:
        """How many games are played until everybody has met everybody in every seat."""
        return len(self.lineups) * self.per_group

    def fixture(self, number: int) -> Fixture:
        """The `number`-th game. Numbers do not depend on how many are played in all: more can be added later."""
        group, turn = divmod(number, self.per_group)
        lineup = self.lineups[group % len(self.lineups)]
        if len(set(self.sides)) == 1:  # everybody in turn, alone or with all seats
            return Fixture(number, group, (lineup[turn],) * self.seats, lineup)
        return Fixture(number, group, tuple(lineup[(side + turn) % len(lineup)] for side in self.sides), lineup)

    @property
    def identity(self) -> str:
        """A word that two plans share only if they give the same games."""
        names = ("game", "options", "players", "kind", "seed", "opening", "seconds", "max_plies")
        content = {name: getattr(self, name) for name in names}
        content["position"] = self.positions if len(self.positions) > 1 else self.position(0)
        return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()[:16]

    def position(self, group: int) -> str | None:
        """Where the games of a group begin; None: at the beginning."""
        return self.positions[group // len(self.lineups) % len(self.positions)] if self.positions else None

    def seed_for(self, *what: int | str) -> int:
        """A seed of its own for everything that is drawn: openings, dice, players."""
        text = "/".join(map(str, (self.seed, *what)))
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7], "big")

    def as_dict(self) -> dict[str, Any]:
        """For the workers, as JSON; `from_dict` reads it."""
        names = ("game", "options", "players", "seats", "sides", "kind", "seed", "opening", "positions")
        return {name: getattr(self, name) for name in (*names, "seconds", "margin", "max_plies")}

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> Plan:
        lists = {name: tuple(content[name]) for name in ("players", "sides", "positions")}
        return cls(**{**content, **lists, "options": thaw(content["options"])})


def make_plan(game: Game[Any, Any], players: list[str], options: dict[str, Any] | None = None, **settings: Any) -> Plan:
    """A plan for `game`, which was loaded by name (with `options`, where it is not one of rules)."""
    from zermelo.players.registry import check_spec

    given = getattr(game, "options", {}) if options is None else options
    opening = settings.pop("opening", None)
    if opening is None:  # dice or a book make openings enough; else two random plies keep games from being all alike
        opening = 0 if has_chance(game) or len(settings.get("positions", ())) > 1 else 2
    whole("the plies of an opening", opening, 0, 1000)
    return Plan(
        game=settings.pop("origin", "") or getattr(game, "origin", "") or game.name,
        options=dict(given),
        players=tuple(check_spec(spec) for spec in players),
        seats=game.players,
        sides=tuple(game.side(p) for p in range(game.players)),
        opening=opening,
        max_plies=settings.pop("max_plies", None)
        or getattr(getattr(game, "variant", None), "max_plies", None)
        or 10_000,
        **settings,
    )


def has_chance(game: Game[Any, Any]) -> bool:
    """Does nature move? Of a plain Python game, only its start is looked at."""
    variant = getattr(game, "variant", None)
    if variant is not None:
        return bool(variant.max_chance_outcomes)
    return game.player(game.start()) == -1
