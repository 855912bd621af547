"""Is there a card, and does it work? What `zermelo doctor` says of it."""

from __future__ import annotations

import importlib.util
from contextlib import nullcontext
from typing import Any

import numpy as np

from zermelo.batch.batch import make_batch
from zermelo.compile.record_game import RecordGame
from zermelo.compile.rules import rules
from zermelo.core.game import OVER


def examine_card() -> dict[str, Any]:
    """What was found, and whether games on the card are the games on the cores: played, and compared."""
    if importlib.util.find_spec("numba_cuda") is None:
        return {"works": False, "note": "numba-cuda is not installed: pip install 'zermelo[cuda]'"}
    try:
        from numba import cuda

        from zermelo.compile.targets.cuda import need_card

        need_card()
        device = cuda.get_current_device()
        name = device.name.decode() if isinstance(device.name, bytes) else str(device.name)
        driver = ".".join(map(str, cuda.runtime.get_version()))
        found = {"card": name, "runtime": driver, "memory": int(cuda.current_context().get_memory_info().total)}
    except Exception as problem:
        return {"works": False, "note": str(problem).partition("\n")[0]}
    try:
        return {**found, "works": _plays_the_same_games()}
    except Exception as problem:
        return {**found, "works": False, "note": f"{type(problem).__name__}: {problem}".partition("\n")[0]}


def examine_rules(game: RecordGame) -> dict[str, Any]:
    """Whether a card could run these rules; without a card too, as long as there is its compiler."""
    if importlib.util.find_spec("numba_cuda") is None:
        return {"game": game.name, "works": None, "note": "numba-cuda is not installed: pip install 'zermelo[cuda]'"}
    from numba import cuda

    from zermelo.compile.targets.cuda import find_refusal, some_card

    with nullcontext() if cuda.is_available() else some_card():
        found = find_refusal(game.variant)
    return {"game": game.name, "works": found is None, **({} if found is None else {"note": str(found)})}


@rules(name="trial", players=2, max_actions=3)
class Trial:
    """Take one, two or three of thirty; whoever takes the last one wins."""

    state = {"left": "i1", "turn": "i1"}  # noqa: RUF012 - how rules are written

    def start(s: Any) -> None:
        s.left = 30

    def player(s: Any) -> int:
        return int(s.turn) if s.left > 0 else OVER

    def actions(s: Any, out: Any) -> int:
        for k in range(min(3, s.left)):
            out[k] = k + 1
        return int(min(3, s.left))

    def apply(s: Any, taken: Any) -> None:
        s.left -= taken
        s.turn = 1 - s.turn

    def utility(s: Any, out: Any) -> None:
        out[s.turn], out[1 - s.turn] = -1.0, 1.0


def _plays_the_same_games() -> bool:
    game: Any = Trial()
    here, there = (make_batch(game, 256, device=device, seed=1, restart=True) for device in ("cpu", "cuda"))
    for batch in (here, there):
        batch.random_steps(40, digests=True)
    return bool(np.array_equal(here.digest, there.device.read(there.digest)))
