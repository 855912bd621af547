"""The structure of the SVG: every node is there, nothing overlaps, what is pruned is struck through."""

import json
import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.drawing.tree.recorded_search import COIN, THREE, search, searched
from zermelo.core.game import GameError
from zermelo.core.trace import Node, Trace
from zermelo.drawing import draw, game_tree, svg, tree_svg
from zermelo.games.tree import GAME_1, tree_game

TREES = {
    "game 1": GAME_1,
    "coin": COIN,
    "three": THREE,
    "uneven": "[[1, [2, [3, [4, 5]]]], 100000, [[[6]]], [7, 8, 9]]",
}
nested = st.recursive(st.integers(-999, 999), lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=30)


def parsed(text):
    return ElementTree.fromstring(text)


def classes(element):
    return set((element.get("class") or "").split())


def groups(picture, name):
    return [g for g in picture.iter("{http://www.w3.org/2000/svg}g") if name in classes(g)]


def spans(picture):
    """(top, left, right) of every node: its shape together with everything written at it."""
    for node in groups(picture, "node"):
        box = node.find("{*}*[@class='shape']")
        if box is None:
            box = node.find("{*}text")
            half = svg.text_width(box.text, 11) / 2
            yield float(box.get("y")) - 12, float(box.get("x")) - half, float(box.get("x")) + half
            continue
        if box.get("points"):
            xs, ys = zip(*(map(float, point.split(",")) for point in box.get("points").split()), strict=True)
            top, left, right = min(ys), min(xs), max(xs)
        elif box.get("r"):
            x, y, r = (float(box.get(name)) for name in ("cx", "cy", "r"))
            top, left, right = y - r, x - r, x + r
        else:
            top, left = float(box.get("y")), float(box.get("x"))
            right = left + float(box.get("width"))
        for text in node.findall("{*}text"):
            x, width = float(text.get("x")), svg.text_width(text.text, 11)
            start = x - width / 2 if text.get("text-anchor") == "middle" else x
            left, right = min(left, start), max(right, start + width)
        yield round(top, 1), left, right


def assert_nothing_overlaps(picture):
    rows = {}
    for top, left, right in spans(picture):
        rows.setdefault(top, []).append((left, right))
    for row in rows.values():
        for (_, right), (left, _) in pairwise(sorted(row)):
            assert right <= left + 0.02
    labels = {}
    for label in groups(picture, "label"):
        patch = label.find("{*}rect")
        left = float(patch.get("x"))
        labels.setdefault(patch.get("y"), []).append((left, left + float(patch.get("width"))))
    for row in labels.values():
        for (_, right), (left, _) in pairwise(sorted(row)):
            assert right <= left + 0.02


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_every_node_appears_and_nothing_overlaps(tree):
    trace = searched(tree)
    picture = parsed(tree_svg(trace, "a title"))
    nodes = groups(picture, "node")
    everything = list(trace.root.walk())
    assert len(nodes) == len(everything)
    assert len({node.get("id") for node in nodes}) == len(nodes)
    assert {int(n.get("data-order")) for n in nodes if n.get("data-order")} == set(range(len(trace.visited)))
    assert [node.get("id") for node in nodes if "play" in classes(node)]
    assert all(node.findtext("{*}title") for node in nodes)
    assert {edge.get("data-to") for edge in groups(picture, "edge") if edge.get("data-to")} == {
        node.get("id") for node in nodes
    } - {"n"}
    assert_nothing_overlaps(picture)


def test_shapes_are_those_of_the_lecture():
    picture = parsed(tree_svg(searched(COIN)))
    by_id = {node.get("id"): node for node in groups(picture, "node")}
    up, circle, down, leaf = (by_id[name].find("{*}*[@class='shape']") for name in ("n", "n-0", "n-0-0", "n-0-0-0"))
    corners = [[tuple(map(float, p.split(","))) for p in shape.get("points").split()] for shape in (up, down)]
    assert sum(y == min(y for _, y in corners[0]) for _, y in corners[0]) == 1  # ▲ has one corner on top
    assert sum(y == min(y for _, y in corners[1]) for _, y in corners[1]) == 2  # ▼ has two
    assert circle.tag.endswith("circle")
    assert leaf.tag.endswith("rect")
    assert [t.text for t in by_id["n-0-0-0"].findall("{*}text")] == ["−50"]
    labels = [[t.text for t in label.findall("{*}text")] for label in groups(picture, "label")]
    assert ["tails", "0.5"] in labels


