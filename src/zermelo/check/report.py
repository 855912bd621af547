"""`check_game` and its report."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from zermelo.check.planes import check_symmetries
from zermelo.check.presentation import move_text, position_text
from zermelo.check.states import Broken, Examiner
from zermelo.check.walk import OF_THE_WAY, Found, Walk
from zermelo.core.game import Game
from zermelo.core.registry import as_game
from zermelo.core.spec import number, whole

SHOWN = 40  # moves of a longer list that are printed

# what stands before the sentence of a fault
KINDS = {
    "raises": "an exception",
    "loops": "an endless loop",
    "compile": "does not compile",
    "compiled": "compiled and interpreted rules differ",
    "changes": "reading changes the state",
    "player": "no such player",
    "side_to_move": "another side to move",
    "count": "miscounted",
    "twice": "listed twice",
    "stuck": "nobody can move",
    "end": "no end",
    "chances": "wrong chances",
    "utility": "wrong payoffs",
    "zero-sum": "not zero-sum",
    "evaluate": "wrong estimate",
    "evaluate_players": "wrong estimate for a player",
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

    def __str__(self) -> str:
        lines = [f"{KINDS[self.kind]}: {self.sentence}"]
        if self.moves:
            n = len(self.moves)
            listed = " ".join(self.moves[:SHOWN]) + (" …" if n > SHOWN else "")
            how = "there is no shorter way" if self.is_shortest else "the shortest way found"
            lines.append(f"after {n} move{'s' * (n != 1)} ({how}): {listed}")
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
    for name, value, least in (("games", games, 0), ("positions", positions, 1), ("longest", longest, 1)):
        whole(f"check: {name}", value, least)
    number("check: seconds", seconds, above=0)
    examiner = examiner_of(game)
    tell("the first position")
    walk = Walk(examiner, seed, longest, tell)
    _warm_up(examiner, walk)
    began = time.monotonic()
    walk.drawing_budget = 0.25 * seconds
    walk.deadline = began + 0.5 * seconds
    walk.breadth_first(positions)
    walk.deadline = began + 0.85 * seconds
    walk.random_games(games)
    check_symmetries(walk, 0.1 * seconds)
    walk.deadline = began + seconds
    far = [len(f.actions) for f in walk.faults.values() if not walk.is_shortest(f) and f.problem.kind not in OF_THE_WAY]
    if far:
        tell("looking for shorter ways")
        walk.breadth_first(20 * positions, max(far) - 1)
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
    moves, position = [], ""
    try:
        s = walk.examiner.start()
        position = position_text(walk.game, s)
        for a in found.actions:
            moves.append(move_text(walk.game, s, a))
            s = walk.examiner.follow(s, a)
            position = position_text(walk.game, s)
    except Broken:
        pass
    problem = found.problem
    return Fault(problem.kind, problem.where, problem.sentence, tuple(moves), walk.is_shortest(found), position)
