"""What endgame tables say of every move, as the page to play on writes it. HTML, escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.drawing.svg import escape
from zermelo.interfaces.studio.endings import without_plies
from zermelo.interfaces.studio.ticket import News

if TYPE_CHECKING:
    from zermelo.interfaces.studio.pages.play.advice import Advice

LISTED = 60  # moves
STYLE = """
.z-advice { border-collapse: collapse; font-size: 14px } .z-advice td { padding: 1px 10px 1px 0 }
.z-advice .best { font-weight: 600 } .z-advice .worse { opacity: .7 }
.z-advised { max-height: 240px; overflow: auto }
"""


def advice_html(advice: Advice) -> str:
    """The list of moves, or why there is none; nothing where the visitor does not want it."""
    known = advice.shown
    if known is not None:
        return moves_html(known)
    played = advice.controller.played
    if not advice.is_on:
        return _note("a hint shows the perfect moves of a position that they know")
    if played.session.is_over and played.is_present:
        return ""
    return _note(advice.unknown if played.is_present else "nobody has looked this position up")


def moves_html(known: News) -> str:
    """Every move with what it is worth to whoever plays it, from good to bad; the perfect ones have a star."""
    rows = []
    for one in known["moves"][:LISTED]:
        kind = "best" if one["is_perfect"] else "" if one["is_as_good"] else "worse"
        star = '<span title="perfect: it gives nothing away">★</span>' if one["is_perfect"] else ""
        rows.append(
            f'<tr class="{kind}"><td>{star}</td><td>{escape(one["move"])}</td><td>{escape(one["words"])}</td></tr>'
        )
    more = len(known["moves"]) - LISTED
    said = f"each move as player {known['view']} sees it"
    notes = [words for words in (without_plies(known), f"… {more} more" if more > 0 else "") if words]
    table = f'<div class="z-advised"><table class="z-advice">{"".join(rows)}</table></div>'
    return _note(said) + table + "".join(_note(words) for words in notes)


def _note(words: str) -> str:
    return f'<div class="text-sm z-muted">{escape(words)}</div>' if words else ""
