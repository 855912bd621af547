import pytest

import zermelo
from zermelo.core.history import History
from zermelo.search.exhaustive import exhaustive
from zermelo.search.limits import Limits
from zermelo.search.mcts.searcher import MCTS
from zermelo.search.mcts.tree import NO_CHILDREN
from zermelo.search.searcher import answer

SMALL = {"width": 4, "height": 4}


def visits(search, moves):
    """How often the tree has gone through these moves."""
    nodes, i = search.tree.nodes, search._at
    for a in moves:
        below = range(nodes[i].first, nodes[i].first + nodes[i].count)
        i = next(c for c in below if nodes[c].action == a)
    return int(nodes[i].visits)


def whole_tree(search):
    """The tree as nested tuples, so that two arenas can be compared."""
    nodes, weight = search.tree.nodes, search.tree.weight

    def below(i):
        n = nodes[i]
        part = float(weight[i].part) if len(weight) > 1 else 0.0
        inside = [] if n.first == NO_CHILDREN else [below(c) for c in range(n.first, n.first + n.count)]
        return int(n.action), int(n.visits), float(n.total[0]), int(n.marks), part, inside

    return below(search._at)


def subtree(whole, moves):
    for a in moves:
        whole = next(child for child in whole[-1] if child[0] == a)
    return whole


@pytest.mark.jit
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("memory_mb", [0.5, 16])  # so little that the second search must copy what it keeps, or enough
def test_the_subtree_is_kept(threads, memory_mb):
    game = zermelo.load("connect-four", **SMALL)
    search, history = MCTS(game, memory_mb=memory_mb, solver=False, threads=threads), History(game)
    copies = 0
    for _ in range(3):
        first = answer(search, history, Limits(nodes=4000))
        before, played = whole_tree(search), first.pv[:2]
        for a in played:
            history.play(a)
        known = visits(search, played)
        assert known > 1
        second = answer(search, history, Limits(nodes=1))
        assert second.counters["reused"] == known
        copied = second.counters["tree_nodes"] < first.counters["tree_nodes"]
        assert copied == (search._at == 0)
        copies += copied
        kept, expected = whole_tree(search), subtree(before, played)
        assert known <= kept[1] <= known + 2
        untouched = [(a, b) for a, b in zip(kept[-1], expected[-1], strict=True) if a[1] == b[1]]
        assert len(untouched) >= len(kept[-1]) - 2
        assert all(a == b for a, b in untouched)
    assert (copies > 0) == (memory_mb == 0.5)


@pytest.mark.jit
def test_a_bare_state_is_found_near_the_root():
    game = zermelo.load("connect-four", **SMALL)
    search = MCTS(game, memory_mb=16)
    line = answer(search, game.start(), Limits(nodes=3000)).pv
    known = visits(search, line[:2])
    s = game.succ(game.succ(game.start(), line[0]), line[1])
    assert answer(search, s, Limits(nodes=1)).counters["reused"] == known
    assert answer(search, game.start(), Limits(nodes=1)).counters["reused"] == 0  # there is no way back


@pytest.mark.jit
def test_the_same_position_goes_on():
    game = zermelo.load("connect-four", **SMALL)
    search, once = MCTS(game, memory_mb=16), MCTS(game, memory_mb=16)
    for _ in range(4):
        report = answer(search, game.start(), Limits(nodes=500))
    assert report.counters["reused"] == 1500
    assert report.moves == answer(once, game.start(), Limits(nodes=2000)).moves
    search.clear()
    assert answer(search, game.start(), Limits(nodes=500)).counters["reused"] == 0


def test_reuse_in_plain_python():
    game = zermelo.load("tic-tac-toe").interpreted
    search, history = MCTS(game, memory_mb=1), History(game)
    report = answer(search, history, Limits(nodes=150))
    history.play(report.best)
    known = visits(search, [report.best])
    assert answer(search, history, Limits(nodes=20)).counters["reused"] == known
    s = game.succ(history.state, answer(search, history, Limits(nodes=20)).best)
    assert answer(search, s, Limits(nodes=5)).counters["reused"] > 0


@pytest.mark.jit
def test_chance_and_proofs_survive():
    game = zermelo.load("random-tree", branching=3, depth=6, seed=4, chance=30)
    search, history = MCTS(game, memory_mb=4), History(game)
    answer(search, history, Limits(nodes=3000))
    before = whole_tree(search)
    history.play(answer(search, history, Limits(nodes=1)).best or 0)
    answer(search, history, Limits(nodes=1))
    assert subtree(before, history.moves)[1] > 0
    report = answer(search, history, Limits(nodes=50_000))
    assert report.value == pytest.approx(exhaustive(game, history.state).value, abs=1e-12)


@pytest.mark.jit
def test_whole_games_are_played_on_one_tree():
    """Also when the rules foresee the end, or the tree is too small: there is always a move."""
    game = zermelo.load("connect-four", **SMALL)
    for number, options in enumerate(({}, {"memory_mb": 0.01}, {"threads": 2, "memory_mb": 0.05})):
        search, history = MCTS(game, **{"memory_mb": 1, "seed": number, **options}), History(game)
        while not history.is_over:
            report = answer(search, history, Limits(nodes=200))
            history.play(report.best)
        assert len(history.moves) >= 7
