"""Many trees at once against the single search, against formulas, and against themselves on other threads."""

from random import Random

import numpy as np
import pytest

import zermelo
from tests.search.forest.judges import SingleEvaluator, judge_of, number_of, numbers_of, say_nothing
from tests.search.kernel_oracles import tree
from zermelo import rules
from zermelo.batch.batch import make_batch
from zermelo.core.game import CHANCE, OVER, GameError
from zermelo.core.history import History
from zermelo.search.exhaustive import exhaustive
from zermelo.search.forest import Settings, make_forest, search_in_turn
from zermelo.search.forest.choice import choose_by_lack
from zermelo.search.forest.trees import PROVEN
from zermelo.search.forest.values import Tree
from zermelo.search.limits import Limits
from zermelo.search.mcts.searcher import MCTS
from zermelo.search.searcher import answer

PUCT = Settings(kind="puct", sees="states")
GUMBEL = Settings(kind="gumbel", sees="states")
TOLD = ("visits", "policy", "value", "raw_policy", "raw_value", "chosen")


def load(name, **options):
    return zermelo.load(name, **options).interpreted


def searched(game, state=None, n=1, simulations=32, settings=PUCT, judge=None, **asked):
    batch = make_batch(game, n, state=state)
    forest = make_forest(batch, simulations, settings)
    forest.search(judge or judge_of(game), **asked)
    return forest


# -- the single search -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "moves", "simulations", "options"),
    [
        ("tic-tac-toe", 1, 60, {}),
        ("connect-four", 4, 60, {"width": 4, "height": 4}),
        ("go", 3, 40, {"size": 2}),  # superko, though not at the root: the single search finds that out later
        ("dots-and-boxes", 3, 40, {}),  # extra turns
        ("pursuit", 3, 30, {}),  # three players, two of them a team
        ("checkers", 12, 30, {}),
    ],
)
def test_visits_are_those_of_the_single_search(name, moves, simulations, options):
    game, rng = load(name, **options), Random(1)
    history, batch = History(game), make_batch(game, 1)
    for _ in range(moves):
        action = rng.choice(list(history.actions()))
        history.play(action)
        batch.step(np.array([action]))
    forest = make_forest(batch, simulations, PUCT._replace(proofs=False, virtual_loss=True))
    forest.search(judge_of(game))
    single = MCTS(game, memory_mb=4, evaluator=SingleEvaluator(game), batch=1, solver=False)
    report = answer(single, history, Limits(nodes=simulations + 1))  # it counts the root
    expected = {move.action: move.nodes for move in report.moves}
    assert forest.visits.sum() == simulations
    for place, action in enumerate(history.actions()):
        number = number_of(game, history.state.record[0], place, action)
        assert forest.visits[0, number] == expected.get(action, 0), game.format_action(history.state, action)


# -- proofs ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [PUCT, GUMBEL])
@pytest.mark.parametrize(
    ("position", "good", "value"),
    [("xx. oo. ...", "c3", 1.0), ("xox oxo ox.", "c1", 1.0), ("xox xox o.o", "b1", 0.0)],
)
def test_a_won_child_is_played(settings, position, good, value):
    game = load("tic-tac-toe")
    state = game.parse(position)
    forest = searched(game, state, settings=settings)
    assert game.format_action(state, int(forest.chosen[0])) == good
    assert forest.value[0].tolist() == [value, -value]
    assert forest.visits.sum() == 32  # what was not simulated is the proven move's


@pytest.mark.parametrize("settings", [PUCT, GUMBEL])
def test_a_lost_child_is_avoided(settings):
    """Whatever else is played, the opponent wins at once; the judge would like everything else better."""
    game = load("tic-tac-toe")
    state = game.parse("oo. x.. ..x")

    def flatterer(states):
        logits, values = judge_of(game)(states)
        is_root = np.array([record.tobytes() == state.record[0].tobytes() for record in states])
        return np.where(is_root[:, None], logits * 0 - 3.0 * (np.arange(9) == 2), logits * 0), values * 0

    forest = searched(game, state, settings=settings, simulations=200, judge=flatterer)
    assert game.format_action(state, int(forest.chosen[0])) == "c3"


@pytest.mark.parametrize("settings", [PUCT, GUMBEL])
def test_proven_values_are_the_exhaustive_ones(settings):
    proven = 0
    for number in range(10):
        game = tree(branching=2, depth=2 + number % 2, seed=number, chance=(0, 40)[number % 2]).interpreted
        forest = searched(game, simulations=100, settings=settings)
        state = forest.batch.state(0)
        if forest._trees.nodes[0].marks:
            proven += 1
            with np.errstate(over="ignore"):
                truth = exhaustive(game, state).value
            assert forest.value[0, 0] == pytest.approx(truth, abs=1e-6)
    assert proven >= 5


