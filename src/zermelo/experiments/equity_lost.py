"""How much does a player give away with a decision, by the word of a judge?

In a game with dice a match between two good players takes thousands of games, because luck decides most of them. A
judge who can say what every move is worth sees the difference in some hundred decisions: in each of them a player has
lost the value of the best move less the value of the one it chose, in the payoffs of the game (points a game).

Positions come from games of one player against itself, with random dice: of the decisions in which there is a choice,
one in KEPT, at random. All players are asked about the same positions, and all of their choices are judged alike. A
judge is a player that has `values(position, also)`: what moves are worth to whoever chooses, those in `also` among
them. Intervals take the decisions for independent; few of them come from the same game.
"""

from __future__ import annotations

import queue
import random
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field
from typing import Any

from zermelo.arena.playing import Dice
from zermelo.arena.statistics import Mean, mean
from zermelo.core.game import CHANCE, Game, GameError
from zermelo.core.history import History
from zermelo.core.words import count
from zermelo.players.player import Player
from zermelo.players.registry import player as make_player

KEPT = 5  # one decision in so many: neighbours in a game are alike
MOST_POSITIONS = 1_000_000
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Decision:
    """One position with a choice, judged."""

    position: str
    kind: str  # what sort of position it is; empty where the judge does not say
    best: str  # a move that the judge finds best
    chosen: tuple[str, ...]  # by every player
    lost: tuple[float, ...]  # … and what that loses


@dataclass
class EquityLost:
    """What `run_equity_lost` found."""

    game: str
    players: tuple[str, ...]
    judge: str
    sampled_from: str
    seed: int
    decisions: list[Decision] = field(default_factory=list)

    def lost(self, player: int, kind: str | None = None) -> Mean:
        """What a player loses a decision, in positions of one kind or in all."""
        return mean([d.lost[player] for d in self.decisions if kind in (None, d.kind)])

    def share_best(self, player: int) -> float:
        """The share of decisions in which it lost nothing."""
        return sum(d.lost[player] <= 0 for d in self.decisions) / len(self.decisions)

    @property
    def kinds(self) -> list[tuple[str, int]]:
        """The kinds of positions, and how many there are of each; nothing where there is only one."""
        found = Counter(d.kind for d in self.decisions).most_common()
        return found if len(found) > 1 else []

    def table(self) -> str:
        heads = ["all", *(f"{kind} ({count:,})" for kind, count in self.kinds)]
        width = max(len("player"), *map(len, self.players))
        lines = [
            f"{self.game}: lost a decision, by {self.judge}, in {count(len(self.decisions), 'position')} "
            f"from games of {self.sampled_from} (95 %, seed {self.seed})",
            f"{'player':{width}}  " + "  ".join(f"{head:>17}" for head in heads) + f"  {'the best move':>13}",
        ]
        for number, name in enumerate(self.players):
            means = [self.lost(number), *(self.lost(number, kind) for kind, _ in self.kinds)]
            cells = [f"{m.value:.4f} ± {m.half:.4f}" if m.half == m.half else f"{m.value:.4f}" for m in means]
            row = "  ".join(f"{cell:>17}" for cell in cells)
            lines.append(f"{name:{width}}  {row}  {f'{self.share_best(number):.0%}':>13}")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        told = asdict(self)
        for name, kind in (("all", None), *((kind, kind) for kind, _ in self.kinds)):
            means = [self.lost(number, kind) for number in range(len(self.players))]
            told.setdefault("lost", {})[name] = [{"mean": m.value, "error": m.error} for m in means]
        return told


