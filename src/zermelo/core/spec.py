"""Specs: the short texts that stand for a player or a search.

    random                            a kind
    alphabeta:seconds=1,threads=2     a kind with settings
    level=5, level:5                  a kind with its first setting given without its name
    uci:stockfish,elo=1800            … and others after it

A kind says which settings it has, of which type and between which bounds. Whatever is wrong with a spec is told in one
sentence that says what there is. Text is never evaluated as code.
"""

from __future__ import annotations

import difflib
import importlib
import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any, TypeVar

from zermelo.core.game import GameError, shorten


@dataclass(frozen=True)
class Setting:
    """One setting of a kind."""

    type: type = int
    default: Any = None
    least: float | None = None
    most: float | None = None
    above: float | None = None  # like least, but not that number itself
    help: str = ""
    sets: str = ""  # what it is called by what is made, where that is another name: see search/registry.py

    def read(self, kind: str, name: str, text: str) -> Any:
        """What `text` says, or a sentence about what was expected."""
        wrong = f"{kind}: {name} must be {self.wanted}, not '{text}'"
        if self.type is str:
            if not text:
                raise GameError(wrong)
            return text
        if self.type is bool:
            if text.lower() not in ("true", "false", "yes", "no", "on", "off", "1", "0"):
                raise GameError(wrong)
            return text.lower() in ("true", "yes", "on", "1")
        whole = r"\d{1,18}"
        pattern = rf"[+-]?{whole}" if self.type is int else rf"[+-]?({whole}(\.\d*)?|\.\d+)([eE][+-]?\d{{1,3}})?"
        if not re.fullmatch(pattern, text):
            raise GameError(wrong)
        value = self.type(text)
        if not self._is_within(value):
            raise GameError(wrong)
        return value

    def check(self, what: str, value: Any) -> Any:
        """`value` as a program gives it, if it is of the type and within the bounds; else a sentence about `what`."""
        if self.type not in (int, float):
            return value
        fits = isinstance(value, Integral if self.type is int else Real) and not isinstance(value, bool)
        if not fits or not self._is_within(value):
            raise GameError(f"{what} must be {self.wanted}, not {shorten(value)}")
        return self.type(value)

    def _is_within(self, value: Any) -> bool:
        return (
            math.isfinite(value)
            and (self.least is None or value >= self.least)
            and (self.most is None or value <= self.most)
            and (self.above is None or value > self.above)
        )

    @property
    def wanted(self) -> str:
        if self.type is str:
            return "a word"
        if self.type is bool:
            return "true or false"
        noun = "a whole number" if self.type is int else "a number"
        if self.above is not None:
            return f"{noun} above {shown(self.above)}" + ("" if self.most is None else f", {shown(self.most)} at most")
        if self.least is not None and self.most is not None:
            return f"{noun} from {shown(self.least)} to {shown(self.most)}"
        return noun if self.least is None else f"{noun} of at least {shown(self.least)}"


def shown(bound: float) -> str:
    return f"{bound:,.0f}" if bound == int(bound) else f"{bound:g}"


def whole(what: str, value: Any, least: float | None = None, most: float | None = None) -> int:
    """A whole number that a program was given, within its bounds; else one sentence."""
    checked: int = Setting(int, None, least, most).check(what, value)
    return checked


def number(
    what: str, value: Any, least: float | None = None, most: float | None = None, above: float | None = None
) -> float:
    """… and any number."""
    checked: float = Setting(float, None, least, most, above).check(what, value)
    return checked


@dataclass(frozen=True)
class Kind:
    """One kind of player or search: what makes it, and which settings it takes."""

    name: str
    where: str  # "module:function", imported when the first such one is asked for
    help: str
    settings: Mapping[str, Setting] = field(default_factory=dict)
    first: str | None = None  # the setting that a value without a name means
    example: str = ""  # where the first setting must be given: how that looks

    def made(self) -> Any:
        """What makes it."""
        module, _, name = self.where.partition(":")
        try:
            return getattr(importlib.import_module(module), name)
        except ImportError as missing:
            raise GameError(f"{self.name} cannot be had here: {missing}") from None

    def refusal(self, name: str) -> GameError:
        """What to say of a setting that it does not have."""
        close = difflib.get_close_matches(name, list(self.settings), 1, 0.5)
        hint = f"did you mean {close[0]}?" if close else self.takes
        return GameError(f"{self.name} has no setting '{name}'; {hint}")

    @property
    def takes(self) -> str:
        return f"it has: {', '.join(self.settings)}" if self.settings else "it has none"


K = TypeVar("K", bound=Kind)


def find(word: str, kinds: Mapping[str, K], noun: str) -> K:
    """The kind called so; `noun` says of what."""
    if word not in kinds:
        close = difflib.get_close_matches(word, list(kinds), 2, 0.5)
        hint = f"did you mean {' or '.join(close)}?" if close else f"there are: {', '.join(kinds)}"
        raise GameError(f"no {noun} is called '{word}'; {hint}")
    return kinds[word]


def read(spec: str, kinds: Mapping[str, K], noun: str = "player") -> tuple[K, dict[str, Any]]:
    """The kind that `spec` asks for, and its settings (defaults not filled in)."""
    if not isinstance(spec, str):
        raise GameError(f"a {noun} is asked for by a text such as '{next(iter(kinds))}', not by {shorten(spec)}")
    word, separator, rest = _head(spec.strip())
    kind = find(word, kinds, noun)
    given: dict[str, Any] = {}
    parts = [part.strip() for part in rest.split(",")] if separator else []
    for number, part in enumerate(parts):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            if number > 0 or kind.first is None:
                raise GameError(f"{word}: a setting is written name=value, not '{part}'; {kind.takes}")
            name, value = kind.first, part
        name = name.replace("-", "_")
        if name not in kind.settings:
            raise kind.refusal(name)
        if name in given:
            raise GameError(f"{word}: {name} is given twice")
        given[name] = kind.settings[name].read(word, name, value)
    if kind.example and kind.first not in given:
        raise GameError(f"{word} needs its {kind.first}, as in {kind.example}")
    return kind, given


def split(text: str, kinds: Collection[str]) -> list[str]:
    """`human,alphabeta:seconds=1,threads=2` as two specs: a part that names no kind belongs to the one before it."""
    specs: list[str] = []
    for part in text.split(","):
        if specs and _head(part.strip())[0] not in kinds:
            specs[-1] += f",{part}"
        else:
            specs.append(part.strip())
    return specs


def _head(text: str) -> tuple[str, str, str]:
    """(kind, separator, the rest): `level=5` is `level:5`."""
    found = re.match(r"([^:=,]*)([:=]?)(.*)", text, re.DOTALL)
    assert found is not None
    return found[1].strip().lower(), found[2], found[3]
