"""Pig: roll a die as often as you dare; a 1 takes the turn's points away. Whoever reaches the goal first wins.

The record:

    scores    what players 0 and 1 have in the bank
    total     what this turn has brought so far and the next 1 takes away
    turn      whose turn it is
    rolling   1 while the die is in the air, which is a chance node

      scores 42 35           roll                     die 4                   hold
      total  12       ──────────────→  rolling 1  ─────────────→  total 16  ──────→  scores 58 35, turn 1, total 0
      turn    0                                 └── die 1 ──→  turn 1, total 0

A turn begins with a roll, and who has enough to win can only hold: so totals are bounded, but not the length of games.
Positions are written `42-35 0+12`: the scores, whose turn, the total; a question mark follows while the die rolls.

Reference: T. Neller and C. Presser, "Optimal play of the dice game Pig", The UMAP Journal 25 (2004).
"""

import re

from zermelo.compile.rules import rules
from zermelo.core.game import CHANCE, OVER, GameError, Marks
from zermelo.drawing import svg
from zermelo.drawing.board import STYLE as BOARD_STYLE

HOLD, ROLL = 0, 1
NAMES = ("hold", "roll")
HALF_A_TURN = 4.0  # points: what it is worth to be at the die (a turn brings about eight)
BARS = 40  # characters for a whole score

STYLE = (
    BOARD_STYLE
    + """
.zb .panel { fill: #f0e7d8 } .zb .track { fill: #ddd0ba } .zb .saved { fill: #2d5fa8 } .zb .risked { fill: #e8b92e }
.zb .words { fill: #23211f; font-size: 17px } .zb .big { font-size: 30px; font-weight: 600 }
.zb .button { fill: #fbfaf6; stroke: #8d7a62 } .zb .faint { opacity: .4 }
"""
)


@rules(name="pig")
def pig(goal=100):
    if not 2 <= goal <= 10_000:
        raise GameError(f"pig is played to a goal from 2 to 10000, not {goal}")

    class Pig:
        """Roll and add up, or hold and keep; a 1 loses what the turn has brought."""

        max_actions = 2
        max_chance_outcomes = 6
        utility_range = (-1, 1)
        state = {"scores": ("i2", (2,)), "total": "i2", "turn": "i1", "rolling": "i1"}

        def start(s):
            pass

        def player(s):
            if s.scores[1 - s.turn] >= goal:  # only holding wins, and then the turn has passed
                return OVER
            return CHANCE if s.rolling else s.turn

        def actions(s, out):
            if s.total == 0:
                out[0] = ROLL
                return 1
            out[0] = HOLD
            if s.scores[s.turn] + s.total >= goal:
                return 1
            out[1] = ROLL
            return 2

        def chances(s, out, probability):
            for i in range(6):
                out[i] = i + 1
                probability[i] = 1 / 6
            return 6

        def apply(s, action):
            if s.rolling:
                s.rolling = 0
                if action == 1:
                    s.total = 0
                    s.turn = 1 - s.turn
                else:
                    s.total += action
            elif action == ROLL:
                s.rolling = 1
            else:
                s.scores[s.turn] += s.total
                s.total = 0
                s.turn = 1 - s.turn

        def utility(s, out):
            winner = 1 - s.turn
            out[winner] = 1.0
            out[1 - winner] = -1.0

        def evaluate(s):
            """The lead as a share of the goal, with the turn's total and half a turn for the player at the die."""
            risked = s.total + HALF_A_TURN
            lead = s.scores[0] - s.scores[1] + (risked if s.turn == 0 else -risked)
            return lead / (goal + 10)

        def format(s):
            return f"{s.scores[0]}-{s.scores[1]} {s.turn}+{s.total}{'?' * s.rolling}"

        def parse(s, text):
            found = re.fullmatch(r"(\d+)\s*-\s*(\d+)\s+([01])\s*\+\s*(\d+)(\?)?", text.strip())
            if not found or any(int(n) > goal + 5 for n in found.groups("0")[:4] if n):
                raise GameError(f"a position of pig to {goal} is written like 42-35 0+12, not '{text.strip()[:60]}'")
            first, second, turn, total = (int(n) for n in found.groups()[:4])
            s.scores = first, second
            s.turn, s.total, s.rolling = turn, total, 1 if found[5] else 0

        def validate(s):
            return validate(s, goal)

        def format_action(s, a):
            return str(a) if s.rolling else NAMES[a]

        def parse_action(s, text):
            word = text.strip().lower()
            if s.rolling:
                if word not in ("1", "2", "3", "4", "5", "6"):
                    raise GameError(f"the die shows 1 to 6, not '{text.strip()[:60]}'")
                return int(word)
            meant = [a for a, name in enumerate(NAMES) if word and name.startswith(word)]
            if not meant or meant[0] not in s.game.actions(s):
                legal = " or ".join(NAMES[a] for a in s.game.actions(s)) or "nothing, the game is over"
                raise GameError(f"'{text.strip()[:60]}' is not a legal move here; legal is {legal}")
            return meant[0]

        def text(s):
            rows = [f"player {p}  {_bar(s, p, goal)}  {s.scores[p]}" for p in (0, 1)]
            return "\n".join([*rows, _status(s)])

        def svg(s, marks):
            return _picture(s, marks, goal)

        def clicks(s, a):
            return () if s.rolling else (NAMES[a],)

    return Pig


