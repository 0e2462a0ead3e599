// The map of the computation: it is laid out to the width that there is, and only its classes change as one walks.
const SVG = "http://www.w3.org/2000/svg"
const ROW = 30, MARGIN = 20, NARROWEST = 15, WIDEST = 58 // pixels of a page whose type has the usual size
const LABELLED = 7.2 // radius of a node from which on its label fits in
const RING = 3 // pixels from a node to its ring
const WORDED = 70, NUMBERED = 22 // width of the stages' names
const STYLE = `
:host { display: block; }
.map { overflow: auto; max-height: clamp(96px, 31vh, calc(264px * var(--scale, 1))); color: var(--ink); font: 11px Roboto, "Helvetica Neue", Arial, sans-serif; }
@media (max-width: 599px), (max-height: 560px) { .map { max-height: none; } } /* the whole instrument is scrolled */
svg { display: block; }
.stages rect { fill: var(--ground); }
text { fill: currentColor; }
.node { cursor: pointer; outline: none; }
.node .body { fill: var(--paper); stroke: var(--own); stroke-width: 1.6; }
.node.done .body, .node.here .body { fill: var(--own); }
.node text { text-anchor: middle; dominant-baseline: central; pointer-events: none; font-size: 10px; }
.node.done text, .node.here text { fill: var(--paper); font-weight: 600; }
.node .ring { fill: none; stroke: none; stroke-width: 2.5; }
.node.here .ring { stroke: var(--selected); }
.node:hover .ring { stroke: var(--selected); stroke-dasharray: 3 3; }
.node.here:hover .ring { stroke-dasharray: none; }
.node:focus-visible .focus { stroke: var(--focus); }
.node .focus { fill: none; stroke: none; stroke-width: 2; }
.arrow { stroke: var(--own); fill: var(--own); opacity: 0.45; }
.arrow line { stroke-width: 1.2; }
.arrow.now { opacity: 1; stroke: var(--selected); fill: var(--selected); }
.arrow.now line { stroke-width: 3.4; }
.arrow.past { opacity: 0.9; }
rect.object { fill: var(--object); fill-opacity: 0.35; stroke: var(--ink); stroke-opacity: 0.5; }
.caption { dominant-baseline: central; }
.caption.here { font-weight: 700; }
.caption.arm, .caption.object, .caption.branch { text-anchor: middle; font-size: 10.5px; }
`

function drawn(tag, attributes, parent) {
  const element = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  parent?.append(element)
  return element
}

