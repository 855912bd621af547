"""What endgame tables know, beside what a search made of the position."""

import pytest

from tests.interfaces.studio.pages.analysis.test_page import ask
from zermelo.interfaces.studio.pages.analysis.exact import exact_of, exact_text, has_exact
from zermelo.interfaces.studio.pages.analysis.moves_table import moves_about, moves_html
from zermelo.interfaces.studio.pages.analysis.rows import summary, worth_of

TWO_KINGS_TO_ONE = "W:WK9,K10:BK5"


@pytest.mark.jit
def test_the_truth_stands_beside_what_the_textbook_thinks():
    answer = ask("checkers", "textbook", start=TWO_KINGS_TO_ONE, depth=2)
    assert not answer["proven"]
    assert has_exact(answer)
    assert "By the endgame tables: lost for player 0 in 13 plies." in summary(answer)
    assert exact_text(exact_of(answer, "10-14")) == "\u22121, 13 plies"
    assert exact_text(exact_of(answer, "10-15")) == "0"
    listed = moves_html(answer, "")
    assert listed.count("★") == 1
    assert "\u22121, 17 plies" in listed
    assert "A ★ is perfect" in moves_about(answer)


@pytest.mark.jit
def test_a_choice_that_is_not_perfect_is_told_and_one_that_is_has_its_equals():
    answer = ask("checkers", "textbook", start=TWO_KINGS_TO_ONE, depth=1)
    worse = {**answer, "best": "9-13"}
    assert "Better, by the endgame tables: 10-14." in summary(worse)
    drawn = ask("checkers", "textbook", start="B:WK9,K18:B1,K20", depth=1)
    assert "Equally good, by the endgame tables: 20-24." in summary({**drawn, "best": "1-5"})


def test_without_tables_nothing_is_said_of_them():
    answer = ask("tic-tac-toe", "textbook", depth=2)
    assert answer["tables"] is None
    assert "tables" not in " ".join([*summary(answer), moves_about(answer), moves_html(answer, "")])


def test_values_that_were_looked_up():
    one = {"value": 1.0, "bound": "exact", "proven": True, "distance": 13, "distance_exact": True}
    assert worth_of(one) == "= 1 proven, 13 plies"
    assert worth_of({**one, "by_tables": True}) == "= 1 by tables, 13 plies"
    assert exact_text({"value": None, "plies": None}) == "–"
    assert exact_text({"value": -0.03791, "plies": None}) == "\u22120.038"
