"""What a game says about itself, one row a word: its default, one sentence, and what it must be.

    @rules(name="connect-four", max_actions=7, utility_range=(-1, 1))

A word may also stand in the class under `@rules` as an attribute, which a variant may compute. Adding a declaration is
adding a row: `@rules` then knows it, every `Variant` has it, and docs/contract.md lists it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from zermelo.core.game import GameError

Must = Callable[[Any], Any]  # the value as it is kept, or a ValueError that says what it must be


MOST = 1 << 20  # numbers that one call of a hook writes: a search keeps as many for every ply


class RulesError(GameError):
    """A mistake in somebody's rules: names the game, the function and, where there is one, the line."""


def _row(default: Any, sentence: str, must: Must) -> Any:
    return field(default=default, metadata={"sentence": sentence, "must": must})


def _whole(least: int, most: int | None = None) -> Must:
    def must(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
            raise ValueError(f"a whole number of at least {least}")
        if most is not None and value > most:
            raise ValueError(f"a whole number from {least} to {most:,}")
        return int(value)

    return must


def _or_none(must: Must) -> Must:
    return lambda value: None if value is None else must(value)


def _truth(value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError("true or false")
    return bool(value)


def _sides(value: Any) -> tuple[int, ...]:
    try:
        return tuple(map(int, value))
    except (TypeError, ValueError):
        raise ValueError("a side for each player") from None


def _range(value: Any) -> tuple[float, float]:
    try:
        least, most = map(float, value)
    except (TypeError, ValueError):
        least = most = 0.0
    if not least < most:
        raise ValueError("(least, most)")
    return least, most


def _ascending(value: Any) -> tuple[float, ...]:
    try:
        values = tuple(map(float, value))
    except (TypeError, ValueError):
        values = ()
    if len(values) < 2 or list(values) != sorted(set(values)):
        raise ValueError("two payoffs or more, ascending")
    return values


def _shape(value: Any) -> tuple[int, ...]:
    must = _whole(1)
    try:
        count, height, width = map(must, value)
    except (TypeError, ValueError):
        raise ValueError("(count, height, width), whole numbers of at least 1") from None
    return count, height, width


def _settings(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("a dict of settings")
    return value


def _word(value: Any) -> str:
    if not isinstance(value, str) or not value.replace("-", "").isalnum():
        raise ValueError("the name of a search")
    return value


def _repetition(value: Any) -> str:
    if value not in ("draw", "loss", "forbidden"):
        raise ValueError("'draw', 'loss' or 'forbidden'")
    return str(value)


@dataclass(frozen=True, eq=False, kw_only=True)
class Declarations:
    """The table: a field is a row."""

    players: int = _row(2, "How many players there are.", _whole(1, 1 << 10))
    max_actions: int = _row(None, "No state offers more actions than this; it must be declared.", _whole(1, MOST))
    max_chance_outcomes: int = _row(0, "No chance node offers more outcomes than this.", _whole(0, MOST))
    teams: tuple[int, ...] | None = _row(
        None, "`teams[p]` is the side that player p plays for; without it every player is a side.", _or_none(_sides)
    )
    zero_sum: bool = _row(True, "The payoffs of all players sum to 0.", _truth)
    utility_range: tuple[float, float] | None = _row(
        None, "The least and the most that player 0 can get; `evaluate` stays within it too.", _or_none(_range)
    )
    utility_values: tuple[float, ...] | None = _row(
        None,
        "All payoffs a game can end with, ascending: what a learned evaluation may expect. Endgame tables are used "
        "where these are a payoff, its opposite and perhaps 0, or are not listed and the range is (-1, 1).",
        _or_none(_ascending),
    )
    num_features: int | None = _row(None, "How many features there are.", _or_none(_whole(1, 1 << 30)))
    max_active_features: int | None = _row(
        None, "How many of them are written at most; by default, all.", _or_none(_whole(1, 1 << 30))
    )
    policy_size: int | None = _row(
        None,
        "How many numbers `policy_index` gives; that hook may be left out where actions are below this.",
        _or_none(_whole(1, 1 << 30)),
    )
    plane_shape: tuple[int, int, int] | None = _row(
        None, "What `planes` writes: (count, height, width).", _or_none(_shape)
    )
    training: dict[str, Any] | None = _row(
        None, "How an evaluation is best learned: settings of `zermelo train`, by name.", _or_none(_settings)
    )
    zero_training: dict[str, Any] | None = _row(
        None,
        "How a policy/value network is best learned: settings of `zermelo train zero`, by name; under `cores`, those "
        "for CPU cores.",
        _or_none(_settings),
    )
    strongest: str | None = _row(
        None,
        "The search that was measured to play it best: level 10 uses it (`zero`: if weights come with the package).",
        _or_none(_word),
    )
    small_endings: int | None = _row(
        None,
        "The limit up to which `endings` take seconds: what `zermelo tables build` does by default.",
        _or_none(_whole(0)),
    )
    max_plies: int | None = _row(
        None,
        "No game is longer than this; without it, the moves or repetition bring every game to an end.",
        _or_none(_whole(1)),
    )
    repetition: str | None = _row(
        None, '"draw", "loss" or "forbidden": what repeating a position means.', _or_none(_repetition)
    )
    repetitions: int = _row(2, "… and how often it must have occurred for that; the first time counts.", _whole(2))
    stuck_ends: bool = _row(False, "A player without a legal action ends the game (mate, stalemate, blocked).", _truth)


@dataclass(frozen=True)
class Declaration:
    """One row, as the documentation lists it."""

    name: str
    default: Any
    sentence: str
    must: Must


DECLARATIONS: dict[str, Declaration] = {
    f.name: Declaration(f.name, f.default, f.metadata["sentence"], f.metadata["must"]) for f in fields(Declarations)
}
NOT_COMPILED = {"training", "zero_training", "strongest", "small_endings"}  # no machine code depends on these


def read_declarations(name: str, said: dict[str, Any], functions: dict[str, Any]) -> dict[str, Any]:
    """What game `name` declares, defaults included, or a RulesError for the first thing that is wrong."""
    says: dict[str, Any] = {}
    for word, row in DECLARATIONS.items():
        value = said.get(word, row.default)
        try:
            says[word] = row.must(value)
        except ValueError as wanted:
            raise RulesError(f"{name}: {word} must be {wanted}, not {value!r}") from None
    _check_together(name, says, functions)
    return says


def _check_together(name: str, says: dict[str, Any], functions: dict[str, Any]) -> None:
    """What one declaration asks of another, or of a hook."""
    if "chances" in functions and says["max_chance_outcomes"] < 1:
        raise RulesError(f"{name}: max_chance_outcomes must be a whole number of at least 1, not 0")
    teams = says["teams"]
    if teams is not None and (len(teams) != says["players"] or teams[0] != 0):
        raise RulesError(f"{name}: teams must name a side for each of {says['players']} players, 0 for player 0")
    if (says["num_features"] is None) != ("features" not in functions):
        raise RulesError(f"{name}: features(s, index, value) and num_features go together")
    if (says["plane_shape"] is None) != ("planes" not in functions):
        raise RulesError(f"{name}: planes(s, out) and plane_shape go together")
    if "owners" in functions and says["plane_shape"] is None:
        raise RulesError(f"{name}: owners(s, out) needs planes(s, out) and plane_shape")
    if says["max_active_features"] is None:
        says["max_active_features"] = says["num_features"]
    elif says["num_features"] is None:
        raise RulesError(f"{name}: max_active_features needs num_features")
