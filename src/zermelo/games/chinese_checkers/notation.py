"""Chinese checkers in words: moves and positions as text.

d2-e3                    a move, by its ends, whatever was hopped over; "pass"
…/A..A/AAA/AA/A A 12     a position: the rows from the top with A, B, C … for the players and a dot for an empty
                         point; then whose turn it is, and how many plies were made
"""

import re

from zermelo.core.game import GameError
from zermelo.games.chinese_checkers.star import CORNERS

LETTERS = "ABCDEF"


def format_action(star, a):
    return f"{star.names[a >> 7]}-{star.names[a & 127]}" if a else "pass"


def clicks(star, a):
    return (star.names[a >> 7], star.names[a & 127]) if a else ("pass",)


def parse_action(star, s, text):
    word, legal = text.strip().lower(), s.game.actions(s)
    if not legal:
        raise GameError("the game is over")
    if word == "pass":
        if 0 in legal:
            return 0
        raise GameError("nobody who can move may pass")
    found = re.fullmatch(r"([a-z]\d{1,2})[\s,x-]*([a-z]\d{1,2})", word)
    if not found:
        raise GameError(f"'{word[:40]}' is not a move such as {format_action(star, legal[0])}")
    for name in found.groups():
        if name not in star.named:
            raise GameError(f"there is no point {name} on this star")
    here, there = (star.named[name] for name in found.groups())
    if here << 7 | there in legal and here != there:
        return here << 7 | there
    if here not in pieces(s, s.turn):
        raise GameError(f"player {LETTERS[s.turn]} has no piece on {found[1]}")
    raise GameError(f"the piece on {found[1]} cannot move to {found[2]}")


def pieces(s, p):
    """The points of player p's pieces, in order."""
    bits = int(s.pieces[p, 0]) | int(s.pieces[p, 1]) << 64
    return [c for c in range(bits.bit_length()) if bits >> c & 1]


def owners(players, s):
    """point → player."""
    return {c: p for p in range(players) for c in pieces(s, p)}


def format_position(star, players, s):
    owner = owners(players, s)
    rows = "/".join("".join(LETTERS[owner[c]] if c in owner else "." for c in row) for row in star.rows)
    return f"{rows} {LETTERS[s.turn]} {s.plies}"


def parse_position(star, players, s, text):
    found = re.fullmatch(r"\s*([A-Fa-f./]+)\s+([A-Fa-f])\s+(\d{1,6})\s*", text)
    if not found:
        raise GameError(
            "a position is the rows of the star from the top, whose turn it is, and the plies made: './../… A 12'"
        )
    rows = found[1].upper().split("/")
    if len(rows) != len(star.rows):
        raise GameError(f"this star has {len(star.rows)} rows, not {len(rows)}")
    bits = [0] * players
    for points, letter, row in zip(star.rows, star.letters, rows, strict=True):
        if len(row) != len(points):
            raise GameError(f"row {letter} of this star has {len(points)} points, not {len(row)}")
        for c, sign in zip(points, row, strict=True):
            if sign != ".":
                bits[_player(players, sign)] |= 1 << c
    for p in range(players):
        s.pieces[p, 0], s.pieces[p, 1] = bits[p] & (1 << 64) - 1, bits[p] >> 64
    s.turn, s.plies = _player(players, found[2].upper()), int(found[3])


def _player(players, letter):
    if LETTERS.index(letter) >= players:
        raise GameError(f"there is no player {letter} among {players}")
    return LETTERS.index(letter)


def validate(star, players, count, most_plies, s):
    """What is wrong with a state made from outside, in a sentence; None if nothing."""
    lists = [pieces(s, p) for p in range(players)]
    for p, points in enumerate(lists):
        if len(points) != count:
            return f"player {LETTERS[p]} has {len(points)} pieces instead of {count}"
    if len({c for points in lists for c in points}) < players * count:
        return "two pieces share a point"
    if max(max(points) for points in lists) >= len(star):
        return "a piece stands beside the board"
    for p, k in enumerate(CORNERS[players]):
        for other in set(range(6)) - {k, (k + 3) % 6}:
            if set(lists[p]) & set(star.corner(other)):
                return f"a piece of player {LETTERS[p]} rests in a corner that is neither home nor goal"
    if not 0 <= s.turn < players or s.plies % players != s.turn:
        return f"after {s.plies} plies it is the turn of player {LETTERS[s.plies % players]}"
    return None if 0 <= s.plies <= most_plies else f"no game has more than {most_plies} plies"
