"""The presentation of a game, checked: positions and moves that are read back as written, drawings, and clicks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any
from xml.etree import ElementTree

from zermelo.check.states import Broken, Problem, Seen, blame
from zermelo.core.game import Game

SAMPLE = 4  # of many moves, so many are read back where a state is not looked at thoroughly


class Presentation:
    """Finds problems in notation (format, parse, …), drawing (text, svg, clicks, …) and exchange (uci, gtp, fibs)."""

    def __init__(self, game: Game[Any, Any]):
        self.game = game
        own = getattr(getattr(game, "variant", None), "presentation", None)
        if own is None:
            self.reads = type(game).parse is not Game.parse
            self.mismatch = ""
        else:
            self.reads = "format" not in own or "parse" in own
            self.mismatch = "" if self.reads else "the rules have format but no parse, so nothing reads what it writes"

    def problems(self, s: Any, seen: Seen, thorough: bool) -> Iterator[Problem]:
        """What is wrong at `s`; one kind of problem does not hide the next."""
        checks: list[Callable[[Any, Seen], None]] = [self._position, self._moves if thorough else self._some_moves]
        if thorough:
            checks += [self._text, self._svg, self._clicks, self._exchange]
        for check in checks:
            try:
                check(s, seen)
            except Broken as fault:
                yield fault.problem

    def _position(self, s: Any, seen: Seen) -> None:
        if self.mismatch:
            raise Broken("format", "format", self.mismatch)
        with blame("format"):
            written = self.game.format(s)
        if not isinstance(written, str) or "\n" in written:
            raise Broken("format", "format", f"format must give one line of text, not {written!r:.80}")
        if self.reads:
            with blame("parse", "format"):
                read = self.game.parse(written)
            if read != s or hash(read) != hash(s):
                again = self.game.format(read)
                other = "another state with the same text" if again == written else f"'{again}'"
                raise Broken("format", "parse", f"parse reads '{written}', which format wrote, as {other}")

    def _moves(self, s: Any, seen: Seen) -> None:
        self._read_back(s, seen.actions)

    def _some_moves(self, s: Any, seen: Seen) -> None:
        self._read_back(s, seen.actions[:: max(1, len(seen.actions) // SAMPLE)])

    def _read_back(self, s: Any, actions: Sequence[Any]) -> None:
        texts: dict[str, Any] = {}
        for a in actions:
            with blame("format_action"):
                text = self.game.format_action(s, a)
            if not isinstance(text, str) or not text.strip() or "\n" in text:
                raise Broken("moves", "format_action", f"format_action writes move {a!r} as {text!r:.80}")
            if text in texts:
                raise Broken(
                    "moves", "format_action", f"format_action writes both {texts[text]!r} and {a!r} as '{text}'"
                )
            texts[text] = a
        for text, a in texts.items():
            with blame("parse_action", "moves"):
                read = self.game.parse_action(s, text)
            if read != a:
                raise Broken("moves", "parse_action", f"parse_action reads '{text}', which means {a!r}, as {read!r}")

    def _text(self, s: Any, seen: Seen) -> None:
        with blame("text"):
            drawn = self.game.text(s)
        if not isinstance(drawn, str):
            raise Broken("drawing", "text", f"text gives {type(drawn).__name__}, not text")

    def _svg(self, s: Any, seen: Seen) -> None:
        with blame("svg"):
            drawn = self.game.svg(s)
        if drawn is None:
            return
        if not isinstance(drawn, str):
            raise Broken("drawing", "svg", f"svg gives {type(drawn).__name__}, not text")
        try:
            root = ElementTree.fromstring(drawn)
        except ElementTree.ParseError as mistake:
            raise Broken("drawing", "svg", f"svg is not well-formed: {mistake}") from None
        if root.tag.rpartition("}")[2] != "svg":
            raise Broken("drawing", "svg", f"svg begins with <{root.tag}>, not with <svg>")

    def _clicks(self, s: Any, seen: Seen) -> None:
        known: dict[tuple[str, ...], Any] = {}
        for a in seen.actions:
            with blame("clicks"):
                cells = self.game.clicks(s, a)
            if not isinstance(cells, tuple) or not all(isinstance(cell, str) for cell in cells):
                raise Broken("drawing", "clicks", f"clicks must name cells, as in ('a1', 'b2'), not {cells!r:.80}")
            if cells and cells in known and seen.player >= 0:
                raise Broken("drawing", "clicks", f"clicks gives {cells!r:.80} for {known[cells]!r} and for {a!r}")
            known[cells] = a
            self._click_orders(s, a, cells)

    def _click_orders(self, s: Any, a: Any, clicks: tuple[str, ...]) -> None:
        orders_of = self.game.hook("click_orders")
        if orders_of is None or nobody_moves(self.game, s):
            return
        with blame("click_orders"):
            orders = [tuple(order) for order in orders_of(s, a)]
        if clicks not in orders:
            listed = f"{orders[:3]!r:.80}" if orders else "no order"
            raise Broken(
                "drawing", "click_orders", f"click_orders gives {listed}, without {clicks!r:.80}, which clicks says"
            )

    def _exchange(self, s: Any, seen: Seen) -> None:
        """Texts for other programs: one line, and no two moves alike."""
        fibs = self.game.hook("fibs")
        if fibs is not None:
            with blame("fibs"):
                written = fibs(s)
            _one_line("format", "fibs", "the position", written)
        for name in ("uci", "gtp"):
            self._written_moves(name, s, seen)

    def _written_moves(self, name: str, s: Any, seen: Seen) -> None:
        write = self.game.hook(name)
        if write is None or nobody_moves(self.game, s):
            return
        texts: dict[str, Any] = {}
        for a in seen.actions:
            with blame(name):
                text = write(s, a)
            _one_line("moves", name, f"move {a!r}", text)
            if text in texts:
                raise Broken("moves", name, f"{name} writes both {texts[text]!r} and {a!r} as '{text}'")
            texts[text] = a


def nobody_moves(game: Game[Any, Any], s: Any) -> bool:
    """Is it nature's turn, or nobody's?"""
    return game.player(s) < 0


def _one_line(kind: str, where: str, what: str, text: Any) -> None:
    if not isinstance(text, str) or not text.strip() or "\n" in text:
        raise Broken(kind, where, f"{where} writes {what} as {text!r:.80}")


def move_text(game: Game[Any, Any], s: Any, a: Any) -> str:
    """The move as people write it, whatever is wrong with the game."""
    try:
        return str(game.format_action(s, a))
    except Exception:
        return str(a)


def position_text(game: Game[Any, Any], s: Any) -> str:
    """The position as people write it, whatever is wrong with the game."""
    for write in (game.format, str, repr):
        try:
            return str(write(s))
        except Exception:
            continue
    return ""
