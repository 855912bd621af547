"""What rules declare, asked of a record: constants to the compiler, which leaves out what depends on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.compile.endings import won_payoff
from zermelo.compile.overloads import overload
from zermelo.compile.targets import by_rules
from zermelo.compile.variant import VARIANTS, Variant

NEVER, DRAWN, LOST, FORBIDDEN = 0, 1, 2, 3
REPETITION = {None: NEVER, "draw": DRAWN, "loss": LOST, "forbidden": FORBIDDEN}


@by_rules
def side(rules: Variant) -> Callable[[Any, int], int]:
    """side(s, p): the team of player `p`; side 0 is MAX."""
    teams = rules.teams
    if teams is None:
        return lambda s, p: p
    return lambda s, p: teams[p]


@by_rules
def num_players(rules: Variant) -> Callable[[Any], int]:
    """num_players(s): how many players there are."""
    n = rules.players
    return lambda s: n


@by_rules
def num_features(rules: Variant) -> Callable[[Any], int]:
    """num_features(s): how many features there are; 0 without any."""
    n = rules.num_features or 0
    return lambda s: n


@by_rules
def others_share(rules: Variant) -> Callable[[Any], float]:
    """others_share(s): what each of the others loses where everybody on player 0's side wins 1, and the sum is 0."""
    ours = sum(team == 0 for team in rules.teams or range(rules.players))
    share = ours / max(1, rules.players - ours)
    return lambda s: share


@by_rules
def repetition(rules: Variant) -> Callable[[Any], int]:
    """repetition(s): what repetition means in this game: NEVER, DRAWN, LOST or FORBIDDEN."""
    meaning = REPETITION[rules.repetition]
    return lambda s: meaning


@by_rules
def repetitions(rules: Variant) -> Callable[[Any], int]:
    """repetitions(s): how often a position must have stood for that; the first time counts."""
    times = rules.repetitions
    return lambda s: times


@by_rules
def utility_range(rules: Variant) -> Callable[[Any], tuple[float, float]]:
    """utility_range(s): the least and the most player 0 can get, as declared; infinite where nothing is."""
    bounds = rules.utility_range or (-np.inf, np.inf)
    return lambda s: bounds


@by_rules
def ending_pays(rules: Variant) -> Callable[[Any], float]:
    """ending_pays(s): what a won ending pays; not a number where tables do not say."""
    won = won_payoff(rules)
    pays = np.nan if won is None else won
    return lambda s: pays


@by_rules
def has_chance(rules: Variant) -> Callable[[Any], bool]:
    """has_chance(s): does this game have chance nodes?"""
    return (lambda s: True) if "chances" in rules.functions else (lambda s: False)


@by_rules
def stuck_ends(rules: Variant) -> Callable[[Any], bool]:
    """stuck_ends(s): does a player without a legal action end the game?"""
    return (lambda s: True) if rules.stuck_ends else (lambda s: False)


def offers(s: Any, hook: str) -> bool:
    """Do the rules define `hook`?"""
    return hook in VARIANTS[s.dtype].functions


@overload(offers, prefer_literal=True)
def _offers(s: Any, hook: Any) -> Any:
    return (lambda s, hook: True) if hook.literal_value in VARIANTS[s].functions else (lambda s, hook: False)
