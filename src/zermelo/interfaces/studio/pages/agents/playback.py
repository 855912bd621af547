"""An episode played back: frames that arrive while it is watched, which of them is shown, and how they are drawn."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from zermelo.core.game import Game
from zermelo.drawing.svg import escape

Frame = dict[str, Any]  # as episode.Frame.as_dict gives it
SPEEDS = {3: "slow", 7: "normal", 15: "fast"}  # frames a second
USUAL_SPEED = 7
DRAWINGS = 500  # kept; a large one has 50 kB
MINUS = "\N{MINUS SIGN}"


@dataclass
class Playback:
    """Grows at its end; `at` is the frame that is shown."""

    frames: list[Frame] = field(default_factory=list)
    at: int = 0
    playing: bool = False
    complete: bool = False  # no more frames will come
    result: str = ""

    @property
    def last(self) -> int:
        return max(0, len(self.frames) - 1)

    @property
    def frame(self) -> Frame | None:
        return self.frames[self.at] if self.frames else None

    @property
    def is_at_end(self) -> bool:
        return self.complete and bool(self.frames) and self.at == self.last

    def add(self, frames: list[Frame]) -> None:
        self.frames += frames

    def tick(self) -> bool:
        """One frame on, if there is one; has the picture changed? At the end it stops playing."""
        if self.at < self.last:
            self.at += 1
            return True
        if self.complete:
            self.playing = False
        return False

    def go(self, to: object) -> bool:
        """Show frame `to`, as near as there is one; nonsense changes nothing."""
        if not isinstance(to, (int, float)) or isinstance(to, bool) or to != to:
            return False
        wanted = int(min(max(to, 0), self.last))
        changed, self.at = wanted != self.at, wanted
        return changed

    def thought(self) -> dict[str, Any] | None:
        """What the agent thought last, at or before the frame shown."""
        for frame in reversed(self.frames[: self.at + 1]):
            if frame.get("thought"):
                return dict(frame["thought"])
        return None

    def positions(self) -> int:
        """How many positions the agent has looked at so far."""
        return sum(frame["thought"]["positions"] for frame in self.frames[: self.at + 1] if frame.get("thought"))

    def moves(self) -> int:
        """How many moves the agent has made so far."""
        return sum(frame.get("mover") == 0 for frame in self.frames[: self.at + 1])

    def caption(self, agent: str, others: str) -> str:
        """How it stands at the frame shown; at the end, how it ended."""
        now = self.frame
        if now is None:
            return ""
        if self.is_at_end and self.result:
            return self.result
        mover = "" if now["mover"] is None else agent if now["mover"] == 0 else f"{others}, no. {now['mover']}"
        moved = f" · {mover}: {now['move']}" if mover else ""
        return f"Move {self.moves()} · {shown(now['score'])} points{moved}"


class Drawings:
    """Pictures of positions; the last few are kept, because lessons are the same for everybody who watches."""

    def __init__(self, site: object = None, most: int = DRAWINGS) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[str, str], str] = OrderedDict()

    def draw(self, game: Game[Any, Any], position: str) -> str:
        key = (f"{game.name} {getattr(game, 'options', '')}", position)
        if key in self._kept:
            self._kept.move_to_end(key)
        else:
            s = game.parse(position)
            self._kept[key] = game.svg(s) or f"<pre>{escape(game.text(s))}</pre>"
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return self._kept[key]


def shown(number: float) -> str:
    """−12, 3.5: with a minus sign that is one."""
    text = f"{number:.1f}".removesuffix(".0")
    return text.replace("-", MINUS) if text != "-0" else "0"


def thought_html(thought: dict[str, Any] | None) -> str:
    """A table of the agent's moves and what it thinks they are worth; the one it takes is bold."""
    if thought is None:
        return '<div class="z-muted">Nothing yet: run an episode.</div>'
    values = [one["value"] for one in thought["worth"]]
    low, high = min(values), max(values)
    rows = []
    for one in thought["worth"]:
        chosen = one["move"] == thought["best"]
        share = 1.0 if high == low else (one["value"] - low) / (high - low)
        sign = "≤ " if one["is_bound"] else ""
        rows.append(
            f'<tr class="{"z-best" if chosen else ""}"><td>{escape(one["move"])}</td>'
            f'<td class="z-num">{sign}{shown(one["value"])}</td>'
            f'<td class="z-bar"><div style="width:{8 + 92 * share:.0f}%"></div></td>'
            f"<td>{'← takes it' if chosen else ''}</td></tr>"
        )
    return f'<table class="z-thought">{"".join(rows)}</table>'


def comparison_html(rows: list[dict[str, Any]]) -> str:
    """Episodes compared: who, how many, the average score, how many were won."""
    if not rows:
        return ""
    lines = "".join(
        f"<tr><td>{escape(row['who'])}</td><td class='z-num'>{row['games']}</td>"
        f"<td class='z-num'>{shown(row['mean'])}</td><td class='z-num'>{row['wins']}</td></tr>"
        for row in rows
    )
    heads = "".join(f"<th>{words}</th>" for words in ("agent and world", "games", "mean score", "won"))
    return f'<table class="z-thought"><tr>{heads}</tr>{lines}</table>'


def result_sentence(answer: dict[str, Any]) -> str:
    """How an episode ended."""
    words = "stopped: its time on this page is spent" if answer["cut_short"] else str(answer["ending"])
    return f"{words[:1].upper()}{words[1:]}, with {shown(answer['scores'][-1])} points."


def compared(who: str, answer: dict[str, Any]) -> dict[str, Any]:
    """A row of the comparison."""
    scores = answer["scores"]
    return {"who": who, "games": len(scores), "mean": sum(scores) / len(scores), "wins": answer["wins"]}
