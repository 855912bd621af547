"""What the browser does while a piece is clicked or dragged, with a mouse, a pen or a finger.

    down     on a cell: remember it
    move     far enough: the piece is lifted (told to the server, which shows where it may go) and follows the pointer
    up       on the same cell: a click; on another: the drag [from, to]; beside the board: the piece is put down

Where moves are directions (`z-push`), a sweep over the board and the arrow keys push: told by the event PUSHED.

The board is a picture that the server draws anew while the piece is in the air, so what follows the pointer is a copy
of its shapes, above the page. Which shapes make a piece is seen from the picture: the topmost in the cell that take no
clicks, and what is drawn about the same middle; or the cell itself, where it is no field of a board. From which cells
one may be lifted stands in `data-starts`. A touch does not scroll the page where pieces are dragged (`z-drag`).
"""

PUSHED = "zermelo-push"
SWEEP = 24  # pixels of a sweep at least
LIFT = 8  # pixels a pointer moves before a piece is lifted: fingers tremble
SETUP = """
window.zDrag ||= {
  shapes(board, name) {
    const cell = board.querySelector(`[data-at="${CSS.escape(name)}"]`)
    if (!cell) return []
    const room = cell.getBoundingClientRect(), middle = (r) => [r.left + r.width / 2, r.top + r.height / 2]
    const small = Math.min(room.width, room.height)
    const inside = [...board.querySelectorAll('svg > [pointer-events="none"]:not(.last):not(.target):not(.arrow)')]
      .map((shape) => [shape, shape.getBoundingClientRect()])
      .filter(([, r]) => {
        const [x, y] = middle(r)
        return x > room.left && x < room.right && y > room.top && y < room.bottom && r.width <= 1.1 * room.width
      })
      .filter(([, r]) => Math.max(r.width, r.height) > small / 3)
    if (!inside.length) return cell.matches('rect, polygon') ? [] : [cell]
    const [cx, cy] = middle(inside[inside.length - 1][1])
    return inside.filter(([, r]) => {
      const [x, y] = middle(r)
      return Math.hypot(x - cx, y - cy) < small / 3
    }).map(([shape]) => shape)
  },
  lift(board, drag) {
    const svg = board.querySelector('svg'), shapes = zDrag.shapes(board, drag.from)
    const starts = JSON.parse(board.dataset.starts || '[]')
    if (!svg || !shapes.length || !starts.includes(drag.from)) return null
    const place = svg.getBoundingClientRect(), copy = svg.cloneNode(false)
    for (const style of svg.querySelectorAll('style, defs')) copy.append(style.cloneNode(true))
    for (const shape of shapes) copy.append(shape.cloneNode(true))
    copy.classList.add('z-lifted')
    Object.assign(copy.style, {
      left: place.left + 'px', top: place.top + 'px', width: place.width + 'px', height: place.height + 'px',
    })
    document.body.append(copy)
    drag.redrawn = new MutationObserver(() => zDrag.leave(board, drag))  // by a value, say, while the pointer rests
    drag.redrawn.observe(board, {childList: true, subtree: true})
    return copy
  },
  leave(board, drag) {
    for (const shape of zDrag.shapes(board, drag.from)) shape.classList.add('z-left')
  },
  push(board, drag, e) {
    const dx = e.clientX - drag.x, dy = e.clientY - drag.y
    if (!board.classList.contains('z-push') || Math.hypot(dx, dy) < SWEEP) return false
    const flat = Math.abs(dx) > Math.abs(dy)
    emitEvent('PUSHED', flat ? (dx < 0 ? 'left' : 'right') : (dy < 0 ? 'up' : 'down'))
    return true
  },
  end(board) {
    board.drag?.copy?.remove()
    board.drag?.redrawn?.disconnect()
    for (const shape of board.querySelectorAll('.z-left')) shape.classList.remove('z-left')
    board.drag = null
  },
}
addEventListener('keydown', (e) => {
  const way = {ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right'}[e.key]
  if (!way || e.ctrlKey || e.altKey || e.metaKey || !document.querySelector('.z-push')) return
  if (e.target.closest?.('input, textarea, select, [role=slider], .q-menu, .q-dialog')) return
  e.preventDefault()
  emitEvent('PUSHED', way)
})
""".replace("PUSHED", PUSHED).replace("SWEEP", str(SWEEP))
DOWN = """(e) => {
  if (e.button !== 0 || !e.isPrimary) return
  const board = e.currentTarget, cell = e.target.closest('[data-at]')
  zDrag.end(board)
  board.drag = {from: cell ? cell.dataset.at : null, x: e.clientX, y: e.clientY, lifted: false, copy: null}
}"""
MOVE = f"""(e) => {{
  const board = e.currentTarget, drag = board.drag
  if (!drag || drag.from === null || !board.classList.contains('z-drag')) return
  const dx = e.clientX - drag.x, dy = e.clientY - drag.y
  if (!drag.lifted && Math.hypot(dx, dy) < {LIFT}) return
  if (!drag.lifted) {{
    drag.lifted = true
    board.setPointerCapture(e.pointerId)
    drag.copy = zDrag.lift(board, drag)
    emit(drag.from)
  }}
  if (drag.copy) {{
    drag.copy.style.transform = `translate(${{dx}}px, ${{dy}}px)`
    zDrag.leave(board, drag)
  }}
}}"""
UP = """(e) => {
  const board = e.currentTarget, drag = board.drag
  if (!drag) return
  const under = document.elementFromPoint(e.clientX, e.clientY)
  const cell = under && board.contains(under) ? under.closest('[data-at]') : null
  const to = cell ? cell.dataset.at : null
  zDrag.end(board)
  if (zDrag.push(board, drag, e)) return
  if (to !== null && to === drag.from && !drag.lifted) emit([to])
  else if (drag.lifted && to !== drag.from) emit(to === null ? [drag.from] : [drag.from, to])
}"""
CANCEL = "(e) => zDrag.end(e.currentTarget)"
STYLE = """
.z-drag, .z-push { touch-action: none } .z-drag [data-at] { cursor: grab }
.z-lifted { position: fixed; z-index: 5000; pointer-events: none; overflow: visible; max-height: none !important;
  filter: drop-shadow(0 5px 5px rgb(0 0 0 / .45)) }
.z-left { opacity: .25 }
"""
