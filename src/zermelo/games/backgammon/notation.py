"""How backgammon is written: positions as GNU Backgammon's position ID, plays as `8/5 6/5`, games as .mat files.

The position ID is 80 bits in base64. For the player who waits and then for the player to roll or play, from their ace
point to the bar, every point is written as one 1 for each checker and a 0; the rest is 0. Checkers borne off follow.

    start   waits 0 0 0 0 0 11111 0 0 111 0 0 0 0 11111 0 …   plays the same   →   4HPwATDgc/ABMA

After it come the player (0, 1, or a dash before the opening roll) and the dice (a dash before they are rolled):
`4HPwATDgc/ABMA:-:-`, `4HPwATDgc/ABMA:1:42`. An ID alone means that player 0 is to roll.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from zermelo.core.game import CHANCE, GameError
from zermelo.core.history import History
from zermelo.games.backgammon.plays import BAR, CANNOT_MOVE

CHECKERS = 15
EXAMPLE = "4HPwATDgc/ABMA:0:31"
_MOVE = re.compile(r"(bar|\d+)((?:/(?:off|\d+)\*?)+)(?:\((\d)\))?")


# -- positions ---------------------------------------------------------------------------------------------------------


def position_id(s: Any) -> str:
    """GNU Backgammon's position ID of a state (of player 0's view before the opening roll)."""
    p, points = max(s.turn, 0), s.points.tolist()
    bits = "".join("1" * count + "0" for q in (1 - p, p) for count in points[q][1:])
    return base64.b64encode(int(bits[::-1], 2).to_bytes(10, "little")).decode().rstrip("=")


def format_position(s: Any) -> str:
    turn = "-" if s.turn < 0 else str(s.turn)
    dice = f"{s.dice[0]}{s.dice[1]}" if s.dice[0] else "-"
    return f"{position_id(s)}:{turn}:{dice}"


def fibs(s: Any) -> str:
    """A position as a FIBS board, which GNU Backgammon reads: the player to roll or play is "You", moving from 24 down.

    Their checkers count above 0 and the opponent's below, on the opponent's bar, points 1 … 24 and their own bar.
    """
    p, points = max(s.turn, 0), s.points.tolist()
    mine, theirs = points[p], points[1 - p]
    board = [-theirs[BAR], *(mine[i] - theirs[BAR - i] for i in range(1, BAR)), mine[BAR]]
    dice = [s.dice[0], s.dice[1]] * 2
    cube, ways, off = [1, 1, 1, 0], [1, -1, 0, BAR], [mine[0], theirs[0]]  # nobody has turned the cube
    return ":".join(map(str, ["board:You:They:0:0:0", *board, 1, *dice, *cube, *ways, *off, "0:0:0:0:0:0"]))


def parse_position(s: Any, text: str) -> None:
    words = text.strip().split(":")
    code, turn, dice = [*words, "0", "-"] if len(words) == 1 else words if len(words) == 3 else ["", "", ""]
    if turn not in ("0", "1", "-"):
        raise GameError(f"a backgammon position is written like {EXAMPLE} (ID:player:dice), not '{text.strip()}'")
    s.turn = -1 if turn == "-" else int(turn)
    rows = _decode(code)
    for q, counts in zip((1 - max(s.turn, 0), max(s.turn, 0)), rows, strict=True):
        for i, count in enumerate(counts, 1):
            s.points[q, i] = count
        s.points[q, 0] = CHECKERS - sum(counts)
    if dice != "-":
        s.dice = sorted(_parse_dice(dice), reverse=True)


def _decode(code: str) -> list[list[int]]:
    """The checkers on points 1 … 25 of the player who waits and of the one to play."""
    try:
        content = base64.b64decode(code + "==", validate=True)
    except (binascii.Error, ValueError):
        content = b""
    if base64.b64encode(content).decode() != f"{code}==" or len(content) != 10:
        raise GameError(f"'{code}' is not a position ID: 14 letters, digits, + and / such as 4HPwATDgc/ABMA")
    bits = f"{int.from_bytes(content, 'little'):080b}"[::-1]
    runs = [len(run) for run in bits.split("0")]
    rows = [runs[:25], runs[25:50]]
    if len(runs) < 51 or any(runs[50:]) or any(sum(row) > CHECKERS for row in rows):
        raise GameError(f"the position ID '{code}' does not give each player fifteen checkers or fewer")
    return rows


def _parse_dice(text: str) -> list[int]:
    dice = [int(c) for c in text if c in "123456"]
    if len(dice) != 2 or not re.fullmatch(r"\d\W?\d", text.strip()):
        raise GameError(f"'{text.strip()}' is not a roll of two dice such as 31")
    return dice


def validate(s: Any) -> str | None:
    """Why a state cannot be a position of the game."""
    if s.turn not in (-1, 0, 1):
        return f"turn must be 0, 1 or -1, not {s.turn}"
    first, second = s.points.tolist()
    for p, row in enumerate((first, second)):
        if min(row) < 0 or sum(row) != CHECKERS:
            return f"player {p} must have fifteen checkers"
    for i in range(1, 25):
        if first[i] and second[25 - i]:
            return f"both players have checkers on player 0's {i} point"
    if first[0] == second[0] == CHECKERS:
        return "both players have borne off all their checkers"
    high, low = s.dice[0], s.dice[1]
    if (high, low) != (0, 0) and not 1 <= low <= high <= 6:
        return f"the dice {high} and {low} must be two from 6 down to 1, the higher first, or both 0"
    if high and s.turn < 0:
        return "dice have been rolled, so turn must say for whom"
    if high and CHECKERS in (first[0], second[0]):
        return "the game is over, so there is no roll to play"
    return None


# -- plays -------------------------------------------------------------------------------------------------------------


def steps(action: int) -> Iterator[tuple[int, int]]:
    """(from, to) of every step of a play; 25 is the bar, 0 is off."""
    while action:
        source, die = action & 31, action >> 5 & 7
        yield source, max(source - die, 0)
        action >>= 8


def hits(s: Any, action: int) -> set[int]:
    """The points on which a play hits, as the player who moves counts them."""
    theirs = s.points[1 - s.turn].tolist()
    return {to for _, to in steps(action) if to and theirs[BAR - to] == 1}


def format_play(s: Any, action: int) -> str:
    if s.game.player(s) == CHANCE:
        return str(action)
    if action == CANNOT_MOVE:
        return "cannot move"
    paths: list[list[int]] = []
    for source, to in steps(action):  # a step goes on from where another ended, as far as possible
        going = next((path for path in paths if path[-1] == source), None)
        if going:
            going.append(to)
        else:
            paths.append([source, to])
    unhit = hits(s, action)
    words = []
    for path, times in sorted(Counter(map(tuple, paths)).items(), reverse=True):
        word = "bar" if path[0] == BAR else str(path[0])
        for point in path[1:]:
            if point in unhit or point == path[-1]:
                word += f"/{point or 'off'}" + "*" * (point in unhit)
                unhit.discard(point)
        words.append(word + (f"({times})" if times > 1 else ""))
    return " ".join(words)


def parse_play(s: Any, text: str) -> int:
    if s.game.player(s) == CHANCE:
        return _parse_roll(s, text)
    legal = s.game.actions(s)
    wanted = text.strip().lower().replace(",", " ")
    if wanted in ("cannot move", "no move", "pass", "-", ""):
        if legal[0] != CANNOT_MOVE:
            raise GameError(f"there are legal moves with this roll, such as {format_play(s, legal[0])}")
        return CANNOT_MOVE
    change, passed, starred = _read_play(wanted)
    fitting = _by_change(s).get(frozenset(change.items()), [])
    if len(fitting) > 1:  # the same checkers moved, by ways that hit different blots
        fitting = [a for a in fitting if passed <= {to for _, to in steps(a)} and starred <= hits(s, a)]
        fitting = [a for a in fitting if hits(s, a) == starred] or fitting
    if len(fitting) == 1:
        return fitting[0]
    shown = ", ".join(format_play(s, a) for a in (fitting or legal)[:8]) + (", …" if len(fitting or legal) > 8 else "")
    reason = "does not say what is hit; it may be" if fitting else "is not a legal move here; legal are"
    raise GameError(f"'{text.strip()}' {reason}: {shown}")


def _parse_roll(s: Any, text: str) -> int:
    a, b = _parse_dice(text)
    if s.turn < 0:
        if a == b:
            raise GameError("equal dice are rolled again at the opening, so the roll must be of two different ones")
        return 10 * a + b
    return 10 * max(a, b) + min(a, b)


def _read_play(text: str) -> tuple[dict[int, int], set[int], set[int]]:
    """How many checkers each point gains or loses, the points named in between, and those with a star."""
    change: Counter[int] = Counter()
    passed, starred = set(), set()
    for word in re.sub(r"\s*(/)\s*|\s+(?=[(*])", r"\1", text).split():
        found = _MOVE.fullmatch(word)
        if not found:
            raise GameError(f"'{word}' is not a move such as 8/5, bar/22*, 13/7(2) or 6/off")
        source = BAR if found[1] == "bar" else int(found[1])
        stops = [(0 if to == "off" else int(to), star) for to, star in re.findall(r"/(off|\d+)(\*?)", found[2])]
        times = int(found[3] or 1)
        change[source] -= times
        change[stops[-1][0]] += times
        passed |= {point for point, _ in stops[:-1]}
        starred |= {point for point, star in stops if star}
    return {point: n for point, n in change.items() if n}, passed, starred


@lru_cache(maxsize=16)
def _by_change(s: Any) -> dict[frozenset[tuple[int, int]], list[int]]:
    """The legal plays by the checkers that each point gains or loses."""
    plays: dict[frozenset[tuple[int, int]], list[int]] = {}
    for action in s.game.actions(s):
        change: dict[int, int] = {}
        for source, to in steps(action):
            change[source] = change.get(source, 0) - 1
            change[to] = change.get(to, 0) + 1
        plays.setdefault(frozenset((point, n) for point, n in change.items() if n), []).append(action)
    return plays


# -- games -------------------------------------------------------------------------------------------------------------


def mat(history: History[Any, int], names: tuple[str, str] = ("player 0", "player 1")) -> str:
    """A game as a .mat file, which GNU Backgammon and most other programs import.

    Player 0 has the left column. Every step is written by itself, the bar as 25 and off as 0, as the format wants it.
    """
    cells: list[str] = []
    for s, a in zip(history.states, history.moves, strict=False):
        if s.game.player(s) == CHANCE:
            continue
        if not cells and s.turn == 1:
            cells.append("")
        struck = hits(s, a)
        words = []
        for source, to in steps(a):
            words.append(f"{source}/{to}" + "*" * (to in struck))
            struck.discard(to)
        cells.append(f"{s.dice[0]}{s.dice[1]}: {' '.join(words)}")
    lines = [" 0 point match", "", " Game 1", f" {names[0] + ' : 0':<30} {names[1]} : 0"]
    for i in range(0, len(cells), 2):
        lines.append(f"{i // 2 + 1:>3}) {cells[i]:<27} {cells[i + 1] if i + 1 < len(cells) else ''}".rstrip())
    if history.is_over:
        won = history.utility(0)
        wins = f"Wins {abs(won):.0f} point{'s' * (abs(won) > 1)}"
        lines.append(" " * (6 if won > 0 else 34) + wins)
    return "\n".join(lines) + "\n"
