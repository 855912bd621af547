"""docs/contract.md, made from the tables of hooks and declarations: `python -m zermelo.check.contract FILE`."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable
from pathlib import Path

from zermelo.check.report import KINDS
from zermelo.compile.declarations import DECLARATIONS, Declaration
from zermelo.compile.hooks import GROUPS, HOOKS, Hook
from zermelo.compile.language import FAST, LOOPS, NOT, SLOW, Example
from zermelo.core.game import Game

HEAD = """\
# The contract of a game

What rules may define (hooks) and what they say about themselves (declarations). This page is generated from the tables
in `src/zermelo/compile/hooks.py` and `src/zermelo/compile/declarations.py` by `make contract`.

A **compiled** hook is a plain function of the record `s`, which only `start`, `apply`, `null_move` and `unrank` change.
It is interpreted or compiled, and a kernel calls it by its name (`from zermelo.compile.dispatch import actions`).
`out`, `probability`, `index` and `value` are arrays to write into, as large as the game declares: actions, outcomes and
`index` are 64-bit integers, payoffs and `probability` 64-bit floats, `value` 32-bit floats. A hook of the
**presentation** is ordinary Python over a `State`, never compiled; it is reached as `game.hook("uci")`, or as the
method of `Game` with its name. A plain Python game (a subclass of `Game`) offers it as a method.

`@rules` accepts only functions listed here: a misspelt one is refused, with the name that was meant. The last column
says what `zermelo check` can find wrong with a hook; a compiled one with an entry there is also run both interpreted
and compiled, must give the same results, and must not change what it reads.
"""

STATE = """\
## The state

`state = {"cells": ("i1", (3, 3)), "turn": "i1"}` names the fields of the record and the type of each: `i1`, `i2`,
`i4`, `i8` are integers of that many bytes, `u1` … `u8` unsigned ones (`i1` holds -128 to 127, `u1` 0 to 255), `?` is
true or false; with a shape, an array of them. A state holds no fractions and no strings. Names that begin with `_`, and
`game`, `record` and `key`, are reserved.

A field is read as a 64-bit number, and as `numpy.uint64` where it is `u8`. Interpreted rules refuse to store what does
not fit its field, or has a fraction; compiled ones store the part that fits, and `zermelo check` says where that
happens. An index beyond the end of an array raises an exception when interpreted, and writes anywhere in memory when
compiled: run `check` first. Two records with equal bytes are the same position, so what does not belong to the position
must not be a field.
"""

LANGUAGE = """\
## What compiled functions may contain

Plain Python over numbers, the fields of the record, tuples, NumPy arrays and helpers (`@helper`): arithmetic,
comparisons, `if`, `while`, `for`, `return`, `assert`, `raise`, `match`, nested functions. Numbers have 64 bits. A name
must not change its type. All of this becomes machine code without any allocation:

{fast}
Lists, dicts, sets, strings and arrays made along the way work too, each with elements of one type, but cost an
allocation at every call, and a graphics card has none of them:

{slow}
`print`, `np.random` and `try` are compiled as well; but dice belong in `chances`, and `check` says so. What cannot be
compiled is refused, with its line:
"""

ACTIONS = """\
## Which numbers actions may be

Any 64-bit integers, negative ones too, no two alike in one state. The same number may mean different things in
different states, and need not be below `max_actions`, which only says how many there are at most. Three things ask for
more: the table of a search remembers only best moves from 0 to 2^40 - 2 (others have to be found again, which takes
longer); `policy_size` without `policy_index` needs them to be at least 0 and below it; and move ordering by history
works best where the same number means much the same. Chance outcomes are numbered separately, and may use the same
numbers as actions.
"""

PLAIN = """\
## A plain Python game

A subclass of `zermelo.Game` over any hashable states and actions: no record, no declarations, nothing compiled. Its
attributes are `name`, `players` (2), `teams` (none), `zero_sum` (true), `repetition` (none) and `repetitions` (2), with
the meanings above. Searches, players, matches and the studio accept it, more slowly; training and batches do not.
"""

# what the docstrings of `Game` leave to the name
METHODS = {
    "start": "The first state.",
    "player": "",
    "actions": "",
    "succ": "",
    "utility": "",
    "is_end": "Is the game over?",
    "chances": "",
    "evaluate": "",
    "repetition_key": "",
    "format_action": "The action as people write it.",
    "parse_action": "",
    "format": "",
    "parse": "The state that a line of text stands for.",
    "text": "",
    "svg": "The position drawn as SVG.",
    "clicks": "",
}
WITHOUT = {
    "is_end": "where `player` says OVER",
    "chances": "there are no chance nodes",
    "evaluate": "0",
    "repetition_key": "the state",
    "format_action": "`str(a)`",
    "parse_action": "what `format_action` writes",
    "format": "`str(s)`",
    "parse": "positions cannot be read",
    "text": "`format`",
    "svg": "no drawing",
    "clicks": "moves are typed",
}


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for group, title in GROUPS.items():
        rows = [row for row in HOOKS.values() if row.group == group]
        parts.append(f"## {title}\n\n{_kind(rows)}\n")
        parts.append(_table(("hook", "meaning", "without it", "`check` finds"), map(_hook, rows)))
    parts.append("## Declarations\n\nKeyword arguments of `@rules(name=…, …)`, or attributes of the class.\n")
    parts.append(_table(("word", "default", "meaning"), map(_declaration, DECLARATIONS.values())))
    parts.append(STATE)
    parts.append(LANGUAGE.format(fast=_examples((*FAST, *LOOPS)), slow=_examples(SLOW)))
    parts.append(_table(("not compiled", "instead"), map(_refused, NOT)))
    parts.append(ACTIONS)
    parts.append(PLAIN)
    parts.append(_table(("method", "meaning", "without it"), map(_method, METHODS)))
    return "\n".join(parts)


def _kind(rows: list[Hook]) -> str:
    plain = [f"`{row.name}`" for row in rows if not row.is_compiled]
    if len(plain) == len(rows):
        return "Presentation: plain Python."
    return f"Compiled, except {' and '.join(plain)} (plain Python without a state)." if plain else "Compiled."


def _method(name: str) -> tuple[str, ...]:
    """A method of `Game`, as somebody's subclass may define it."""
    function = vars(Game)[name]
    required = getattr(function, "__isabstractmethod__", False)
    parameters = [p for p in inspect.signature(function).parameters if p != "self"]
    meaning = " ".join((inspect.getdoc(function) or METHODS[name]).split())
    return f"`{name}({', '.join(parameters)})`", meaning, "required" if required else WITHOUT[name]


def _examples(rows: Iterable[Example]) -> str:
    return "\n".join(f"    {line}" for row in rows for line in row.code.splitlines()) + "\n"


def _refused(row: Example) -> tuple[str, ...]:
    return f"`{' ⏎ '.join(line.strip() for line in row.code.splitlines())}`", row.instead


def _hook(row: Hook) -> tuple[str, ...]:
    without = "required" if row.is_required else row.otherwise
    finds = "; ".join(KINDS[kind] for kind in row.check) or "–"
    returns = f" → {row.returns}" if row.returns else ""
    return f"`{row.name}({', '.join(row.parameters)}){returns}`", row.meaning, without, finds


def _declaration(row: Declaration) -> tuple[str, ...]:
    return f"`{row.name}`", "–" if row.default is None else f"`{row.default!r}`", row.sentence


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page())
