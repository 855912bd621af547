"""A batch against the games it stands for, one History each."""

from random import Random

import numpy as np
import pytest

import zermelo
from tests.games.small_games import refusal
from tests.learn.heap import MOST, Heap
from zermelo.batch import batch as batches
from zermelo.batch import cores
from zermelo.batch.arrays import bytes_of_a_game
from zermelo.batch.batch import make_batch
from zermelo.batch.cores import WAKING, worthwhile
from zermelo.compile.rules import rules
from zermelo.core.game import CHANCE, OVER
from zermelo.core.history import History

N = 7


def load(name, compiled=False, **options):
    game = zermelo.load(name, **options)
    return game if compiled else game.interpreted


def follow(game, histories, batch):
    """Everything the batch says of its games is what the histories say."""
    for i, history in enumerate(histories):
        assert batch.state(i) == history.state
        assert batch.player[i] == history.player()
        assert batch.over[i] == history.is_over
        legal = [] if history.is_over else sorted(history.actions())
        assert sorted(batch.actions[i, : batch.count[i]].tolist()) == legal
        expected = [history.utility(q) if history.is_over else 0.0 for q in range(game.players)]
        assert batch.utilities[i].tolist() == expected
    if game.variant.policy_size:
        for i, history in enumerate(histories):
            assert batch.legal[i].sum() == (0 if history.is_over else len(history.actions()))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("tic-tac-toe", {}),
        ("connect-four", {"width": 4, "height": 4}),
        ("go", {"size": 2}),  # superko at every turn
        ("kalah", {"pits": 2, "seeds": 2}),
        ("partners", {}),
    ],
)
def test_a_batch_is_many_games(name, options):
    game, rng = load(name, **options), Random(1)
    batch, histories = make_batch(game, N, seed=3), [History(game) for _ in range(N)]
    follow(game, histories, batch)
    for _ in range(80):
        actions = [0 if h.is_over else rng.choice(h.actions()) for h in histories]
        batch.step(np.array(actions))
        for history, action in zip(histories, actions, strict=True):
            if not history.is_over:
                history.play(action)
        follow(game, histories, batch)
        if all(h.is_over for h in histories):
            return
    assert name == "go"


def test_repetition_ends_a_game():
    """Two kings that walk to and fro."""
    game = load("checkers")
    start = game.parse("W:WK32:BK1")
    batch, histories = make_batch(game, 2, state=start), [History(game, start) for _ in range(2)]
    walk = ["32-28", "1-5", "28-32", "5-1"]
    for n in range(40):
        action = game.parse_action(histories[0].state, walk[n % 4])
        for history in histories:
            history.play(action)
        batch.step(np.array([action, action]))
        follow(game, histories, batch)
        if histories[0].is_over:
            break
    assert histories[0].is_repeated


def make_ring(repetitions):
    """A piece goes one or two steps around a ring of three, and may not come where it has been."""

    @rules(name=f"ring-{repetitions}", players=2, max_actions=2, policy_size=2, repetition="forbidden",
           repetitions=repetitions, utility_range=(-1, 1), max_plies=9)  # fmt: skip
    class Ring:
        state = {"cell": "i1", "turn": "i1"}

        def start(s):
            pass

        def player(s):
            return s.turn

        def actions(s, out):
            out[0], out[1] = 0, 1
            return 2

        def apply(s, action):
            s.cell = (s.cell + 1 + action) % 3
            s.turn = 1 - s.turn

        def repetition_key(s):
            return s.cell

        def utility(s, out):
            out[s.turn], out[1 - s.turn] = -1, 1

    return Ring(compiled=False)


@pytest.mark.parametrize("watch", [(), ("legal", "actions", "count")])
@pytest.mark.parametrize("repetitions", [2, 3])
def test_a_game_is_over_where_all_is_forbidden(repetitions, watch):
    game, rng = make_ring(repetitions), Random(2)
    batch, histories = make_batch(game, N, watch=watch), [History(game) for _ in range(N)]
    drawn = batch.copy()
    for _ in range(3 * repetitions):
        follow(game, histories, batch)
        actions = [0 if h.is_over else rng.choice(h.actions()) for h in histories]
        batch.step(np.array(actions))
        drawn.random_steps(1)
        for history, action in zip(histories, actions, strict=True):
            if not history.is_over:
                history.play(action)
    follow(game, histories, batch)
    assert batch.over.all()
    assert drawn.over.all()
    assert (np.abs(drawn.utilities) == 1).all()


