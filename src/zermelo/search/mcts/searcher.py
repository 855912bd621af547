"""Monte Carlo tree search: `MCTS(game).reports(position, limits)`.

Each simulation walks down the tree, adds to it, plays one game at random from there (or asks an evaluator) and backs
the result up; the most visited move is the answer. The tree stays for the next position of the same game. docs/mcts.md
tells what each option is for.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import numpy as np

from zermelo.batch.random_game import LONG
from zermelo.compile.evaluator import HANDCRAFTED
from zermelo.compile.record import RecordArray, roomy
from zermelo.compile.record_game import RecordGame, State
from zermelo.compile.repetition import PAST
from zermelo.core.game import GameError
from zermelo.core.history import History
from zermelo.core.spec import number, whole
from zermelo.core.stopwatch import Stopwatch
from zermelo.evaluate.tabled import KnownRoot
from zermelo.search.endings import Endings, with_tables
from zermelo.search.limits import (
    ENOUGH,
    NO_LIMIT,
    PAUSE,
    RUNNING,
    STOP,
    Control,
    Limits,
    in_threads,
    new_control,
    stop_reason,
    timed_reports,
)
from zermelo.search.mcts.choice import PUCT, RAVE, UCT
from zermelo.search.mcts.descent import OPTIONS
from zermelo.search.mcts.evaluator import BatchEvaluator, PlayoutEvaluator
from zermelo.search.mcts.kernel import MOST_DEPTH, deliver, gather, simulate
from zermelo.search.mcts.report import pv_below, root_findings
from zermelo.search.mcts.reuse import KEPT_A_SECOND, find, follow, get_ready, keep_below
from zermelo.search.mcts.tree import MARK_PROVEN, Tree, clear, make_tree, share_out
from zermelo.search.mcts.workspace import Workspace, make_rollouts, make_workspace, random_row
from zermelo.search.playout import rollout_epsilon
from zermelo.search.report import Report
from zermelo.search.searcher import Position, Stoppable, history_of, need_rules

FIRST_SLICE = 32  # simulations before the first report
LEAVES = {"cpu": 16, "cuda": 128}  # judged at a time, where nothing else is asked for
PLAYOUTS = {"cpu": 16, "cuda": 128}  # of a leaf, likewise
WALKS = 16  # for every leaf of a batch, at most: what walks find proven needs no judging


class MCTS(Stoppable):
    """A Monte Carlo tree search set up for one game."""

    def __init__(
        self,
        game: RecordGame,
        *,
        exploration: float = 1.0,
        reduction: float = 0.0,
        rollouts: str = "random",
        epsilon: float = 0.1,
        rave: float = 0.0,
        solver: bool = True,
        threads: int = 1,
        memory_mb: float = 256.0,
        seed: int = 0,
        evaluator: BatchEvaluator | None = None,
        batch: int | None = None,
        max_rollout_plies: int | None = None,
        device: str | None = None,
        playouts: int | None = None,
        endings: Endings | None = None,
    ):
        """`device`: leaves are judged in batches, each by `playouts` random games on the cores ("cpu") or on a graphics
        card ("cuda"), and moves are chosen by PUCT with equal priors."""
        self.game = need_rules(game)
        numbers = {"exploration": exploration, "reduction": reduction, "rave": rave, "memory_mb": memory_mb}
        for name, value in numbers.items():
            number(name, value, 0)
        batch = LEAVES.get(device or "cpu", 1) if batch is None else whole("batch", batch, 1)
        for name, count, least in (("threads", threads, 1), ("seed", seed, 0)):
            whole(name, count, least)
        if max_rollout_plies is not None:
            whole("max_rollout_plies", max_rollout_plies, 0)
        sampled = device is not None or playouts is not None
        if sampled and (evaluator is not None or rollouts != "random"):
            raise GameError("playouts on a device are random games, without an evaluator and without heuristics")
        if (sampled or evaluator is not None) and (threads > 1 or rave):
            with_what = "playouts on a device" if sampled else "an evaluator"
            raise GameError(f"with {with_what}, leaves go in batches: neither threads nor rave can be used")
        self._sampled: PlayoutEvaluator | None = None
        if sampled:
            limit = None if max_rollout_plies is None else max(1, max_rollout_plies)
            where = device or "cpu"
            each = PLAYOUTS.get(where, 1) if playouts is None else whole("playouts", playouts, 1)
            self._sampled = evaluator = PlayoutEvaluator(game, batch, each, device=where, seed=seed, max_plies=limit)
        self.exploration, self.rave, self.solver = float(exploration), float(rave), bool(solver)
        self.reduction, self._judges_chance = float(reduction), getattr(evaluator, "judges_chance", True)
        self.threads, self.seed, self.evaluator = int(threads), int(seed), evaluator
        self.batch = int(batch) if evaluator is not None else 1
        self.rule = PUCT if evaluator is not None else RAVE if self.rave > 0 else UCT
        self.epsilon = rollout_epsilon(game, rollouts, epsilon)
        plies = game.variant.max_plies or LONG if max_rollout_plies is None else max_rollout_plies
        self.max_rollout_plies = int(plies)
        self.tree: Tree = make_tree(game, memory_mb, evaluator is not None, self.rave > 0, self.threads)
        self.endings = endings  # that are known for certain
        self.known_root: KnownRoot | None = None  # what they say of the position searched last
        self._knowing: Any = HANDCRAFTED  # what kernels ask about endings: by its type there are none
        # which kernels are compiled: for a root near known endings? the first of a tree? a position without a past?
        self._ready: set[tuple[bool, bool, bool]] = set()
        self._root: State | None = None  # of the tree; None before the first search and after `clear`
        self._at, self._kept = 0, 1  # the root's node; how many nodes stood before the threads got their ranges
        self._keys: tuple[int, ...] = ()  # of the game up to the root
        self._random = [random_row(self.seed + (t << 32)) for t in range(self.threads)]
        self._ranges = share_out(self.tree, 1, self.threads)
        rave_plies = self.max_rollout_plies if self.rave else None
        self._rollouts = [make_rollouts(self.epsilon, rave_plies) for _ in range(self.threads)]

    # -- the protocol ----------------------------------------------------------------------------------------------

    def reports(self, position: Position, limits: Limits) -> Generator[Report, None, None]:
        """Simulate until a limit is reached or the root is proven; a report every now and then, at least one."""
        history, control = history_of(self.game, position), self.begin()
        keys, work, options = self._set_up(history, limits)

        def search(emit: Callable[[Report], None]) -> None:
            watch = Stopwatch()
            self._take_root(history, keys, limits)
            for w, (free, end) in zip(work, self._ranges, strict=True):
                w.worker[0].free, w.worker[0].end = free, end
            options["root"] = self._at
            self._search(emit, history.state, limits, work, options, control, watch)

        return timed_reports(search, control, limits, history)

    def make_ready(self, history: History[Any, Any]) -> None:
        knows = self.endings is not None and self.endings.held_for(history.state) is not None
        if (knows, self._root is None, len(history.states) == 1) not in self._ready:
            self._set_up(history, Limits(nodes=1))

    def clear(self) -> None:
        """Drop the tree, and begin the random numbers anew."""
        self._root = None
        self._random = [random_row(self.seed + (t << 32)) for t in range(self.threads)]
        if self._sampled is not None:
            self._sampled.sampler.clear(self.seed)

    # -- inside ----------------------------------------------------------------------------------------------------

    def _set_up(
        self, history: History[Any, Any], limits: Limits
    ) -> tuple[tuple[int, ...], list[Workspace], RecordArray]:
        """The keys of the game so far, room to work in for every thread, and options; the kernels are compiled."""
        held = None if self.endings is None else self.endings.held_for(history.state)
        self._knowing = HANDCRAFTED if held is None else held.of(HANDCRAFTED)
        self.known_root = None if held is None else held.begin(history.state)
        keys = tuple(int(self.game.repetition_key(s)) for s in history.states) if self.game.repetition else ()
        work = [make_workspace(history.state, keys, self.batch, random) for random in self._random]
        options = self._options(limits, min(len(keys), PAST), history.last_mover)
        alone = len(history.states) == 1
        self._compile(work, options, alone)
        self._ready.add((held is not None, self._root is None, alone))
        return keys, work, options

    def _search(
        self,
        emit: Callable[[Report], None],
        state: State,
        limits: Limits,
        work: list[Workspace],
        options: RecordArray,
        control: Control,
        watch: Stopwatch,
    ) -> None:
        """Slices of simulations, each followed by a report."""
        done, size, reused = 0, FIRST_SLICE, int(self.tree.nodes[self._at].visits)
        try:
            while True:
                size = size if limits.nodes is None else min(size, limits.nodes - done)
                most = NO_LIMIT if limits.nodes is None else limits.nodes - done
                self._run(size, most, work, options, control)
                done = sum(int(w.worker[0].simulations) for w in work)
                proven = bool(self.tree.nodes[self._at].marks & MARK_PROVEN)
                if limits.nodes is not None and done >= limits.nodes and control[STOP] == RUNNING:
                    control[STOP] = ENOUGH
                stopped = "proven" if proven else "running" if control[STOP] == RUNNING else stop_reason(control)
                report = self._report(state, work, watch.seconds, done, stopped, reused)
                emit(with_tables(report, self.known_root))
                if stopped != "running":
                    break
                seconds = max(watch.seconds, 1e-6)
                size = max(1, int(done / seconds * min(PAUSE, max(seconds, 0.005))))  # about doubles, up to a pause
        except BaseException:
            self.clear()  # walks that never came back are still counted in the tree
            raise
        finally:
            self._ranges = [(int(w.worker[0].free), int(w.worker[0].end)) for w in work]

    def _run(self, size: int, most: int, work: list[Workspace], options: RecordArray, control: Control) -> None:
        """So many simulations, shared by the threads or judged by the evaluator."""
        if self.evaluator is not None:
            self._run_batches(size, most, work[0], options, control)
            return

        def task(t: int) -> Callable[[], Any]:
            share = size // self.threads + (t < size % self.threads)
            mine = options.copy()
            mine[0].first = t == 0
            return lambda: self.game.run(
                simulate, self.tree, work[t], self._rollouts[t], self._knowing, mine, share, control
            )

        in_threads([task(t) for t in range(min(self.threads, size))])

    def _run_batches(self, size: int, most: int, work: Workspace, options: RecordArray, control: Control) -> None:
        """At least `size` simulations, never more than `most`. Batches are whole: no clock decides what is in one."""
        assert self.evaluator is not None
        leaves, depths = roomy(self.batch, self.game.variant.dtype), np.zeros(self.batch, np.int64)
        begun = int(work.worker[0].simulations)
        while True:
            left = min(most - (int(work.worker[0].simulations) - begun), WALKS * self.batch)
            shared = (self.tree, work, leaves[: self._batch_size()], depths)
            found = self.game.run(gather, *shared, self._knowing, options, left, control)
            if found:
                values, priors = (np.asarray(part, np.float64) for part in self.evaluator.evaluate(leaves[:found]))
                if values.shape != (found, self.game.players) or len(priors) != found or priors.ndim != 2:
                    raise GameError(f"the evaluator gave values {values.shape} and priors {priors.shape} for {found}")
                self.game.run(
                    deliver, *shared, options, found, np.ascontiguousarray(values), np.ascontiguousarray(priors)
                )
            if (
                control[STOP] != RUNNING
                or work.worker[0].simulations >= begun + size
                or self.tree.nodes[self._at].marks & MARK_PROVEN
            ):
                return

    def _batch_size(self) -> int:
        """Leaves that the next batch has at most."""
        return self.batch

    def _compile(self, work: list[Workspace], options: RecordArray, alone: bool) -> None:
        """Have the kernels ready before the clock starts."""
        if self._root is None:
            clear(self.tree, self.game)
        else:
            get_ready(self.game, self.tree, alone and not self.game.repetition)
        pv_below(self.game, self.tree, 0)
        control = new_control()
        if self.evaluator is None:
            self.game.run(simulate, self.tree, work[0], self._rollouts[0], self._knowing, options, 0, control)
            return
        if self._sampled is not None:
            self._sampled.sampler.prepare()
        if hasattr(self.evaluator, "prepare"):
            self.evaluator.prepare()
        states = work[0].states[:1].copy()
        shared = (self.tree, work[0], states, np.zeros(1, np.int64))
        self.game.run(gather, *shared, self._knowing, options, 0, control)
        nothing = np.zeros((1, self.game.players)), np.zeros((1, self.game.variant.width))
        self.game.run(deliver, *shared, options, 0, *nothing)

    def _take_root(self, history: History[Any, Any], keys: tuple[int, ...], limits: Limits) -> None:
        """Make the position the root, with what the tree already knows of it."""
        node = self._known_node(history, keys) if self._root is not None else None
        if node is None:
            clear(self.tree, self.game)
            self._at, self._kept = 0, 1
            self._ranges = share_out(self.tree, 1, self.threads)
        elif node != self._at:
            self._at = node
            room = len(self.tree.nodes)
            if 2 * min(end - free for free, end in self._ranges) * self.threads < room:
                most = room if limits.hard is None else int(limits.hard * KEPT_A_SECOND)
                self._kept = keep_below(self.game, self.tree, node, min(most, self._used(self._ranges)))
                self._at, self._ranges = 0, share_out(self.tree, self._kept, self.threads)
        if self.tree.nodes[self._at].first < 0:  # proven by the rules, perhaps; but by which move?
            self.tree.nodes[self._at].marks = 0
        self._root, self._keys = history.state, keys

    def _used(self, ranges: list[tuple[int, int]]) -> int:
        """How many nodes of the arena are taken."""
        starts = share_out(self.tree, self._kept, self.threads)
        return self._kept + sum(now[0] - then[0] for now, then in zip(ranges, starts, strict=True))

    def _known_node(self, history: History[Any, Any], keys: tuple[int, ...]) -> int | None:
        """The node of the position, if the game has gone on from the root to it."""
        assert self._root is not None
        for k in range(len(history.states) - 1, -1, -1):
            if history.states[k] == self._root and keys[: k + 1] == self._keys:
                return follow(self.tree, self._at, history.moves[k:])
        if self.game.repetition or len(history.states) > 1:
            return None  # what repetition made of the old path may not hold for this one
        return find(self.game, self.tree, self._at, self._root, history.state)

    def _options(self, limits: Limits, known: int, last_mover: int) -> RecordArray:
        options: RecordArray = np.zeros(1, OPTIONS).view(np.recarray)
        o: Any = options[0]
        o.rule, o.exploration, o.equivalence = self.rule, self.exploration, self.rave
        o.reduction, o.judges_chance = self.reduction, self._judges_chance
        o.solver, o.first, o.shared = self.solver, True, self.threads > 1 or self.rule == PUCT
        o.weighted, o.depth = len(self.tree.weight) > 1, min(limits.depth or MOST_DEPTH, MOST_DEPTH)
        o.plies, o.known, o.last_mover = self.max_rollout_plies, known, last_mover
        o.mask = max(len(self._rollouts[0].played) - 2, 0)
        return options

    def _report(
        self, state: State, work: list[Workspace], seconds: float, done: int, stopped: str, reused: int
    ) -> Report:
        used = self._used([(int(w.worker[0].free), 0) for w in work])
        return Report(
            game=self.game,
            state=state,
            algorithm=("uct", "rave", "puct")[self.rule],
            deepest=max(int(w.worker[0].deepest) for w in work),
            nodes=done,
            seconds=seconds,
            table_use=used / len(self.tree.nodes),
            stopped=stopped,
            counters={
                "reused": float(reused),
                "tree_nodes": float(used),
                "memory_full": float(sum(int(w.worker[0].full) for w in work)),
            },
            **root_findings(self.game, self.tree, self._at, self.rule == PUCT and self._sampled is None),
        )
