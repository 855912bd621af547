"""What a visitor does on the lecture page: choose a tree and an algorithm, step, change the tree, answer the quiz.

Whatever is done changes the walkthrough in a thread, one thing after the other, and is shown when nothing else waits:
somebody may click faster than a tree is drawn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, Protocol

from zermelo.core.game import GameError
from zermelo.drawing.tree.style import Theme
from zermelo.interfaces.studio.pages.lecture.lesson import ROUNDS
from zermelo.interfaces.studio.pages.lecture.trees import Branch, Path, from_json, presets, random_tree, typed
from zermelo.interfaces.studio.pages.lecture.walkthrough import Walkthrough, decimal, path_of, preset_tree, whole

if TYPE_CHECKING:
    from zermelo.interfaces.studio.visit import Visit

SPEEDS = {2.0: "slow", 1.0: "steady", 0.4: "fast", 0.15: "very fast"}  # seconds a step
UNFOLDS = 20.0  # seconds to unfold a position
LONGEST_POSITION = 500  # characters
MOST_SEED = 999_999
SAMPLING: dict[str, Callable[[object], float]] = {  # settings of MCTS, checked
    "rounds": lambda value: whole(value, 1, ROUNDS, "rounds"),
    "exploration": lambda value: decimal(value, 0, 100, "exploration"),
    "seed": lambda value: whole(value, 0, MOST_SEED, "seed"),
}


@dataclass(frozen=True)
class Picture:
    """What takes a moment to make."""

    svg: str = ""
    orders: dict[str, int] | None = None  # leaves that alpha-beta looks at, by the order of moves


class Shown(Protocol):
    """The view."""

    def show(self) -> None: ...
    def show_playing(self) -> None: ...


class Controller:
    """One visitor's page."""

    view: Shown

    def __init__(self, visit: Visit) -> None:
        self.visit, self.site = visit, visit.site
        self.walk = Walkthrough(*preset_tree(self.site.catalogue, presets()[0]["key"]))
        self.picture = Picture()
        self.is_playing, self.pace = False, 1.0
        self._lock, self._waiting = asyncio.Lock(), 0

    # -- doing and showing ---------------------------------------------------------------------------------------------

    async def do(self, change: Callable[[], Any]) -> None:
        """Change the walkthrough and show it; what cannot be done is said."""
        self._waiting += 1
        async with self._lock:
            self._waiting -= 1
            with self.visit.client:  # what was clicked may be gone by the time it is answered
                try:
                    await self.visit.in_thread(change)
                except GameError as problem:
                    self.visit.complain(problem)
                if not self._waiting:  # else it is drawn after what was clicked since
                    await self._draw()

    async def show(self) -> None:
        await self.do(lambda: None)

    async def _draw(self) -> None:
        walk = self.walk
        lesson, step, is_asked = walk.lesson, walk.step, walk.question is not None

        def prepare() -> Picture:
            return Picture(lesson.drawing(step, is_asked=is_asked).svg, walk.orders() if walk.can_quiz else None)

        self.picture = await self.visit.in_thread(prepare)
        if not self.visit.gone:
            self.view.show()

    # -- stepping ------------------------------------------------------------------------------------------------------

    async def go(self, where: Callable[[], int]) -> None:
        """To a step, which is worked out when it is its turn."""
        await self.do(lambda: self.walk.go(where()))
        if self.is_playing and (self.walk.is_at_end or self.walk.question is not None):
            self.set_playing(False)

    async def go_to(self, step: object) -> None:
        if isinstance(step, int | float) and isfinite(step) and step != self.walk.step:
            await self.go(lambda: int(step))

    async def step(self, by: int) -> None:
        await self.go(lambda: self.walk.step + by)

    async def tick(self) -> None:
        """Time for the next step; a slow page drops steps rather than piling them up."""
        if not self._lock.locked():
            await self.step(1)

    async def play_or_pause(self) -> None:
        self.set_playing(not self.is_playing)
        if self.is_playing and self.walk.is_at_end:
            await self.go(lambda: 0)

    def set_playing(self, playing: bool) -> None:
        self.is_playing = playing
        self.view.show_playing()

    def set_pace(self, seconds: object) -> None:
        if isinstance(seconds, float) and seconds in SPEEDS:
            self.pace = seconds
            self.view.show_playing()

    # -- choosing ------------------------------------------------------------------------------------------------------

    async def set_algorithm(self, name: object) -> None:
        if name != self.walk.settings.algorithm:
            await self.do(lambda: self.walk.change(algorithm=name))

    async def set_order(self, name: object) -> None:
        if name != self.walk.settings.order:
            await self.do(lambda: self.walk.change(order=name))

    async def reshuffle(self) -> None:
        await self.do(lambda: self.walk.change(shuffle=self.walk.settings.shuffle + 1))

    async def set_sampling(self, name: str, value: object) -> None:
        """Of Monte Carlo tree search: rounds, exploration, seed."""
        if value is not None and value != getattr(self.walk.settings, name):  # None: emptied, to be typed anew
            await self.do(lambda: self.walk.change(**{name: SAMPLING[name](value)}))

    # -- the tree ------------------------------------------------------------------------------------------------------

    async def take_preset(self, key: object) -> None:
        await self.do(lambda: self.walk.take(*preset_tree(self.site.catalogue, key)))

    async def take_random(self, seed: object, branching: object, depth: object, chance: object) -> None:
        if None in (seed, branching, depth):  # emptied, to be typed anew
            return

        def take() -> None:
            number = whole(seed, 0, MOST_SEED, "the seed")
            wide, deep = whole(branching, 1, 10, "moves a node"), whole(depth, 1, 8, "plies")
            self.walk.take(random_tree(number, wide, deep, bool(chance)), f"Random tree {number}")

        await self.do(take)

    async def take_typed(self, text: object, levels: object) -> None:
        await self.do(lambda: self.walk.take(typed(text, levels), "Typed tree"))

    async def take_position(self, title: object, position: object, plies: object) -> None:
        """A position of any game: in a search process, since some games are slow in plain Python."""
        text = position[:LONGEST_POSITION] if isinstance(position, str) else ""
        try:
            entry = self.site.catalogue[title]
            message = {"game": entry.origin, "position": text, "plies": whole(plies, 1, 8, "plies")}
            answer = await self.visit.ask("unfold", message, seconds=min(UNFOLDS, self.site.bounds.seconds))
            tree: Branch = from_json(answer["tree"])
        except GameError as problem:
            self.visit.complain(problem)
            return
        await self.do(lambda: self.walk.take(tree, f"{entry.title} {text[:40]}".strip()))

    async def set_leaf(self, at: Path, value: object) -> None:
        leaf = self.walk.settings.tree.below(at)
        if value is not None and leaf is not None and value != leaf.value:  # None: emptied, to be typed anew
            await self.do(lambda: self.walk.set_leaf(at, value))

    async def set_selected_leaf(self, value: object) -> None:
        branch = self.walk.branch
        if branch is not None and not branch.children:
            await self.set_leaf(branch.at, value)

    async def move_branch(self, by: int) -> None:
        await self.do(lambda: self.walk.move_branch(by))

    async def click(self, node: object) -> None:
        """A node or branch of the drawing: an answer where the quiz asks, else it is selected."""
        try:
            path = path_of(node)
        except GameError as problem:
            self.visit.complain(problem)
            return
        if self.walk.question is not None:
            await self.answer(path)
        else:
            await self.do(lambda: self.walk.select(path))

    # -- the quiz ------------------------------------------------------------------------------------------------------

    async def set_quiz(self, on: object) -> None:
        if bool(on) != self.walk.quizzing:
            self.set_playing(False)
            await self.do(lambda: self.walk.set_quiz(bool(on)))

    async def answer(self, path: Path | None) -> None:
        await self.do(lambda: self.walk.answer(path))

    # -- a picture -----------------------------------------------------------------------------------------------------

    async def export(self, theme: Theme) -> tuple[str, str]:
        """The drawing as it stands, as SVG, and what to call it."""
        walk = self.walk
        name = f"{walk.settings.algorithm}-step-{walk.step}"
        return await self.visit.in_thread(lambda: walk.lesson.drawing(walk.step, theme, caption=True).svg), name