def test_pruned_edges_are_struck_through():
    game_1 = tree_game()
    trace = search(game_1)
    for game in (None, game_1):
        picture = parsed(tree_svg(trace, game=game))
        struck = [edge for edge in groups(picture, "edge") if len(edge.findall("{*}line[@class='cut']")) == 2]
        assert [edge.get("data-to") for edge in struck] == ["n-2-1", None]  # and in the legend
        (node,) = [node for node in groups(picture, "node") if "pruned" in classes(node)]
        assert [t.text for t in node.findall("{*}text")] == ([] if game is None else ["15"])
        assert "pruned: −5 ≤ 1" in node.findtext("{*}title")


def test_values_windows_and_bounds_are_written():
    picture = parsed(tree_svg(searched()))
    written = {n.get("id"): [t.text for t in n.findall("{*}text")] for n in groups(picture, "node")}
    assert written["n"] == ["1", "[−∞, ∞]"]
    assert written["n-2"] == ["≤−5", "[1, ∞]"]
    assert written["n-1-1"] == ["3"]


def test_text_is_escaped():
    text = draw(Node("end", value=1.0), title="<script>alert('&')</script>").svg
    assert "<script>" not in text
    assert parsed(text).findtext("{*}title") == "<script>alert('&')</script>"
    name = "<b&\"']]"
    labels = groups(parsed(tree_game(json.dumps({name: [1, 2], "c": 3})).svg(())), "label")
    assert labels[0].findtext("{*}text") == name


@given(nested)
@settings(max_examples=40, deadline=None)
def test_any_tree_is_drawn_without_overlaps(tree):
    game = tree_game(json.dumps(tree))
    trace = search(game)
    half = len(trace.steps) // 2
    for drawing in (draw(trace), draw(trace, game=game), draw(game_tree(game), title="t"), draw(trace, upto=half)):
        assert_nothing_overlaps(parsed(drawing.svg))
        assert drawing.text


def test_every_step_can_be_drawn_and_nothing_moves():
    game_1 = tree_game()
    trace = search(game_1)
    places = set()
    for k in range(len(trace.steps) + 1):
        picture = parsed(tree_svg(trace, upto=k, game=game_1))
        edges = [edge for edge in groups(picture, "edge") if edge.get("data-to")]
        places.add((picture.get("viewBox"), *(tuple(edge.find("{*}line").attrib.items()) for edge in edges)))
        assert len(picture.findall(".//{*}*[@class='halo']")) == min(k, 1)
    assert len(places) == 1
    assert not groups(parsed(tree_svg(trace, upto=len(trace.steps))), "ahead")


def test_themes():
    trace = searched()
    assert "prefers-color-scheme: dark" in tree_svg(trace)
    for theme in ("light", "dark"):
        text = tree_svg(trace, theme=theme)
        assert "@media" not in text
        assert f'class="zermelo-tree {theme}"' in text
    style = parsed(tree_svg(trace)).findtext("{*}style")
    rules = [line for line in style.splitlines() if "{" in line and not line.startswith("@")]
    assert all(s.strip().startswith(".zermelo-tree ") for r in rules for s in r.split("{")[0].split(","))
    assert not re.search(r"\b(INK|PAPER|MUTED|EDGE|FAINT|DIM|CUT|HALO)\b", style)


def test_save_is_atomic_and_only_svg(tmp_path):
    drawing = draw(searched(), title="Game 1")
    target = tmp_path / "tree.svg"
    target.write_text("old")
    assert drawing.save(target) == target
    assert target.read_text("utf-8") == drawing.svg + "\n" == drawing._repr_svg_() + "\n"
    assert list(tmp_path.iterdir()) == [target]
    with pytest.raises(GameError, match=r"saved as \.svg"):
        drawing.save(tmp_path / "tree.png")
    with pytest.raises(GameError, match="cannot be written"):
        drawing.save(tmp_path / "nowhere" / "tree.svg")
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(GameError, match="is a folder"):
        drawing.save(tmp_path / "folder.svg")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["folder.svg", "tree.svg"]


def test_what_cannot_be_drawn():
    with pytest.raises(GameError, match="nothing was searched"):
        draw(Trace())
    with pytest.raises(GameError, match="step by step"):
        draw(Node("end", value=1.0), upto=1)
    with pytest.raises(GameError, match="27 steps"):
        draw(searched(), upto=28)
    with pytest.raises(GameError, match="at least one node"):
        draw(searched(), max_nodes=0)
