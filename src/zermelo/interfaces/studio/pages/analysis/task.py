"""A position searched for the page of analysis, in a search process.

    message   game, options, start, moves      the position: see tasks.py
              search                           alphabeta, mcts, zero, maxn or textbook
              seconds                          of the search; depth, simulations: further limits, or null
              evaluator                        of alpha-beta: "handcrafted", "learned", or null for the better one
              weights                          of zero: the file of its network, which no visitor names
              window                           of the textbook's alpha-beta: [α, β], null where infinite, or null

The answer of each search has the same form, all values from player 0's view or a list with one number a player:

    best, pv, value, proven, distance, distance_exact, depth, deepest, nodes, seconds, stopped
    chance     is it nature's turn?
    moves      every root move: move, value, bound, proven, distance, distance_exact, depth, pv, visits, probability,
               prior (of zero: the policy's share), by_tables (of alpha-beta: was it looked up?)
    stages     how the choice came about: after, move, value, nodes, seconds, finished
    did        what each technique did: [[words, number], …]
    judged     of zero: the network's own value, before the search; planes: what it saw, where it sees any
    tables     what endgame tables know of the position and its moves (endings.py), or null
    by_tables  of alpha-beta: is the value theirs?
    tree       see tree_json.py
"""

from __future__ import annotations

from zermelo.core.game import OVER, GameError
from zermelo.interfaces.studio.endings import look_up
from zermelo.interfaces.studio.pages.analysis.searches.alphabeta import alphabeta
from zermelo.interfaces.studio.pages.analysis.searches.maxn import maxn
from zermelo.interfaces.studio.pages.analysis.searches.mcts import mcts, zero
from zermelo.interfaces.studio.pages.analysis.searches.textbook import textbook
from zermelo.interfaces.studio.tasks import Job, Message

SEARCHES = {"alphabeta": alphabeta, "mcts": mcts, "zero": zero, "maxn": maxn, "textbook": textbook}


def analysis(job: Job) -> Message:
    history = job.history()
    if history.player() == OVER:
        raise GameError("the game is over here: there is nothing to search")
    search = SEARCHES.get(str(job.message.get("search")))
    if search is None:
        raise GameError("there is no such search")
    answer = {"search": job.message["search"], **search(job, history)}
    return {**answer, "tables": look_up(job, history)["known"]}
