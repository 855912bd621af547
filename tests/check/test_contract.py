"""The page of the contract says what the tables say; what they say of `check` is true."""

from pathlib import Path

from zermelo.check import KINDS
from zermelo.check.contract import page
from zermelo.compile.declarations import DECLARATIONS
from zermelo.compile.hooks import GROUPS, HOOKS

PAGE = Path(__file__).parents[2] / "docs" / "contract.md"


def test_the_page_is_made_from_the_tables():
    assert PAGE.read_text() == page(), "make contract writes it anew"


def test_every_row_has_a_meaning_and_a_line():
    text = page()
    for row in HOOKS.values():
        assert row.meaning.endswith((".", "stands.")), row.name
        returns = f" → {row.returns}" if row.returns else ""
        assert f"| `{row.name}({', '.join(row.parameters)}){returns}` | {row.meaning} |" in text
        assert row.is_required or row.otherwise, row.name
    for word in DECLARATIONS.values():
        assert word.sentence.endswith("."), word.name
        assert f"| `{word.name}` |" in text
    assert all(f"## {title}\n" in text for title in GROUPS.values())


def test_what_check_finds_are_faults_it_knows():
    for row in HOOKS.values():
        assert set(row.check) <= set(KINDS), row.name
