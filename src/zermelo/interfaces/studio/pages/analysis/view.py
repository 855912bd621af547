"""The page of analysis as it looks: position and search on the left, what was found on the right."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

from nicegui import ui

from zermelo.interfaces.studio.catalogue import is_two_sided
from zermelo.interfaces.studio.pages.analysis.limits import MOST_DEPTH, MOST_SIMULATIONS, SAMPLED, most_seconds
from zermelo.interfaces.studio.pages.analysis.moves_table import did_html, moves_about, moves_html, stages_html
from zermelo.interfaces.studio.pages.analysis.networks import planes_html
from zermelo.interfaces.studio.pages.analysis.position import ABOUT, TREE
from zermelo.interfaces.studio.pages.analysis.rows import summary, tree_html, view_text
from zermelo.interfaces.studio.pages.analysis.style import DARK, STYLE
from zermelo.interfaces.studio.pages.analysis.tree import drawn_name

if TYPE_CHECKING:
    from zermelo.interfaces.studio.pages.analysis.controller import Controller

SECONDS = 2.0  # of a search, unless told otherwise
TREE_ABOUT = (
    "Click a row to open or close it, and to see its position on the board. The best line is bold. "
    "Below a hollow ▹ nothing is known yet: opening it searches from there."
)
# What was clicked, or chosen by a key: the nearest thing that says what it stands for.
CLICKED = """(e) => {
  const key = e.type === 'keydown';
  if (key) { if (e.key !== 'Enter' && e.key !== ' ') return; e.preventDefault(); }
  const at = e.target.closest('[data-path],[data-more],[data-again],[data-move],g.node[id]:not(.stub)');
  if (at) emit({...at.dataset, id: at.id || '', key: key});
}"""
# Move a wide drawing so that the node of a name is in its middle, once it is there.
CENTRE = """setTimeout(() => {
  const box = getHtmlElement(%d), at = box?.querySelector('#%s');
  if (at) box.scrollLeft += at.getBoundingClientRect().left - box.getBoundingClientRect().left - box.clientWidth / 2;
}, 80)"""
POINTED = "(e) => { const at = e.target.closest('[data-move]'); if (at) emit({move: at.dataset.move}); }"


class View:
    """The page's elements."""

    def __init__(self, controller: Controller) -> None:
        self.controller, self.site = controller, controller.site
        ui.add_css(STYLE + DARK)
        with ui.element("div").classes("za-grid"):
            with ui.element("div").classes("za-left"):
                with card():
                    self.build_position()
                with card():
                    self.build_search()
            with ui.element("div").classes("za-right"):
                self.hint = ui.label("Choose a position and press Search: its tree and all its moves will stand here.")
                self.hint.classes("z-card z-muted")
                with ui.element("div").classes("za-right") as self.found:
                    self.build_answer()
                self.found.visible = False
        for element in (self.moves, self.tree, self.drawing):
            for event in ("click", "keydown"):
                element.on(event, lambda e: controller.click(e.args), js_handler=CLICKED)
        self.moves.on("mouseover", lambda e: controller.point(e.args), js_handler=POINTED, throttle=0.15)
        self.moves.on("mouseleave", lambda e: controller.unpoint(), js_handler="() => emit({})")

    # -- layout --------------------------------------------------------------------------------------------------------

    def build_position(self) -> None:
        self.title = ui.select(self.site.catalogue.titles, label="Game").classes("w-full")
        self.title.on_value_change(lambda e: self.controller.choose_game(e.value))
        self.title.props('dense outlined options-dense data-testid="analysis-game"')
        self.turn = ui.label().classes("z-muted text-sm q-my-xs").props('data-testid="analysis-turn"')
        self.board = ui.html("", sanitize=False).classes("z-board za-board").props('data-testid="analysis-board"')
        self.heat = ui.toggle({"policy": "policy", "visits": "visits", "": "plain"}, value="policy").props(
            'dense no-caps unelevated data-testid="analysis-heat"'
        )
        self.heat.on_value_change(lambda e: self.controller.choose_heat(e.value))
        self.heat.visible = False
        with ui.row().classes("w-full items-center no-wrap gap-1"):
            self.position = ui.input("Position").props('dense data-testid="analysis-position"').classes("grow z-mono")
            self.position.on("keydown.enter", self.set_position)
            self._button("", "check", self.set_position, "set", "look at the position written here")
            self._button("", "first_page", self.controller.set_start, "reset", "the start position")
        with ui.row().classes("gap-1"):
            act = self.controller
            self.mine = self._button(
                "My game", "casino", act.take_played, "mine", "the position of the game on the page Play"
            )
            self.here = self._button(
                "Look from here", "login", act.look_from_here, "here",
                "make the position on the board the one that is searched",
            )  # fmt: skip
            self.back = self._button(
                "Back", "undo", act.go_back, "back", "back to the position from which this one was looked at"
            )
        self.mine.visible = self.here.visible = self.back.visible = False

    def _button(self, words: str, icon: str, act: Callable[[], Any], name: str, tip: str) -> ui.button:
        button = ui.button(words, icon=icon, on_click=act).tooltip(tip)
        return button.props(f'flat dense no-caps data-testid="analysis-{name}" aria-label="{words or tip}"')

    def build_search(self) -> None:
        self.search = ui.select({}, label="Search", on_change=self.show_limits).classes("w-full")
        self.search.props('dense outlined options-dense data-testid="analysis-search"')
        self.about = ui.label().classes("z-muted text-sm q-my-sm za-about")
        most = most_seconds(self.site.bounds)
        with ui.row().classes("items-center gap-2 no-wrap w-full"):
            self.seconds = ui.number("Seconds", value=min(SECONDS, most), min=0.1, max=most, step=0.5)
            self.depth = ui.number("Depth", min=1, max=MOST_DEPTH, step=1)
            self.simulations = ui.number("Simulations", min=1, max=MOST_SIMULATIONS, step=1000)
        self.seconds.props('dense outlined data-testid="analysis-seconds"').classes("grow")
        self.depth.props('dense outlined clearable stack-label placeholder="any" data-testid="analysis-depth"')
        self.simulations.props(
            'dense outlined clearable stack-label placeholder="any" data-testid="analysis-simulations"'
        )
        self.depth.classes("grow")
        self.simulations.classes("grow")
        self.network = ui.select([], label="Network").classes("w-full q-mt-sm")
        self.network.props('dense outlined options-dense data-testid="analysis-network"')
        self.learned = ui.checkbox("learned evaluation", value=True)
        self.learned.tooltip("judge positions by weights learned from self-play, or else by the hand-written estimate")
        with ui.row().classes("items-center gap-2 q-mt-sm"):
            self.go = ui.button("Search", icon="search", on_click=self.begin_search).props(
                'no-caps unelevated data-testid="analysis-go"'
            )
            self.stop = ui.button("Cancel", icon="close", on_click=self.controller.cancel).props(
                'no-caps flat data-testid="analysis-cancel"'
            )
        self.stop.visible = False
        self.status = ui.label().classes("text-sm z-mono za-status")
        self.status.props('data-testid="analysis-status" aria-live="polite"')

    def build_answer(self) -> None:
        with card():
            self.said = ui.html("", sanitize=False).props('data-testid="analysis-summary"')
            self.whose = ui.label().classes("z-muted text-sm q-mt-xs").props('data-testid="analysis-view"')
        with card():
            self.moves_title = ui.label().classes("font-bold")
            self.moves_about = ui.label().classes("z-muted text-sm")
            self.moves = ui.html("", sanitize=False).classes("za-tall").props('data-testid="analysis-moves"')
        with card():
            with ui.row().classes("items-center w-full"):
                ui.label("The tree").classes("font-bold grow")
                ui.button("Close all", icon="unfold_less", on_click=self.controller.fold).props("flat dense no-caps")
            self.tree_about = ui.label().classes("z-muted text-sm q-mb-xs")
            self.tree = ui.html("", sanitize=False).props('data-testid="analysis-tree"')
        with card().classes("za-drawing"):
            ui.label("The open part, drawn").classes("font-bold")
            ui.label("Click a node to open or close it.").classes("z-muted text-sm")
            self.drawing = ui.html("", sanitize=False).classes("z-scroll").props('data-testid="analysis-drawing"')
        self.sight = folded("What the network sees", "grid_on").props('data-testid="analysis-planes"')
        with self.sight:
            ui.label("Every plane as its input has it, from the view of whoever moves.").classes("z-muted text-sm")
            self.planes = ui.html("", sanitize=False).classes("z-scroll")
        with folded("How the choice came about", "timeline").props('data-testid="analysis-stages"'):
            self.stages = ui.html("", sanitize=False).classes("z-scroll")
        with folded("What each technique did", "tune").props('data-testid="analysis-did"'):
            self.did = ui.html("", sanitize=False).classes("z-scroll")

    # -- what is done --------------------------------------------------------------------------------------------------

    async def set_position(self) -> None:
        await self.controller.set_position(self.position.value)

    async def begin_search(self) -> None:
        fields = ("search", "seconds", "depth", "simulations", "learned", "network")
        await self.controller.search({name: getattr(self, name).value for name in fields})

    # -- showing -------------------------------------------------------------------------------------------------------

    def show_position(self) -> None:
        position = self.controller.position
        if position is None:
            return
        self.title.value, self.position.value = position.title, position.text
        self.mine.visible, self.back.visible = self.controller.has_played, bool(self.controller.trail)
        searches = position.searches
        kept = self.search.value if self.search.value in searches else next(iter(searches))
        self.search.set_options(searches, value=kept)
        self.show_limits()

    def show_limits(self) -> None:
        search, position = self.search.value, self.controller.position
        self.simulations.visible, self.depth.visible = search in SAMPLED, search not in SAMPLED
        networks = [] if position is None else list(position.networks)
        self.network.set_options(networks, value=self.network.value if self.network.value in networks else None)
        if self.network.value is None and networks:
            self.network.value = networks[0]
        self.network.visible = search == "zero"
        self.about.text = ABOUT.get(str(search), "")
        self.learned.visible = position is not None and search == "alphabeta" and position.has_weights

    def show_board(self) -> None:
        self.board.content, self.turn.text = self.controller.board, self.controller.turn
        self.here.visible = self.controller.is_below

    def show_status(self) -> None:
        self.go.set_enabled(not self.controller.is_searching)
        self.stop.visible, self.status.text = self.controller.is_busy, self.controller.status

    def show_answer(self) -> None:
        answer, position = self.controller.answer, self.controller.position
        self.found.visible, self.hint.visible = answer is not None, answer is None
        self.heat.visible = answer is not None and "judged" in answer
        if answer is None or position is None:
            return
        first, *others = summary(answer)
        rest = "".join(f'<div class="text-sm">{escape(words)}</div>' for words in others)
        self.said.content = f'<div class="za-big">{escape(first)}</div>{rest}'
        self.whose.text = view_text(position.game.players, is_two_sided(position.game))
        self.moves_title.text = "The outcomes" if answer["chance"] else "The moves"
        self.moves_about.text = f"{moves_about(answer)} Point at one to see it on the board; click to open it."
        self.tree_about.text = f"{TREE[answer['search']]} {TREE_ABOUT}"
        self.sight.visible = "planes" in answer
        self.planes.content = planes_html(answer.get("planes", []))
        self.stages.content, self.did.content = stages_html(answer), did_html(answer)
        script = f"if (innerWidth <= 860) getHtmlElement({self.found.id}).scrollIntoView({{behavior: 'smooth'}})"
        self.controller.visit.client.run_javascript(script)  # on a phone, the answer stands below the fields

    def show_tree(self) -> None:
        answer, outline, selected = self.controller.answer, self.controller.outline, self.controller.selected
        if answer is not None and outline is not None:
            moves = outline.moves_to(selected)
            self.tree.content = tree_html(outline, selected, self.board.content if moves else "")
            self.moves.content = moves_html(answer, moves[0] if moves else "")

    def show_drawing(self) -> None:
        self.drawing.content = self.controller.drawing
        self.controller.visit.client.run_javascript(CENTRE % (self.drawing.id, drawn_name(self.controller.selected)))

    def focus(self, path: str) -> None:
        row = f'[data-testid="analysis-tree"] [data-path="{path}"]'
        self.controller.visit.client.run_javascript(f"document.querySelector('{row}')?.focus()")


def card() -> ui.element:
    return ui.element("div").classes("z-card")


def folded(title: str, icon: str) -> ui.expansion:
    return ui.expansion(title, icon=icon).classes("z-card za-folded w-full").props("dense")
