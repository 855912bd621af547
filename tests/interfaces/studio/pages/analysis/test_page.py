"""What the page of analysis knows: the searches it asks for, the tree it opens, the positions it looks at."""

from __future__ import annotations

import math

import pytest

from zermelo import textbook
from zermelo.core.game import GameError
from zermelo.core.registry import load
from zermelo.interfaces.studio.catalogue import Catalogue
from zermelo.interfaces.studio.pages.analysis.moves_table import did_html, moves_about, moves_html, stages_html
from zermelo.interfaces.studio.pages.analysis.position import board_html, make_position, played_position
from zermelo.interfaces.studio.pages.analysis.rows import (
    best_paths,
    news_text,
    summary,
    tree_html,
    value_text,
    window_text,
)
from zermelo.interfaces.studio.pages.analysis.tree import FEW, ROOT, STEP, Branch, Outline, drawn_name, drawn_path
from zermelo.interfaces.studio.pages.analysis.tree_json import SENT, node_json
from zermelo.interfaces.studio.tasks import perform

WON = "xo. .x. ..o"  # x to move: two ways to win at once


def ask(game: str, search: str, **message) -> dict:
    news: list[dict] = []
    answer = perform({"task": "analysis", "game": game, "search": search, "seconds": 5.0, **message}, news.append)
    assert news[0] == {"began": True} or "news" in news[0]
    assert {"began": True} in news
    assert any("report" in one.get("news", {}) for one in news)
    for made in (moves_html(answer, ""), stages_html(answer), did_html(answer), *summary(answer)):
        assert made
    return answer


def walk(node: dict):
    yield node
    for child in node["children"]:
        yield from walk(child)


def wide(count: int, legal: int | None = None, **known) -> dict:
    """A root with `count` children that nobody looked below."""
    children = [node_json(f"m{i}", "min", 1, value=-i, best=i == 0, legal=5) for i in range(count)]
    return node_json("", "max", 0, value=0.0, legal=legal or count, children=children, **known)


# -- the tree on the page ----------------------------------------------------------------------------------------------


def test_opening_and_closing():
    sent = wide(3)
    sent["children"][1]["children"] = [node_json("x", "end", -2, value=1.0, legal=0)]
    outline = Outline(sent)
    assert [row.path for row in outline.rows()[0]] == ["r", "r.0", "r.1", "r.2"]
    assert outline.toggle("r.1")
    assert [row.path for row in outline.rows()[0] if row.what == "node"] == ["r", "r.0", "r.1", "r.1.0", "r.2"]
    assert outline.moves_to("r.1.0") == ["m1", "x"]
    assert outline.toggle("r.1.0")  # the end: nothing opens, nothing is missing
    assert outline.toggle("r.1")
    assert len(outline.rows()[0]) == 4
    assert not outline.toggle("r.0")  # somebody would have to search
    assert outline.reveal("r.1")
    assert outline.at("r.1").is_open
    outline.fold()
    assert outline.root.is_open
    assert not outline.at("r.1").is_open


def test_never_more_than_fits():
    outline = Outline(wide(100, legal=120))
    rows, complete = outline.rows()
    assert complete
    assert [row.what for row in rows].count("node") == 1 + FEW
    assert rows[FEW + 1].what == "more"
    assert rows[FEW + 1].count == 100 - FEW
    assert rows[-1].what == "again"
    assert rows[-1].count == 20
    outline.more(ROOT)
    assert [row.what for row in outline.rows()[0]].count("node") == 1 + FEW + STEP
    rows, complete = outline.rows(most=10)
    assert len(rows) == 10
    assert not complete
    outline.reveal("r.99")  # asked for by name: shown
    assert any(row.path == "r.99" for row in outline.rows(most=1000)[0])


@pytest.mark.parametrize(
    "path", ["", "r.", "r.3", "r.0.0", "x", "r.-1", "r.1e3", None, 5, "r" + ".0" * 500, "r.99999", "r;"]
)
def test_paths_that_are_none(path):
    with pytest.raises(GameError):
        Outline(wide(3)).at(path)


def test_grafting():
    outline = Outline(wide(3))
    outline.graft("r.1", Branch.of(wide(2, legal=2)), "from a new search")
    assert outline.at("r.1").is_open
    assert outline.at("r.1").value == -1  # what the first search said of it stays
    whats = [(row.what, row.path) for row in outline.rows()[0]]
    assert whats[2:6] == [("node", "r.1"), ("note", "r.1"), ("node", "r.1.0"), ("node", "r.1.1")]
    assert "from a new search" in tree_html(outline, "r.1")
    many = wide(9000, legal=9000)
    for number in range(6):
        outline.graft("r.0" + ".0" * number, Branch.of(many), "")
    with pytest.raises(GameError, match="as large as a page can hold"):
        outline.graft("r.2", Branch.of(many), "")
    assert not outline.at("r.2").children


