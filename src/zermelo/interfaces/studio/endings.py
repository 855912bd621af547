"""What endgame tables say of a position, as pages tell it: plain JSON, worked out in a search process.

    {"known": {"view": 1, "words": "won in 13 plies", "value": -1.0, "plies": 13, …, "moves": [{…}, …]}, "unknown": ""}
    {"known": None, "unknown": "this position is in none of the endgame tables there are"}

`value` is player 0's, as everywhere on the pages; `words` are meant for player `view`, who moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.core.game import GameError
from zermelo.core.history import History
from zermelo.core.words import plies

if TYPE_CHECKING:
    from zermelo.interfaces.studio.tasks import Job, Message
    from zermelo.tables.verdict import Verdict, Worth


def look_up(job: Job, history: History[Any, Any]) -> Message:
    """What tables know of the present position of `history`, or why they do not. A damaged table is no table."""
    from zermelo.compile.endings import numbers_endings
    from zermelo.tables.verdict import judge

    game = history.game
    if history.is_over or not numbers_endings(game):
        return _nothing("")
    try:
        tables = job.tables()
        verdict = None if tables is None else judge(tables, history.state)
    except GameError:  # the sentence names a file of the server's, which is nobody else's business
        return _nothing(f"endgame tables of {game.name} cannot be read here: `zermelo tables verify` says why")
    if tables is None:
        return _nothing(f"there are no endgame tables of {game.name} here: `zermelo tables build` makes some")
    if verdict is None:
        return _nothing("this position is in none of the endgame tables there are")
    return {"known": known_json(verdict, game, history.state), "unknown": ""}


def _nothing(why: str) -> Message:
    return {"known": None, "unknown": why}


def known_json(verdict: Verdict, game: Any, s: Any) -> Message:
    """A verdict; its moves from good to bad."""
    from zermelo.tables.verdict import ranked_actions, worth_dict

    sign = 1.0 if game.side(verdict.view) == game.side(0) else -1.0

    def content(worth: Worth | None) -> Message:
        words = "not in the tables" if worth is None else worth.words(verdict.is_average)
        return {"words": words, **worth_dict(worth, sign)}

    return {
        "view": verdict.view,
        **content(verdict.worth),
        "is_average": verdict.is_average,
        "has_plies": verdict.has_plies,
        "moves": [
            {
                "move": game.format_action(s, a),
                **content(verdict.actions[a]),
                "is_perfect": a in verdict.perfect,
                "is_as_good": verdict.is_as_good(a),
            }
            for a in ranked_actions(verdict.actions)
        ],
    }


def perfect_moves(known: Message) -> list[str]:
    """The moves that give nothing away."""
    return [one["move"] for one in known["moves"] if one["is_perfect"]]


def result_words(known: Message) -> str:
    """won for player 0 in 13 plies; drawn; worth +0.2134 for player 0 on average."""
    if known["is_average"]:
        return f"worth {known['value']:+.4f} for player 0 on average"
    if not known["value"]:
        return "drawn"
    soon = "" if known["plies"] is None else f" in {plies(known['plies'])}"
    return f"{'won' if known['value'] > 0 else 'lost'} for player 0{soon}"


def without_plies(known: Message) -> str:
    """What the tables do not say, if they say less than others might."""
    return (
        ""
        if known["has_plies"] or known["is_average"]
        else "these tables do not say how soon (they were built without --distance)"
    )
