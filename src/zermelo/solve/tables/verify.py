"""Finished tables against the rules: every value must be what its successors say.

Where the plies to the end are there too, that is a proof. Values alone could agree with each other and be wrong all
together, as a win that rests on itself is; those are verified when they are built, level by level.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from zermelo.core.game import GameError
from zermelo.solve.tables.bodies import MEMBER, STATUS, VALUES, WAYS, WRONG, WRONG_AT, Group, Order
from zermelo.solve.tables.build import count_values, make_device, need_two_sides
from zermelo.solve.tables.expected import Expectation, Values
from zermelo.tables.files import Header
from zermelo.tables.tables import PLIES, TURNS, VALUE, WDL, Tables, ending_of

Tell = Callable[[str, int, int], None]  # the class, and how many of how many positions are verified


def verify_tables(tables: Tables, device: str = "cpu", threads: int | None = None, tell: Tell = lambda *_: None) -> int:
    """How many positions were verified; a GameError for the first class in which something is wrong."""
    need_two_sides(tables.game)
    headers = tables.headers()
    if not headers and tables.main_headers():
        return _verify_expected(tables, threads, tell)
    if not headers:
        raise GameError(f"there are no tables of {tables.game.name} in '{tables.folder}'")
    has_plies = {header.number for header in tables.headers(PLIES)} == {header.number for header in headers}
    runs = make_device(tables.game, device, threads)
    held = tables.known(has_plies)  # checksums are looked at on the way
    known = runs.known(np.asarray(held.classes), held.values["v"], held.plies["v"])
    total, done = sum(header.size for header in headers), 0
    for header in headers:
        _need_counts(tables, header)
        members = np.zeros(1, MEMBER)
        members["count"], members["number"] = header.size, header.number
        nothing = [runs.room_for(1, kind) for kind in (STATUS, "u4", "u4", "u2", "u1")]
        order = Order(1, int(has_plies), task=WAYS if has_plies else VALUES)

        def told(more: int, name: str = header.name) -> None:
            nonlocal done
            done += more
            tell(name, done, total)

        wrong = runs.run("verify", header.size, Group(runs.table(members), *nothing), known, order, told)
        if wrong[WRONG]:
            raise GameError(
                f"'{header.name}': {wrong[WRONG]:,} values do not agree with what the rules say of their successors, "
                f"of number {wrong[WRONG_AT]:,} among others: delete the tables and build them anew"
            )
    return total


def _verify_expected(tables: Tables, threads: int | None, tell: Tell) -> int:
    """The same for a game with chance. No value can rest on itself there: successors come first."""
    headers = tables.main_headers()
    known = Values.of([ending_of(header) for header in headers])
    solver = Expectation(tables.game, make_device(tables.game, "cpu", threads))
    for header in tables.headers(VALUE):
        file = tables.file(header.number, VALUE)
        assert file is not None
        known.of_class(header.number)[:] = file.content()
    total, done = sum(header.size for header in headers), 0
    for header in headers:
        one, alone = ending_of(header), tables.file(header.number, TURNS)
        wrong = solver.count_wrong_alone(one, alone.content()) if alone else solver.count_wrong(known, one)
        if wrong:
            raise GameError(
                f"'{header.name}': {wrong:,} values do not agree with what the rules say of their successors: delete "
                "the tables and build them anew"
            )
        done += header.size
        tell(header.name, done, total)
    return total


def _need_counts(tables: Tables, header: Header) -> None:
    file = tables.file(header.number, WDL)
    assert file is not None
    if count_values(file.content(), header.size) != header.counts:
        raise GameError(f"'{file.path}' does not hold what it says it counted: delete it and build it anew")