def validate(s, goal):
    """Why a state cannot be a position of the game."""
    first, second = s.scores.tolist()
    if s.turn not in (0, 1) or s.rolling not in (0, 1):
        return "turn and rolling must be 0 or 1"
    if not all(0 <= n <= goal + 5 and n != 1 for n in (first, second, s.total)):
        return f"scores and totals are 0 or 2 to {goal + 5}"
    mine, theirs = (first, second) if s.turn == 0 else (second, first)
    if mine >= goal or (theirs >= goal and (s.total or s.rolling)):
        return f"player {s.turn if mine >= goal else 1 - s.turn} had won before this turn"
    if mine + s.total > goal + 5 or (s.rolling and mine + s.total >= goal):
        return f"player {s.turn} had enough to hold and win before the last roll"
    return None


def _bar(s, p, goal):
    """A score as a bar: what is kept, what is risked, what is missing."""
    saved = min(BARS, s.scores[p] * BARS // goal)
    risked = min(BARS - saved, -(-s.total * BARS // goal)) if s.turn == p else 0
    return "█" * saved + "▒" * risked + "·" * (BARS - saved - risked)


def _status(s):
    if s.game.player(s) == OVER:
        return f"player {1 - s.turn} wins"
    doing = "rolls" if s.rolling else "to move"
    return f"player {s.turn} {doing}, {s.total} so far this turn"


def _picture(s, marks: Marks, goal):
    """Two bars, and two buttons for the player who moves."""
    width, track = 520.0, 345.0
    parts = [svg.rect(0, 0, width, 210, rx=10, class_="panel")]
    for row, p in enumerate((1, 0) if marks.flip else (0, 1)):
        y = 24 + 52 * row
        saved = min(1.0, s.scores[p] / goal) * track
        risked = min(track - saved, s.total / goal * track) if s.turn == p else 0.0
        parts += [
            svg.text(20, y + 22, f"player {p}", class_="words", text_anchor="start"),
            svg.rect(105, y, track, 32, rx=5, class_="track"),
            svg.rect(105, y, saved, 32, rx=5, class_="saved"),
            svg.rect(105 + saved, y, risked, 32, rx=5, class_="risked"),
            svg.text(width - 20, y + 22, s.scores[p], class_="words", text_anchor="end"),
        ]
    legal = [NAMES[a] for a in s.game.actions(s)] if s.game.player(s) >= 0 else []
    for x, name in ((105.0, "roll"), (225.0, "hold")):
        faint = "" if name in legal else " faint"
        parts.append(svg.rect(x, 140, 108, 46, rx=8, class_=f"button{faint}", data_at=name))
        if name in marks.last:
            parts.append(svg.rect(x, 140, 108, 46, rx=8, class_="last", pointer_events="none"))
        parts.append(svg.text(x + 54, 169, name, class_=f"words{faint}", pointer_events="none"))
        if name in marks.targets:
            parts.append(svg.circle(x + 94, 152, 6, class_="target", pointer_events="none"))
    parts.append(svg.text(width - 20, 163, s.total, class_="words big", text_anchor="end"))
    parts.append(svg.text(width - 20, 184, "this turn", class_="words", text_anchor="end"))
    return svg.document(width, 210, parts, STYLE, title=f"pig: {_status(s)}", class_="zb")
