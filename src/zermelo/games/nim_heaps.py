"""Nim: several heaps; take any number of fruits from one heap; whoever takes the last fruit of all wins.

    heaps   how many each heap holds, up to eight heaps of up to 31; 0 where there is none
    turn    whose turn: 0 or 1

    a  ● ● ●              the heaps are called a, b, c …; an action is 32 · heap + how many are taken,
    b  ● ● ● ●            written `c-2`: two from heap c
    c  ● ● ● ● ●

The player to move loses exactly when the exclusive or of all heaps is 0 (Bouton 1901), here 3 ^ 4 ^ 5 = 2: the move
a-2 makes it 0. Positions are written `3 4 5`, or `3 4 5 : 1` when player 1 is to move.
"""

import re

import numpy as np

from zermelo.compile.random import scramble
from zermelo.compile.rules import rules
from zermelo.core.game import OVER, GameError
from zermelo.drawing import svg
from zermelo.games._shared.nim import STYLE, draw_fruit, format_turn, kind_of, parse_turn

u64 = np.uint64
HEAPS, MOST, LETTERS = 8, 31, "abcdefgh"


@rules(name="nim-heaps", players=2, max_actions=HEAPS * MOST, max_plies=HEAPS * MOST, utility_range=(-1, 1))
class NimHeaps:
    """Take any number from one heap; whoever takes the last one of all wins."""

    state = {"heaps": ("i1", (HEAPS,)), "turn": "i1"}

    def start(s):
        for heap in range(3):
            s.heaps[heap] = 3 + heap

    def player(s):
        for heap in range(HEAPS):
            if s.heaps[heap] > 0:
                return s.turn
        return OVER

    def actions(s, out):
        n = 0
        for heap in range(HEAPS):
            for taken in range(1, s.heaps[heap] + 1):
                out[n] = 32 * heap + taken
                n += 1
        return n

    def apply(s, action):
        s.heaps[action // 32] -= action % 32
        s.turn = 1 - s.turn

    def utility(s, out):
        out[s.turn] = -1  # the other one has just taken the last fruit
        out[1 - s.turn] = 1

    def search_key(s):
        """The heaps in any order: a sum does not tell them apart."""
        total = u64(s.turn)
        for heap in range(HEAPS):
            total += scramble(u64(s.heaps[heap] + 1))
        return total

    def format_action(s, a):
        return f"{LETTERS[a // 32]}-{a % 32}"

    def parse_action(s, text):
        found = re.fullmatch(r"([a-h])\s*[-−]?\s*(\d+)", text.strip().lower())
        if not found:
            raise GameError(f"'{text.strip()}' is not a heap and how many are taken from it, as in c-2")
        heap, taken = LETTERS.index(found[1]), int(found[2])
        if not 1 <= taken <= s.heaps[heap]:
            raise GameError(f"heap {found[1]} holds {s.heaps[heap]}: {taken} cannot be taken from it")
        return 32 * heap + taken

    def clicks(s, a):
        heap = a // 32
        return (f"{LETTERS[heap]}{s.heaps[heap] - a % 32 + 1}",)  # this fruit and those after it

    def format(s):
        used = max((heap + 1 for heap in range(HEAPS) if s.heaps[heap]), default=1)
        return " ".join(str(s.heaps[heap]) for heap in range(used)) + format_turn(s.turn)

    def parse(s, text):
        numbers, s.turn = parse_turn(text)
        words = numbers.split()
        if not 1 <= len(words) <= HEAPS:
            raise GameError(f"a position has one to {HEAPS} heaps such as '3 4 5', not {len(words)}")
        for heap, word in enumerate(words):
            if not word.isdecimal() or int(word) > MOST:
                raise GameError(f"heap {LETTERS[heap]} holds '{word}', which is not a number from 0 to {MOST}")
            s.heaps[heap] = int(word)

    def validate(s):
        for heap in range(HEAPS):
            if not 0 <= s.heaps[heap] <= MOST:
                return f"heap {LETTERS[heap]} cannot hold {s.heaps[heap]}, only 0 to {MOST}"
        return None if s.turn in (0, 1) else f"player {s.turn} does not play here, only 0 and 1 do"

    def text(s):
        used = [heap for heap in range(HEAPS) if s.heaps[heap]]
        return "\n".join(f"{LETTERS[heap]}  {'● ' * s.heaps[heap]}".rstrip() for heap in used) or "no fruits left"

    def svg(s, marks):
        used = [heap for heap in range(HEAPS) if s.heaps[heap]]
        parts = [] if used else [svg.text(24, 40, "no fruits left", class_="label", text_anchor="start")]
        for line, heap in enumerate(used):
            parts.append(svg.text(24, 54 + 52 * line, LETTERS[heap], class_="label heap"))
            for i in range(s.heaps[heap]):
                name = f"{LETTERS[heap]}{i + 1}"
                parts.append(draw_fruit(68 + 40 * i, 48 + 52 * line, name, kind_of(name, marks)))
        width = 60 + 40 * max([4, *(s.heaps[heap] for heap in used)])
        return svg.document(width, 32 + 52 * max(1, len(used)), parts, STYLE, title="nim", class_="zb")
