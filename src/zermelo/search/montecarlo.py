"""Flat Monte Carlo: from every legal move the same number of random games; the best average is played.

How Go was first played by sampling (Brügmann 1993; Bouzy and Helmstetter 2003), and the baseline of Monte Carlo tree
search: there is no tree, so the value of a move is what it is worth between random players, however many games there
are. The standard errors say how far the averages can be trusted; they stand in the report's counters.

    moves     a    b    c        games are played a, b, c, a, b, c, …, so that any moment is a fair one to stop
    games     7    7    6
    total    +3   −1   +2
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import numpy as np

from zermelo.batch.random_game import LONG, random_game
from zermelo.batch.sampling import Sampler
from zermelo.compile.dispatch import apply, assign, at, evaluate_players, row
from zermelo.compile.kernel import kernel
from zermelo.compile.questions import step
from zermelo.compile.random import generator
from zermelo.compile.record import RecordArray, roomy, rows
from zermelo.compile.record_game import RecordGame
from zermelo.core.game import CHANCE, GameError
from zermelo.core.history import History
from zermelo.core.spec import whole
from zermelo.core.stopwatch import Stopwatch
from zermelo.search.limits import (
    ENOUGH,
    PAUSE,
    RUNNING,
    STOP,
    Control,
    Limits,
    new_control,
    stop,
    stop_reason,
    timed_reports,
)
from zermelo.search.playout import rollout_epsilon
from zermelo.search.report import ESTIMATE, PROVEN, Report, RootMove
from zermelo.search.searcher import Position, Stoppable, history_of, need_rules

NO_END = 1 << 40  # games
AT_A_TIME = {"cpu": 512, "cuda": 1 << 15}  # games, where a device plays them and nothing else is asked for


def tally_dtype(players: int) -> np.dtype[np.void]:
    return np.dtype(
        [
            ("total", "f8", (players,)),  # of the payoffs; of a known move, one game's
            ("squares", "f8", (players,)),
            ("action", "i8"),
            ("games", "i8"),
            ("known", "i8"),  # the move ends the game: no sampling needed
        ],
        align=True,
    )


@kernel
def sample(states, moves, chance, payoff, random, epsilon, tallies, games, limit, control):  # type: ignore[no-untyped-def]
    """Play `games` games from states[0], in states[1], the moves of `tallies` in turn, beginning with the least played.

    The number of games played; fewer when control says stop.
    """
    s, out, probability, result = at(states, 1), row(moves, 0), row(chance, 0), row(payoff, 0)
    m, least = 0, at(tallies, 0).games
    for k in range(len(tallies)):
        if at(tallies, k).games < least:
            m, least = k, at(tallies, k).games
    for done in range(games):
        tally = at(tallies, m)
        if tally.known == 0:
            assign(s, at(states, 0))
            apply(s, tally.action)
            _, finished = random_game(s, out, probability, epsilon, row(random, 0), limit, result, None)
            if not finished:
                evaluate_players(s, result)
            for q in range(len(result)):
                tally.total[q] += result[q]
                tally.squares[q] += result[q] * result[q]
        tally.games += 1
        m = m + 1 if m + 1 < len(tallies) else 0
        if control[STOP] != 0:
            return done + 1
    return games


def count_games(tallies: RecordArray, sampler: Sampler, after: RecordArray, games: int) -> None:
    """Play games of all moves in turn, beginning with the least played, and count the first `games` of them."""
    m = len(tallies)
    order = np.roll(np.arange(m), -int(np.argmin(tallies["games"])))
    payoff = sampler.play(after[order])[:games]
    for k in range(min(m, games)):
        move, own = order[k], payoff[k::m]
        tallies["games"][move] += len(own)
        if tallies["known"][move] == 0:
            tallies["total"][move] += own.sum(axis=0)
            tallies["squares"][move] += (own**2).sum(axis=0)


class MonteCarlo(Stoppable):
    """Flat Monte Carlo set up for one game: `paths` games for every move, or as many as the limits allow."""

    def __init__(
        self,
        game: RecordGame,
        paths: int | None = None,
        *,
        rollouts: str = "random",
        epsilon: float = 0.1,
        seed: int = 0,
        max_rollout_plies: int | None = None,
        device: str | None = None,
        playouts: int | None = None,
    ):
        """`device`: games are played `playouts` at a time, on the cores ("cpu") or on a graphics card ("cuda"), where
        one that is too long counts as 0 for everybody. Without, by one core, one after another."""
        self.game = need_rules(game)
        if paths is not None:
            whole("paths", paths, 1)
        if max_rollout_plies is not None:
            whole("max_rollout_plies", max_rollout_plies, 0)
        whole("seed", seed, 0)
        self.paths, self.seed = NO_END if paths is None else int(paths), int(seed)
        self.epsilon = rollout_epsilon(game, rollouts, epsilon)
        plies = game.variant.max_plies or LONG if max_rollout_plies is None else max_rollout_plies
        self.max_rollout_plies = int(plies)
        self._sampler: Sampler | None = None
        if device is not None or playouts is not None:
            if self.epsilon is not None:
                raise GameError("rollouts on a device are random")
            where = device or "cpu"
            at_a_time = AT_A_TIME.get(where, 1) if playouts is None else playouts
            limit = max(1, self.max_rollout_plies)
            self._sampler = Sampler(game, at_a_time, device=where, seed=self.seed, max_plies=limit)
        self.clear()

    def clear(self) -> None:
        """Nothing is kept from one position to the next but the random numbers, which begin anew."""
        self._random = rows(1, 1, "u8")
        self._random["at"][0] = generator(self.seed)
        if self._sampler is not None:
            self._sampler.clear(self.seed)

    def reports(self, position: Position, limits: Limits) -> Generator[Report, None, None]:
        """Sample until every move has its games or a limit is reached; a report every now and then, at least one."""
        history, control = history_of(self.game, position), self.begin()
        variant = self.game.variant
        states = roomy(2, variant.dtype)
        states[:1] = history.state.record
        chance = rows(1, variant.width if variant.max_chance_outcomes else 1, "f8")
        work = (states, rows(1, variant.width), chance, rows(1, variant.players, "f8"), self._random, self.epsilon)
        tallies = self._tallies(history)
        limit = self.max_rollout_plies
        if self._sampler is not None:
            return timed_reports(
                self._on_device(self._sampler, history, limits, tallies, control), control, limits, history
            )
        self.game.run(sample, *work, tallies[:1].copy(), 0, limit, new_control())  # compiles, before the clock starts

        def run(size: int) -> int:
            return int(self.game.run(sample, *work, tallies, size, limit, control))

        def search(emit: Callable[[Report], None]) -> None:
            self._search(emit, history, limits, tallies, run, control, Stopwatch())

        return timed_reports(search, control, limits, history)

    def _on_device(
        self, sampler: Sampler, history: History[Any, Any], limits: Limits, tallies: RecordArray, control: Control
    ) -> Callable[[Callable[[Report], None]], None]:
        """The search by games that a device plays."""
        after = roomy(len(tallies), self.game.variant.dtype)
        for k, action in enumerate(tallies["action"].tolist()):
            record = history.state.record
            self.game.run(step, record, action)
            after[k : k + 1] = record
        sampler.prepare()  # compiles, before the clock starts

        def run(size: int) -> int:
            done = 0
            while True:
                games = min(size - done, sampler.games)
                count_games(tallies, sampler, after, games)
                done += games
                if done >= size or control[STOP] != RUNNING:
                    return done

        return lambda emit: self._search(emit, history, limits, tallies, run, control, Stopwatch(), sampler.games)

    def _search(
        self,
        emit: Callable[[Report], None],
        history: History[Any, Any],
        limits: Limits,
        tallies: RecordArray,
        run: Callable[[int], int],
        control: Control,
        watch: Stopwatch,
        least: int = 1,
    ) -> None:
        """Slices of at least `least` games, each followed by a report."""
        most = len(tallies) * self.paths
        if limits.nodes is not None and limits.nodes < most:
            most = limits.nodes
        done, size = 0, max(least, len(tallies))
        while True:
            done += run(min(size, most - done))
            stopped = "running"
            if done >= most:
                if most < len(tallies) * self.paths:
                    stop(control, ENOUGH)
                stopped = "finished"
            if control[STOP] != RUNNING:
                stopped = stop_reason(control)
            emit(self._report(history, tallies, watch.seconds, done, stopped))
            if stopped != "running":
                return
            seconds = max(watch.seconds, 1e-6)
            size = max(least, int(done / seconds * min(PAUSE, max(seconds, 0.005))))

    def _tallies(self, history: History[Any, Any]) -> RecordArray:
        """One for every legal move; a move that ends the game by repetition has its payoffs already."""
        game, legal = self.game, history.actions()
        tallies: RecordArray = np.zeros(len(legal), tally_dtype(game.players)).view(np.recarray)
        tallies["action"] = legal
        if game.repetition in ("draw", "loss"):
            after = history.copy()
            for k, a in enumerate(legal):
                after.play(a)
                if after.is_repeated:
                    tallies["known"][k] = 1
                    tallies["total"][k] = [after.utility(q) for q in range(game.players)]
                after.undo()
        return tallies

    def _report(
        self, history: History[Any, Any], tallies: RecordArray, seconds: float, done: int, stopped: str
    ) -> Report:
        game, state = self.game, history.state
        mover = game.player(state)
        played = tallies[tallies["games"] > 0]
        games = played["games"].astype(float)[:, None]
        means = played["total"] / np.where(played["known"][:, None] > 0, 1.0, games)
        spread = np.maximum(played["squares"] / games - means**2, 0.0) * (played["known"][:, None] == 0)
        errors = np.sqrt(spread / games)
        if mover == CHANCE:
            probability = dict(game.chances(state))
            weight = np.array([probability[int(a)] for a in played["action"]])
            values = weight @ means / weight.sum()
            error = float(np.sqrt((weight**2) @ errors[:, 0] ** 2) / weight.sum())
            order = list(np.argsort(-weight, kind="stable"))
        else:
            own = [q for q in range(game.players) if game.side(q) == game.side(mover)]
            order = list(np.argsort(-means[:, own].sum(axis=1), kind="stable"))
            values, error = means[order[0]], float(errors[order[0], 0])
        moves = tuple(
            RootMove(
                int(played[k].action),
                float(means[k, 0]),
                proof=PROVEN if played[k].known else ESTIMATE,
                pv=(int(played[k].action),),
                nodes=int(played[k].games),
            )
            for k in order
        )
        named = {game.format_action(state, int(played[k].action)): float(errors[k, 0]) for k in order}
        return Report(
            game=game,
            state=state,
            algorithm="montecarlo",
            best=None if mover == CHANCE else moves[0].action,
            value=float(values[0]),
            values=tuple(float(v) for v in values),
            depth=1,
            deepest=1,
            nodes=done,
            seconds=seconds,
            pv=() if mover == CHANCE else moves[0].pv,
            moves=moves,
            stopped=stopped,
            counters={"error": error, **{f"error {m}": e for m, e in named.items()}},
        )
