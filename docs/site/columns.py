"""A docstring of words in columns, as this one might be, keeps its columns in the reference.

name    what it is          Python takes away the indentation that all lines but the first one share, so a docstring
other   what that is        that goes on with nothing else than columns has lost what Markdown knows them by.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

COLUMNS = re.compile(r"^ {0,3}\S.*\S {2,}\S", re.MULTILINE)


class Columns(griffe.Extension):
    """Called by griffe (named in zensical.toml) for everything it has read."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = "\n\n".join(map(indented, obj.docstring.value.split("\n\n")))


def indented(paragraph: str) -> str:
    """As a block of its own, where its words stand in columns."""
    if not COLUMNS.search(paragraph):
        return paragraph
    return "\n".join(f"    {line}" for line in paragraph.splitlines())
