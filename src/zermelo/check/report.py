"""`check_game` and its report."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from zermelo.check.endings import check_endings
from zermelo.check.planes import check_symmetries
from zermelo.check.presentation import move_text, position_text
from zermelo.check.shrink import OF_THE_WAY
from zermelo.check.states import Broken, Examiner
from zermelo.check.walk import Found, Walk
from zermelo.core.game import Game
from zermelo.core.registry import as_game
from zermelo.core.spec import number, whole

QUICK = 5  # games of which only the end is looked at, for each that is looked at whole
WIDTH = 116  # of the lines that list moves
SHOWN = 40  # moves of a game that does not end: no others would do better

# what stands before the sentence of a fault
KINDS = {
    "raises": "an exception",
    "loops": "an endless loop",
    "compile": "does not compile",
    "compiled": "compiled and interpreted rules differ",
    "changes": "reading changes the state",
    "player": "no such player",
    "idle": "a player never moves",
    "side_to_move": "another side to move",
    "count": "miscounted",
    "twice": "listed twice",
    "stuck": "nobody can move",
    "end": "where the game ends",
    "chances": "wrong chances",
    "utility": "wrong payoffs",
    "zero-sum": "not zero-sum",
    "evaluate": "wrong estimate",
    "evaluate_players": "wrong estimate for a player",
    "unsteady": "not the same twice",
    "hash": "states are not values",
    "key": "one key for two positions",
    "reversible_plies": "a position comes back across a move said to be irreversible",
    "noisy": "not legal",
    "utility_range": "beyond the payoffs declared",
    "move_score": "wrong move_score",
    "known_result": "a wrong known result",
    "null_move": "wrong null move",
    "features": "wrong features",
    "perspective": "no such perspective",
    "utility_values": "a payoff that is not declared",
    "policy_size": "actions numbered wrongly",
    "planes": "wrong planes",
    "symmetries": "not a symmetry",
    "endings": "endings numbered wrongly",
    "endless": "games without an end",
    "length": "longer than declared",
    "format": "positions are not read back",
    "moves": "moves are not read back",
    "drawing": "wrong drawing",
    "validate": "a legal position refused",
}


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a game, and how to see it."""

    kind: str  # one of KINDS
    where: str  # the function of the rules to blame; "" where it is none in particular
    sentence: str
    moves: tuple[str, ...]  # from the start, as people write them
    is_shortest: bool  # no shorter list of moves shows it; else it is the shortest that was found
    position: str  # after the moves; after all but the last where that move cannot be played
    options: dict[str, Any]  # of a smaller variant, if it is shown in one; empty: in the game itself

    def __str__(self) -> str:
        lines = [f"{KINDS[self.kind]}: {self.sentence}"]
        chosen = "".join(f"-o {name}={value} " for name, value in self.options.items())
        within = f"with {chosen.strip()}" if chosen else ""
        if self.moves:
            n = len(self.moves)
            shown = self.moves[:SHOWN] if self.kind == "endless" else self.moves
            listed = " ".join(shown) + (" …" if n > len(shown) else "")
            how = "there is no shorter way" if self.is_shortest else "the shortest way found"
            told = f"{within + ', ' if within else ''}after {n} move{'s' * (n != 1)} ({how}): {listed}"
            lines += textwrap.wrap(told, WIDTH, subsequent_indent="   ", break_long_words=False, break_on_hyphens=False)
        elif within:
            lines.append(f"{within}, at the start")
        if self.position and self.kind != "compile":
            lines.append(f"position: {self.position}")
        return "\n   ".join(lines)


@dataclass(frozen=True)
class Report:
    """What `check_game` did and what it found."""

    game: str
    faults: tuple[Fault, ...]
    states: int  # different positions looked at
    games: int  # random games played
    unfinished: int  # of them, cut short
    depth: int  # every position of up to so many plies was looked at
    is_complete: bool  # every position of the game was looked at
    is_compiled: bool  # the compiled rules were compared with the interpreted ones
    seconds: float

    @property
    def ok(self) -> bool:
        return not self.faults

    def as_dict(self) -> dict[str, Any]:
        return {"ok": self.ok, **asdict(self)}

    def __str__(self) -> str:
        n = len(self.faults)
        found = f"{n} fault{'s' * (n > 1)}" if n else "no fault"
        reach = (
            "all there are"
            if self.is_complete
            else f"every one of up to {self.depth} pl{'y' if self.depth == 1 else 'ies'}"
        )
        head = (
            f"{self.game}: {found} in {self.states:,} position{'s' * (self.states != 1)} ({reach}) "
            f"and {self.games:,} random game{'s' * (self.games != 1)}, {self.seconds:.1f} s"
        )
        return "\n".join([head, *(f"{i}. {fault}" for i, fault in enumerate(self.faults, 1))])


