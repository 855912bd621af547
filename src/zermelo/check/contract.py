"""docs/contract.md, made from the tables of hooks and declarations: `python -m zermelo.check.contract FILE`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from zermelo.check.report import KINDS
from zermelo.compile.declarations import DECLARATIONS, Declaration
from zermelo.compile.hooks import GROUPS, HOOKS, Hook

HEAD = """\
# The contract of a game

What rules may define (hooks) and what they say about themselves (declarations). This page is made from the tables in
`src/zermelo/compile/hooks.py` and `src/zermelo/compile/declarations.py`; `make contract` writes it anew.

A **compiled** hook is a plain function of the record `s`, which only `start`, `apply` and `null_move` change. It is
interpreted or compiled, and a kernel calls it by its name (`from zermelo.compile.dispatch import actions`). `out`,
`probability`, `index` and `value` are arrays to write into, as large as the game declares. A hook of the
**presentation** is ordinary Python over a `State`, never compiled; it is asked for as `game.hook("uci")`, or as the
method of `Game` that has its name. A plain Python game (a subclass of `Game`) offers it as a method.

`@rules` takes no function that is not listed here: a misspelt one is refused, with the name that was meant. What
`zermelo check` can find wrong with a hook stands in the last column; a compiled one that has an entry there is moreover
run interpreted and compiled, must say the same, and must not change what it reads.
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for group, title in GROUPS.items():
        rows = [row for row in HOOKS.values() if row.group == group]
        parts.append(f"## {title}\n\n{_kind(rows)}\n")
        parts.append(_table(("hook", "meaning", "without it", "`check` finds"), map(_hook, rows)))
    parts.append("## Declarations\n\nWords of `@rules(name=…, …)`, or attributes of the class.\n")
    parts.append(_table(("word", "default", "meaning"), map(_declaration, DECLARATIONS.values())))
    return "\n".join(parts)


def _kind(rows: list[Hook]) -> str:
    plain = [f"`{row.name}`" for row in rows if not row.is_compiled]
    if len(plain) == len(rows):
        return "Presentation, plain Python."
    return f"Compiled, but for {' and '.join(plain)}, plain Python without a state." if plain else "Compiled."


def _hook(row: Hook) -> tuple[str, ...]:
    without = "required" if row.is_required else row.otherwise
    finds = "; ".join(KINDS[kind] for kind in row.check) or "–"
    return f"`{row.name}({', '.join(row.parameters)})`", row.meaning, without, finds


def _declaration(row: Declaration) -> tuple[str, ...]:
    return f"`{row.name}`", "–" if row.default is None else f"`{row.default!r}`", row.sentence


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page())