def test_the_drawing_has_the_same_numbers():
    outline = Outline(wide(20, visits=50))
    outline.graft("r.3", Branch.of(wide(2)), "")
    drawn = outline.drawn()
    assert len(drawn.children) == FEW
    assert [child.action for child in drawn.children[3].children] == ["m0", "m1"]
    assert drawn.best is drawn.children[0]
    assert drawn_path("n") == ROOT
    assert drawn_path("n-3-1") == "r.3.1"
    assert drawn_name("r.3.1") == "n-3-1"
    with pytest.raises(GameError):
        drawn_path("board")


def test_rows_escape_what_games_say():
    sent = wide(1)
    sent["children"][0] |= {"move": "<b>&", "pruned": "<i>"}
    html = tree_html(Outline(sent), "r.0")
    assert "<b>" not in html
    assert "<i>" not in html
    assert "&lt;b&gt;&amp;" in html


def test_numbers_as_people_write_them():
    assert [value_text(x) for x in (0.0, -1, 0.12345, None, [1, -0.5])] == ["0", "−1", "0.123", "?", "(1, −0.500)"]
    assert window_text([None, 0.5]) == "[−∞, 0.500]"
    assert window_text(None) == ""
    sent = {
        "algorithm": "alphabeta",
        "depth": 7,
        "value": -1.0,
        "nodes": 1234,
        "nodes_per_second": 99.5,
        "pv": ["a1"],
    }
    assert news_text(sent) == "depth 7 · value −1 · 1,234 nodes · 99/s · a1"


# -- the searches ------------------------------------------------------------------------------------------------------


def test_alphabeta_knows_every_move():
    answer = ask("tic-tac-toe", "alphabeta", start=WON)
    game = load("tic-tac-toe")
    s = game.parse(WON)
    truth = {game.format_action(s, a): textbook.minimax(game, game.succ(s, a)) for a in game.actions(s)}
    assert {one["move"]: one["value"] for one in answer["moves"]} == truth
    assert all(one["proven"] and one["bound"] == "exact" for one in answer["moves"])
    assert truth[answer["best"]] == answer["value"] == 1
    for node in walk(answer["tree"]):  # no bound is on the wrong side of the truth
        assert node["pruned"] == "" or node["value"] is None
    for child in answer["tree"]["children"]:
        sign = {"exact": 0, "upper": -1, "lower": 1}[child["bound"]]
        assert (truth[child["move"]] - child["value"]) * sign >= 0
        assert sign or truth[child["move"]] == child["value"]


@pytest.mark.jit
def test_every_move_has_its_own_value_and_the_tree_agrees_with_the_table():
    """At once out of time, with a tree that takes its time to be read: each move is asked all the same."""
    answer = ask("connect-four", "alphabeta", seconds=0.02, evaluator="handcrafted")
    assert {one["bound"] for one in answer["moves"]} == {"exact"}
    assert all(one["depth"] >= 1 for one in answer["moves"])
    assert answer["is_complete"] == (min(one["depth"] for one in answer["moves"]) >= answer["depth"])
    assert ("The time ran out" in moves_about(answer)) != answer["is_complete"]
    table = {one["move"]: one for one in answer["moves"]}
    shown = tree_html(Outline(answer["tree"]), ROOT)
    for child in answer["tree"]["children"]:
        one = table[child["move"]]
        same = child if child["bound"] == "exact" else child["asked"]
        assert same["value"] == pytest.approx(one["value"], abs=6e-4)  # a tree has three decimals
        assert same["depth"] == one["depth"]
        assert f"d{one['depth']}<" in shown


def test_alphabeta_windows_and_cuts():
    answer = ask("connect-four", "alphabeta", depth=4, evaluator="handcrafted")
    root = answer["tree"]
    assert root["window"] == [None, None]
    assert [child["best"] for child in root["children"]] == [True] + 6 * [False]
    assert all(child["window"] == [root["value"], None] for child in root["children"][1:])
    cut = [node for node in walk(root) if node["pruned"]]
    assert cut
    assert all("refutes" in node["pruned"] for node in cut)
    assert [stage["after"] for stage in answer["stages"]] == [f"depth {d}" for d in range(1, 5)]
    outline = Outline(root)
    for number in range(1, 7):
        outline.toggle(f"r.{number}")
    html = tree_html(outline, "r.1")
    assert "≤" in html
    assert "za-cut" in html
    assert "refutes" in html
    assert best_paths(outline) >= {"r", "r.0", "r.0.0"}


