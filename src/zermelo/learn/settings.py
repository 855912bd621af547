"""What a training is told. All of it together, with the game and the code, determines the weights to the last bit.

A setting is declared once, here: its type, its default, what it means, what it may be. The options of `zermelo train`,
the checks, the command on a card, the table in docs/learning.md and (where `kernel` says so) what compiled code sees
all follow from that.
"""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Mapping
from dataclasses import Field, asdict, dataclass, field, fields
from typing import Any, Self

from zermelo.core.game import GameError
from zermelo.core.spec import shown


@dataclass(frozen=True)
class About:
    """What there is to know about a setting besides its type and its default."""

    meaning: str
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    kernel: bool = False  # compiled code sees it


def setting(default: Any, meaning: str, least: float | None = None, most: float | None = None, **more: Any) -> Any:
    return field(default=default, metadata={"about": About(meaning, least, most, **more)})


class Table:
    """What every table of settings can do: a frozen dataclass, whose fields are `setting`s."""

    def __post_init__(self) -> None:
        for one in fields(self):  # type: ignore[arg-type]
            _check(one, getattr(self, one.name))

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """From names and values, as a file or a game's `training` gives them."""
        known = {one.name for one in fields(cls)}  # type: ignore[arg-type]
        for name in given:
            if name not in known:
                raise GameError(f"a training has no setting '{name}'; it has: {', '.join(sorted(known))}")
        try:
            return cls(**given)
        except (TypeError, ValueError) as problem:
            raise GameError(f"these settings make no sense: {problem}") from None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)  # type: ignore[call-overload,no-any-return]


@dataclass(frozen=True)
class Settings(Table):
    """The model, how games are played, and how they are learned from."""

    games: int = setting(100_000, "How many games of self-play.", 1, 1e12)
    # -- the model
    hidden: tuple[int, ...] = setting((), "Units of the hidden layers: 80, or 40,40, or none for a linear model.")
    num_features: int | None = setting(None, "How many features to use, counted from the first; none: all.", 1, 1e9)
    pretrain: int = setting(0, "First fit the model to the handcrafted evaluation, in this many games.", 0, 1e12)
    # -- learning
    learning_rate: float = setting(0.1, "η at the start.", 1e-9, 1e3)
    final_learning_rate: float | None = setting(None, "η at the end; none: a tenth of that at the start.", 1e-9, 1e3)
    schedule: str = setting(
        "exponential",
        "How η gets from one to the other.",
        choices=("constant", "linear", "exponential", "inverse"),
    )
    lam: float = setting(0.7, "λ: 0 is TD(0), 1 is Monte Carlo.", 0, 1, kernel=True)
    gamma: float = setting(1.0, "γ, the discount.", 0, 1, kernel=True)
    traces: bool = setting(False, "Learn from every move at once, with eligibility traces; else after each game.")
    squared_error: bool = setting(False, "Minimise the squared error, not the cross-entropy.", kernel=True)
    coherence: bool = setting(False, "A learning rate per weight, by how well its changes agree (temporal coherence).")
    expected_backup: bool = setting(False, "Back up the mean over all dice rolls, not the actual one.", kernel=True)
    # -- playing
    depth: int = setting(0, "Choose moves by a search of this depth; 0: the best successor.", 0, 40)
    target: str = setting(
        "leaf", "With depth: what is learned, leaf (TD-leaf) or root (Samuel).", choices=("leaf", "root")
    )
    epsilon: float = setting(0.0, "How often a move is random.", 0, 1, kernel=True)
    temperature: float = setting(0.0, "Draw moves with weight exp(value / temperature).", 0, 1e6, kernel=True)
    opening: int = setting(0, "A game begins with up to this many random moves.", 0, 1000, kernel=True)
    on_policy: bool = setting(False, "Learn what exploratory moves are worth too.", kernel=True)
    truncated_value: float | None = setting(
        0.0, "What a game that gets too long is worth to player 0; none: the network's estimate.", kernel=True
    )
    tables: str = setting(
        "off", "Endgame tables, whose values are the targets where they know the truth: on, or the folder they are in."
    )
    play_on: bool = setting(False, "With tables: play continues from known positions, instead of ending there.")
    # -- organisation
    actors: int = setting(1, "Actors in parallel, whose weights are averaged after each round.", 1, 4096)
    games_per_round: int = setting(100, "Games per actor in a round.", 1, 1e9)
    seed: int = setting(0, "For weights and dice.", 0, 2**63 - 1)

    def __post_init__(self) -> None:
        object.__setattr__(self, "hidden", tuple(int(n) for n in self.hidden))
        super().__post_init__()
        if self.traces and self.depth:
            raise GameError("with look-ahead there is no learning by traces: use depth 0, or no traces")
        if self.play_on and self.tables == "off":
            raise GameError("play_on is about positions that tables know: give tables too, or leave it out")

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "hidden": list(self.hidden)}

    def learning_rate_at(self, games: int) -> float:
        """η after so many games."""
        first = self.learning_rate
        last = first / 10 if self.final_learning_rate is None else self.final_learning_rate
        part = min(1.0, games / self.games)
        if self.schedule == "constant":
            return first
        if self.schedule == "linear":
            return first + (last - first) * part
        if self.schedule == "exponential":
            return float(first * (last / first) ** part)
        return first / (1.0 + (first / last - 1.0) * part)

    def hyperparameters(self, games: int, scale: float = 1.0) -> Any:
        """Hyperparameters: what compiled code is told for a round that begins after so many games."""
        told = {one.name: _number(getattr(self, one.name), one) for one in KERNEL}
        return Hyperparameters(learning_rate=scale * self.learning_rate_at(games), **told)


