from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.drawing import svg


def test_escapes_text_and_attributes():
    assert svg.text(1, 2, "a<b & 'c'") == '<text x="1" y="2" text-anchor="middle">a&lt;b &amp; &#39;c&#39;</text>'
    assert svg.rect(0, 0, 1, 1, class_='"x"') == '<rect x="0" y="0" width="1" height="1" class="&quot;x&quot;"/>'


@given(st.text())
def test_any_text_makes_well_formed_xml(content):
    picture = ElementTree.fromstring(svg.document(9, 9, [svg.text(0, 0, content)], title=content, aria_note=content))
    shown = picture.findtext("{http://www.w3.org/2000/svg}text")
    assert shown is not None
    assert len(shown.replace("\n", "")) == len(content.replace("\r", "").replace("\n", "")) or "\r" in content


@pytest.mark.parametrize(("x", "written"), [(1.0, "1"), (-0.001, "0"), (2.5, "2.5"), (1 / 3, "0.33"), (100.0, "100")])
def test_coordinates_are_short(x, written):
    assert svg.coordinate(x) == written


def test_attributes_are_python_names():
    assert svg.line(0, 0, 1, 1, stroke_width=2, class_="e", id=None) == (
        '<line x1="0" y1="0" x2="1" y2="1" stroke-width="2" class="e"/>'
    )


def test_a_group_has_its_tooltip_first():
    assert svg.group(["<a/>"], "why?") == "<g><title>why?</title><a/></g>"


def test_document_has_a_view_box_and_its_style():
    body = [svg.circle(1, 1, 1), svg.arrow_marker("head")]
    picture = ElementTree.fromstring(svg.document(40, 30, body, ".a > .b { fill: red }", title="T", class_="board"))
    assert picture.get("viewBox") == "0 0 40 30"
    assert picture.get("class") == "board"
    assert picture.findtext("{*}title") == "T"
    assert picture.findtext("{*}style") == ".a > .b { fill: red }"
    assert picture.find("{*}defs/{*}marker").get("id") == "head"
