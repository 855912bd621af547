"""A game whose rules break one promise after another, and the doors through which somebody can meet them.

    python overrunning.py DOOR,DOOR… FAULT,FAULT…

For every door and fault a line of JSON says what came of it. Run in a process of its own: what is tested is that the
process lives. The fault is a field of the state, so that a door is compiled once for all of them; it shows itself only
in the middle of a game.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import zermelo
from zermelo import CHANCE, OVER, rules
from zermelo.compile.record_game import RecordGame
from zermelo.core.game import GameError
from zermelo.evaluate.network import make_network
from zermelo.learn.qlearning import QLearner
from zermelo.learn.settings import Settings
from zermelo.learn.trainer import Trainer
from zermelo.search.exhaustive import exhaustive, positions
from zermelo.search.limits import Limits
from zermelo.search.mcts.evaluator import HandcraftedEvaluator
from zermelo.search.mcts.searcher import MCTS
from zermelo.search.perft import perft
from zermelo.search.plain_alphabeta import plain_alphabeta
from zermelo.search.playout import playouts
from zermelo.search.searcher import answer

(
    SOUND, ACTIONS, NEGATIVE, NOISY, CHANCES, ACTIVE, NUMBER, POLICY, PLAYER, UTILITY, ESTIMATES, FIELD, KNOWN
) = range(13)  # fmt: skip
FAR = 900  # how far behind the end
FROM = 3  # plies on


@rules(
    name="overrunning",
    players=2,
    max_actions=3,
    max_chance_outcomes=2,
    utility_range=(-1, 1),
    utility_values=(-1, 0, 1),
    num_features=8,
    max_active_features=4,
    policy_size=3,
    max_plies=8,
)
class Overrunning:
    """Two players take turns, and chance has some; who can tell what for."""

    state = {"cells": ("i1", (4,)), "plies": "i1", "fault": "i1"}

    def start(s):
        s.plies = 0

    def player(s):
        if s.plies == 6:
            return OVER
        if s.fault == PLAYER and s.plies >= FROM:
            return 77
        return CHANCE if s.plies in (2, 5) else s.plies % 2

    def actions(s, out):
        n = 2
        if s.plies >= FROM:
            n = FAR if s.fault == ACTIONS else 2
        for i in range(n):
            out[i] = i
        return -1 if s.fault == NEGATIVE and s.plies >= FROM else n

    def noisy(s, out):
        n = FAR if s.fault == NOISY and s.plies >= FROM else 1
        for i in range(n):
            out[i] = i
        return n

    def chances(s, out, probability):
        n = FAR if s.fault == CHANCES and s.plies >= FROM else 2
        for i in range(n):
            out[i], probability[i] = i, 0.5
        return n

    def apply(s, action):
        s.cells[FAR if s.fault == FIELD and s.plies >= FROM else s.plies % 4] = action
        s.plies += 1

    def utility(s, out):
        for i in range(FAR if s.fault == UTILITY else 2):
            out[i] = 1 - 2 * ((s.cells[0] + s.cells[3] + i) % 2)

    def evaluate_players(s, out):
        for i in range(FAR if s.fault == ESTIMATES else 2):
            out[i] = 0.0

    def known_result(s, out):
        for i in range(FAR if s.fault == KNOWN else 2):
            out[i] = 0.0
        return False

    def features(s, index, value):
        n = FAR if s.fault == ACTIVE and s.plies >= FROM else 4
        for i in range(n):
            index[i], value[i] = i % 8, s.cells[i % 4]
        if s.fault == NUMBER and s.plies >= FROM:
            index[0] = 1 << 40
        return n

    def policy_index(s, action):
        return 1 << 40 if s.fault == POLICY and s.plies >= FROM else action


# -- the doors ---------------------------------------------------------------------------------------------------------


def walk(game: RecordGame) -> None:
    """All of the game, state by state."""
    todo = [game.start()]
    while todo:
        s = todo.pop()
        if game.player(s) == OVER:
            game.utility(s)
        game.key(s)
        game.evaluate_players(s)
        todo += [game.succ(s, a) for a in game.actions(s)]


def alphabeta(game: RecordGame) -> None:
    for depth in (1, 2, 3, 4):  # a quiescence search wherever it can begin
        zermelo.search(game, depth=depth)


def network(game: RecordGame) -> None:
    for inputs in (8, 3):
        zermelo.search(game, depth=4, evaluator=make_network(game, (4,), num_features=inputs))


def td(game: RecordGame) -> None:
    trainer = Trainer(Overrunning(compiled=game.compiled), Settings(games=40, games_per_round=20), threads=1)
    for actor in trainer.actors:
        actor.trajectory.states[-1]["fault"] = game.fields["fault"]  # of the record that games begin with
    trainer.round()


def qlearning(game: RecordGame) -> None:
    learner = QLearner(Overrunning(compiled=game.compiled), Settings(games=40, games_per_round=20))
    learner._trajectory.states[-1]["fault"] = game.fields["fault"]
    learner.round()


def batch(game: RecordGame) -> None:
    games = zermelo.batch(game, 200)
    for _ in range(6):
        games.random_steps(1)
        assert games.actions.shape == (200, 3)
        assert games.legal.shape == (200, 3)
    zermelo.batch(game, 200).playouts(2)


def check(game: RecordGame) -> None:
    faults = zermelo.check(game, seconds=2).faults
    if faults:
        raise GameError(faults[0].sentence)


DOORS: dict[str, Callable[[RecordGame], Any]] = {
    "walk": walk,
    "perft": lambda game: perft(game, 6),
    "exhaustive": exhaustive,
    "positions": positions,
    "plain_alphabeta": lambda game: plain_alphabeta(game, depth=6),
    "playouts": lambda game: playouts(game, 40),
    "alphabeta": alphabeta,
    "threads": lambda game: zermelo.search(game, depth=4, threads=2),
    "network": network,
    "mcts": lambda game: zermelo.search(game, algorithm="mcts", nodes=200),
    "puct": lambda game: answer(MCTS(game, evaluator=HandcraftedEvaluator(game)), None, Limits(nodes=200)),
    "montecarlo": lambda game: zermelo.search(game, algorithm="montecarlo", nodes=100),
    "maxn": lambda game: zermelo.search(game, algorithm="maxn", depth=5),
    "paranoid": lambda game: zermelo.search(game, algorithm="paranoid", depth=5),
    "solve": zermelo.solve,
    "td": td,
    "qlearning": qlearning,
    "batch": batch,
    "check": check,
}


def go_through(door: str, fault: int, compiled: bool) -> str:
    """What somebody hears who goes through a door with a fault: nothing, or a sentence."""
    try:
        DOORS[door](Overrunning(fault=fault, compiled=compiled))
    except GameError as problem:
        return str(problem)
    return ""


def main() -> None:
    doors, faults = sys.argv[1].split(","), [int(fault) for fault in sys.argv[2].split(",")]
    for door in doors:
        for fault in faults:
            told = {"door": door, "fault": fault, "says": go_through(door, fault, compiled=True)}
            print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