def test_chance_is_resolved_inside_and_by_its_probabilities():
    game = load("pig", compiled=True)
    batch = make_batch(game, 4000, seed=5)
    assert set(batch.player.tolist()) == {0}
    roll = game.actions(game.start())[0]
    batch.step(np.full(4000, roll))
    assert CHANCE not in set(batch.player.tolist())
    lost = np.mean(batch.player == 1)  # a one ends the turn
    assert abs(lost - 1 / 6) < 4 * (1 / 6 * 5 / 6 / 4000) ** 0.5


def test_the_seed_is_the_games_and_not_the_threads_or_their_number():
    game = load("connect-four", compiled=True)
    one = make_batch(game, 300, seed=9, threads=1, restart=True)
    two = make_batch(game, 500, seed=9, threads=3, restart=True)
    other = make_batch(game, 300, seed=10, restart=True)
    for batch in (one, two, other):
        batch.random_steps(60, digests=True)
    assert one.states.tobytes() == two.states[:300].tobytes()
    assert (one.digest == two.digest[:300]).all()
    assert (one.finished > 0).all()
    assert (one.digest != other.digest).all()


def test_threads_are_woken_for_what_is_worth_it():
    assert worthwhile(0.0, 64) == worthwhile(3 * WAKING, 64) == 1
    assert worthwhile(4.1 * WAKING, 64) == 2
    assert worthwhile(1.0, 64) == 64  # as many as there are
    assert worthwhile(1.0, 3) == 3


@pytest.mark.jit
def test_a_device_learns_how_long_a_step_takes():
    batch = make_batch(zermelo.load("tic-tac-toe"), 10, seed=1, threads=2, restart=True)
    for _ in range(3):
        batch.random_steps(1)
    pace = batch.device._pace
    assert {what[0] for what in pace} == {"reset", "random_steps"}
    assert all(0 < seconds < 1 for seconds in pace.values())


def test_interpreted_and_compiled_play_the_same_games():
    for name in ("tic-tac-toe", "pig"):
        batches = [make_batch(load(name, compiled=c), 20, seed=2, restart=True) for c in (False, True)]
        for batch in batches:
            batch.random_steps(30, digests=True)
        assert batches[0].states.tobytes() == batches[1].states.tobytes()
        assert (batches[0].digest == batches[1].digest).all()
        assert (batches[0].plies == batches[1].plies).all()


def test_moves_are_told_by_action_policy_or_place():
    game = load("tic-tac-toe")
    batches = [make_batch(game, 3) for _ in range(3)]
    for batch, by in zip(batches, ("action", "policy", "place"), strict=True):
        batch.step(np.array([4, 0, 8]), by=by)
        batch.step(np.array([0, 1, 0]), by=by)
    assert batches[0].states.tobytes() == batches[1].states.tobytes()
    assert game.format(batches[2].state(0)) == game.format(batches[0].state(0))
    assert game.format(batches[2].state(1)) != game.format(batches[0].state(1))  # the second of those left


def test_an_illegal_action_moves_no_game():
    game = load("tic-tac-toe")
    batch = make_batch(game, 4)
    batch.step(np.array([0, 1, 2, 3]))
    before = batch.states.copy()
    sentence = refusal(batch.step, np.array([4, 1, 2, 5]))
    assert "game 1" in sentence
    assert "and in 1 more" in sentence
    assert batch.states.tobytes() == before.tobytes()
    batch.step(np.array([4, 4, 4, 4]))


def test_games_restart_or_stay():
    game = load("tic-tac-toe")
    line = [0, 3, 1, 4, 2]
    for restart in (False, True):
        batch = make_batch(game, 2, restart=restart)
        for a in line:
            batch.step(np.array([a, a]))
        assert batch.over.all()
        assert batch.utilities.tolist() == [[1, -1], [1, -1]]
        batch.step(np.array([8, 8]))
        assert batch.over.all() != restart
        assert batch.state(0) == (game.start() if restart else batch.state(1))
        assert batch.utilities.tolist() == ([[0, 0], [0, 0]] if restart else [[1, -1], [1, -1]])
        assert batch.finished.tolist() == [1, 1]


