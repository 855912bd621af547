"""Experiments: what is claimed in a lecture, counted on random trees and on small games, and what players lose, by the
word of a judge.

    ordering      what the order of the moves saves alpha-beta
    monotone      which searches care about more than the order of the utilities
    td_or_q       V(s) or Q(s, a), on-policy or off-policy: who learns a small game with how many games?
    zero_lesson   AlphaGo Zero's loop on a small game: the search teaches the policy
    zero_comparison   the same search guided by a network, by the evaluation of the rules, by random games
    truth         how often an evaluation keeps what endgame tables know, at which depth
    equity_lost   how much a player gives away with a decision

Each `run_…` returns data, with a `table()` for a terminal and, but for the last, a `figure(path)` where matplotlib is
installed. The same arguments give the same numbers.
"""

from zermelo.experiments.equity_lost import EquityLost, run_equity_lost
from zermelo.experiments.monotone import Monotone, run_monotone
from zermelo.experiments.ordering import Ordering, run_ordering
from zermelo.experiments.td_or_q import TdOrQ, run_td_or_q
from zermelo.experiments.truth import Truth, run_truth
from zermelo.experiments.zero_comparison import ZeroComparison, run_zero_comparison
from zermelo.experiments.zero_lesson import ZeroLesson, run_zero_lesson

__all__ = [
    "EquityLost",
    "Monotone",
    "Ordering",
    "TdOrQ",
    "Truth",
    "ZeroComparison",
    "ZeroLesson",
    "run_equity_lost",
    "run_monotone",
    "run_ordering",
    "run_td_or_q",
    "run_truth",
    "run_zero_comparison",
    "run_zero_lesson",
]