def about(one: Field[Any]) -> About:
    """What is declared of a field of Settings."""
    found = one.metadata["about"]
    assert isinstance(found, About)
    return found


def kind_of(one: Field[Any]) -> tuple[type, bool]:
    """(bool, int, float, str or tuple; may it be none?)"""
    written = one.type.__name__ if isinstance(one.type, type) else str(one.type)
    name, _, optional = written.partition(" | ")
    kinds: dict[str, type] = {"bool": bool, "int": int, "float": float, "str": str, "tuple[int, ...]": tuple}
    return kinds[name], optional == "None"


def _check(one: Field[Any], value: Any) -> None:
    told, (kind, optional) = about(one), kind_of(one)
    if told.choices and value not in told.choices:
        raise GameError(f"the {one.name} may be {', '.join(told.choices)}, not {value!r}")
    if kind not in (int, float) or (optional and value is None):
        return
    least, most = -math.inf if told.least is None else told.least, math.inf if told.most is None else told.most
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        bounds = "" if told.least is None else f" from {shown(least)} to {shown(most)}"
        raise GameError(f"{one.name} must be a number{bounds}, not {value!r}")


# -- as it is typed ----------------------------------------------------------------------------------------------------


def flag(name: str) -> str:
    """The option of the command line."""
    return f"--{name.replace('_', '-')}"


def read_text(one: Field[Any], text: str) -> Any:
    """The value of a setting as somebody types it; `none` where there may be none."""
    kind, optional = kind_of(one)
    if kind is tuple:
        return _read_hidden(text)
    if optional and text.strip().lower() == "none":
        return None
    try:
        return kind(text)
    except ValueError:
        number = "a whole number" if kind is int else "a number"
        raise GameError(f"{one.name} is {number}{' or none' * optional}, not '{text}'") from None


def _read_hidden(text: str) -> tuple[int, ...]:
    """`80`, `40,40`, or `none` for a linear model."""
    if text.strip().lower() in ("none", "0", ""):
        return ()
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and len(part) < 8 for part in parts):
        raise GameError(f"hidden layers are written as in 80 or 40,40, or none for a linear model, not '{text}'")
    return tuple(int(part) for part in parts)


def write_text(value: Any) -> str:
    """A value as somebody types it."""
    if value is None:
        return "none"
    if isinstance(value, (list, tuple)):
        return ",".join(map(write_text, value)) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def table(settings: type[Table] | None = None) -> str:
    """All settings, as a table for the documents."""
    lines = ["| setting | default | |", "|---|---|---|"]
    for one in fields(settings or Settings):  # type: ignore[arg-type]
        told = about(one)
        may_be = f" One of {', '.join(told.choices)}." if told.choices else ""
        lines.append(f"| `{one.name}` | {write_text(one.default)} | {told.meaning}{may_be} |")
    return "\n".join(lines)


# -- as compiled code sees them ----------------------------------------------------------------------------------------

KERNEL = tuple(one for one in fields(Settings) if about(one).kernel)
_named: Any = namedtuple  # the fields are not to be written here once more
Hyperparameters = _named("Hyperparameters", ["learning_rate", *(one.name for one in KERNEL)])


def _number(value: Any, one: Field[Any]) -> Any:
    """As a number of the same type, whatever it is: NaN for none."""
    return math.nan if value is None else kind_of(one)[0](value)
