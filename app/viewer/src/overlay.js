// The DOM round the drawing: canvas, legend line below it (so that it hides nothing), status, pictures without WebGL.
import { FORM_STYLE } from './picture_form.js'
import { BUTTONS_STYLE } from './view_buttons.js'

const STYLE = `${BUTTONS_STYLE}${FORM_STYLE}
.armsweep { display: flex; flex-direction: column; width: 100%; height: 100%; min-height: 0; overflow: hidden;
  container-type: inline-size; background: #f1f4f8; color: #1d2733; font: 0.8125rem/1.4 system-ui, sans-serif; }
.armsweep.dark { background: #14191f; color: #e6ebf1; }
.armsweep .drawing { position: relative; flex: 1 1 auto; min-height: 0; }
.armsweep canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block; outline: none; cursor: grab; }
.armsweep .room { position: absolute; visibility: hidden; pointer-events: none;
  inset: var(--room-top, 0px) var(--room-right, 0px) var(--room-bottom, 0px) 0px; }
.armsweep .focus-ring { position: absolute; inset: 0; pointer-events: none; display: none; border: 3px solid #0b66c3; }
.armsweep.dark .focus-ring { border-color: #7cc0ff; }
.armsweep canvas:focus-visible + .focus-ring { display: block; }
.armsweep img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; }
.armsweep .status { position: absolute; left: 50%; top: 12px; transform: translateX(-50%); padding: 4px 12px;
  border-radius: 4px; background: #7a4300; color: #fff; }
.armsweep .hint { position: absolute; left: 12px; bottom: calc(var(--room-bottom, 0px) + 8px); pointer-events: none; opacity: 0.8;
  visibility: var(--controls, visible); }
.armsweep .notes { flex: none; display: flex; flex-wrap: wrap; align-content: flex-start; gap: 1px 0.75rem;
  padding: 3px 12px 0 12px; margin-bottom: 6px; height: var(--notes, 2.7rem); overflow-y: auto; } /* two lines, so that the picture keeps its size whatever is shown; more can be scrolled to */
.armsweep .notes { transform: translateY(calc(var(--lift, 0) * -1 * var(--moves-lift, 0px)));
  max-width: calc(100% - var(--notes-right, 0px)); background: color-mix(in srgb, var(--page, #fff) calc(var(--lift, 0) * 75%), transparent); }
.armsweep .notes .chip { display: inline-flex; align-items: center; gap: 0.375rem; }
.armsweep .notes .chip i { width: 0.6875rem; height: 0.6875rem; border-radius: 2px; box-shadow: 0 0 0 1px #0004; }
.armsweep .notes sub { line-height: 0; }
.armsweep .notes .chip svg { width: 1rem; height: 1rem; flex: none; }
@container (max-width: 44rem) { .armsweep .notes { height: var(--notes, 4rem); } } /* a narrow picture: three lines */
@container (max-width: 34rem) { .armsweep .notes { height: var(--notes, 5.3rem); } } /* half of a low page: four */
@container (max-width: 27rem) { /* a phone: of all the symbols */
  .armsweep .notes { column-gap: 10px; height: var(--notes, 4rem); font-size: 0.75rem; }
  .armsweep .notes .words { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
}
.armsweep .notes:empty, .armsweep [hidden] { display: none; }
.armsweep .spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.armsweep .label { position: absolute; left: 0; top: 0; pointer-events: none; padding: 1px 8px; border-radius: 4px;
  background: #ffffffe6; border: 1px solid #0b1220; color: #0b1220; font-weight: 600; white-space: nowrap;
  font-variant-numeric: tabular-nums; }
.armsweep.dark .label { background: #14191fe6; border-color: #ffffff; color: #ffffff; }
`

const LABEL = '3D view of the system. Shift and arrow keys turn the view, Control and arrow keys move it, plus and minus '
  + 'zoom, Home and 0 show all, 1, 2 and 3 show it from the front, the side and above, T turns it slowly, Escape clears the selection. Arrow keys alone walk through the computation. Dragging a body '
  + 'with the pointer pushes it; the Change tab has the same for the keyboard.'

const DRAGGED = 'armsweep-dragged'