# -- Gumbel ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_gumbels_value_is_that_of_the_improved_policy(seat):
    """One action is good and all others are bad. Sequential halving tries them all, but only that one is worth it."""
    game = load("tic-tac-toe")
    state = game.parse(("... ... ...", "x.. ... ...")[seat])

    def judge(states):
        centre = np.array([record.board[4] != 0 for record in states])
        return np.zeros((len(states), 9)), np.where(centre, -0.5, 0.5)  # the view of whoever moves then

    forest = searched(game, state, settings=GUMBEL._replace(proofs=False), simulations=9 - seat, judge=judge)
    assert forest.visits[0].max() == 1
    assert forest.value[0, seat] == pytest.approx(0.5, abs=0.01)
    assert forest.value[0, 1 - seat] == -forest.value[0, seat]


@pytest.mark.parametrize("last", [1, 2])
def test_gumbels_value_is_that_of_the_improved_policy_to_everybody(last):
    """Three players, the first of whom chooses; the game ends there, or a judge knows what comes."""
    good, bad = (0.5, 0.2, 0.1), (-0.5, -0.1, 0.8)

    @rules(name="choosing", players=3, max_actions=9, zero_sum=False, utility_range=(-1, 1))
    class Choosing:
        state = {"plies": "i1", "choice": "i1"}

        def start(s):
            pass

        def player(s):
            return OVER if s.plies == last else s.plies

        def actions(s, out):
            for i in range(9):
                out[i] = i
            return 9

        def apply(s, action):
            s.choice = action if s.plies == 0 else s.choice
            s.plies += 1

        def utility(s, out):
            for p in range(3):
                out[p] = good[p] if s.choice == 4 else bad[p]

    def judge(states):
        told = [np.roll(good if record.choice == 4 else bad, -record.plies) for record in states]
        return np.zeros((len(states), 9)), np.array(told)

    forest = searched(Choosing(compiled=False), simulations=9, settings=GUMBEL, judge=judge)
    assert forest.visits[0].tolist() == [1] * 9
    assert forest.value[0] == pytest.approx(good, abs=0.01)


def test_gumbels_value_in_a_game_of_several_has_the_mover_s_worth_in_it():
    """Pursuit, untried actions and all: what the improved policy is worth to each, and to the mover together."""
    game = load("pursuit")
    forest = searched(game, simulations=25, settings=GUMBEL._replace(considered=2, c_scale=0.1))
    root, edges = forest._trees.nodes[0], forest._trees.edges[: forest._trees.nodes[0].count]
    n, prior = edges.visits, np.exp(edges.prior.astype(float))
    assert (n == 0).any()
    q = np.divide(edges.total, n, out=np.zeros(len(n)), where=n > 0)
    mixed = (root.judged + n.sum() * (prior * q)[n > 0].sum() / prior[n > 0].sum()) / (1 + n.sum())
    worth = float((forest.policy[0, edges.policy] * np.where(n > 0, q, mixed)).sum())
    same_side = [p for p in range(game.players) if game.side(p) == game.side(int(root.mover))]
    assert forest.value[0, same_side].sum() == pytest.approx(worth, abs=1e-5)


