"""Two lessons that pac-man teaches about search.

1. The model of the opponent matters. Where the worst is certain, minimax prefers it early: every move costs a point.
   Expectimax, which takes the ghosts to be random, goes on hoping, and is right to if they are.
2. The evaluation matters. If the score is all an agent sees, a dot eaten now and a dot eaten at the end of the horizon
   are worth the same; an agent that searches again after every move can put it off for ever.
"""

from itertools import islice
from random import Random

import zermelo
from zermelo.textbook import greedy, limited_expectimax, limited_minimax, play, uniform


def values(game, s, value):
    return ", ".join(f"{game.format_action(s, a)} {value(game.succ(s, a)):.1f}" for a in game.actions(s))


def average(game, agent, ghosts, games=50):
    """What the agent's games are worth, on average, against these ghosts."""
    total = 0.0
    for seed in range(games):
        for turn in play(game, {0: agent, **ghosts}, Random(seed)):
            s = turn.after
        total += game.utility(s)
    return total / games


def lesson_one(depth=3):
    game = zermelo.load("pac-man", layout="trapped", moves=40)
    s = game.start()
    random_ghosts = {ghost: uniform(game) for ghost in range(1, game.players)}

    def fear(s):
        return limited_minimax(game, s, depth, count="rounds")

    def hope(s):
        return limited_expectimax(game, s, depth, random_ghosts, count="rounds")

    pessimist, optimist = greedy(game, fear), greedy(game, hope)
    worst_ghosts = dict.fromkeys(range(1, game.players), pessimist)
    print("1. Trapped between two ghosts, searching", depth, "rounds ahead\n")
    print(game.text(s), "\n")
    print("minimax   ", values(game, s, fear), "→", game.format_action(s, pessimist(s)))
    print("expectimax", values(game, s, hope), "→", game.format_action(s, optimist(s)), "\n")
    print("average score       random ghosts   ghosts at their worst")
    for name, agent in (("minimax", pessimist), ("expectimax", optimist)):
        print(f"{name:<18}{average(game, agent, random_ghosts):>15.0f}{average(game, agent, worst_ghosts, 1):>24.0f}")


def lesson_two(moves=12):
    print("\n2. Two dots, no ghost, searching three moves ahead: the first", moves, "moves\n")
    start = zermelo.load("pac-man", layout="starving").start()
    print(start, "\n")
    for evaluation in ("score", "better"):
        game = zermelo.load("pac-man", layout="starving", evaluation=evaluation)
        agent = greedy(game, lambda s, game=game: limited_minimax(game, s, 2))
        turns = list(islice(play(game, {0: agent}, Random(0)), moves))
        path = " ".join(game.format_action(turn.before, turn.action) for turn in turns)
        print(f"evaluation '{evaluation}': {path}; score {turns[-1].after.score}")


lesson_one()
lesson_two()
