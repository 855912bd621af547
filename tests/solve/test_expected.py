"""Endings of games with chance: values on average, and how many turns a player alone needs."""

from functools import cache

import numpy as np
import pytest

from zermelo import CHANCE, OVER, GameError, rules
from zermelo.check import check_game
from zermelo.compile.endings import Ending, read_endings
from zermelo.solve.tables.build import build_tables
from zermelo.solve.tables.verify import verify_tables
from zermelo.tables.files import TableFile, checksum_of, write_table
from zermelo.tables.tables import TURNS, VALUE, Tables

FAR = 6
DICE = {1: 0.25, 2: 0.5, 4: 0.25}


def start(s):
    s.left[0] = s.left[1] = FAR


def player(s):
    if s.left[0] == 0 or s.left[1] == 0:
        return OVER
    return CHANCE if s.die == 0 else s.turn


def chances(s, out, probability):
    out[0], out[1], out[2] = 1, 2, 4
    probability[0], probability[1], probability[2] = 0.25, 0.5, 0.25
    return 3


def actions(s, out):
    """The whole die, if that is not too far; or half a turn's way."""
    out[0], out[1] = 1, s.die
    return 2 if 1 < s.die <= s.left[s.turn] else 1


def apply(s, action):
    if s.die == 0:
        s.die = action
        return
    s.left[s.turn] -= action
    s.turn = 1 - s.turn
    s.die = 0


def utility(s, out):
    """How far the other still had to go."""
    out[0] = s.left[1] - s.left[0]
    out[1] = -out[0]


def ending(s):
    if s.die != 0 or s.left[0] == 0 or s.left[1] == 0:
        return -1
    return 1 if s.left[0] <= 3 and s.left[1] <= 3 else 2


def rank(s):
    return 7 * s.left[s.turn] + s.left[1 - s.turn]


def unrank(s, ending, rank):
    if ending == 0:
        s.left[0], s.left[1] = rank, FAR
        return True
    s.left[0], s.left[1] = rank // 7, rank % 7
    near = s.left[0] <= 3 and s.left[1] <= 3
    return s.left[0] > 0 and s.left[1] > 0 and near == (ending == 1)


def race_rank(s, who):
    return s.left[who]


def endings(limit):
    near, far = Ending(1, "near", 49, 1), Ending(2, "far", 49, 2)
    return [[Ending(0, "alone", FAR + 1, 1, True)], [near], [far]][: limit + 1 if limit else 0]


def perspective(s):
    return s.turn


def race(**functions):
    own = (start, player, chances, actions, apply, utility, ending, rank, unrank, race_rank, endings, perspective)
    body = {f.__name__: f for f in own}
    body |= {"state": {"left": ("i1", (2,)), "die": "i1", "turn": "i1"}, **functions}
    says = {"max_actions": 2, "max_chance_outcomes": 3, "utility_range": (-FAR, FAR)}
    return rules(name="race", players=2, **says)(type("Race", (), body))(compiled=False)


@cache
def worth(mine, theirs):
    """To whoever rolls, by the definition."""
    total = 0.0
    for die, likely in DICE.items():
        steps = {1, die} if die <= mine else {1}
        total += likely * max(theirs if step == mine else -worth(theirs, mine - step) for step in steps)
    return total


def position(game, mine, theirs, turn=0):
    left = [mine, theirs] if turn == 0 else [theirs, mine]
    return game.parse(f"left={left[0]},{left[1]} die=0 turn={turn}")


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    return build_tables(race(), 2, folder=tmp_path_factory.mktemp("tables"))


def test_values_are_those_of_the_definition(tables):
    for mine in range(1, FAR + 1):
        for theirs in range(1, FAR + 1):
            for turn in (0, 1):
                assert tables.expected(position(tables.game, mine, theirs, turn)) == pytest.approx(
                    worth(mine, theirs), rel=3e-7
                )
    assert verify_tables(tables) == 7 + 49 + 49
    assert tables.probe(position(tables.game, 1, 1)) is None  # these are no wins and losses


def test_plays_are_judged_by_whoever_plays_them(tables):
    s = tables.game.parse("left=6,2 die=2 turn=1")
    assert tables.expected_actions(s) == {1: pytest.approx(-worth(6, 1)), 2: 6.0}


def test_turns_that_a_player_alone_needs(tables):
    s = position(tables.game, 3, 5)
    assert tables.turns(s, 0)[:4].tolist() == pytest.approx([0, 0, 0.5 + 0.5 * 0.5, 0.25])
    assert sum(tables.turns(s, 1)) == pytest.approx(1)
    assert tables.turns(s, 1) @ range(8) > tables.turns(s, 0) @ range(8)


def test_a_build_goes_on_and_comes_to_the_same(tables, tmp_path):
    build_tables(race(), 1, folder=tmp_path)
    again = build_tables(race(), 2, folder=tmp_path)
    assert again.checksum() == tables.checksum()
    assert [header.kind for header in again.main_headers()] == [TURNS, VALUE, VALUE]


def test_a_wrong_value_is_found(tmp_path):
    tables = build_tables(race(), 2, folder=tmp_path)
    file = tables.file(2, VALUE)
    content = file.content().copy()
    content[7 * 5 + 5] += 0.001
    header = file.header.__class__(**{**vars(file.header), "checksum": checksum_of(content.view(np.uint8))})
    write_table(file.path, header, content)
    assert TableFile(file.path).header.bits == 32
    with pytest.raises(GameError, match=r"'far': .* values do not agree"):
        verify_tables(Tables(race(), tmp_path))


def stays(s, action):
    """A step of one is none: positions come back."""
    if s.die == 0:
        s.die = action
        return
    s.left[s.turn] -= action if action > 1 else 0
    s.turn, s.die = 1 - s.turn, 0


def test_positions_that_come_back_have_no_such_value(tmp_path):
    with pytest.raises(GameError, match="lead to each other in a circle"):
        build_tables(race(apply=stays), 2, folder=tmp_path)


def test_plies_and_cards_are_refused(tmp_path):
    for more in ({"with_plies": True}, {"device": "cuda"}):
        with pytest.raises(GameError, match=r"race has chance: .* on 'cpu', and without plies"):
            build_tables(race(), 2, folder=tmp_path, **more)


def shorter(s, out):
    """Never the whole die: the numbers are the same, and lead elsewhere."""
    out[0] = 1
    return 1


def test_tables_of_other_rules_are_refused(tables):
    for wrong in ({"actions": shorter}, {"race_rank": one_more}):
        with pytest.raises(GameError, match="was made for other rules"):
            Tables(race(**wrong), tables.folder.parent).main_headers()


def one_more(s, who):
    return s.left[who] + 1


def further(s, action):
    apply(s, action)
    if s.die == 0 and s.left[0] == 1 and s.left[1] == 1:
        s.left[0] = 5


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({}, None),
        ({"race_rank": one_more}, "number 0 of class 0 (left=0,6 die=0 turn=0) is 1 of 0"),
        ({"apply": further}, "leads to class 2, which is not in a group before it or in its own"),
    ],
)
def test_check_looks_at_them(wrong, sentence):
    faults = [
        fault.sentence for fault in check_game(race(**wrong), games=5, seconds=8).faults if fault.kind == "endings"
    ]
    assert any(sentence in fault for fault in faults) if sentence else faults == [], "\n".join(faults)


def test_the_list(tables):
    assert [group[0].one_sided for group in read_endings(tables.game, 2)] == [True, False, False]