def halving(considered, simulations):
    """Visits of the actions, best first, as Danihelka and others' sequential halving shares them out."""
    visits, sought, made = [0] * considered, considered, 0
    rounds = max(1, int(np.ceil(np.log2(considered))))
    while made < simulations:
        for _ in range(max(1, simulations // (rounds * sought))):
            for k in range(sought):
                if made < simulations:
                    visits[k] += 1
                    made += 1
        sought = max(2, sought // 2)
    return visits


@pytest.mark.parametrize(("considered", "simulations"), [(16, 40), (4, 40), (9, 7), (2, 11), (7, 64)])
def test_sequential_halving(considered, simulations):
    game = load("tic-tac-toe")
    settings = GUMBEL._replace(considered=considered, proofs=False, seed=considered)
    forest = searched(game, n=3, simulations=simulations, settings=settings)
    for visits in forest.visits:
        expected = halving(min(considered, 9), simulations)
        assert sorted(visits.tolist(), reverse=True)[: len(expected)] == sorted(expected, reverse=True)
    assert (forest.visits[np.arange(3), forest.chosen] == forest.visits.max(axis=1)).all()


def test_the_improved_policy_is_the_papers():
    """softmax(ln π + σ(completed q)), computed again from the root's edges."""
    game = load("connect-four", width=4, height=4)
    forest = searched(game, simulations=24, settings=GUMBEL._replace(considered=3, c_scale=0.3))
    root, edges = forest._trees.nodes[0], forest._trees.edges[:4]
    n, prior = edges.visits, np.exp(edges.prior.astype(float))
    q = np.divide(edges.total, n, out=np.zeros(4), where=n > 0)
    assert (n == 0).any()
    mixed = (root.judged + n.sum() * (prior * q)[n > 0].sum() / prior[n > 0].sum()) / (1 + n.sum())
    exponent = np.log(prior) + (50 + n.max()) * 0.3 * np.where(n > 0, q, mixed) / 2  # payoffs from -1 to 1
    expected = np.exp(exponent - exponent.max())
    assert forest.policy[0] == pytest.approx(expected / expected.sum(), abs=1e-6)
    assert forest.raw_policy[0] == pytest.approx(prior, abs=1e-6)


def test_below_the_root_visits_follow_the_improved_policy():
    """The action of the highest π′ − n / (1 + N), by the formula, at every node of a tree."""
    game = load("connect-four", width=4, height=4)
    forest = searched(game, simulations=80, settings=GUMBEL._replace(c_scale=0.1, proofs=False))
    trees = forest._trees
    tree, compared = Tree(trees.slots[0], trees.nodes, trees.edges, trees.paid, trees.options[0]), 0
    for node in trees.nodes[1 : trees.slots[0].nodes]:
        edges = trees.edges[node.first : node.first + node.count]
        if edges.marks.any():
            continue
        n, prior = edges.visits, np.exp(edges.prior.astype(float))
        q = np.divide(edges.total, n, out=np.zeros(len(n)), where=n > 0)
        mixed = float(node.judged)
        if n.any():
            mixed = (mixed + n.sum() * (prior * q)[n > 0].sum() / prior[n > 0].sum()) / (1 + n.sum())
        exponent = np.log(prior) + (50 + n.max()) * 0.1 * np.where(n > 0, q, mixed) / 2
        share = np.exp(exponent - exponent.max())
        lack = share / share.sum() - n / (1 + n.sum())
        best = np.sort(lack)
        if best[-1] > best[-2] + 1e-6 if len(best) > 1 else True:
            assert choose_by_lack(tree, node) == node.first + lack.argmax()
            compared += 1
    assert compared > 40


def test_the_noise_of_the_root_draws_from_the_policy():
    """With no simulation, Gumbel's choice is a draw from the softmax of the logits."""
    game = load("tic-tac-toe")

    def judge(states):
        return np.tile(np.log(np.arange(1, 10)).astype(np.float32), (len(states), 1)), np.zeros(len(states))

    batch = make_batch(game, 300)
    forest = make_forest(batch, 1, GUMBEL)
    forest.search(judge, simulations=0)
    counts = np.bincount(forest.chosen, minlength=9)
    expected = 300 * np.arange(1, 10) / 45
    assert ((counts - expected) ** 2 / expected).sum() < 27.0  # χ² of 8 degrees, one in a thousand
    quiet = make_forest(make_batch(game, 5), 1, GUMBEL._replace(gumbel=0.0))
    quiet.search(judge, simulations=0)
    assert quiet.chosen.tolist() == [8] * 5


# -- PUCT at the root --------------------------------------------------------------------------------------------------


def test_dirichlet_noise_is_mixed_in():
    game = load("tic-tac-toe")
    batch = make_batch(game, 200)
    forest = make_forest(batch, 1, PUCT._replace(noise=(0.5, 0.25)))
    forest.search(say_nothing(game))
    priors = forest._trees.edges.prior.reshape(200, -1)[:, :9].astype(float)
    noise = (priors - 0.75 / 9) / 0.25
    assert np.allclose(noise.sum(axis=1), 1.0, atol=1e-5)
    assert (noise >= -1e-6).all()
    assert noise.mean(axis=0) == pytest.approx(np.full(9, 1 / 9), abs=0.04)
    assert noise.var(axis=0).mean() == pytest.approx(1 / 9 * 8 / 9 / (9 * 0.5 + 1), rel=0.25)
    assert forest.raw_policy[0] == pytest.approx(np.full(9, 1 / 9))


def test_dirichlet_noise_of_many_actions_is_no_number_too_small():
    """With α = 0.005 a draw from the gamma distribution is often less than a number can be."""
    game = load("tic-tac-toe")
    forest = make_forest(make_batch(game, 200), 1, PUCT._replace(noise=(0.005, 0.25)))
    forest.search(say_nothing(game))
    noise = (forest._trees.edges.prior.reshape(200, -1)[:, :9].astype(float) - 0.75 / 9) / 0.25
    assert np.allclose(noise.sum(axis=1), 1.0, atol=1e-5)
    assert noise.max(axis=1).mean() > 0.9  # nearly all of it on one action
    assert noise.mean(axis=0) == pytest.approx(np.full(9, 1 / 9), abs=0.08)


@pytest.mark.parametrize("kind", [np.uint8, np.uint64, np.int32])
def test_simulations_of_any_whole_numbers(kind):
    game = load("tic-tac-toe")
    forest = make_forest(make_batch(game, 3), 8, PUCT)
    forest.search(judge_of(game), np.array([8, 0, 4], kind))
    assert forest.visits.sum(axis=1).tolist() == [8, 0, 4]


def test_temperature_draws_by_visits():
    game = load("tic-tac-toe")
    forest = make_forest(make_batch(game, 60, state=game.parse("x.. .o. ..x")), 8, PUCT._replace(temperature=1.0))
    forest.search(judge_of(game))
    assert (forest.visits == forest.visits[0]).all()
    counts, expected = np.bincount(forest.chosen, minlength=9), 60 * forest.visits[0] / 8
    tried = expected > 0
    assert counts[~tried].sum() == 0
    assert ((counts - expected)[tried] ** 2 / expected[tried]).sum() < 20.5  # χ² of at most 5 degrees
    forest.search(judge_of(game), simulations=3, temperature=0.0)
    assert len(set(forest.chosen.tolist())) == 1
    forest.search(judge_of(game))
    assert len(set(forest.chosen.tolist())) > 1  # that was for one search


# -- chance, one player ------------------------------------------------------------------------------------------------


def test_chance_outcomes_come_as_often_as_they_should():
    """Pig: after a roll, each of six faces."""
    game = load("pig")
    forest = searched(game, n=25, simulations=40, settings=PUCT, judge=say_nothing(game))
    nodes, edges = forest._trees.nodes.reshape(25, -1), forest._trees.edges.reshape(25, -1)
    faces = np.zeros(6)
    for t in range(25):
        roll = [e for e in range(nodes[t, 0].count) if edges[t, e].child and nodes[t, edges[t, e].child].mover < 0]
        for e in roll:
            node = nodes[t, edges[t, e].child]
            outcomes = edges[t, node.first : node.first + node.count]
            assert outcomes.visits.sum() == edges[t, e].visits
            faces += outcomes.visits
    assert ((faces - faces.mean()) ** 2 / faces.mean()).sum() < 20.5  # χ² of 5 degrees, one in a thousand


@pytest.mark.parametrize("odds", [(0.5, 0.5), (0.9, 0.1), (0.7, 0.2, 0.1), (0.1,) * 10])
@pytest.mark.parametrize("payoff", [1.0, -1.0])
def test_what_comes_whatever_falls_is_certain(payoff, odds):
    """Probabilities are kept in single precision, and 0.9 and 0.1 are not 1 together."""

    @rules(name="one-way", players=2, max_actions=2, max_chance_outcomes=10, max_plies=3, utility_range=(-1, 1),
           policy_size=2)  # fmt: skip
    class OneWay:
        state = {"plies": "i1", "bad": "i1"}

        def start(s):
            pass

        def player(s):
            return OVER if s.plies == 2 else CHANCE if s.plies == 1 else 0

        def actions(s, out):
            out[0], out[1] = 0, 1
            return 2

        def chances(s, out, probability):
            for i in range(len(odds)):
                out[i], probability[i] = i, odds[i]
            return len(odds)

        def apply(s, action):
            s.bad = action if s.plies == 0 else s.bad
            s.plies += 1

        def utility(s, out):
            out[0] = payoff if s.bad == 0 else 0.0
            out[1] = -out[0]

    game = OneWay(compiled=False)
    forest = searched(game, simulations=80, settings=PUCT._replace(c_puct=100.0), judge=say_nothing(game))
    edge, root = forest._trees.edges[0], forest._trees.nodes[0]
    assert edge["marks"] & PROVEN
    assert edge["total"] == payoff
    assert root["marks"] & PROVEN
    assert root["total"] == max(payoff, 0.0)
    assert forest.chosen[0] == (0 if payoff > 0 else 1)


def test_a_root_s_noise_does_not_foretell_the_dice():
    """Seeds are 0 unless given, of a batch and of its trees."""
    game = load("coin-bins")
    batch = make_batch(game, 3000)
    forest = make_forest(batch, 4, Settings(c_scale=0.0, sees="states"))
    forest.search(say_nothing(game))
    chosen = forest.chosen.copy()
    batch.step(chosen, by=forest.by)
    stayed = batch.states["bin"] == chosen
    for action in set(chosen.tolist()):
        assert abs(stayed[chosen == action].mean() - 0.5) < 0.07, action  # five standard errors


def test_a_game_of_one():
    game = load("game-2048")
    batch = make_batch(game, 3, seed=1)
    forest = make_forest(batch, 12, Settings())
    for _ in range(3):
        forest.search(say_nothing(game))
        assert forest.visits.sum(axis=1).tolist() == [12] * 3
        batch.step(forest.chosen, by=forest.by)
    assert forest.value.shape == (3, 1)


# -- how much, and where -----------------------------------------------------------------------------------------------


def test_every_game_has_simulations_of_its_own():
    game = load("tic-tac-toe")
    batch, rows = make_batch(game, 16), []
    forest = make_forest(batch, 9, PUCT)

    def judge(states):
        rows.append(len(states))
        return judge_of(game)(states)

    wanted = np.array([9, 2, 0, 5] * 4)
    where = np.arange(16) != 0
    forest.search(judge, wanted, where)
    assert forest.visits.sum(axis=1).tolist() == np.where(where, wanted, 0).tolist()
    assert rows == [16, 12, 12, 8, 8, 8, 4, 4, 4, 4]  # in pieces of 2
    one = make_forest(make_batch(game, 1), 5, PUCT)
    one.search(judge_of(game))
    assert one.visits.tolist() == forest.visits[3:4].tolist()  # whoever is beside it


def test_games_that_are_over_wait():
    game = load("tic-tac-toe")
    forest = searched(game, game.parse("xxx oo. ..."), n=2)
    assert forest.visits.sum() == 0
    assert forest.chosen.tolist() == [0, 0]


def test_trees_without_room_go_on():
    game = load("tic-tac-toe")
    forest = searched(game, n=2, simulations=40, settings=PUCT._replace(branching=1))
    assert forest.visits.sum(axis=1).tolist() == [40, 40]
    assert (forest.full > 0).all()
    assert searched(game, n=2, simulations=40).full.tolist() == [0, 0]


def test_in_turn_one_is_judged_while_the_other_walks():
    """A judge that answers later is asked about the second forest before the first one's answer is needed."""
    game, log = load("tic-tac-toe"), []

    class Later:
        def __init__(self, number, said):
            self.number, self.said = number, said
            self.shape = said.shape

        def __array__(self, dtype=None, copy=None):
            log.append(f"needed {self.number}")
            return self.said

    forests = [make_forest(make_batch(game, n), 2, PUCT) for n in (1, 2)]

    def judge(states):
        logits, values = judge_of(game)(states)
        log.append(f"asked {len(states)}")
        return logits, Later(len(states), values)

    search_in_turn(forests, judge)
    assert log[:6] == ["asked 1", "asked 2", "needed 1", "asked 1", "needed 2", "asked 2"]


def test_in_turn_is_as_alone():
    game = load("tic-tac-toe")
    alone, together = ([make_forest(make_batch(game, 2), s, GUMBEL._replace(seed=s)) for s in (8, 12)] for _ in "ab")
    for forest in alone:
        forest.search(judge_of(game))
    search_in_turn(together, judge_of(game))
    for first, second in zip(alone, together, strict=True):
        for name in TOLD:
            assert np.array_equal(getattr(first, name), getattr(second, name)), name


def test_the_memory_of_a_tree_is_said():
    game = load("tic-tac-toe")
    forest = make_forest(make_batch(game, 10), 50, PUCT)
    trees = forest._trees
    kept = (trees.slots, trees.nodes, trees.edges, trees.noise)
    assert forest.bytes_per_tree == sum(array.nbytes for array in kept) // 10 + 8
    chess = make_forest(make_batch(zermelo.load("chess").interpreted, 1), 400, Settings(branching=60))
    assert chess.bytes_per_tree < 1_000_000


# -- compiled ----------------------------------------------------------------------------------------------------------


@pytest.mark.jit
def test_compiled_and_on_more_threads_it_is_the_same():
    noisy = PUCT._replace(noise=(0.3, 0.25), temperature=0.7)
    for name, settings in (("tic-tac-toe", noisy), ("tic-tac-toe", GUMBEL), ("pursuit", GUMBEL)):
        game = zermelo.load(name)
        told = []
        for kind, threads, n in ((game.interpreted, 1, 3), (game, 1, 130), (game, 3, 200)):
            forest = make_forest(make_batch(kind, n, threads=threads), 20, settings)
            forest.search(judge_of(game))
            told.append({name: getattr(forest, name)[:3].tobytes() for name in TOLD})
        assert told[0] == told[1] == told[2]


# -- wrong input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (Settings(kind="uct"), "'gumbel' or 'puct', not 'uct'"),
        (Settings(noise=(0.3, 1.5)), "noise takes"),
        (Settings(noise=(0.0, 0.5)), "noise takes"),
        (Settings(considered=0), "considered must be"),
        (Settings(sees="pixels"), "can be given 'planes' or 'states', not 'pixels'"),
        (Settings(branching=0), "branching must be"),
        (Settings(kind=["puct"]), "'gumbel' or 'puct', not \\['puct'\\]"),
        (Settings(noise=0.25), "noise takes"),
        (Settings(noise=(0.3, 0.2, 0.1)), "noise takes"),
        (Settings(noise=("a", 0.5)), "alpha of the noise must be"),
        (Settings(proofs="no"), "proofs is True or False, not 'no'"),
        (Settings(virtual_loss=1), "virtual_loss is True or False, not 1"),
        (Settings(sees=np.zeros(2)), "can be given"),
        (Settings(temperature="warm"), "temperature must be"),
        (Settings(seed=0.5), "seed must be"),
        ({"kind": "puct"}, "settings of a forest are Settings"),
        ("puct", "settings of a forest are Settings"),
    ],
)
def test_wrong_settings_are_told(settings, sentence):
    with pytest.raises(GameError, match=sentence):
        make_forest(make_batch(load("tic-tac-toe"), 2), 8, settings)


@pytest.mark.parametrize("batch", [None, "tic-tac-toe", 8])
def test_a_forest_takes_a_batch(batch):
    with pytest.raises(GameError, match="a forest takes a batch"):
        make_forest(batch, 8)


@pytest.mark.parametrize("simulations", [None, "8", 8.0, 0, [8, 8]])
def test_a_forest_takes_a_whole_number_of_simulations(simulations):
    with pytest.raises(GameError, match="simulations must be a whole number"):
        make_forest(make_batch(load("tic-tac-toe"), 2), simulations)


def test_wrong_searches_are_told():
    game = load("tic-tac-toe")
    forest = make_forest(make_batch(game, 2), 8, PUCT)
    right = judge_of(game)
    with pytest.raises(GameError, match="up to 8"):
        forest.search(right, simulations=9)
    with pytest.raises(GameError, match="2 times true or false"):
        forest.search(right, where=[True])
    with pytest.raises(GameError, match=r"\(2, 9\) logits"):
        forest.search(lambda seen: (np.zeros((2, 4)), np.zeros(2)))
    for said in (None, (np.zeros((2, 9)), [[1], [1, 2]])):
        with pytest.raises(GameError, match="two arrays"):
            forest.search(lambda seen, said=said: said)
    with pytest.raises(GameError, match="answers with numbers"):
        forest.search(lambda seen: (np.full((2, 9), "a"), np.zeros(2)))
    with pytest.raises(GameError, match="a judge is a function"):
        forest.search(None)
    for wrong in ([[1], [1, 2]], "many", {}, [1.0, 1.0]):
        with pytest.raises(GameError, match="simulations"):
            forest.search(right, simulations=wrong)
    with pytest.raises(GameError, match="2 times true or false"):
        forest.search(right, where=[[True], [True, False]])
    with pytest.raises(GameError, match="temperature must be"):
        forest.search(right, temperature="warm")
    with pytest.raises(GameError, match="one entry for each of 1 forests"):
        search_in_turn([forest], right, simulations=[8, 8])
    with pytest.raises(GameError, match="is no number"):
        forest.search(lambda seen: (np.zeros((2, 9)), np.full(2, np.nan)))
    with pytest.raises(GameError, match="30,000"):
        make_forest(make_batch(game, 2), 10**6, PUCT)
    forest.search(right)
    assert forest.visits.sum(axis=1).tolist() == [8, 8]
    assert numbers_of(game) == 9