/** What the browser keeps under a name; null where it keeps nothing. */
function stored(name, value) {
  try {
    if (value !== undefined) localStorage.setItem(name, value)
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

function element(tag, className, parent) {
  const node = document.createElement(tag)
  if (className) node.className = className
  parent?.append(node)
  return node
}

/** A symbol with its indices: ``x_FREE``. */
function indexed(symbol) {
  return symbol.split(/_([A-Z]+)/).map((part, k) => {
    if (k % 2 === 0) return part
    const index = document.createElement('sub')
    index.textContent = part
    return index
  })
}

/** The stated scales, and how wide a cell of the grid is (m). */
export const scales = (caption, cell) => [caption, cell && `grid: ${Number(cell.toPrecision(1))} m`].filter(Boolean)

export const entries = (legend) => (legend ?? []).map((entry) => (entry instanceof Map ? Object.fromEntries(entry) : entry))

export class Overlay {
  constructor() {
    this.root = element('div', 'armsweep')
    element('style', '', this.root).textContent = STYLE
    this.drawing = element('div', 'drawing', this.root)
    this.canvas = element('canvas', '', this.drawing)
    this.canvas.tabIndex = 0
    this.canvas.setAttribute('role', 'application')
    this.canvas.setAttribute('aria-label', LABEL)
    element('div', 'focus-ring', this.drawing)
    this.room = element('div', 'room', this.drawing)
    this.image = element('img', '', this.drawing)
    this.image.alt = 'The system, as a picture rendered on the server'
    this.image.hidden = true
    this.status = element('div', 'status', this.drawing)
    this.status.setAttribute('role', 'status')
    this.status.hidden = true
    this.label = element('div', 'label', this.drawing)
    this.label.hidden = true
    this.hint = element('div', 'hint', this.drawing)
    this.hint.textContent = 'Drag a link to push the arm'
    this.hint.hidden = true
    this.spoken = element('div', 'spoken', this.drawing)
    this.spoken.setAttribute('aria-live', 'polite')
    this.notes = element('div', 'notes', this.root)
    this.notes.tabIndex = 0
    this.notes.setAttribute('role', 'group')
    this.notes.setAttribute('aria-label', 'What the 3D view shows, with its scales')
    this.url = null
  }

  // Says that bodies can be dragged, until somebody has dragged one in this browser.
  offersDrag(can) {
    this.hint.hidden = !can || stored(DRAGGED) !== null
  }

  knowsDrag() {
    this.hint.hidden = true
    stored(DRAGGED, '')
  }

  set theme(name) {
    this.root.classList.toggle('dark', name === 'dark')
  }

  setStatus(text) {
    this.status.textContent = text
    this.status.hidden = !text
  }

  announce(name) {
    this.spoken.textContent = name ? `Selected: ${name}` : ''
  }

  // A sentence for readers of the screen; the same once more is another text, or it would not be heard.
  speak(words) {
    this.spoken.textContent = this.spoken.textContent === words ? `${words}\u00a0` : words
  }

  setNotes(legend, caption, cell, shadow) {
    this.notes.replaceChildren()
    for (const words of scales(caption, cell)) element('span', 'caption', this.notes).textContent = words
    if (shadow === 'at rest') element('span', 'caption', this.notes).textContent = 'shadow only at rest: drawing is slow here'
    for (const { name, short, color, icon } of entries(legend)) {
      const chip = element('span', 'chip', this.notes)
      if (icon) chip.innerHTML = icon // drawn by the server itself, never from a robot's file
      else element('i', '', chip).style.background = color
      const said = element('span', '', chip), brief = short && name.startsWith(short) ? short : name
      said.append(...indexed(brief))
      if (brief !== name) element('span', 'words', said).textContent = name.slice(brief.length)
    }
  }

  showPictures(bytes) {
    this.canvas.hidden = true
    const alone = bytes === undefined // a replay has nobody who would draw for it
    this.setStatus(alone ? 'No WebGL here: the scene cannot be drawn' : 'No WebGL here: pictures rendered on the server')
    if (!bytes?.byteLength) return
    const png = new Uint8Array(bytes, 0, 1)[0] === 0x89
    const url = URL.createObjectURL(new Blob([bytes], { type: png ? 'image/png' : 'image/jpeg' }))
    const old = this.url
    this.url = url
    this.image.src = url
    this.image.hidden = false
    if (old) URL.revokeObjectURL(old)
  }

  dispose() {
    if (this.url) URL.revokeObjectURL(this.url)
    this.root.remove()
  }
}
