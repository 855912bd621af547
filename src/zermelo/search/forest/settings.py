"""How trees are searched, as the caller says it and as kernels read it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo.compile.record_game import RecordGame
from zermelo.core.game import GameError, shorten
from zermelo.core.spec import number, whole
from zermelo.search.forest.trees import Sizes
from zermelo.search.mcts.tree import count_values

PUCT, GUMBEL = 0, 1
KINDS = {"puct": PUCT, "gumbel": GUMBEL}


class Settings(NamedTuple):
    """The defaults suit some tens of simulations a move."""

    kind: str = "gumbel"  # or "puct"
    considered: int = 16  # Gumbel: actions of the root that sequential halving begins with
    c_visit: float = 50.0  # Gumbel: σ(q) = (c_visit + most visits of an action) · c_scale · q, q from 0 to 1
    c_scale: float = 1.0
    gumbel: float = 1.0  # Gumbel: how much of the noise at the root; 0: none, to play as well as possible
    c_puct: float = 1.0  # PUCT: how much priors count; values are scaled to a range of 1
    noise: tuple[float, float] = (0.0, 0.0)  # PUCT: (α, share) of Dirichlet noise at the root; a share of 0: none
    temperature: float = 0.0  # PUCT: of the choice among visits at the root; 0: the most visited
    proofs: bool = True  # what ends prove is passed on to the root, in games of one or of two that are zero-sum
    virtual_loss: bool = False  # PUCT: an untried action counts with the present visit as lost, as in search.mcts
    sees: str | None = None  # what a judge is given: "planes" or "states"; None: planes, where the rules have them
    branching: int | None = None  # actions of a position that there is room for on average; None: tried out
    seed: int = 0


def options_dtype(players: int) -> np.dtype[np.void]:
    return np.dtype(
        [
            ("kind", "i8"),
            ("considered", "i8"),
            ("c_visit", "f8"),
            ("c_scale", "f8"),
            ("gumbel", "f8"),
            ("c_puct", "f8"),
            ("alpha", "f8"),
            ("share", "f8"),
            ("temperature", "f8"),
            ("proofs", "i8"),
            ("virtual_loss", "i8"),
            ("nodes", "i8"),  # of a tree, at most
            ("edges", "i8"),
            ("width", "i8"),  # most actions or outcomes
            ("numbers", "i8"),  # that actions can have
            ("numbered", "i8"),  # actions have a policy_index; else their place in the list stands for it
            ("least", "f8"),  # payoffs as declared, of player 0 where one value is kept; else infinite
            ("most", "f8"),
            ("side", "i8", (players,)),
        ],
        align=True,
    )


def make_options(game: RecordGame, settings: Settings, sizes: Sizes) -> Any:
    """(1,) what the kernels read; a GameError for the first setting that is wrong."""
    if not isinstance(settings.kind, str) or settings.kind not in KINDS:
        raise GameError(f"a forest is searched by 'gumbel' or 'puct', not {shorten(settings.kind)}")
    wrong = GameError(f"noise takes (alpha, share), alpha above 0 and a share up to 1, not {shorten(settings.noise)}")
    try:
        alpha, share = settings.noise
    except (TypeError, ValueError):
        raise wrong from None
    number("alpha of the noise", alpha, 0)
    if not 0.0 <= number("share of the noise", share, 0) <= 1.0 or (share > 0 and not alpha > 0):
        raise wrong
    for name in ("proofs", "virtual_loss"):
        if not isinstance(getattr(settings, name), bool | np.bool_):
            raise GameError(f"{name} is True or False, not {shorten(getattr(settings, name))}")
    declared = game.variant.utility_range if count_values(game) == 1 else None
    made: Any = np.zeros(1, options_dtype(game.players)).view(np.recarray)
    o = made[0]
    o.kind, o.considered = KINDS[settings.kind], whole("considered", settings.considered, 1)
    o.c_visit, o.c_scale = number("c_visit", settings.c_visit, 0), number("c_scale", settings.c_scale, 0)
    o.gumbel = number("gumbel", settings.gumbel, 0)
    o.c_puct, o.temperature = number("c_puct", settings.c_puct, 0), number("temperature", settings.temperature, 0)
    o.alpha, o.share = alpha, share
    o.proofs = settings.proofs and count_values(game) == 1
    o.virtual_loss, o.numbered = settings.virtual_loss, game.variant.policy_size is not None
    o.nodes, o.edges, o.width, o.numbers = sizes.nodes, sizes.edges, game.variant.width, sizes.numbers
    o.least, o.most = declared or (-np.inf, np.inf)
    for p in range(game.players):
        o.side[p] = game.side(p)
    return made
