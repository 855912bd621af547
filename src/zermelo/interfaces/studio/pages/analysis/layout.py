"""The page that looks inside, as it is laid out: position and search on the left, what was found on the right."""

from __future__ import annotations

from nicegui import ui

from zermelo.interfaces.studio.pages.analysis.style import DARK, STYLE
from zermelo.interfaces.studio.shell import Studio

MOST_DEPTH, MOST_SIMULATIONS = 60, 50_000_000
SECONDS = 2.0
TELLING = 3.0  # seconds to read the tree of a search that has ended

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


class Layout:
    """The elements; what they do is said in inside.py."""

    def __init__(self) -> None:
        ui.add_css(STYLE + DARK)
        with ui.element("div").classes("zi-grid"):
            with ui.element("div").classes("zi-left"):
                with card():
                    self.build_position()
                with card():
                    self.build_search()
            with ui.element("div").classes("zi-right"):
                self.hint = ui.label("Choose a position and press Search: its tree and all its moves will stand here.")
                self.hint.classes("z-card z-muted")
                with ui.element("div").classes("zi-right") as self.found:
                    self.build_answer()
                self.found.visible = False

    def build_position(self) -> None:
        self.title = ui.select(Studio.catalogue.titles, label="Game").classes("w-full")
        self.title.props('dense outlined options-dense data-testid="inside-game"')
        self.turn = ui.label().classes("z-muted text-sm q-my-xs").props('data-testid="inside-turn"')
        self.board = ui.html("", sanitize=False).classes("z-board zi-board").props('data-testid="inside-board"')
        with ui.row().classes("w-full items-center no-wrap gap-1"):
            self.position = ui.input("Position").props('dense data-testid="inside-position"').classes("grow z-mono")
            self.set = ui.button(icon="check").props('flat dense data-testid="inside-set" aria-label="Set position"')
            self.set.tooltip("look at the position written here")
            self.reset = ui.button(icon="first_page").props('flat dense aria-label="Start position"')
            self.reset.tooltip("the start position")
        with ui.row().classes("gap-1"):
            self.mine = ui.button("My game", icon="casino").props('flat dense no-caps data-testid="inside-mine"')
            self.mine.tooltip("the position of the game on the page Play")
            self.here = ui.button("Look from here", icon="login").props('flat dense no-caps data-testid="inside-here"')
            self.here.tooltip("make the position on the board the one that is searched")
            self.back = ui.button("Back", icon="undo").props('flat dense no-caps data-testid="inside-back"')
            self.back.tooltip("back to the position from which this one was looked at")
        self.mine.visible = self.here.visible = self.back.visible = False

    def build_search(self) -> None:
        self.search = ui.select({}, label="Search").classes("w-full")
        self.search.props('dense outlined options-dense data-testid="inside-search"')
        self.about = ui.label().classes("z-muted text-sm q-my-sm zi-about")
        most = most_seconds()
        with ui.row().classes("items-center gap-2 no-wrap w-full"):
            self.seconds = ui.number("Seconds", value=min(SECONDS, most), min=0.1, max=most, step=0.5)
            self.depth = ui.number("Depth", min=1, max=MOST_DEPTH, step=1)
            self.simulations = ui.number("Simulations", min=1, max=MOST_SIMULATIONS, step=1000)
        self.seconds.props('dense outlined data-testid="inside-seconds"').classes("grow")
        self.depth.props('dense outlined clearable stack-label placeholder="any" data-testid="inside-depth"')
        self.simulations.props(
            'dense outlined clearable stack-label placeholder="any" data-testid="inside-simulations"'
        )
        self.depth.classes("grow")
        self.simulations.classes("grow")
        self.learned = ui.checkbox("learned evaluation", value=True)
        self.learned.tooltip("judge positions by weights learned from self-play, or else by the hand-written estimate")
        with ui.row().classes("items-center gap-2 q-mt-sm"):
            self.go = ui.button("Search", icon="search").props('no-caps unelevated data-testid="inside-go"')
            self.stop = ui.button("Cancel", icon="close").props('no-caps flat data-testid="inside-cancel"')
        self.stop.visible = False
        self.status = ui.label().classes("text-sm z-mono zi-status")
        self.status.props('data-testid="inside-status" aria-live="polite"')

    def build_answer(self) -> None:
        with card():
            self.said = ui.html("", sanitize=False).props('data-testid="inside-summary"')
            self.view = ui.label().classes("z-muted text-sm q-mt-xs").props('data-testid="inside-view"')
        with card():
            self.moves_title = ui.label().classes("font-bold")
            self.moves_about = ui.label().classes("z-muted text-sm")
            self.moves = ui.html("", sanitize=False).classes("zi-tall").props('data-testid="inside-moves"')
        with card():
            with ui.row().classes("items-center w-full"):
                ui.label("The tree").classes("font-bold grow")
                self.close = ui.button("Close all", icon="unfold_less").props("flat dense no-caps")
            self.tree_about = ui.label().classes("z-muted text-sm q-mb-xs")
            self.tree = ui.html("", sanitize=False).props('data-testid="inside-tree"')
        with card().classes("zi-drawing"):
            ui.label("The open part, drawn").classes("font-bold")
            ui.label("Click a node to open or close it.").classes("z-muted text-sm")
            self.drawing = ui.html("", sanitize=False).classes("z-scroll").props('data-testid="inside-drawing"')
        with folded("How the choice came about", "timeline").props('data-testid="inside-stages"'):
            self.stages = ui.html("", sanitize=False).classes("z-scroll")
        with folded("What each technique did", "tune").props('data-testid="inside-did"'):
            self.did = ui.html("", sanitize=False).classes("z-scroll")


def most_seconds() -> float:
    """Of a search: some of what the server allows is left for reading its tree."""
    return max(Studio.bounds.seconds - TELLING, Studio.bounds.seconds / 2)


def card() -> ui.element:
    return ui.element("div").classes("z-card")


def folded(title: str, icon: str) -> ui.expansion:
    return ui.expansion(title, icon=icon).classes("z-card zi-folded w-full").props("dense")
