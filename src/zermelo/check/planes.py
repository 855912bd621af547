"""What rules show a policy/value network, looked at by `check`: planes, and symmetries.

Of one position: planes are whole numbers of a byte, written where the game declares them, the same when compiled;
something in them changes with a move, and after two moves that lead a player to different positions they differ. At
the end of a game owners are -1, 0 or 1.

Symmetries are permutations, the identity first and none twice; and they go together with the rules: a random game is
played in parallel with its images, in each of which the image of every move is played, and at every ply each must look,
and offer, what it should:

    planes of the image  =  planes[:, cells]           moves of the image  =  the same moves, as policy numbers them
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.check.states import SAME, Broken, Seen, blame
from zermelo.compile.questions import see, see_owners
from zermelo.compile.record_game import RecordGame, State
from zermelo.core.game import CHANCE, OVER, GameError
from zermelo.evaluate.tower.architecture import read_symmetries

LEAST, MOST = -128, 127
MARK = 0x5A  # in the margin around what compiled planes may write
FOLLOWED = 2  # moves of a position after which its planes are looked at again
GAMES, LONGEST = 8, 60  # random games with their images, and how many plies of each

Permutations = list[tuple[NDArray[np.int64], NDArray[np.int64]]]


# -- one position ------------------------------------------------------------------------------------------------------


class Guarded(np.ndarray):  # type: ignore[type-arg]
    """Planes that refuse to be counted from the end: on a card nobody would notice where such a write lands."""

    def __setitem__(self, at: Any, value: Any) -> None:
        if any(isinstance(i, (int, np.integer)) and i < 0 for i in (at if isinstance(at, tuple) else (at,))):
            raise IndexError(f"out[{', '.join(map(str, at)) if isinstance(at, tuple) else at}] is counted from the end")
        super().__setitem__(at, value)


def ask_planes(examiner: Any, s: State, seen: Seen) -> NDArray[np.int8] | None:
    """What the interpreted planes are, having made sure that they make sense. `examiner` is the records' one."""
    rules = examiner.rules
    if "planes" not in rules.functions:
        if "symmetries" in rules.presentation:
            raise Broken("symmetries", "symmetries", "there are symmetries, but no planes(s, out)")
        return None
    here = _planes(examiner, s)
    step = max(1, len(seen.actions) // FOLLOWED)
    after: list[tuple[int, State, NDArray[np.int8]]] = []
    for a in seen.actions[::step][:FOLLOWED]:
        t = _after(examiner, s, a)
        shown = _planes(examiner, t)
        if np.array_equal(here, shown):
            raise Broken("planes", "planes", f"the planes are the same before and after action {a}")
        for b, other, planes in after:
            if np.array_equal(planes, shown) and _must_differ(examiner, t, other):
                raise Broken(
                    "planes", "planes", f"the planes are the same after actions {b} and {a}, but the keys differ"
                )
        after.append((a, t, shown))
    return here


def _after(examiner: Any, s: State, a: Any) -> State:
    records = s.record
    with blame("apply"), np.errstate(over="ignore"):
        examiner.rules.functions["apply"](examiner.rules.view(records[0]), int(a))
    return State(examiner.game, records)


def _must_differ(examiner: Any, one: State, other: State) -> bool:
    """Two positions of the same player's, said to be different by their keys. (Two players may see the same.)"""
    with blame("player"):
        seats = [int(examiner._ask("player", t)) for t in (one, other)]
    with blame("key"):
        return seats[0] == seats[1] and seats[0] >= 0 and examiner.game.key(one) != examiner.game.key(other)


def compare_planes(examiner: Any, s: State, interpreted: NDArray[np.int8] | None, name: str = "planes") -> None:
    """The same once more by the compiled function, with a margin around what it may write."""
    if interpreted is None:
        return
    table = np.full(3, MARK, [("at", "i1", interpreted.shape)])
    table["at"][1] = 0
    _, after = examiner._run(see if name == "planes" else see_owners, s.record, table[1:2])
    examiner._unchanged(name, s, after)
    if (table["at"][::2] != MARK).any():
        raise Broken("compiled", name, f"compiled, {name} writes outside of out")
    if not np.array_equal(interpreted, table["at"][1]):
        at = tuple(np.argwhere(interpreted != table["at"][1])[0].tolist())
        said = f"{interpreted[at]} when interpreted and {table['at'][1][at]} when compiled"
        raise Broken("compiled", name, f"{name} writes into out[{', '.join(map(str, at))}] {said}")


def _planes(examiner: Any, s: State) -> NDArray[np.int8]:
    return _written(examiner, s, "planes", examiner.rules.plane_shape, LEAST, MOST)


def _written(examiner: Any, s: State, name: str, shape: tuple[int, ...], least: int, most: int) -> NDArray[np.int8]:
    out = np.zeros(shape).view(Guarded)  # of real numbers: they hold whatever somebody writes
    examiner._ask(name, s, out)
    written = np.asarray(out)
    wrong = np.argwhere(~((written >= least) & (written <= most) & (written == np.round(written))))
    if len(wrong):
        at = tuple(wrong[0].tolist())
        sentence = f"{name} writes {written[at]:g} into out[{', '.join(map(str, at))}], not a whole number"
        raise Broken("planes", name, f"{sentence} from {least} to {most}")
    return written.astype(np.int8)


def ask_owners(examiner: Any, s: State, seen: Seen) -> NDArray[np.int8] | None:
    """At the end of a game: whose the cells are, interpreted."""
    rules = examiner.rules
    if "owners" not in rules.functions or seen.player != OVER:
        return None
    return _written(examiner, s, "owners", (1, *rules.plane_shape[1:]), -1, 1)


# -- symmetries --------------------------------------------------------------------------------------------------------


def check_symmetries(walk: Any, seconds: float) -> None:
    """Note in `walk` what is wrong with the symmetries, if the rules have any."""
    rules = getattr(walk.examiner, "rules", None)
    if rules is None or "symmetries" not in rules.presentation or "planes" not in rules.functions:
        return
    path: list[int] = []
    try:
        symmetries = _read(rules)
        until = time.monotonic() + seconds
        for _ in range(GAMES):
            path.clear()
            _play_with_images(walk, symmetries[1:], path, until)
            if time.monotonic() > until:
                return
    except Broken as fault:
        walk.note(fault.problem, list(path))


def _read(rules: Any) -> Permutations:
    """The symmetries, if they are what they should be."""
    with blame("symmetries"):
        listed = list(rules.presentation["symmetries"]())
    try:
        given = read_symmetries(listed, rules.plane_shape, rules.policy_size)
    except GameError as problem:
        raise _wrong(str(problem)) from None
    known: set[bytes] = set()
    for number, (cells, policy) in enumerate(given):
        if (cells.tobytes() + policy.tobytes()) in known:
            raise _wrong(f"symmetry {number} stands in the list before")
        known.add(cells.tobytes() + policy.tobytes())
    return given


def _play_with_images(walk: Any, symmetries: Permutations, path: list[int], until: float) -> None:
    """A random game and its images; `path` is where it has come to."""
    game: RecordGame = walk.game
    with blame("symmetries"):
        s = game.start()
        images = [s] * len(symmetries)
        while len(path) < LONGEST and time.monotonic() < until:
            for number, (image, symmetry) in enumerate(zip(images, symmetries, strict=True), 1):
                _compare(game, s, image, symmetry, number)
            if game.player(s) == OVER:
                return
            a = walk.random.choice(list(game.actions(s)))
            after = game.succ(s, a)
            images = [
                _image_of(game, s, a, after, image, symmetry, number)
                for number, (image, symmetry) in enumerate(zip(images, symmetries, strict=True), 1)
            ]
            s = after
            path.append(a)


def _compare(game: RecordGame, s: State, image: State, symmetry: Sequence[NDArray[np.int64]], number: int) -> None:
    """Is `image` what the symmetry makes of `s`, as far as one can see?"""
    cells, policy = symmetry
    if not np.array_equal(_turned(game.planes(s), cells), game.planes(image)):
        raise _wrong(f"symmetry {number}: the game with its moves turned does not look like planes[:, cells]")
    if game.player(s) != game.player(image):
        raise _wrong(f"symmetry {number}: player {game.player(image)} moves instead of {game.player(s)}")
    if game.player(s) == OVER:
        paid, instead = ([game.utility(t, p) for p in range(game.players)] for t in (s, image))
        if paid != instead:
            raise _wrong(f"symmetry {number}: the game turned ends with {instead}, and not with {paid}")
    elif game.player(s) != CHANCE:
        wanted = sorted(game.policy_index(s, a) for a in game.actions(s))
        offered = sorted(int(policy[game.policy_index(image, a)]) for a in game.actions(image))
        if wanted != offered:
            raise _wrong(f"symmetry {number}: the game turned offers the actions {offered}, and not {wanted}")


def _image_of(
    game: RecordGame, s: State, a: int, after: State, image: State, symmetry: Sequence[NDArray[np.int64]], number: int
) -> State:
    """What becomes of the image when its image of `a` is played. An outcome of chance is known by what it leads to."""
    cells, policy = symmetry
    if game.player(s) != CHANCE:
        wanted = game.policy_index(s, a)
        return game.succ(image, next(b for b in game.actions(image) if policy[game.policy_index(image, b)] == wanted))
    looks, chance = _turned(game.planes(after), cells), dict(game.chances(s))[a]
    for b, p in game.chances(image):
        if abs(p - chance) <= SAME and np.array_equal(game.planes(game.succ(image, b)), looks):
            return game.succ(image, b)
    raise _wrong(f"symmetry {number}: nothing chance does to the game turned is the image of outcome {a}")


def _turned(planes: NDArray[np.int8], cells: NDArray[np.int64]) -> NDArray[np.int8]:
    return planes.reshape(len(planes), -1)[:, cells].reshape(planes.shape)


def _wrong(sentence: str) -> Broken:
    return Broken("symmetries", "symmetries", sentence)
