"""The pages of the studio, and the pattern all of them follow. Adding a page is a folder here and a row of PAGES.

    a browser ──click──▶ view.py ──────▶ controller.py ──visit.ask──▶ pool.py ═══▶ worker.py ──▶ task.py
              ◀──widgets─── shows state ◀── changes state ◀── news, answer ────── another process ──┘

    page.py         page(visit, …): what the address may say; makes the controller and its view     NiceGUI
    view.py         the widgets: builds them, shows the controller's state, passes on what is done  NiceGUI
    controller.py   one visitor's state and actions; asks for searches                              no NiceGUI
    task.py         what a search process does for the page: one function a task                    no NiceGUI
    the others      the page's own: its model (no NiceGUI), and parts of its view (NiceGUI, HTML, styles)

A view knows its controller and calls its actions with what stands in the fields, unchecked. A controller knows of its
view only what the protocol `Shown` in its file says, and of the browser only `visit` (visit.py): it can be tested
without either. What all visitors of a server share is asked of `visit.site` (site.py), not kept in modules.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Page:
    """One page: the folder of its name, and how the menu shows it."""

    name: str
    path: str
    title: str
    icon: str
    about: str
    tasks: tuple[str, ...] = ()  # functions of its task.py that a search process can be asked for


PAGES = (
    Page(
        "play", "/", "Play", "casino", "Play any game, against a person or a program",
        tasks=("move", "value", "known", "ready", "check"),
    ),
    Page("analysis", "/analysis", "Analysis", "account_tree", "The search of a position, opened up", ("analysis",)),
    Page("lecture", "/lecture", "Lecture", "school", "Step through the algorithms, one node at a time", ("unfold",)),
    Page("agents", "/agents", "Agents", "pest_control", "What an agent believes about the others", ("episode",)),
    Page("zero", "/zero", "Zero", "psychology", "AlphaGo Zero's loop on a small game, live", ("zero_lesson",)),
    Page("arena", "/arena", "Train & arena", "insights", "Training curves, tournaments, ratings"),
)  # fmt: skip
