// A plot to draw a curve into, by mouse, finger or keys; after the answer the true curve stands beside it.
const [PAD_WIDTH, PAD_HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [320, 190, 44, 8, 8, 26]
const KNOTS = 25
const NAMESPACE = "http://www.w3.org/2000/svg"

const svg = (name, attributes = {}, ...children) => {
  const node = document.createElementNS(NAMESPACE, name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
  node.append(...children)
  return node
}

// `drawn`: the values of the knots, or null; `changed` is called at every change.
function drawingPad(host, label, drawn, changed) {
  const { unit } = host.dataset
  const [least, most, until] = [host.dataset.least, host.dataset.most, host.dataset.until].map(Number)
  const truth = host.dataset.true ? host.dataset.true.split(" ").map(Number) : null
  let values = drawn ? [...drawn] : Array(KNOTS).fill(null)
  let at = 0
  const x = (k) => LEFT + (k / (KNOTS - 1)) * (PAD_WIDTH - LEFT - RIGHT)
  const y = (value) => TOP + ((most - value) / (most - least)) * (PAD_HEIGHT - TOP - BOTTOM)
  const timeOf = (k) => (k / (KNOTS - 1)) * until
  const start = Math.min(Math.max(0, least), most)
  const mine = svg("polyline", { class: "mine" }), knot = svg("circle", { class: "knot", r: 5 })
  const picture = svg("svg", {
    viewBox: `0 0 ${PAD_WIDTH} ${PAD_HEIGHT}`, tabindex: 0, role: "slider", "aria-label": label, "aria-orientation": "vertical",
    "aria-valuemin": least, "aria-valuemax": most,
  })
  picture.append(
    svg("rect", { class: "ground", x: LEFT, y: TOP, width: PAD_WIDTH - LEFT - RIGHT, height: PAD_HEIGHT - TOP - BOTTOM }),
    ...[...new Set([least, start, most])].flatMap((value) => [
      svg("line", { class: "grid", x1: LEFT, x2: PAD_WIDTH - RIGHT, y1: y(value), y2: y(value) }),
      svg("text", { x: LEFT - 4, y: y(value) + 4, "text-anchor": "end" }, written(value, Math.max(-least, most), 3, false)),
    ]),
    svg("text", { x: LEFT, y: PAD_HEIGHT - 12, "text-anchor": "middle" }, "0"),
    svg("text", { x: PAD_WIDTH - RIGHT, y: PAD_HEIGHT - 12, "text-anchor": "end" }, `${written(until, until, 3, false)} s`),
    svg("text", { x: LEFT + 4, y: TOP + 12 }, unit),
  )
  if (truth) {
    const points = truth.map((value, k) =>
      `${LEFT + (k / (truth.length - 1)) * (PAD_WIDTH - LEFT - RIGHT)},${y(Math.min(Math.max(value, least), most))}`)
    picture.append(svg("polyline", { class: "truth", points: points.join(" ") }))
  }
  picture.append(mine, knot)
  const legend = document.createElement("p")
  legend.className = "note"
  if (truth) legend.innerHTML = "<span class='key mine'></span> yours <span class='key truth'></span> what happens"
  const show = () => {
    const known = values.map((value, k) => [k, value]).filter(([, value]) => value !== null)
    mine.setAttribute("points", known.map(([k, value]) => `${x(k)},${y(value)}`).join(" "))
    const value = values[at] ?? start
    knot.setAttribute("cx", x(at))
    knot.setAttribute("cy", y(value))
    picture.setAttribute("aria-valuenow", value)
    picture.setAttribute("aria-valuetext", `at ${written(timeOf(at), until, 3, false)} seconds: ${written(value, most - least, 3, false)} ${unit}`)
  }
  const tell = () => {
    show()
    changed(values)
  }
  const place = (event) => {
    const box = picture.getBoundingClientRect()
    const [across, down] = [((event.clientX - box.left) / box.width) * PAD_WIDTH, ((event.clientY - box.top) / box.height) * PAD_HEIGHT]
    const k = Math.round(((across - LEFT) / (PAD_WIDTH - LEFT - RIGHT)) * (KNOTS - 1))
    const value = most - ((down - TOP) / (PAD_HEIGHT - TOP - BOTTOM)) * (most - least)
    return [Math.min(Math.max(k, 0), KNOTS - 1), Math.min(Math.max(value, least), most)]
  }
  let last = null, before = null // where the stroke is, and the values before it
  picture.addEventListener("pointerdown", (event) => {
    picture.setPointerCapture(event.pointerId)
    event.preventDefault()
    picture.focus({ preventScroll: true })
    before = [at, [...values]]
    last = place(event)
    ;[at, values[last[0]]] = last
    tell()
  })
  picture.addEventListener("pointermove", (event) => {
    if (!last) return
    const [k, value] = place(event), [from, was] = last
    const step = Math.sign(k - from)
    for (let j = from; step && j !== k + step; j += step) values[j] = was + ((value - was) * (j - from)) / (k - from)
    values[k] = value
    at = k
    last = [k, value]
    tell()
  })
  const done = () => { last = null }
  picture.addEventListener("pointerup", done)
  picture.addEventListener("pointercancel", () => { // a finger that scrolls has drawn nothing
    if (last) [at, values] = before
    done()
    tell()
  })
  const lift = (by) => {
    const value = Math.min(Math.max((values[at] ?? start) + by * (most - least), least), most)
    for (let k = 0; k < at; ++k) values[k] ??= start
    values[at] = value
    for (let k = at + 1; k < KNOTS && (values[k] === null || isHeld[k]); ++k) [values[k], isHeld[k]] = [value, true]
    isHeld[at] = false
  }
  const isHeld = Array(KNOTS).fill(false) // follows the last one set by keys, until it is set itself
  const keys = {
    ArrowLeft: () => { at = Math.max(at - 1, 0) }, ArrowRight: () => { at = Math.min(at + 1, KNOTS - 1) },
    Home: () => { at = 0 }, End: () => { at = KNOTS - 1 },
    ArrowUp: () => lift(1 / 40), ArrowDown: () => lift(-1 / 40), PageUp: () => lift(1 / 8), PageDown: () => lift(-1 / 8),
  }
  picture.addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    event.stopPropagation()
    keys[event.key]()
    if (["ArrowUp", "ArrowDown", "PageUp", "PageDown"].includes(event.key)) tell()
    else show()
  })
  host.replaceChildren(picture, legend)
  show()
}

// What is sent: gaps are filled from their neighbors; nothing where nothing is drawn.
function drawnCurve(values) {
  if (!values || values.every((value) => value === null)) return null
  const known = values.map((value, k) => [k, value]).filter(([, value]) => value !== null)
  return values.map((value, k) => {
    if (value !== null) return value
    const before = known.filter(([j]) => j < k).at(-1), after = known.find(([j]) => j > k)
    if (!before || !after) return (before ?? after)[1]
    return before[1] + ((after[1] - before[1]) * (k - before[0])) / (after[0] - before[0])
  })
}