def run_equity_lost(
    game: Game[Any, Any],
    players: Sequence[str],
    judge: str = "gnubg:plies=2",
    positions: int = 300,
    seed: int = 0,
    sampled_from: str = "gnubg",
    workers: int = 1,
    tell: Tell = lambda words: None,
    on_decision: Callable[[EquityLost], None] = lambda found: None,
) -> EquityLost:
    """What each of `players` (specs) loses a decision. `on_decision` is given what has been found so far, after each.

    `workers` judges work at a time, each in a thread: worth it where a judge is a process of its own.
    """
    if not players:
        raise GameError("somebody is to be judged: give at least one player")
    if not 1 <= positions <= MOST_POSITIONS or not 1 <= workers <= 1024:
        raise GameError(f"positions must be from 1 to {MOST_POSITIONS:,}, and workers from 1 to 1024")
    found = EquityLost(game.name, tuple(players), judge, sampled_from, seed)
    with ExitStack() as stack:

        def seat(text: str) -> Player:
            made = make_player(text, game)
            stack.callback(made.close)
            if made.is_human:
                raise GameError("people are not judged here; zermelo play is for them")
            return made

        sampler, judged = seat(sampled_from), [seat(text) for text in players]
        judges = [seat(judge) for _ in range(workers)]
        if not hasattr(judges[0], "values"):
            raise GameError(f"{judge} is no judge: it does not say what moves are worth")
        for one in (sampler, *judged, *judges):
            one.prepare()
        with closing(_decisions(game, sampler, judged, judges, positions, seed, tell)) as decisions:
            for decision in decisions:
                found.decisions.append(decision)
                on_decision(found)
    return found


def _decisions(
    game: Game[Any, Any],
    sampler: Player,
    judged: Sequence[Player],
    judges: Sequence[Player],
    count: int,
    seed: int,
    tell: Tell,
) -> Generator[Decision, None, None]:
    """The decisions, in their order; players choose here while judges work in threads."""
    free: queue.SimpleQueue[Player] = queue.SimpleQueue()
    for one in judges:
        free.put(one)

    def judge(s: Any, chosen: list[Any]) -> Decision:
        one: Any = free.get()
        try:
            return _judge(game, one, s, chosen)
        finally:
            free.put(one)

    positions = sample(game, sampler, count, seed, tell)
    waiting: list[Future[Decision]] = []
    pool = ThreadPoolExecutor(len(judges))
    try:
        for number, s in enumerate(positions):
            waiting.append(pool.submit(judge, s, [_choose(one, s, seed + number) for one in judged]))
            while waiting and (waiting[0].done() or len(waiting) > 4 * len(judges)):
                yield waiting.pop(0).result()
                tell(f"{number + 1 - len(waiting):,} of {count:,} decisions judged")
        while waiting:
            yield waiting.pop(0).result()
            tell(f"{count - len(waiting):,} of {count:,} decisions judged")
    finally:  # however this ends: nothing new is begun, and nobody waits for a judge that is still at work
        for one in judges:
            one.close()
        pool.shutdown(wait=True, cancel_futures=True)


def _choose(player: Player, s: Any, seed: int) -> Any:
    player.reset(seed)
    history = History(player.game, s)
    action = player.choose(history)
    if not history.is_legal(action):
        raise GameError(f"{player.name} chose {action!r}, which is not legal in {player.game.format(s)}")
    return action


def _judge(game: Game[Any, Any], judge: Any, s: Any, chosen: list[Any]) -> Decision:
    values = judge.values(s, chosen)
    best = max(values, key=values.__getitem__)
    return Decision(
        game.format(s),
        judge.kind(s) if hasattr(judge, "kind") else "",
        game.format_action(s, best),
        tuple(game.format_action(s, a) for a in chosen),
        tuple(values[best] - values[a] for a in chosen),
    )


def sample(game: Game[Any, Any], player: Player, count: int, seed: int, tell: Tell = lambda words: None) -> list[Any]:
    """`count` positions in which there is a choice, from whole games of `player` against itself, in random order."""
    draw = random.Random(f"{seed}/positions")
    found: list[Any] = []
    games = 0
    while len(found) < count:
        history, dice = History(game), Dice(draw.getrandbits(32))
        player.reset(draw.getrandbits(31))
        while not history.is_over:
            if history.player() == CHANCE:
                history.play(dice.roll(game, history.state))
                continue
            if len(history.actions()) > 1 and draw.random() < 1 / KEPT:
                found.append(history.state)
            history.play(player.choose(history))
        games += 1
        tell(f"{len(found):,} positions from {games:,} games")
    draw.shuffle(found)
    return found[:count]
