"""What Python may stand in functions that are compiled: examples that work, and some that do not.

docs/contract.md lists them, and a test compiles every one.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Example:
    """A few statements, `;` between them; `instead` says what to write where they cannot be compiled."""

    code: str
    instead: str = ""


FAST = (
    Example("n = 0; n += s.cells[2] * 3 - 7 // 2 % 5 ** 2 << 1 | 6 & 3 ^ 1"),
    Example("n = 1 if 0 <= s.turn < 5 and not s.count else 2"),
    Example("n = sum_of(1, b=2)  # a helper, with defaults and names"),
    Example("n = min(1, s.turn) + max(1, 2, 3) + abs(-3) + round(2.6) + int(2.7) + divmod(7, 2)[0]"),
    Example("n = len(s.cells) + s.cells[1:3].sum() + np.sum(s.cells == 0) + (0 in s.cells)"),
    Example("a, b = 1, (2, 3); n = a + b[s.turn] + (a in (0, 1))  # a tuple of one kind"),
    Example("n = TABLE[s.turn] + ROWS[s.turn][1] + LIMIT  # arrays, tuples and numbers from outside are constants"),
    Example("n = math.sqrt(4.0) + np.log(1.0)"),
    Example("n = np.uint64(3) << np.uint64(2)  # boards of bits: np.uint64 with np.uint64 only"),
    Example("n = (lambda x: x + 1)(s.turn)"),
)

LOOPS = (
    Example("for i in range(3): pass"),
    Example("for i, v in enumerate(s.cells): pass"),
    Example("for i, v in zip(range(3), s.cells): pass"),
    Example("for a, b in ((1, 2), (3, 4)): pass"),
)

SLOW = (
    Example("x = [1, 2]; x.append(3); n = len(x) + sorted(x)[0] + min(x)"),
    Example("x = [i * i for i in range(4)]; n = sum(x)"),
    Example("x = [[0] * 3 for i in range(3)]; x[1][2] = 5; n = x[1][2]"),
    Example("x = {1: 2}; n = x[1]"),
    Example("x = {1, 2, 3}; n = len(x)"),
    Example("x = np.zeros(4, np.int64); x[1] = 2; n = x.sum()"),
    Example("x = 'a' + str(s.turn) + f'{s.count}'; n = len(x) + 'abc'.index('b')"),
)

NOT = (
    Example("n = any(v == 0 for v in s.cells)", "a loop: generators are not compiled"),
    Example("n = all([v == 0 for v in s.cells])", "a loop"),
    Example("n = 0\nfor i in reversed(range(3)):\n    n += i", "`range(2, -1, -1)`"),
    Example("n = LIST[1]", "a tuple or an array: lists, dicts and sets from outside are no constants"),
    Example("n = plain(1)", "`@helper` on the function"),
    Example("n = factorial(4)", "a loop: a helper cannot call itself"),
    Example("n = s.cells.tolist()[0]", "`s.cells[0]`: no methods of lists on arrays"),
    Example("x = None\nif s.turn >= 0:\n    x = 3\nn = float(x)", "a number from the beginning, such as -1"),
    Example("a, *b = (1, 2, 3); n = a", "names for all of them"),
    Example("n = (1, 2.5)[s.turn]", "numbers of one kind in a tuple whose index varies"),
    Example("n = int((1 << 40) * (1 << 40) > 0)", "numbers of 64 bits; larger ones wrap around, or are refused"),
    Example("import os", "import at the top of the file"),
    Example("global LIMIT; LIMIT = 1", "a field of the state: nothing else changes"),
    Example("class A: pass", "fields of the state"),
    Example("with open('x') as f: pass", "files where the file is loaded, not in the rules"),
)
