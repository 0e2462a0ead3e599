// The scene as a file: which size, with the legend or without, in pixels or with the words in vectors.
import { fileName, saveBlob } from '../../copying.js'
import { IN_SVG, drawn, imageOf, pngOf } from '../../picturing.js'
import { COLORS, foot } from './picture_foot.js'

const SIZES = [[1280, 720], [1920, 1080], [3840, 2160], [7680, 4320]]
const OWN = 'own'
const [LEAST, MOST, ALL] = [64, 16384, 2 ** 26] // pixels along an edge, and in all: browsers make no larger ones
const BOUNDS = `From ${LEAST} to ${MOST} pixels along an edge, and ${Math.floor(ALL / 1e6)} million in all.`

export const FORM_STYLE = `
.armsweep .picture { zoom: var(--scale, 1); position: absolute; right: calc(var(--notes-right, 0px) / var(--scale, 1) + 6px); z-index: 1; width: min(17rem, calc(100% - 12px));
  bottom: calc(var(--room-bottom, 0px) + 40px); box-sizing: border-box; padding: 10px 12px; border-radius: 8px;
  max-height: calc(100% - var(--room-bottom, 0px) - 46px); overflow-y: auto;
  display: grid; gap: 8px; background: #ffffff; color: #1d2733; box-shadow: 0 2px 12px #0005; }
.armsweep.dark .picture { background: #222b35; color: #e6ebf1; }
.armsweep .picture[hidden] { display: none; }
.armsweep .picture strong { font-size: 0.875rem; }
.armsweep .picture .row { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
.armsweep .picture :is(select, input[type=number], button) { font: inherit; color: inherit; background: transparent;
  border: 1px solid #6b7785; border-radius: 4px; padding: 4px 8px; min-height: 28px; box-sizing: border-box; }
.armsweep .picture input[type=number] { width: 5.6rem; }
.armsweep.dark .picture option { background: #222b35; }
.armsweep .picture button { cursor: pointer; }
.armsweep .picture button[disabled] { opacity: 0.5; cursor: default; }
.armsweep .picture :focus-visible { outline: 2px solid #0b66c3; }
.armsweep.dark .picture :focus-visible { outline-color: #7cc0ff; }
@media (pointer: coarse) { .armsweep .picture { bottom: calc(var(--room-bottom, 0px) + 56px); }
  .armsweep .picture :is(select, input, button) { min-height: 44px; } }
@container (max-width: 27rem) { /* a phone: over the buttons, and without its title, which a reader of the screen has */
  .armsweep .picture { bottom: calc(var(--room-bottom, 0px) + 6px); gap: 4px; padding: 6px 12px;
    max-height: calc(100% - var(--room-bottom, 0px) - 12px); }
  .armsweep .picture strong { display: none; }
}
`

const FORM = `
<strong id="picture-title">Save the 3D view as a picture</strong>
<label class="row">Size
  <select name="size">${SIZES.map(([width, height]) => `<option value="${width} ${height}">${width} × ${height}</option>`).join('')}
  <option value="${OWN}">another</option></select></label>
<div class="row"><input name="width" type="number" min="${LEAST}" max="${MOST}" required aria-label="Width in pixels"> ×
  <input name="height" type="number" min="${LEAST}" max="${MOST}" required aria-label="Height in pixels"> pixels</div>
<label class="row"><input name="legend" type="checkbox" checked> With time, scales and legend</label>
<div class="row"><button name="png">Save PNG</button><button name="svg" title="Words in vectors, the scene in pixels">Save SVG</button>
  <button name="cancel" type="button">Close</button></div>
<div role="status"></div>`

export class PictureForm {
  // `take`: makes the canvas of a size; `about`: what is seen then, as a subject, lines of words, a legend and a theme.
  constructor(parent, { take, about, closed }) {
    Object.assign(this, { take, about, closed, busy: false })
    this.root = document.createElement('form')
    this.root.className = 'picture'
    this.root.noValidate = true // it says itself what is wrong, where a reader of the screen hears it
    this.root.setAttribute('role', 'dialog')
    this.root.setAttribute('aria-labelledby', 'picture-title')
    this.root.innerHTML = FORM
    this.root.hidden = true
    this.says = this.root.querySelector('[role=status]')
    const { size, width, height, cancel } = this.root.elements
    const fill = () => { if (size.value !== OWN) [width.value, height.value] = size.value.split(' ') }
    size.value = '1920 1080'
    fill()
    size.addEventListener('change', fill)
    for (const each of [width, height]) each.addEventListener('input', () => { size.value = OWN })
    cancel.addEventListener('click', () => this.cancel())
    this.root.addEventListener('keydown', (event) => event.stopPropagation()) // no key of the page's while one types here
    this.onKey = (event) => { // wherever the focus is: this page takes it from what a pointer has clicked
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      this.cancel()
    }
    this.root.addEventListener('submit', (event) => {
      event.preventDefault()
      this.save(event.submitter?.name === 'svg' ? 'svg' : 'png')
    })
    parent.append(this.root)
  }