def check_game(
    game: str | Game[Any, Any],
    seed: int = 0,
    games: int = 200,
    *,
    seconds: float = 20.0,
    positions: int = 3_000,
    longest: int = 10_000,
    tell: Callable[[str], None] = lambda text: None,
) -> Report:
    """Look for faults for at most `seconds` (and the time it takes to compile the rules).

    games      random games to play, with this `seed`
    positions  to look at breadth first
    longest    plies of a random game that count as no end, where the game declares neither max_plies nor repetition
    tell       is called with a few words on what is going on
    """
    game = as_game(game)
    for name, value, least in (
        ("games", games, 0),
        ("positions", positions, 1),
        ("longest", longest, 1),
        ("seed", seed, 0),
    ):
        whole(f"check: {name}", value, least)
    number("check: seconds", seconds, above=0)
    examiner = examiner_of(game)
    tell("the first position")
    walk = Walk(examiner, seed, longest, tell)
    _warm_up(examiner, walk)
    began = time.monotonic()
    walk.drawing_budget = 0.25 * seconds
    walk.deadline = began + 0.35 * seconds
    walk.breadth_first(positions)
    walk.look_at_the_start()
    walk.deadline = began + 0.5 * seconds
    walk.quick_games(QUICK * games)
    walk.deadline = began + 0.75 * seconds
    walk.random_games(games)
    check_symmetries(walk, 0.1 * seconds)
    check_endings(walk, 0.1 * seconds)
    walk.look_for_idlers()
    _look_for_shorter_ways(walk, began + seconds, positions, tell)
    faults = [fault_of(walk, found) for found in walk.faults.values()]
    return Report(
        game=game.name,
        faults=tuple(sorted(faults, key=lambda fault: len(fault.moves))),
        states=walk.states,
        games=walk.games,
        unfinished=walk.unfinished,
        depth=max(walk.depth, 0),
        is_complete=walk.is_complete,
        is_compiled=bool(getattr(examiner, "compiled", False)),
        seconds=time.monotonic() - began,
    )


def _look_for_shorter_ways(walk: Walk, until: float, positions: int, tell: Callable[[str], None]) -> None:
    """Breadth first for a third of the time, which proves a way to be the shortest; by shrinking; in smaller games."""
    from zermelo.compile.record_game import RecordGame

    far = [len(found.actions) for found in walk.far() if found.problem.kind not in OF_THE_WAY]
    if far:
        tell("looking for shorter ways")
        walk.deadline = time.monotonic() + max(0.0, until - time.monotonic()) / 3
        walk.breadth_first(20 * positions, max(far) - 1)
    walk.deadline = until
    if walk.far():
        tell("looking for shorter ways")
        walk.shrink(time.monotonic() + max(0.0, until - time.monotonic()) / 2)
    if isinstance(walk.game, RecordGame):
        from zermelo.check.smaller import look_at_smaller_ends, look_in_smaller_games

        look_in_smaller_games(walk, until)
        if walk.turns.ends == 0:
            look_at_smaller_ends(walk, until)


def examiner_of(game: Game[Any, Any]) -> Examiner:
    from zermelo.compile.record_game import RecordGame

    if isinstance(game, RecordGame):
        from zermelo.check.records import RecordExaminer

        return RecordExaminer(game)
    from zermelo.check.plain import PlainExaminer

    return PlainExaminer(game)


def _warm_up(examiner: Examiner, walk: Walk) -> None:
    """Have everything compiled before the clock starts; what else is wrong will be found again."""
    try:
        s = examiner.start()
        actions = examiner.examine(s).actions
        if actions:
            examiner.follow(s, actions[0])
    except Broken:
        pass
    problem = getattr(examiner, "does_not_compile", None)
    if problem is not None:
        walk.note(problem, [])


def fault_of(walk: Walk, found: Found) -> Fault:
    """With the moves and the position as people write them."""
    game = found.variant or walk.game
    examiner = walk.examiner if found.variant is None else examiner_of(game)
    moves, position = [], ""
    try:
        s = examiner.start()
        position = position_text(game, s)
        for a in found.actions:
            moves.append(move_text(game, s, a))
            s = examiner.follow(s, a)
            position = position_text(game, s)
    except Broken:
        pass
    problem, usual = found.problem, getattr(walk.game, "options", {})
    options = {k: v for k, v in getattr(game, "options", {}).items() if usual.get(k) != v} if found.variant else {}
    shortest = walk.is_shortest(found)
    return Fault(problem.kind, problem.where, problem.sentence, tuple(moves), shortest, position, options)
