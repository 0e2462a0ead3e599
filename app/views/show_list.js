// Check boxes in groups, each with its drawing, its symbol, its two names and its present scale.
const STYLE = `
:host { display: block; }
.groups { font: 0.875rem/1.35 Roboto, "Helvetica Neue", Arial, sans-serif; color: #1c2430; --line: #0002; --soft: #465265; }
.groups.dark { color: #eef2f7; --line: #fff3; --soft: #b4bfcd; }
fieldset { border: 0; border-top: 1px solid var(--line); margin: 0 0 6px; padding: 2px 0 0; min-width: 0; }
legend { font-weight: 600; padding: 0 8px 0 0; }
label { display: grid; grid-template-columns: 1.15rem 1.15rem minmax(0, 1fr) auto; gap: 0 8px; align-items: center;
  padding: 3px 4px; border-radius: 4px; cursor: pointer; }
label:hover { background: #8881; }
label:focus-within { outline: 2px solid var(--focus); outline-offset: -1px; }
input { margin: 0; width: 1rem; height: 1rem; accent-color: var(--focus); outline: none; }
.groups { --focus: #1d5c93; }
.groups.dark { --focus: #5ba3de; }
svg { display: block; width: 1rem; height: 1rem; }
.symbol { font-weight: 600; white-space: nowrap; }
.words { grid-column: 3 / 5; font-size: 0.75rem; color: var(--soft); overflow-wrap: anywhere; }
.scale { font-size: 0.75rem; color: var(--soft); font-variant-numeric: tabular-nums; white-space: nowrap; min-height: 1.35em; }
`

/** A symbol with its indices: ``x_FREE``. */
const indexed = symbol => symbol.split(/_([A-Z]+)/).map((part, k) => k % 2 ? make('sub', {}, part) : part)

export function render({ model }) {
  const list = make('div', { class: 'groups' })
  let boxes = new Map()
  let scales = new Map()

  const choose = () => {
    model.chosen = [...boxes].filter(([, box]) => box.checked).map(([name]) => name)
  }
  const check = () => {
    for (const [name, box] of boxes) box.checked = model.chosen.includes(name)
  }
  const state = () => {
    const said = plain(model.scales)
    for (const [name, cell] of scales) {
      const words = said[name] ?? ''
      if (cell.textContent !== words) cell.textContent = words
    }
  }
  const build = () => {
    boxes = new Map()
    scales = new Map()
    const row = ({ name, symbol, words, icon }) => {
      const drawing = make('span')
      drawing.innerHTML = icon // drawn by the server itself, never from a robot's file
      boxes.set(name, make('input', { type: 'checkbox', value: name, onchange: choose }))
      scales.set(name, make('span', { class: 'scale' }))
      return make('label', {}, boxes.get(name), drawing, make('span', { class: 'symbol' }, ...indexed(symbol)), scales.get(name),
        make('span', { class: 'words' }, words))
    }
    list.replaceChildren(...plain(model.groups).map(({ title, items }) =>
      make('fieldset', {}, make('legend', {}, title), ...items.map(row))))
    check()
    state()
  }
  const paint = () => list.classList.toggle('dark', model.theme === 'dark')

  build()
  paint()
  model.on('groups', build)
  model.on('chosen', check)
  model.on('scales', state)
  model.on('theme', paint)
  return make('div', {}, make('style', {}, STYLE), list)
}
