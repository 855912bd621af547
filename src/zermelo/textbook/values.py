"""The value of a state: one recurrence for each thing that can be assumed of the others.

                      the agent     the others
    policy_value      π_agent       π_opponent            everybody's policy is known
    expectimax        max           π_opponent            what to do against known opponents
    minimax           max           min                   … against the worst of all opponents
    expectiminimax    max           min, and chance       … and the dice
    maxn              max           max, each for itself  any number of players and teams

The running example is a game of three bins: the agent (▲) picks one, the opponent picks a number from it.

                  ▲                    policy_value of (A, uniform)     0
         A ╱      │B      ╲ C          expectimax against uniform       5, by C
          ○       ○        ○           minimax                          1, by B
        ╱   ╲   ╱   ╲    ╱   ╲
      −50   50  1   3   −5   15

None of these remembers anything: every node of the tree is visited, and a state reached twice is worked out twice.
Where `memo` is offered, a dictionary given there is filled with the value of every state met, and each is met once.
All recurse to the end of the game: one that can go on for ever, or for many hundred moves, needs a limit (`depth`).

References: Zermelo 1913; von Neumann 1928; Shannon 1950; Michie 1966 (chance); Luckhardt and Irani 1986 (max^n).
"""

from __future__ import annotations

from zermelo.core.game import CHANCE, OVER, A, Game, GameError, S
from zermelo.core.trace import Trace
from zermelo.textbook.policies import Policies, odds
from zermelo.textbook.recording import Recorder, remember, two_sided
from zermelo.textbook.sides import maximizes, team_total


def policy_value(
    game: Game[S, A], s: S, policies: Policies[S, A], *, player: int = 0, trace: Trace | None = None
) -> float:
    """V_eval(s): the expected utility of `player` if everybody follows their policy.

    Assumes nothing of the others but that they do. `policies` has one for each player who gets to move.
    """
    record = Recorder(game, trace, lambda mover: "chance", lambda s: odds(game, policies, s))
    succ = record.succ

    @record
    def value(s: S) -> float:
        if game.is_end(s):
            return game.utility(s, player)
        return sum(p * value(succ(s, a)) for a, p in odds(game, policies, s).items())

    return value(s)


def expectimax(
    game: Game[S, A],
    s: S,
    policies: Policies[S, A],
    *,
    player: int = 0,
    memo: dict[S, float] | None = None,
    trace: Trace | None = None,
) -> float:
    """V_exptmax(s): the expected utility of `player`, the agent, who does the best against the given policies.

    Assumes that the others follow `policies`, whatever the agent does. Players of the agent's own team who have no
    policy there maximize with it.
    """

    def follows(mover: int) -> bool:
        return mover in policies or game.side(mover) != game.side(player)  # nature is on nobody's side

    record = Recorder(
        game, trace, lambda mover: "chance" if follows(mover) else "max", lambda s: odds(game, policies, s)
    )
    succ = record.succ

    @record
    @remember(memo)
    def value(s: S) -> float:
        if game.is_end(s):
            return game.utility(s, player)
        if follows(game.player(s)):
            return sum(p * value(succ(s, a)) for a, p in odds(game, policies, s).items())
        return max(value(succ(s, a)) for a in game.actions(s))

    return value(s)


def minimax(game: Game[S, A], s: S, *, memo: dict[S, float] | None = None, trace: Trace | None = None) -> float:
    """V_minmax(s): the utility of player 0 if side 0 maximizes it and everybody else minimizes it.

    Assumes the worst of the other side: whatever it really does, player 0 gets at least this much. For games without
    chance; `expectiminimax` takes the others.
    """
    record = Recorder(game, trace, two_sided(game))
    succ = record.succ

    @record
    @remember(memo)
    def value(s: S) -> float:
        player = game.player(s)
        if player == OVER:
            return game.utility(s)
        if player == CHANCE:
            raise GameError(f"{game.name} has chance nodes: minimax needs a game without, expectiminimax takes them")
        if maximizes(game, player):
            return max(value(succ(s, a)) for a in game.actions(s))
        return min(value(succ(s, a)) for a in game.actions(s))

    return value(s)


def expectiminimax(game: Game[S, A], s: S, *, memo: dict[S, float] | None = None, trace: Trace | None = None) -> float:
    """V_exptminmax(s): the expected utility of player 0 if side 0 maximizes it, everybody else minimizes it, and
    nature plays its probabilities.

    Assumes the worst of the other side and nothing of the dice. Without chance nodes this is minimax.
    """
    record = Recorder(game, trace, two_sided(game))
    succ = record.succ

    @record
    @remember(memo)
    def value(s: S) -> float:
        player = game.player(s)
        if player == OVER:
            return game.utility(s)
        if player == CHANCE:
            return sum(p * value(succ(s, a)) for a, p in game.chances(s))
        if maximizes(game, player):
            return max(value(succ(s, a)) for a in game.actions(s))
        return min(value(succ(s, a)) for a in game.actions(s))

    return value(s)


def maxn(
    game: Game[S, A], s: S, *, memo: dict[S, tuple[float, ...]] | None = None, trace: Trace | None = None
) -> tuple[float, ...]:
    """The expected utilities of all players, (u_0, u_1, …), if each maximizes the sum over its own team.

    Assumes that everybody does, and settles ties between children by taking the first: the utilities of the others
    may depend on that choice, which no other algorithm here has to say.
    """
    record = Recorder(game, trace, lambda player: "player")
    succ = record.succ

    @record
    @remember(memo)
    def value(s: S) -> tuple[float, ...]:
        player = game.player(s)
        if player == OVER:
            return tuple(game.utility(s, p) for p in range(game.players))
        if player == CHANCE:
            return expectation([(p, value(succ(s, a))) for a, p in game.chances(s)])
        return max((value(succ(s, a)) for a in game.actions(s)), key=lambda u: team_total(game, player, u))

    return value(s)


def expectation(weighted: list[tuple[float, tuple[float, ...]]]) -> tuple[float, ...]:
    """The mean of vectors given as [(probability, vector), …]."""
    return tuple(sum(p * u[i] for p, u in weighted) for i in range(len(weighted[0][1])))
