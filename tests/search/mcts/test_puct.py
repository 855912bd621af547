import time

import numpy as np
import pytest

import zermelo
from tests.search.kernel_oracles import tree
from zermelo.compile.record_game import State
from zermelo.core.game import CHANCE, GameError
from zermelo.search.exhaustive import exhaustive
from zermelo.search.limits import Limits
from zermelo.search.mcts.evaluator import HandcraftedEvaluator
from zermelo.search.mcts.searcher import MCTS
from zermelo.search.report import PROVEN
from zermelo.search.searcher import answer


def found(game, state=None, nodes=1000, **options):
    search = MCTS(game, **{"memory_mb": 8, "evaluator": HandcraftedEvaluator(game), **options})
    return answer(search, game.start() if state is None else state, Limits(nodes=nodes))


class Recorder:
    """Says nothing of value, likes the first move best, by so much, and remembers what it was asked."""

    def __init__(self, game, others=0.0):
        self.game, self.others, self.asked = game, others, []

    def evaluate(self, states):
        self.asked.append([s.tobytes() for s in states])
        priors = np.full((len(states), self.game.variant.width), self.others)
        priors[:, 0] = 1.0
        return np.zeros((len(states), self.game.players)), priors


@pytest.mark.jit
@pytest.mark.parametrize("batch", [1, 8])
def test_proven_values_are_the_exhaustive_ones(batch):
    for number in range(60):
        game = tree(branching=2 + number % 3, depth=1 + number % 4, seed=number, chance=(0, 30)[number % 2])
        truth, report = exhaustive(game), found(game, nodes=20_000, batch=batch)
        assert report.proof == PROVEN, number
        assert (report.value, report.best) == (pytest.approx(truth.value, abs=1e-12), truth.best)
        assert report.algorithm == "puct"


def test_nature_is_not_judged_where_the_evaluator_is_not_asked():
    asked = []

    class Blind(HandcraftedEvaluator):
        judges_chance = False

        def evaluate(self, states):
            asked.extend(self.game.player(State(self.game, states[k : k + 1].copy())) for k in range(len(states)))
            return super().evaluate(states)

    for number in range(8):
        game = tree(branching=2, depth=4, seed=number, chance=50).interpreted
        truth, report = exhaustive(game), found(game, nodes=3000, batch=1 + number % 4, evaluator=Blind(game))
        assert (report.proof, report.value) == (PROVEN, pytest.approx(truth.value, abs=1e-12))
    assert asked
    assert CHANCE not in asked


def test_it_plays_sensibly():
    game = zermelo.load("tic-tac-toe").interpreted
    for text, move in (("xx. oo. ...", "c3"), ("xx. o.. ...", "c3"), ("x.. .o. ..x", None)):
        s = game.parse(text)
        report = found(game, s, nodes=400)
        assert move is None or game.format_action(s, report.best) == move
    assert report.moves[0].nodes >= report.moves[-1].nodes


def test_a_move_that_another_is_as_good_as_has_no_prior():
    """Where the opponent threatens to win, connect four scores every other column with −∞."""
    game = zermelo.load("connect-four", compiled=False)
    history = zermelo.History(game)
    for move in (0, 6, 1, 6, 2):  # player 0 has three in a row at the bottom, and one end is open
        history.play(move)
    _, priors = HandcraftedEvaluator(game).evaluate(history.state.record)
    legal = priors[0, : len(history.actions())]
    assert np.isfinite(legal).all()
    assert legal[list(history.actions()).index(3)] == max(legal) > 0
    assert (legal == 0).any()


def test_the_clock_does_not_decide_what_is_in_a_batch():
    game = zermelo.load("connect-four", width=4, height=4, compiled=False)

    class Slow(HandcraftedEvaluator):
        def evaluate(self, states):
            time.sleep(0.002 * (len(states) % 3))
            return super().evaluate(states)

    reports = [found(game, nodes=150, evaluator=kind(game), batch=4) for kind in (HandcraftedEvaluator, Slow)]
    first, second = ([(m.action, m.nodes, m.value) for m in report.moves] for report in reports)
    assert first == second


def test_leaves_come_in_batches_none_of_them_twice():
    game = tree(branching=4, depth=8, seed=1).interpreted  # in a tree, different leaves are different states
    evaluator = Recorder(game, others=0.9)
    report = found(game, nodes=120, evaluator=evaluator, batch=6, solver=False)
    assert report.nodes == 120
    sizes = [len(asked) for asked in evaluator.asked]
    assert sizes[0] == 1  # the root alone
    assert max(sizes) <= 6
    assert len(sizes) < sum(sizes)
    assert all(len(asked) == len(set(asked)) for asked in evaluator.asked)
    assert sum(int(m.nodes) for m in report.moves) == 119  # virtual losses have all been taken back


def test_priors_lead():
    game = zermelo.load("tic-tac-toe").interpreted
    report = found(game, nodes=60, evaluator=Recorder(game), batch=1, solver=False)
    assert report.best == 0
    assert report.moves[0].nodes == 59


def test_what_is_refused():
    game = zermelo.load("tic-tac-toe").interpreted

    class Mistaken:
        def evaluate(self, states):
            return np.zeros((len(states), 3)), np.zeros((len(states), 9))

    with pytest.raises(GameError, match="evaluator gave"):
        found(game, evaluator=Mistaken())
    with pytest.raises(GameError, match="batches"):
        MCTS(game, evaluator=HandcraftedEvaluator(game), threads=2)
    with pytest.raises(GameError, match="temperature"):
        HandcraftedEvaluator(game, temperature=0)


def test_a_mistake_of_the_evaluator_leaves_no_half_counted_walks():
    game = zermelo.load("tic-tac-toe").interpreted

    class Fragile(Recorder):
        def evaluate(self, states):
            if len(self.asked) == 5:
                self.asked.append(None)
                raise RuntimeError("out of order")
            return super().evaluate(states)

    search = MCTS(game, memory_mb=1, evaluator=Fragile(game), batch=4, solver=False)
    with pytest.raises(RuntimeError):
        answer(search, game.start(), Limits(nodes=100))
    report = answer(search, game.start(), Limits(nodes=50))
    assert report.counters["reused"] == 0
    assert sum(m.nodes for m in report.moves) == 49
