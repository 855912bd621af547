"""What endgame tables know of the position that was searched, beside what the search made of it.

They say what the truth is, whatever was searched: the page stars perfect moves, and lists exact values where those of
the search are its own. Alpha-beta knows the tables itself, and its values are theirs.
"""

from __future__ import annotations

from zermelo.core.words import plies
from zermelo.interfaces.studio.endings import perfect_moves, result_words, without_plies
from zermelo.interfaces.studio.pages.analysis.tree_json import Json

PERFECT = "perfect, by the endgame tables: nothing is better"
NAMED = 12  # moves of a sentence


def has_exact(answer: Json) -> bool:
    """Is there more to say of each move than the search does?"""
    return answer.get("tables") is not None and not answer.get("by_tables")


def exact_of(answer: Json, move: str) -> Json | None:
    """What the tables say of a move."""
    known: Json | None = answer.get("tables")
    return None if known is None else next((one for one in known["moves"] if one["move"] == move), None)


def exact_text(one: Json | None) -> str:
    """A value from player 0's view, and in how many plies that is so."""
    if one is None or one["value"] is None:
        return "–"
    value = f"{one['value']:.3f}" if one["value"] != round(one["value"]) else f"{one['value']:.0f}"
    return value.replace("-", "\u2212") + ("" if one["plies"] is None else f", {plies(one['plies'])}")


def exact_sentences(answer: Json) -> list[str]:
    """What is known for certain."""
    known: Json | None = answer.get("tables")
    if known is None:
        return []
    said = [] if answer.get("by_tables") else [f"By the endgame tables: {result_words(known)}."]
    others = [move for move in perfect_moves(known) if move != answer["best"]]
    is_one = any(move == answer["best"] for move in perfect_moves(known))
    named = ", ".join(others[:NAMED]) + (" …" if len(others) > NAMED else "")
    if others:
        said.append(f"{'Equally good' if is_one else 'Better'}, by the endgame tables: {named}.")
    missing = without_plies(known)
    return [*said, *([missing[0].upper() + missing[1:] + "."] if missing else [])]
