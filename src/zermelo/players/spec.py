"""The short texts that stand for players.

    random                            a kind
    alphabeta:seconds=1,threads=2     a kind with parameters
    level=5, level:5                  a kind with its first parameter given without its name
    uci:stockfish,elo=1800            … and others after it

A kind says which parameters it has, of which type and between which bounds. Whatever is wrong with a text is told in
one sentence that says what there is. Text is never evaluated as code.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from zermelo.core.game import GameError


@dataclass(frozen=True)
class Parameter:
    """One parameter of a kind of player."""

    type: type = int
    default: Any = None
    least: float | None = None
    most: float | None = None
    above: float | None = None  # like least, but not that number itself
    help: str = ""

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
        if (
            not math.isfinite(value)
            or (self.least is not None and value < self.least)
            or (self.most is not None and value > self.most)
            or (self.above is not None and value <= self.above)
        ):
            raise GameError(wrong)
        return value

    @property
    def wanted(self) -> str:
        if self.type is str:
            return "a word"
        if self.type is bool:
            return "true or false"
        noun = "a whole number" if self.type is int else "a number"
        if self.above is not None:
            return f"{noun} above {self.above:g}"
        if self.least is not None and self.most is not None:
            return f"{noun} from {self.least:g} to {self.most:g}"
        return noun if self.least is None else f"{noun} of at least {self.least:g}"


@dataclass(frozen=True)
class Kind:
    """One kind of player: what makes it, and which parameters it takes."""

    name: str
    where: str  # "module:function", imported when the first such player is asked for
    help: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    first: str | None = None  # the parameter that a value without a name means
    example: str = ""  # where the first parameter must be given: how that looks


def read(text: str, kinds: Mapping[str, Kind]) -> tuple[Kind, dict[str, Any]]:
    """The kind of player that `text` asks for, and its parameters (defaults not filled in)."""
    text = text.strip()
    word, separator, rest = _head(text)
    if word not in kinds:
        raise GameError(f"no player is called '{word}'; {_hint(word, kinds)}")
    kind = kinds[word]
    given: dict[str, Any] = {}
    parts = [part.strip() for part in rest.split(",")] if separator else []
    for number, part in enumerate(parts):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            if number > 0 or kind.first is None:
                raise GameError(f"{word}: a parameter is written name=value, not '{part}'; {_takes(kind)}")
            name, value = kind.first, part
        name = name.replace("-", "_")
        if name not in kind.parameters:
            close = difflib.get_close_matches(name, list(kind.parameters), 1, 0.5)
            hint = f"did you mean {close[0]}?" if close else _takes(kind)
            raise GameError(f"{word} has no parameter '{name}'; {hint}")
        if name in given:
            raise GameError(f"{word}: {name} is given twice")
        given[name] = kind.parameters[name].read(word, name, value)
    if kind.example and kind.first not in given:
        raise GameError(f"{word} needs its {kind.first}, as in {kind.example}")
    return kind, given


def split(text: str, kinds: Collection[str]) -> list[str]:
    """`human,alphabeta:seconds=1,threads=2` as two texts: a part that names no kind belongs to the player before it."""
    texts: list[str] = []
    for part in text.split(","):
        if texts and _head(part.strip())[0] not in kinds:
            texts[-1] += f",{part}"
        else:
            texts.append(part.strip())
    return texts


def _head(text: str) -> tuple[str, str, str]:
    """(kind, separator, the rest): `level=5` is `level:5`."""
    found = re.match(r"([^:=,]*)([:=]?)(.*)", text, re.DOTALL)
    assert found is not None
    return found[1].strip().lower(), found[2], found[3]


def _hint(word: str, kinds: Mapping[str, Kind]) -> str:
    close = difflib.get_close_matches(word, list(kinds), 2, 0.5)
    return f"did you mean {' or '.join(close)}?" if close else f"there are: {', '.join(kinds)}"


def _takes(kind: Kind) -> str:
    return f"it has: {', '.join(kind.parameters)}" if kind.parameters else "it has none"