  open() {
    this.root.hidden = false
    document.addEventListener('keydown', this.onKey, true)
    this.says.textContent = ''
    this.root.elements.size.focus()
  }

  // Of what is under way; where nothing is, the form goes.
  cancel() {
    if (this.busy) {
      this.ended = true
      return
    }
    this.root.hidden = true
    document.removeEventListener('keydown', this.onKey, true)
    this.closed()
  }

  async save(ending) {
    const { width, height, legend, png, svg, cancel } = this.root.elements
    const [wide, high] = [width, height].map((each) => Number(each.value))
    if (this.busy) return
    if (![wide, high].every((each) => Number.isInteger(each) && each >= LEAST && each <= MOST) || wide * high > ALL) {
      this.says.textContent = BOUNDS
      return
    }
    this.busy = png.disabled = svg.disabled = true
    this.ended = false
    cancel.textContent = 'Cancel'
    this.says.textContent = 'Drawing …'
    try {
      const [blob, name] = await this.made(wide, high, legend.checked, ending)
      if (blob) saveBlob(name, blob, this.root)
      this.says.textContent = blob ? `Saved: ${name}` : 'Cancelled: nothing was saved.'
    } catch (error) {
      this.says.textContent = `Not saved: ${error.message}.`
    } finally {
      this.busy = png.disabled = svg.disabled = false
      cancel.textContent = 'Close'
    }
  }

  async made(width, height, withFoot, ending) {
    const { subject, lines, legend, theme, time } = this.about()
    const below = withFoot ? foot(width, lines, legend, COLORS[theme] ?? COLORS.light) : { height: 0, group: drawn('g') }
    if (below.height > height / 2) throw new Error('the legend leaves no room for the scene; make it larger, or leave the legend out')
    const canvas = await this.take(width, height - below.height, (share) => {
      this.says.textContent = `Drawing: ${Math.round(100 * share)} %`
      return !this.ended
    })
    if (!canvas) return []
    const blob = await (ending === 'svg' ? inVectors : inPixels)(canvas, below, width, height, subject)
    return [this.ended ? null : blob, `${fileName(subject, 'view', time && `at ${time} s`)}.${ending}`]
  }

  dispose() {
    this.ended = true
    document.removeEventListener('keydown', this.onKey, true)
    this.root.remove()
  }
}

function svgOf(width, height, title, ...children) {
  return drawn('svg', { xmlns: IN_SVG, width, height, viewBox: `0 0 ${width} ${height}`, role: 'img' },
    drawn('title', {}, title), ...children)
}

const inAddress = (blob) => new Promise((done, failed) => {
  const reader = new FileReader()
  reader.onload = () => done(reader.result)
  reader.onerror = () => failed(new Error('the browser could not read it again'))
  reader.readAsDataURL(blob)
})

async function inVectors(canvas, below, width, height, title) {
  const href = await inAddress(await pngOf(canvas))
  below.group.setAttribute('transform', `translate(0 ${canvas.height})`)
  const scene = drawn('image', { href, width: canvas.width, height: canvas.height })
  return new Blob([new XMLSerializer().serializeToString(svgOf(width, height, title, scene, below.group))], { type: 'image/svg+xml' })
}

async function inPixels(canvas, below, width, height, title) {
  if (!below.height) return pngOf(canvas)
  const words = await imageOf(svgOf(width, below.height, title, below.group))
  const whole = Object.assign(document.createElement('canvas'), { width, height })
  const paper = whole.getContext('2d')
  paper.drawImage(canvas, 0, 0)
  paper.drawImage(words, 0, canvas.height, width, below.height)
  return pngOf(whole)
}
