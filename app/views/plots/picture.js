// A panel as a picture of its own: its title, whose run it is and when, its lines with their values, and its axes' units.
const PICTURE = {margin: 14, text: 12, heading: 15, beside: 22, gap: 18, width: 640, height: 320, sharp: 3, patience: 3000}

/** What its values are counted in: each unit once. */
function unitsOf({items, logarithmic}) {
  const units = [...new Set(items.map(({unit}) => unit ? `in ${unit}` : "pure number"))].sort().reverse()
  return [units.join(" and "), ...(logarithmic ? ["logarithmic"] : [])].join(", ")
}

/** Does something while a figure is as large as a picture needs it, out of sight and beside everything else. */
async function whileLarge(cell, view, act) {
  cell.element.classList.add("pictured")
  try {
    const until = performance.now() + PICTURE.patience
    const isSmall = () => view.bbox.width < PICTURE.width || view.bbox.height !== PICTURE.height
    while (isSmall() && performance.now() < until) await new Promise(requestAnimationFrame)
    return act()
  } finally {
    cell.element.classList.remove("pictured")
  }
}

/** Each bar with its name below and its value above, as the panel has them. */
function barsOf({state, reading}, colors, width, height) {
  const {text} = PICTURE, group = drawn("g"), room = height - 2 * text - 8, step = width / state.columns.length
  state.columns.forEach((column, k) => {
    const [from, to, value] = reading.bars[k] ?? [0, 0, ""]
    const middle = (k + 0.5) * step
    group.append(drawn("rect", {
      x: middle - 0.42 * step, width: 0.84 * step, y: text + 4 + room * (1 - to), height: Math.max(room * (to - from), 1), fill: column.color,
    }, drawn("title", {}, `${column.name}: ${value}`)))
    const size = Math.min(text, text * step / (Math.max(widthOf(value, text), widthOf(column.brief, text)) + 4))
    for (const [y, words] of [[text, value], [height - 2, column.brief]])
      group.append(drawn("text", {x: middle, y, "text-anchor": "middle", "font-size": size, fill: colors.ink}, words))
  })
  return group
}

/**
 * The picture of a cell, as SVG: what its figure shows comes from Bokeh, in vectors.
 *
 * `figure`: the view of its plot, null where it has bars; `values`: what stands beside each line; `about`: whose run, and when.
 */
function pictureOf(cell, figure, values, about, colors) {
  const {margin, text, heading, beside, gap} = PICTURE, {state} = cell
  const {width: wide, height: high} = figure?.bbox ?? PICTURE, inner = wide + beside, width = inner + 2 * margin
  const ground = figure?.model.border_fill_color ?? colors.ground // which a theme of the page's may have changed
  const title = [state.title, state.subject].filter(Boolean).join(" ")
  const body = drawn("g", {"font-family": TYPEFACE, "font-size": text, fill: colors.ink})
  let y = margin
  const write = (words, size, weight) => {
    for (const line of inLines(words, inner, size, weight)) {
      y += 1.3 * size
      body.append(drawn("text", {x: margin, y: y - 0.3 * size, "font-size": size, "font-weight": weight}, line))
    }
  }
  write(title, heading, 600)
  write(about, text, 400)
  let x = margin
  y += 1.5 * text
  state.items.forEach((item, k) => {
    const words = `${item.label}  ${values[k]}`, size = 22 + widthOf(words, text)
    if (x > margin && x + size > width - margin) [x, y] = [margin, y + 1.4 * text]
    body.append(
      drawn("line", {x1: x, x2: x + 17, y1: y - 4, y2: y - 4, stroke: item.color, "stroke-width": 2.5, "stroke-dasharray": DASH[item.dash] ?? ""}),
      drawn("text", {x: x + 22, y}, words))
    x += size + gap
  })
  y += 10
  if (figure) {
    const layer = figure.export("svg", false).canvas
    for (const [name, value] of [["x", margin + beside], ["y", y], ["width", wide], ["height", high]]) layer.setAttribute(name, value)
    const [left, below] = [margin + beside - 6, y + high + 1.2 * text]
    body.append(layer,
      drawn("text", {x: left, y: y + high / 2, "text-anchor": "middle", transform: `rotate(-90 ${left} ${y + high / 2})`}, unitsOf(state)),
      drawn("text", {x: margin + beside + wide / 2, y: below, "text-anchor": "middle"}, "time in s"))
    y = below
  } else {
    const bars = barsOf(cell, colors, inner, high)
    bars.setAttribute("transform", `translate(${margin} ${y})`)
    body.append(bars)
    y += high
  }
  const height = Math.ceil(y + margin)
  return drawn("svg", {xmlns: IN_SVG, width: Math.ceil(width), height, viewBox: `0 0 ${Math.ceil(width)} ${height}`, role: "img"},
    drawn("title", {}, `${title}; ${about}`), drawn("rect", {width: "100%", height: "100%", fill: ground}), body)
}

/** An SVG in pixels, three to each of its own: sharp on paper, too. */
async function inPixels(svg, sharp = PICTURE.sharp) {
  const picture = await imageOf(svg)
  const canvas = document.createElement("canvas")
  canvas.width = sharp * svg.width.baseVal.value
  canvas.height = sharp * svg.height.baseVal.value
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas
}
