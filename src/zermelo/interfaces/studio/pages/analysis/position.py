"""The position the page looks at: where it comes from, what may be asked about it, how it is drawn. No page in here.

A Position is made from what a visitor sent, or from the game left on the page to play on; both are checked. Making and
drawing one runs rules interpreted and may take a moment: the page does it in a thread.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

from zermelo.arena.records import replay
from zermelo.compile.record_game import RecordGame
from zermelo.core.game import CHANCE, OVER, Game, GameError, Marks
from zermelo.core.history import History
from zermelo.core.words import count
from zermelo.interfaces.studio.catalogue import Catalogue, checked_options, is_compiled, is_two_sided
from zermelo.interfaces.studio.pages.analysis.networks import networks_for

ARROWS = 4  # of the likeliest moves from cell to cell
LONGEST_POSITION = 4000  # characters
MOST_MOVES = 5000
SEARCHES = {
    "alphabeta": "Alpha-beta",
    "maxn": "Max^n (every player for themselves)",
    "mcts": "Monte Carlo tree search",
    "zero": "Tree search with a network",
    "textbook": "Textbook: every node kept",
}
ABOUT = {  # what it does
    "alphabeta": "Full strength, deeper and deeper. Half of the time makes the choice, half asks for the other moves.",
    "maxn": "Everybody maximizes their own payoff. Half of the time makes the choice, half asks for the other moves.",
    "mcts": "Simulated games from the leaves of a growing tree; the most visited move is chosen.",
    "zero": "A network says which moves are likely and what positions are worth; the tree grows where that points.",
    "textbook": "Slow and plain, moves in the order of the rules; every node is kept with its window.",
}

TREE = {  # what its tree shows
    "alphabeta": "Read back from the table of the search that chose. [α, β] is what still matters at a node once the "
    "best moves above it have been tried; d7 says that a value rests on seven plies from here. Where a bound was "
    "enough, the move's own value stands beside it, as in the table of moves.",
    "maxn": "Each move, and the line of play expected after it.",
    "mcts": "Visits, and averages (≈) until a value is proven (=).",
    "zero": "Visits, and averages (≈) of what the network thinks, until a value is proven (=).",
    "textbook": "Every node with the window [α, β] it was entered with, in the order of the search.",
}


@dataclass(frozen=True)
class Position:
    """A position of a game in progress; `history` runs interpreted."""

    title: str
    origin: str
    options: dict[str, Any]
    start: str | None
    moves: tuple[str, ...]
    history: History[Any, Any]
    networks: Mapping[str, str] = field(default_factory=dict)  # that may be asked, and their files

    @property
    def game(self) -> Game[Any, Any]:
        return self.history.game

    @property
    def message(self) -> dict[str, Any]:
        """As a task wants it."""
        return {"game": self.origin, "options": self.options, "start": self.start, "moves": list(self.moves)}

    @property
    def searches(self) -> dict[str, str]:
        """Which searches can be asked about this game, the one to begin with first."""
        if not is_compiled(self.game):
            names = ["textbook"]
        else:
            sampled = ["mcts", "zero"] if self.networks else ["mcts"]
            names = ["alphabeta" if is_two_sided(self.game) else "maxn", *sampled, "textbook"]
        if isinstance(self.game, RecordGame):  # what was measured to play it best comes first, and so is the default
            strongest = self.game.variant.strongest
            names.sort(key=lambda name: name != strongest)
        return {name: SEARCHES[name] for name in names}

    @property
    def has_weights(self) -> bool:
        """Does an evaluation that was learned come with the package?"""
        from zermelo.evaluate.shipped import shipped_file

        return isinstance(self.game, RecordGame) and shipped_file(self.game) is not None

    @property
    def text(self) -> str:
        """The position, as it can be pasted again."""
        return self.game.format(self.history.state)

    @property
    def turn(self) -> str:
        player = self.history.player()
        said = "The game is over" if player == OVER else "Nature is to move" if player == CHANCE else ""
        said = said or f"Player {player} is to move"
        moves = count(len(self.moves), "move")
        return f"{said}, after {moves}" if self.moves else said

    def after(self, moves: list[str]) -> Position:
        """The position after some more moves."""
        history = self.history.copy()
        for move in moves:
            history.play(self.game.parse_action(history.state, move))
        played = (*self.moves, *moves)
        return Position(self.title, self.origin, self.options, self.start, played, history, self.networks)


def make_position(
    catalogue: Catalogue,
    title: object,
    options: object = None,
    start: object = None,
    moves: object = None,
    runs: str | None = None,
) -> Position:
    """The position all this stands for; a GameError says what is wrong with it. Networks are looked for in `runs`."""
    entry = catalogue[title]
    chosen = checked_options(entry, options)
    if start is not None and (not isinstance(start, str) or len(start) > LONGEST_POSITION):
        raise GameError(f"a position is a text of at most {LONGEST_POSITION:,} characters")
    start = (start.strip() or None) if isinstance(start, str) else None
    listed = [] if moves is None else list(moves) if isinstance(moves, (list, tuple)) else None
    if listed is None or len(listed) > MOST_MOVES or not all(isinstance(one, str) and len(one) < 200 for one in listed):
        raise GameError(f"a game is a list of at most {MOST_MOVES:,} moves")
    try:
        game = entry.load(**chosen)
        history = replay({"start": start, "moves": listed, "reason": "unfinished"}, game)
        history.player()
    except GameError:
        raise
    except Exception as problem:  # rules of somebody's own may stumble over a text in any way
        raise GameError(f"{entry.title}: this position cannot be set up ({type(problem).__name__})") from problem
    networks = {} if runs is None else networks_for(game, runs)
    return Position(entry.title, entry.origin, {**entry.options, **chosen}, start, tuple(listed), history, networks)


def played_position(catalogue: Catalogue, played: object, runs: str | None = None) -> Position:
    """The position of a game left on the page to play on."""
    if not hasattr(played, "get"):
        raise GameError("there is no game on the page to play on")
    title, options, start, moves = (played.get(word) for word in ("game", "options", "start", "moves"))
    return make_position(catalogue, title, options, start, moves, runs)


# -- the board ---------------------------------------------------------------------------------------------------------


def board_html(position: Position, moves: list[str], pointed: str | None = None) -> str:
    """The position after some moves, the last of them marked; `pointed` is a move there to be pointed out."""
    game, states, action = position.game, [position.history.state], None
    for move in moves:
        action = game.parse_action(states[-1], move)
        states.append(game.succ(states[-1], action))
    s = states[-1]
    plain = game.svg(s)
    if plain is None:
        return f"<pre>{escape(game.text(s))}</pre>"
    last = _cells(game, states[-2], action, plain) if action is not None else ()
    arrows: tuple[tuple[str, str], ...] = ()
    if pointed is not None:
        last = _cells(game, s, game.parse_action(s, pointed), plain)
        arrows = ((last[0], last[1]),) if len(last) == 2 else ()
    if not last:
        return plain
    return game.svg(s, Marks(last=last, arrows=arrows)) or plain


def heat_html(position: Position, shares: Mapping[str, float]) -> str:
    """The position with a share for each of its moves: heat where a move is one cell, else arrows for the likeliest."""
    game, s = position.game, position.history.state
    plain = game.svg(s)
    if plain is None:
        return board_html(position, [])
    heat: dict[str, float] = {}
    arrows: list[tuple[str, str]] = []
    total = sum(shares.values()) or 1.0
    for move, share in sorted(shares.items(), key=lambda one: -one[1]):
        cells = _cells(game, s, game.parse_action(s, move), plain)
        if len(cells) == 1:
            heat[cells[0]] = heat.get(cells[0], 0.0) + share / total
        elif len(cells) >= 2 and len(arrows) < ARROWS:
            arrows.append((cells[0], cells[-1]))
    return game.svg(s, Marks(arrows=tuple(arrows), heat=tuple(heat.items()))) or plain


def _cells(game: Game[Any, Any], s: Any, action: Any, svg: str) -> tuple[str, ...]:
    """What somebody clicks to play a move, as far as it is on the drawing."""
    return tuple(cell for cell in game.clicks(s, action) if f'data-at="{escape(cell)}"' in svg)
