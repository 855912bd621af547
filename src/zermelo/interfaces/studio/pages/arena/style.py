"""How the page of trainings and tournaments looks, and what it says where there is nothing to see."""

STYLE = """
.z-arena { display: grid; grid-template-columns: 290px minmax(0, 1fr); gap: 14px; width: 100%; align-items: start }
.z-list { overflow-y: auto; max-height: 78vh; flex-wrap: nowrap } .z-arena > * { min-width: 0 }
@media (max-width: 900px) { .z-arena { grid-template-columns: minmax(0, 1fr) } .z-list { max-height: 230px } }
.z-list .on { background: color-mix(in srgb, var(--accent) 14%, transparent); border-radius: 8px }
.z-curve { overflow-x: auto } .z-curve svg { width: 100%; min-width: 480px; height: auto; max-width: 720px }
body.body--dark .curve text { fill: #c6ccd8 }
body.body--dark .curve .axis { stroke: #3b4452 } body.body--dark .curve .points { stroke: #6db3f2 }
body.body--dark .curve .band { fill: #6db3f2 } body.body--dark .curve .error { stroke: #ff7b7b }
.z-wrap { overflow-wrap: anywhere }
[data-testid=arena-replay] { scroll-margin-top: 76px }
.z-arena .q-table__card { background: transparent; color: inherit }
.z-arena .z-board svg { max-height: min(52vh, 460px) }
.z-moves { line-height: 1.7; overflow-wrap: anywhere; max-height: 40vh; overflow-y: auto }
"""
COMMANDS = (
    (
        "Learn an evaluation from self-play, which makes a folder under runs/:",
        "zermelo train connect-four --games 20000",
    ),
    (
        "Let players meet, everybody against everybody, and keep the games:",
        "zermelo tournament tic-tac-toe random minimax:depth=1 minimax:depth=3 --games 20 --record games.jsonl",
    ),
)
SCROLL = "document.querySelector('[data-testid=arena-replay]').scrollIntoView({behavior: 'smooth'})"
