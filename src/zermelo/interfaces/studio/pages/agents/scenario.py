"""What a page about agents offers: games whose own file has a function `lessons`, and the choices a visitor may make.

    lessons() gives   title, about      what it is called, a few sentences
                      agent, others     what player 0 and the other players are called
                      everybody         options of the variant in which the others are players: the search runs there
                      choices           {option: (label, {value: words})}, options a visitor chooses
                      worlds            {name: (words, options or None)}: what the others are in truth. Options name a
                                        variant of the same positions in which nature moves them; None: they search, too
                      usual             a value for every choice, and for world, agent, depth, seed
                      score(s), ending(s)   the points so far; (how it has ended, is it a win)
                      lessons           [{title, text, moral, is_random, runs: [(label, choices)]}], ready to run

No game is named here, and a visitor's choice is one of those offered, or refused in a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from zermelo.core.game import Game, GameError
from zermelo.interfaces.studio.catalogue import Catalogue

AGENTS = {  # name: what it believes of the others
    "minimax": "minimax: the others do their worst",
    "alphabeta": "alpha-beta: the same, cutting what cannot matter",
    "expectimax": "expectimax: the others move at random",
}
DEPTHS = {1: "1 round", 2: "2 rounds", 3: "3 rounds", 4: "4 rounds"}
MOVES = 300  # of the agent in one episode, at most
MOST_SEED = 1_000_000


@dataclass(frozen=True)
class Setting:
    """One episode's choices, all of them among those offered."""

    choices: dict[str, str]  # options of the game
    world: str
    agent: str
    depth: int
    seed: int

    def as_dict(self) -> dict[str, Any]:
        return {**self.choices, "world": self.world, "agent": self.agent, "depth": self.depth, "seed": self.seed}


@dataclass(frozen=True)
class Scenario:
    """What one game teaches."""

    name: str  # of the game in the catalogue
    origin: str
    title: str
    about: str
    agent: str
    others: str
    everybody: dict[str, Any]
    choices: dict[str, tuple[str, dict[str, str]]]
    worlds: dict[str, tuple[str, dict[str, Any] | None]]
    usual: dict[str, Any]
    score: Callable[[Any], int]
    ending: Callable[[Any], tuple[str, bool]]
    lessons: list[dict[str, Any]]

    def setting(self, chosen: Mapping[str, Any]) -> Setting:
        """What a visitor chose, checked; what is not said is as usual."""
        given = {**self.usual, **chosen}
        for name in given:
            if name not in self.usual:
                raise GameError(f"there is nothing called '{str(name)[:40]}' to choose here")
        return Setting(
            {option: str(_among(values, given[option], label)) for option, (label, values) in self.choices.items()},
            str(_among(self.worlds, given["world"], self.others)),
            str(_among(AGENTS, given["agent"], "agent")),
            int(_among(DEPTHS, given["depth"], "depth")),
            seed_of(given["seed"]),
        )

    def options(self, setting: Setting) -> dict[str, Any]:
        """The game in which the agent searches, and in which the page draws."""
        return {**setting.choices, **self.everybody, "moves": MOVES}

    def world(self, setting: Setting) -> dict[str, Any] | None:
        """The variant in which nature moves the others as they are; None where they search."""
        nature = self.worlds[setting.world][1]
        return None if nature is None else {**self.options(setting), **nature}

    def sentence(self, setting: Setting) -> str:
        """expectimax, 3 rounds deep, against the ghosts: random; small, better"""
        world = self.worlds[setting.world][0].partition(":")[0]
        chosen = ", ".join(setting.choices.values())
        depth = DEPTHS[setting.depth]
        return f"{AGENTS[setting.agent].partition(':')[0]}, {depth} deep; {self.others} {world}; {chosen}"


def _among(offered: Mapping[Any, Any], chosen: object, label: str) -> Any:
    if isinstance(chosen, (str, int)) and not isinstance(chosen, bool) and chosen in offered:
        return chosen
    shown = ", ".join(str(name) for name in offered)
    raise GameError(f"{label}: there is no '{str(chosen)[:40]}'; there are {shown}")


def seed_of(chosen: object) -> int:
    """A number field sends floats, or nothing."""
    if isinstance(chosen, (int, float)) and not isinstance(chosen, bool) and 0 <= chosen <= MOST_SEED:
        return int(chosen)
    raise GameError(f"the seed is a number from 0 to {MOST_SEED:,}")


def scenario_of(name: str, origin: str, game: Game[Any, Any]) -> Scenario | None:
    """What the game's file says it teaches, or None."""
    lessons = game.hook("lessons")
    if lessons is None:
        return None
    try:
        scenario = Scenario(name, origin, **lessons())
        for lesson in scenario.lessons:
            assert {"title", "text", "moral", "is_random"} <= set(lesson), lesson.get("title")
            for _, choices in lesson["runs"]:
                scenario.setting(choices)
    except (TypeError, KeyError, ValueError, AssertionError) as problem:
        raise GameError(f"{name}: its lessons are not described as they should be ({problem})") from None
    return scenario


def find_scenarios(catalogue: Catalogue) -> dict[str, Scenario]:
    """All games that teach something, by name. One that describes itself wrongly is left out."""
    found: dict[str, Scenario] = {}
    for name, entry in catalogue.entries.items():
        try:
            scenario = scenario_of(name, entry.origin, entry.load())
        except GameError:
            continue
        if scenario is not None:
            found[name] = scenario
    return found
