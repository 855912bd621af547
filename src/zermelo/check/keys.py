"""Keys of rules over records: positions that share one must be alike, and what makes them differ must change it.

Whatever looks a position up by its key believes what stands there, so a key that forgets something is found nowhere
else but in wrong answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.check.presentation import move_text
from zermelo.check.states import Broken, Seen, blame
from zermelo.compile.record import field_names
from zermelo.compile.record_game import State
from zermelo.core.game import OVER

if TYPE_CHECKING:
    from zermelo.check.records import RecordExaminer

VALUES, ROUNDS = 3, 2_000  # of a field that are tried in its place, and how often that is done
TWINS, SOME = 200, 8  # positions with the key of another that are looked into, and moves of them


class Keys:
    """The keys that an examiner has met."""

    def __init__(self, examiner: RecordExaminer):
        self.examiner, self.game, self.rules = examiner, examiner.game, examiner.rules
        self._twins = 0  # positions that had the key of another
        self._rounds = 0  # positions made of another by changing a field
        self._values: dict[str, list[int]] = {}  # some that a field has had
        self._search_keys: dict[int, tuple[int, int]] = {}  # who moves, and how many actions there are
        self._keys: dict[int, tuple[Any, bytes]] = {}  # what the first position with a key was like

    def compare(self, s: State, seen: Seen, payoff: Sequence[float], numbers: dict[str, Any]) -> None:
        """Positions with one key share an entry in every table: they must at least be alike from outside."""
        key = numbers["key"]
        if self._ends_beside_the_moves(s, seen.player):
            return
        alike = (seen.player, frozenset(seen.actions), tuple(payoff), numbers.get("evaluate") if seen.actions else None)
        known, content = self._keys.setdefault(key, (alike, s._bytes))
        if content == s._bytes:
            return
        other = State(self.game, np.frombuffer(content, self.rules.dtype).copy())
        what = self._unlike_after_a_move(s, other, seen)
        if known != alike:
            what = "whose turn it is" if known[0] != alike[0] else "which actions there are"
            what = "the payoffs" if known[:2] == alike[:2] else what
            what = "what evaluate says of it" if known[:3] == alike[:3] else what
        if what:
            with blame("format"):
                shown = self.game.format(other)
            if shown == self.game.format(s):  # what differs stands in no text
                shown = f"another position ({self.examiner._difference(other.record, s.record)})"
            raise Broken("key", "key", f"key gives the same number to {shown}, which differs from this in {what}")

    def _unlike_after_a_move(self, s: State, other: State, seen: Seen) -> str:
        """Positions with one key must have one key again after the same move; what differs, for the first of them."""
        self._twins += 1
        if self._twins > TWINS:
            return ""
        for a in seen.actions[:: max(1, len(seen.actions) // SOME)]:
            with blame("apply"):
                after, beside = self.examiner.follow(s, a), self.examiner.follow(other, a)
                differs = self.game.key(after) != self.game.key(beside)
            if differs:
                return f"what the move {move_text(self.game, s, a)} leads to"
        return ""

    def compare_fields(self, s: State, seen: Seen, key: int) -> None:
        """Positions that differ in one field only, where the rules take them for positions: the key must tell."""
        for name in field_names(self.rules.dtype):
            if self.rules.dtype[name].shape:
                continue
            values = self._values.setdefault(name, [])
            value = int(getattr(s, name))
            if value not in values and len(values) < VALUES:
                values.append(value)
            for other in values:
                if other != value and self._rounds < ROUNDS:
                    self._rounds += 1
                    self._compare_field(s, seen, key, name, other)

    def _compare_field(self, s: State, seen: Seen, key: int, name: str, value: int) -> None:
        records = s.record
        records[name] = value
        other = State(self.game, records)
        try:
            if self.game.key(other) != key or self.game.parse(self.game.format(other)) != other:
                return
            told = self.game.player(other), frozenset(self.game.actions(other))
            if self._ends_beside_the_moves(other, told[0]) or self._ends_beside_the_moves(s, seen.player):
                return
        except Exception:  # no position, whatever the rules say of it
            return
        if told != (seen.player, frozenset(seen.actions)):
            what = "whose turn it is" if told[0] != seen.player else "which actions there are"
            sentence = f"key gives the same number with {name}={value}, which differs from this in {what}"
            raise Broken("key", "key", sentence)

    def _ends_beside_the_moves(self, s: State, player: int) -> bool:
        """Is `s` over by a rule that counts (fifty moves), which a key may leave out?"""
        return (
            player == OVER
            and "side_to_move" in self.rules.functions
            and int(self.examiner._ask("side_to_move", s)) != OVER
        )

    def compare_search_key(self, seen: Seen, hooks: dict[str, Any]) -> None:
        """Mirror images may share it: they have the same player to move, and as many actions."""
        if "search_key" not in hooks:
            return
        alike = seen.player, len(seen.actions)
        known = self._search_keys.setdefault(hooks["search_key"], alike)
        if known != alike:
            what = "whose turn it is" if known[0] != alike[0] else "how many actions there are"
            sentence = f"search_key gives this position the number of another, which differs from it in {what}"
            raise Broken("key", "search_key", sentence)