@pytest.mark.parametrize("name", ["checked", "restart", "repetition"])
@pytest.mark.parametrize("told", ["no", None, 1])
def test_what_is_true_or_false_is_nothing_else(name, told):
    assert f"{name} is True or False, not" in refusal(lambda: make_batch(load("tic-tac-toe"), 2, **{name: told}))


def test_playouts_are_the_mean_payoff_of_random_games():
    game = load("tic-tac-toe", compiled=True)
    batch = make_batch(game, 3, seed=1)
    batch.step(np.array([4, 0, 1]))
    before = batch.states.copy()
    mean = batch.playouts(4000)
    assert batch.states.tobytes() == before.tobytes()
    assert np.allclose(mean.sum(axis=1), 0)
    for i in range(3):
        assert abs(mean[i, 0] - expectation(game, batch.state(i))) < 0.08


def expectation(game, s, known=None):
    known = {} if known is None else known
    if s not in known:
        known[s] = (
            game.utility(s)
            if game.player(s) == OVER
            else np.mean([expectation(game, game.succ(s, a), known) for a in game.actions(s)])
        )
    return known[s]


def test_a_copy_is_played_on_by_itself():
    batch = make_batch(load("tic-tac-toe"), 2)
    other = batch.copy()
    other.step(np.array([0, 1]))
    assert batch.count.tolist() == [9, 9]
    assert other.count.tolist() == [8, 8]


def test_bad_arguments():
    game = load("tic-tac-toe")
    assert "from 1 to" in refusal(make_batch, game, 0)
    assert "@rules" in refusal(make_batch, zermelo.load("tree"), 3)
    assert "threads" in refusal(lambda: make_batch(game, 3, threads=0))
    assert "not a game" in refusal(make_batch, 3, 3)
    assert make_batch("nim", 1).game.name == "nim"
    batch = make_batch(game, 2)
    assert "2 whole numbers" in refusal(batch.step, np.array([1]))
    assert "2 whole numbers" in refusal(batch.step, np.array([0.5, 1.0]))
    assert "2 whole numbers" in refusal(batch.step, [[1], [2, 3]])
    assert "2 whole numbers" in refusal(batch.step, "ab")
    assert "'policy'" in refusal(batch.step, np.array([1, 2]), ["policy"])
    for i in (-1, 2, 10**30, "a", 0.5):
        assert "number of a game" in refusal(batch.state, i)
    assert "steps" in refusal(batch.random_steps, 2**64)
    assert "times" in refusal(batch.playouts, 2**64)
    assert "threads" in refusal(lambda: make_batch(game, 3, threads=20_000))
    assert "'planes'" in refusal(lambda: make_batch(game, 3, watch=None))
    assert "not 'moves'" in refusal(lambda: make_batch(game, 3, watch="moves"))
    assert make_batch(game, 3, watch="legal").options.watch == ("legal",)
    assert "'policy'" in refusal(batch.step, np.array([1, 2]), "name")
    with pytest.raises(zermelo.GameError, match="'cpu' or 'cuda'"):
        make_batch(game, 2, device="tpu")


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four"])
def test_planes_and_masks_are_those_of_the_rules(name):
    game, rng = load(name), np.random.default_rng(2)
    batch = make_batch(game, 4)
    for _ in range(5):
        for i in range(4):
            s = batch.state(i)
            mine = np.zeros(game.variant.plane_shape, np.int8)
            game.variant.functions["planes"](game.variant.view(s.record[0]), mine)
            assert np.array_equal(batch.planes[i], mine)
            assert np.flatnonzero(batch.legal[i]).tolist() == sorted(game.actions(s))  # numbered as they are
        batch.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in batch.legal]), by="policy")
    with pytest.raises(zermelo.GameError, match="no planes to watch"):
        _ = make_batch(load("pig"), 2).planes


def test_what_is_watched_is_what_is_asked_for():
    game = load("tic-tac-toe")
    watched = make_batch(game, 5, seed=1, watch=("player", "utilities", "legal", "planes"), restart=True)
    asked = make_batch(game, 5, seed=1, restart=True)
    for _ in range(12):
        for name in ("player", "utilities", "legal", "planes", "over"):
            assert np.array_equal(getattr(watched, name), getattr(asked, name)), name
        watched.random_steps(1)
        asked.random_steps(1)
    assert "can watch" in refusal(lambda: make_batch(game, 2, watch=("boards",)))