export function render({ model, el }) {
  const frame = make("div", {
    class: "map", role: "group", "aria-label": "Map of the computation. Arrow keys walk along it, a click goes to a step.",
  })
  let nodes = [], arrows = [], captions = [], width = 0
  let stages = null, gutter = 0, scale = 1

  const paint = () => {
    for (const [name, color] of Object.entries(plain(model.colors))) frame.style.setProperty(`--${name}`, color)
  }

  const draw = () => {
    const map = plain(model.map)
    const hadFocus = nodes.some(({ group }) => group.matches(":focus"))
    frame.replaceChildren()
    nodes = []
    arrows = []
    captions = []
    stages = null
    width = frame.clientWidth
    if (!map.nodes || !width) return
    scale = Number(getComputedStyle(frame).getPropertyValue("--scale")) || 1
    const room = width / scale
    const [low, high] = map.columns
    const [top, bottom] = map.rows
    const columns = high - low + 0.9
    const stepBeside = (gutter) => Math.min(Math.max((room - gutter - 2 * MARGIN) / columns, NARROWEST), WIDEST)
    const wide = stepBeside(WORDED) * 0.4 >= LABELLED // the stages' words cost the nodes no label
    gutter = map.captions.some(({ kind }) => kind === "stage") ? (wide ? WORDED : NUMBERED) : 0
    const step = stepBeside(gutter)
    const total = Math.max(room, gutter + 2 * MARGIN + columns * step)
    const shift = (total - gutter - 2 * MARGIN - (high - low) * step) / 2
    const x = (column) => gutter + MARGIN + Math.max(shift, 0) + (column - low) * step
    const labelled = map.captions.some(({ kind }) => kind === "arm")
    const radius = Math.min(step * 0.4, 11)
    const inside = radius >= LABELLED // whether a label fits in its node; else labels stand above the first row
    const over = (row) => inside || row > top ? 23 : 34 // an arm's ends are named
    const headroom = labelled ? over(top) + 9 : 24
    const y = (row) => headroom + (row - top) * ROW
    const tall = headroom + (bottom - top) * ROW + 26
    const svg = drawn("svg", { width: total * scale, height: tall * scale, viewBox: `0 0 ${total} ${tall}` }, frame)

    const tips = map.nodes.filter(({ shape }) => shape === "link").map(({ column }) => Math.abs(column))
    const between = 2 * (Math.min(...tips) * step - radius - RING - 2) // the rings of the tips beside the object
    for (const [first, last] of map.objects) {
      const half = Math.max(0.62 * step + radius + 5, 24)
      drawn("rect", { class: "object", x: x(0) - half, y: y(first) - 12, width: 2 * half, height: (last - first) * ROW + 24, rx: 8 }, svg)
    }
    stages = drawn("g", { class: "stages" })
    if (gutter) drawn("rect", { x: 0, y: 0, width: gutter, height: tall }, stages)
    for (const { stage, text, short, column, row, kind, title } of map.captions) {
      const at = kind === "stage" ? { x: 4, y: y(row) } : { x: x(column), y: y(row) - (kind === "arm" ? over(row) : 0) }
      const word = drawn("text", { class: `caption ${kind}`, ...at }, kind === "stage" ? stages : svg)
      word.textContent = kind === "stage" && !wide ? short : text
      if (kind === "object" && word.getComputedTextLength() > between) word.textContent = short
      if (title) drawn("title", {}, word).textContent = title
      if (stage) captions.push({ word, stage })
    }
    for (const { x1, y1, x2, y2, at, family } of map.arrows) {
      const group = drawn("g", { class: "arrow", style: `--own: var(--${family})` }, svg)
      const within = (column) => Math.min(Math.max(x(column), gutter + 3), total - 3) // the world's end of it, too
      const a = [within(x1), y(y1)], b = [within(x2), y(y2)]
      const length = Math.hypot(b[0] - a[0], b[1] - a[1])
      const u = [(b[0] - a[0]) / length, (b[1] - a[1]) / length]
      const vertical = Math.abs(u[0]) < 0.01
      // An arrow stops at the nodes; the short ones at a joint begin or end in the open.
      const own = (px, py) => map.nodes.some((node) => Math.abs(x(node.column) - px) < 1 && Math.abs(y(node.row) - py) < 1)
      const from = own(...a) ? radius + 1 : vertical && length < ROW * 0.6 ? 1 : 0
      const to = own(...b) ? radius + 2 : 1
      if (length - from - to < 2) continue
      const head = Math.min(5, (length - from - to) * 0.7)
      const p = [a[0] + u[0] * from, a[1] + u[1] * from], q = [b[0] - u[0] * to, b[1] - u[1] * to]
      drawn("line", { x1: p[0], y1: p[1], x2: q[0] - u[0] * head * 0.6, y2: q[1] - u[1] * head * 0.6 }, group)
      const side = [-u[1] * head * 0.55, u[0] * head * 0.55]
      drawn("path", {
        stroke: "none",
        d: `M${q} L${q[0] - u[0] * head + side[0]},${q[1] - u[1] * head + side[1]}`
          + ` L${q[0] - u[0] * head - side[0]},${q[1] - u[1] * head - side[1]} Z`,
      }, group)
      arrows.push({ group, at })
    }
    const every = inside ? 1 : Math.ceil(16 / step)
    map.nodes.forEach((node, index) => {
      const group = drawn("g", { class: "node", role: "button", tabindex: -1, "aria-label": node.name, style: `--own: var(--${node.family})` }, svg)
      drawn("title", {}, group).textContent = node.name
      const cx = x(node.column), cy = y(node.row)
      shape(node.shape, "focus", cx, cy, radius + 6, group)
      shape(node.shape, "ring", cx, cy, radius + RING, group)
      shape(node.shape, "body", cx, cy, radius, group)
      if (inside) {
        const text = drawn("text", { x: cx, y: cy }, group)
        text.textContent = { predictor: "p", corrector: "c", sum: "+" }[node.shape] ?? node.label
      } else if (node.shape === "link" && (Number(node.label) - 1) % every === 0 && node.row - top < 0.5) {
        drawn("text", { x: cx, y: cy - radius - 12, style: "fill: var(--ink)" }, group).textContent = node.label
      }
      group.addEventListener("mousedown", (event) => event.preventDefault()) // the mouse leaves the keys to the page
      group.addEventListener("click", () => model.send_msg(index))
      group.addEventListener("keydown", (event) => {
        const isPages = event.key === " " && group.hasAttribute("aria-current") // it plays: the walk is at this step already
        if (isPages || (event.key !== "Enter" && event.key !== " ")) return
        event.preventDefault()
        event.stopPropagation()
        model.send_msg(index)
      })
      nodes.push({ group, node })
    })
    svg.append(stages) // over everything else: they stay in sight while a long walk is scrolled
    keepStages()
    walk(hadFocus)
  }

  const keepStages = () => stages?.setAttribute("transform", `translate(${frame.scrollLeft / scale}, 0)`)

  const walk = (keepFocus) => {
    const at = model.at
    const focused = keepFocus === true || nodes.some(({ group }) => group.matches(":focus"))
    let here = null
    for (const { group, node } of nodes) {
      const now = node.first <= at && at <= node.last
      // A node of both filters combined is the second half of its dual node: the ring is at the one it is about.
      const mine = now && (here === null || node.first >= here.node.first)
      if (mine && here) {
        mark(here.group, false)
        here.group.classList.add("done") // its own half is over
      }
      group.classList.toggle("done", node.last < at || (now && !mine))
      mark(group, mine)
      if (mine) here = { group, node }
    }
    for (const { group, at: step } of arrows) {
      group.classList.toggle("now", step === at)
      group.classList.toggle("past", step >= 0 && step < at)
    }
    for (const { word, stage } of captions) word.classList.toggle("here", here?.node.place.stage === stage)
    if (!here) return
    reveal(here.group)
    if (focused) here.group.focus({ preventScroll: true })
  }

  const mark = (group, here) => {
    group.classList.toggle("here", here)
    group.setAttribute("tabindex", here ? 0 : -1)
    if (here) group.setAttribute("aria-current", "step")
    else group.removeAttribute("aria-current")
  }

  // Scrolls no more than the map itself, and only if the cursor's node has left it.
  const reveal = (group) => {
    const box = group.getBoundingClientRect(), seen = frame.getBoundingClientRect()
    const left = seen.left + gutter * scale
    if (box.left < left) frame.scrollLeft += box.left - left - 30
    if (box.right > seen.right) frame.scrollLeft += box.right - seen.right + 30
    if (box.top < seen.top) frame.scrollTop += box.top - seen.top - 10
    if (box.bottom > seen.bottom) frame.scrollTop += box.bottom - seen.bottom + 10
  }

  const resized = new ResizeObserver(() => {
    if (Math.abs(frame.clientWidth - width) > 1) return draw()
    const here = nodes.find(({ group }) => group.classList.contains("here"))
    if (here) reveal(here.group)
  })
  frame.addEventListener("scroll", keepStages)
  resized.observe(frame)
  document.addEventListener("armsweep:scale", draw)
  model.on("map", () => draw())
  model.on("at", () => walk())
  model.on("colors", paint)
  model.on("remove", () => {
    resized.disconnect()
    document.removeEventListener("armsweep:scale", draw)
  })
  paint()
  return make("div", {}, make("style", {}, STYLE), frame)
}

function shape(kind, name, x, y, r, parent) {
  if (kind === "sum") drawn("path", { class: name, d: `M${x},${y - r} L${x + r},${y} L${x},${y + r} L${x - r},${y} Z` }, parent)
  else if (kind === "link") drawn("circle", { class: name, cx: x, cy: y, r }, parent)
  else drawn("rect", { class: name, x: x - r, y: y - r, width: 2 * r, height: 2 * r, rx: kind === "base" ? 1 : 4 }, parent)
}