def test_the_other_side_sees_low_values():
    answer = ask("tic-tac-toe", "alphabeta", start="xx. .o. ...")  # o must stop c3, and cannot lose then
    assert answer["best"] == "c3"
    assert answer["value"] == 0
    values = [one["value"] for one in answer["moves"]]
    assert values == sorted(values)  # best for MIN first
    assert values[-1] == 1


def test_mcts_shows_visits():
    answer = ask("tic-tac-toe", "mcts", simulations=400)
    root = answer["tree"]
    assert root["visits"] == answer["nodes"] == 400
    assert 398 <= sum(child["visits"] for child in root["children"]) <= 400
    assert root["bound"] == "mean"
    assert root["children"][0]["best"]
    assert root["children"][0]["move"] == answer["best"]
    inner = [node for node in walk(root) if node["children"]]
    assert all(node["visits"] >= sum(child["visits"] for child in node["children"]) for node in inner)
    assert "visits" in tree_html(Outline(root), ROOT)
    assert "≈" in moves_html(answer, "b2")
    assert sum(1 for _ in walk(root)) <= SENT
    won = ask("tic-tac-toe", "mcts", start="xx. oo. ...", simulations=400)
    assert won["proven"]
    assert won["best"] == "c3"
    assert won["tree"]["children"][0]["proven"]


def test_chance_has_probabilities():
    for search in ("alphabeta", "mcts", "textbook"):
        answer = ask("coin-bins", search, **({"simulations": 2000} if search == "mcts" else {}))
        nodes = [node for node in walk(answer["tree"]) if node["kind"] == "chance" and node["children"]]
        assert nodes, search
        for node in nodes:
            assert math.isclose(sum(child["probability"] for child in node["children"]), 1)
            assert not any(child["best"] for child in node["children"])
        html = tree_html_open(answer["tree"])
        assert "p 0.5" in html
        assert "●" in html
    game = load("coin-bins")
    assert answer["value"] == pytest.approx(textbook.expectiminimax(game, game.start()))


def tree_html_open(sent: dict) -> str:
    outline = Outline(sent)
    for path in ("r.0", "r.0.0", "r.1", "r.1.0"):
        outline.toggle(path)
    return tree_html(outline, ROOT)


def test_a_chance_root():
    answer = ask("coin-bins", "alphabeta", moves=["A"])
    assert answer["chance"]
    assert answer["best"] is None
    assert [one["probability"] for one in answer["moves"]] == [0.5, 0.5]
    assert answer["value"] == pytest.approx(sum(one["value"] for one in answer["moves"]) / 2)
    assert summary(answer)[0].startswith("Nature moves here")


def test_many_players():
    answer = ask("random-tree", "maxn", options={"players": 3})
    game = load("random-tree", players=3)
    assert answer["value"] == pytest.approx(list(textbook.maxn(game, game.start())), abs=1e-5)
    assert answer["proven"]
    for one in answer["moves"]:
        after = game.succ(game.start(), game.parse_action(game.start(), one["move"]))
        assert one["value"] == pytest.approx(list(textbook.maxn(game, after)), abs=1e-5)
    assert answer["tree"]["children"][0]["kind"] in ("player", "end")
    assert answer["moves"][0]["move"] == answer["best"]


def test_the_textbook_keeps_every_node():
    answer = ask("tree", "textbook")  # the lecture's first game
    tree = answer["tree"]
    assert answer["best"] == "B"
    assert answer["value"] == 1
    assert answer["proven"]
    (cut,) = [node for node in walk(tree) if node["pruned"]]
    assert (cut["move"], cut["pruned"]) == ("b", "α-cut: -5 ≤ α = 1")
    assert [child["window"] for child in tree["children"]] == [[None, None], [-50, None], [1, None]]
    assert [child["bound"] for child in tree["children"]] == ["exact", "exact", "upper"]


def test_the_textbook_goes_on_where_it_was():
    answer = ask("tic-tac-toe", "textbook", start=WON)
    outline = Outline(answer["tree"])
    rest = outline.rest_of_search("r.1.1", answer["depth"])
    assert rest is not None
    moves = outline.moves_to("r.1.1")
    again = ask("tic-tac-toe", "textbook", start=WON, moves=moves, **rest)
    before = answer["tree"]["children"][1]["children"][1]
    seen = ["move", "value", "bound", "window", "pruned"]
    assert [[node[key] for key in seen] for node in walk(again["tree"])][1:] == [
        [node[key] for key in seen] for node in walk(before)
    ][1:]
    assert outline.rest_of_search("r.1.1", 1) is None