@pytest.mark.parametrize(("name", "options"), [("tic-tac-toe", {}), ("pig", {}), ("go", {"size": 3})])
def test_watching_changes_no_game(name, options):
    """The next random move is drawn from a list that was made to be shown; whoever moves otherwise never sees it."""
    game, rng = load(name, **options), np.random.default_rng(5)
    watched, asked = (make_batch(game, 20, seed=6, restart=True, watch=w) for w in (("actions",), ()))
    for turn in range(12):
        chosen = asked.actions[np.arange(20), rng.integers(0, np.maximum(asked.count, 1))]
        some, wrong = rng.random(20) < 0.5, np.where(asked.over, chosen, -5)
        for batch in (watched, asked):
            batch.random_steps(turn % 3, digests=True, where=some if turn % 2 else None)
            if turn % 4 == 1:
                batch.playouts(2)
            refused = turn % 4 == 2 and not batch.over.all()
            if refused:
                refusal(batch.step, wrong)
            batch.random_steps(1)
            listed = np.arange(batch.actions.shape[1]) < batch.count[:, None]
            batch.step(np.where(listed, batch.actions, 0)[:, 0], where=some)
        assert watched.states.tobytes() == asked.states.tobytes()
        for field in ("player", "utilities", "count", "plies", "finished", "digest"):
            assert np.array_equal(getattr(watched, field), getattr(asked, field)), field
        assert np.array_equal(watched.actions[:, 0] * (watched.count > 0), asked.actions[:, 0] * (asked.count > 0))


def test_a_step_in_some_games_only():
    game = load("tic-tac-toe")
    batch = make_batch(game, 3)
    batch.step(np.array([4, 99, 0]), where=np.array([True, False, True]))
    assert batch.count.tolist() == [8, 9, 8]
    batch.random_steps(1, where=np.array([False, True, False]))
    assert batch.count.tolist() == [8, 8, 8]
    batch.random_steps(1)
    assert batch.count.tolist() == [7, 7, 7]
    assert "3 times true or false" in refusal(lambda: batch.random_steps(1, where=np.array([True])))


def small(name, **changes):
    """A little game, some of it changed."""
    body = {
        "__doc__": "Two plies.",
        "state": {"plies": "i1", "board": ("i1", (changes.pop("cells", 4),))},
        "start": lambda s: None,
        "player": lambda s: OVER if s.plies == 2 else s.plies,
        "actions": two_actions,
        "apply": one_ply,
        "utility": a_win,
        **changes,
    }
    return rules(name=name, players=2, max_actions=2)(type("Small", (), body))


def two_actions(s, out):
    out[0], out[1] = 0, 1
    return 2


def one_ply(s, action):
    s.board[action] = 1
    s.plies += 1


def a_win(s, out):
    out[0], out[1] = 1, -1


@pytest.mark.jit
def test_a_record_of_many_words_is_copied_whole():
    game = small("large-record", cells=400)()
    batch = make_batch(game, 3)
    batch.step(np.array([0, 1, 0]))
    assert [list(np.flatnonzero(s["board"])) for s in batch.states] == [[0], [1], [0]]
    assert batch.copy().states.tobytes() == batch.states.tobytes()


@pytest.mark.jit
def test_rules_that_do_not_compile_are_told_of_in_a_sentence():
    def lost(s, action):
        s.nowhere = 1

    sentence = refusal(lambda: make_batch(small("misspelt", apply=lost)(), 3))
    assert "misspelt: apply" in sentence
    assert "nowhere" in sentence


def test_kept_games_are_played_on_by_another_batch():
    games = zermelo.batch("tic-tac-toe", 9, seed=5)
    games.random_steps(3)
    other = zermelo.batch("tic-tac-toe", 9, seed=6)
    other.restore(games.kept())
    for one in (games, other):
        one.random_steps(4)
    assert np.array_equal(games.states, other.states)
    assert np.array_equal(games.planes, other.planes)
    with pytest.raises(zermelo.GameError, match="not 8 games of tic-tac-toe"):
        zermelo.batch("tic-tac-toe", 8).restore(games.kept())


