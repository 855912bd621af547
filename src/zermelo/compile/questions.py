"""What a `RecordGame` asks the rules about one state: a small kernel for each question."""

from __future__ import annotations

from zermelo.compile.dispatch import (
    apply,
    evaluate,
    evaluate_players,
    expand,
    key,
    need_player,
    owners,
    planes,
    policy_index,
    repetition_key,
    row,
    start,
    utility,
)
from zermelo.compile.kernel import kernel
from zermelo.core.game import OVER


@kernel
def look(states, moves, chance, payoff):  # type: ignore[no-untyped-def]
    """What states[0] offers: (player, how many actions or outcomes), with row 0 of the tables filled in.

    Rows, and not plain arrays, because searches use rows too: the rules are then compiled for one type only.
    """
    s = states[0]
    p, n = expand(s, row(moves, 0), row(chance, 0))
    if p == OVER:
        utility(s, payoff)
    else:
        need_player(s, p)
    return p, n


@kernel
def pay(states, payoff):  # type: ignore[no-untyped-def]
    utility(states[0], payoff)


@kernel
def set_up(states):  # type: ignore[no-untyped-def]
    start(states[0])


@kernel
def step(states, action):  # type: ignore[no-untyped-def]
    apply(states[0], action)


@kernel
def judge(states):  # type: ignore[no-untyped-def]
    return evaluate(states[0])


@kernel
def judge_players(states, out):  # type: ignore[no-untyped-def]
    evaluate_players(states[0], out)


@kernel
def identify(states):  # type: ignore[no-untyped-def]
    return key(states[0])


@kernel
def identify_repetition(states):  # type: ignore[no-untyped-def]
    return repetition_key(states[0])


@kernel
def see(states, out):  # type: ignore[no-untyped-def]
    planes(states[0], row(out, 0))


@kernel
def see_owners(states, out):  # type: ignore[no-untyped-def]
    owners(states[0], row(out, 0))


@kernel
def number_action(states, action):  # type: ignore[no-untyped-def]
    return policy_index(states[0], action)