def test_teams_are_two_sides():
    answer = ask("partners", "mcts", simulations=50)
    assert isinstance(answer["value"], float)
    assert {node["kind"] for node in walk(answer["tree"])} <= {"max", "min", "end"}


def test_a_shallow_search_with_a_learned_evaluation():
    answer = ask("connect-four", "alphabeta", depth=2)
    assert answer["depth"] == 2
    assert len(answer["tree"]["children"]) == 7


def test_the_textbook_ends_in_time():
    answer = ask("connect-four", "textbook", seconds=0.3)
    assert answer["seconds"] < 3
    assert answer["depth"] >= 2
    assert sum(1 for _ in walk(answer["tree"])) <= SENT


def test_questions_that_make_no_sense():
    question = {"task": "analysis", "game": "tic-tac-toe", "seconds": 1}
    with pytest.raises(GameError, match="over"):
        perform({**question, "search": "alphabeta", "start": "xxx oo. ..."}, lambda news: None)
    with pytest.raises(GameError, match="no such search"):
        perform({**question, "search": "rm"}, lambda news: None)


# -- the position ------------------------------------------------------------------------------------------------------


CATALOGUE = Catalogue()


def test_positions():
    position = make_position(CATALOGUE, "tic-tac-toe", None, " " + WON + " ")
    assert position.text == WON
    assert list(position.searches) == ["alphabeta", "mcts", "textbook"]
    assert "Player 0" in position.turn
    later = position.after(["c3"])
    assert later.message["moves"] == ["c3"]
    assert "after 1 move" in later.turn
    assert list(make_position(CATALOGUE, "tree").searches) == ["textbook"]
    assert next(iter(make_position(CATALOGUE, "random-tree", {"players": 3}).searches)) == "maxn"


def test_the_game_on_the_page_to_play_on():
    played = {
        "game": "connect-four",
        "options": {},
        "start": None,
        "moves": ["4", "4", "3"],
        "seats": ["human", "level=3"],
    }
    position = played_position(CATALOGUE, played)
    assert position.message == {"game": "connect-four", "options": {}, "start": None, "moves": ["4", "4", "3"]}


@pytest.mark.parametrize(
    "given",
    [
        ("no-such-game",),
        (7,),
        (None,),
        ("../../etc/passwd",),
        ("nim", "options"),
        ("nim", {"compiled": True}),
        ("nim", {"a b": 1}),
        ("nim", {"x": [1]}),
        ("nim", {"nonsense": 1}),
        ("nim", None, 5),
        ("nim", None, "x" * 10_000),
        ("nim", None, "zzz"),
        ("nim", None, None, "1"),
        ("nim", None, None, ["1", 3]),
        ("nim", None, None, ["1", "99"]),
        ("nim", None, None, ["1"] * 9999),
    ],
)
def test_positions_that_are_none(given):
    with pytest.raises(GameError):
        make_position(CATALOGUE, *given)


@pytest.mark.parametrize("played", [None, [], "play", {}, {"game": 3}, {"game": "nim", "moves": {"a": 1}}])
def test_games_that_are_none(played):
    with pytest.raises(GameError):
        played_position(CATALOGUE, played)


OWN = """
from zermelo import Game, OVER

class Countdown(Game):
    name = "countdown"
    def start(self): return 7
    def player(self, s): return OVER if s == 0 else s % 2
    def actions(self, s): return [1, 2] if s > 1 else [1]
    def succ(self, s, a): return s - a
    def utility(self, s, player=0): return 1 if player == 0 else -1
    def text(self, s): return f"<{s}> left"
"""


def test_a_game_of_ones_own(tmp_path):
    (tmp_path / "own.py").write_text(OWN)
    catalogue = Catalogue((f"{tmp_path / 'own.py'}:Countdown",))
    position = make_position(catalogue, "countdown", None, None, ["2"])
    assert board_html(position, ["1"]) == "<pre>&lt;4&gt; left</pre>"
    with pytest.raises(GameError):
        make_position(catalogue, "countdown", None, "5")  # it reads no positions
    answer = ask(position.origin, "textbook", **{key: position.message[key] for key in ("options", "start", "moves")})
    assert answer["value"] == 1
    assert [one["move"] for one in answer["moves"]] == ["1", "2"]


def test_the_board_points():
    position = make_position(CATALOGUE, "chess")
    assert 'class="arrow"' not in board_html(position, [])
    assert "arrow" in board_html(position, [], "e4").replace(".zb .arrow", "")
    assert board_html(position, ["e4"]) != board_html(position, ["e4", "e5"])
    with pytest.raises(GameError):
        board_html(position, ["e9"])