def test_games_whose_states_have_other_fields_are_not_played_on():
    def heap(fields):
        body = {word: getattr(Heap.source, word) for word in ("start", "player", "actions", "apply", "utility")}
        made = type("Heap", (), {**body, "state": fields})
        return rules(name="heap-of-fields", players=2, max_actions=2, max_plies=MOST)(made)(compiled=False)

    fields = dict(Heap.source.state)
    games, other = (make_batch(heap(one), 2) for one in (fields, dict(reversed(fields.items()))))
    assert games.states.dtype.itemsize == other.states.dtype.itemsize
    with pytest.raises(zermelo.GameError, match="their states have other fields"):
        other.restore(games.kept())


def flipped(kept, name):
    rows = kept[name].copy()
    rows[0, 0] ^= 1
    return {**kept, name: rows}


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda kept: None, r"restore takes what kept\(\) gave"),
        (lambda kept: [], r"restore takes what kept\(\) gave"),
        (lambda kept: {"states": kept["states"]}, r"restore takes what kept\(\) gave"),
        (lambda kept: {**kept, "states": kept["states"].astype(float)}, "states are of another size"),
        (lambda kept: {**kept, "notes": b"0"}, "notes are of another size"),
        (lambda kept: flipped(kept, "states"), "they are damaged"),
        (lambda kept: flipped(kept, "notes"), "they are damaged"),
        (lambda kept: make_batch(load("connect-four"), 4).kept(), "states are of another size"),
    ],
)
def test_what_was_not_kept_so_is_not_played_on(spoil, sentence):
    """Compiled rules would be sent anywhere by it."""
    games = make_batch(load("tic-tac-toe"), 4, seed=1)
    games.random_steps(3)
    before = games.states.copy()
    with pytest.raises(zermelo.GameError, match=sentence):
        games.restore(spoil(games.kept()))
    assert np.array_equal(games.states, before)
    games.restore(games.kept())


def test_owners_of_cells_where_games_are_over():
    games = zermelo.batch("othello", 5, seed=5)
    assert not games.owners.any()
    games.random_steps(70)
    assert games.over.all()
    margin = games.owners.sum(axis=(1, 2))
    assert np.array_equal(np.sign(margin), games.utilities[:, 0])
    assert np.array_equal(games.owners[2], games.game.owners(games.state(2)))
    with pytest.raises(zermelo.GameError, match="no owners"):
        _ = zermelo.batch("tic-tac-toe", 1).owners


def test_games_that_begin_at_their_end_do_not_restart():
    game = load("tic-tac-toe")
    over = game.parse("xxx oo. ...")
    assert "begin where the game is over" in refusal(lambda: make_batch(game, 3, state=over, restart=True))
    assert make_batch(game, 3, state=over).over.all()


@pytest.mark.parametrize("where", [batches, cores], ids=["where games are made", "where they are played"])
def test_more_games_than_there_is_memory_for_are_not_begun(monkeypatch, where):
    game = zermelo.load("tic-tac-toe", compiled=False)
    for module in (batches, cores):
        monkeypatch.setattr(module, "available_memory", lambda here=module: 4 << 30 if here is where else 1 << 60)
    with pytest.raises(
        zermelo.GameError, match=r"2,000,000,000 games of tic-tac-toe take \d+\.\d GiB, and 4\.0 GiB are free"
    ):
        zermelo.batch(game, 2_000_000_000)


@pytest.mark.parametrize(("name", "watch"), [("go", ("planes", "legal")), ("backgammon", ("actions",)), ("nim", ())])
def test_the_memory_of_a_game_is_what_its_arrays_take(name, watch):
    games = zermelo.batch(zermelo.load(name, compiled=False), 7, watch=watch)
    rules, kept = games.game.variant, games.games
    tracks = rules.repetition is not None
    taken = sum(array.nbytes for array in (kept.states, kept.slots, kept.notes)) + tracks * kept.keys.nbytes
    shown = [*watch, "count"] if "actions" in watch else watch
    taken += sum(games._rooms[name].nbytes for name in shown)
    assert 7 * bytes_of_a_game(rules, tracks, shown) == taken
