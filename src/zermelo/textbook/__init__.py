"""The algorithms of a lecture on games, short enough to be read, over any `Game`; the oracle of everything faster.

In the order in which they are best read:

    policies     what a player does in a state
    values       what a state is worth: policy evaluation, expectimax, minimax, expectiminimax, max^n
    extraction   from values back to policies, and the optimal path
    depth        stopping early, with an evaluation function
    alphabeta    not looking where it cannot matter, in its two classic forms
    ordering     and why the order of the moves decides how much that saves
    montecarlo   averaging over random paths
    mcts         … and growing a tree where they went well
    realtime     search, move, wait, search again

`registry` has them by name, and runs one with a trace. Besides these, `sides` says who wants what, and `recording`
fills the optional `trace=` of each algorithm.
"""

from zermelo.core.trace import Trace
from zermelo.textbook.alphabeta import alphabeta, alphabeta_search
from zermelo.textbook.depth import limited_expectimax, limited_maxn, limited_minimax
from zermelo.textbook.extraction import (
    best_action,
    expectimax_policy,
    greedy,
    maxn_policy,
    minimax_policy,
    optimal_path,
)
from zermelo.textbook.mcts import TreeStep, Tried, chosen, mcts
from zermelo.textbook.montecarlo import Estimate, average, average_paths, monte_carlo, sample_path
from zermelo.textbook.ordering import as_given, best_first, shuffled, worst_first
from zermelo.textbook.policies import Choice, Policies, Policy, distribution, sample, uniform
from zermelo.textbook.realtime import Turn, play
from zermelo.textbook.values import expectimax, expectiminimax, maxn, minimax, policy_value

__all__ = [
    "Choice",
    "Estimate",
    "Policies",
    "Policy",
    "Trace",
    "TreeStep",
    "Tried",
    "Turn",
    "alphabeta",
    "alphabeta_search",
    "as_given",
    "average",
    "average_paths",
    "best_action",
    "best_first",
    "chosen",
    "distribution",
    "expectimax",
    "expectimax_policy",
    "expectiminimax",
    "greedy",
    "limited_expectimax",
    "limited_maxn",
    "limited_minimax",
    "maxn",
    "maxn_policy",
    "mcts",
    "minimax",
    "minimax_policy",
    "monte_carlo",
    "optimal_path",
    "play",
    "policy_value",
    "sample",
    "sample_path",
    "shuffled",
    "uniform",
    "worst_first",
]
