// The pictures of a sheet, drawn from its numbers.
const NEAR = 0.35 // share of the longer force up to which a correction is shown enlarged as well
const NOTHING = 1e-6 // share up to which it is only rounding

function draw(svg, numbers) {
  const first = Number(svg.dataset.crossing ?? svg.dataset.triangle)
  const count = svg.dataset.crossing === undefined ? 4 : 14
  if (first + count > numbers.length) return
  const own = numbers.subarray(first, first + count)
  if (count === 14) outline(svg, own)
  else triangle(svg, own)
}

// Outlines of a block before (xx xy yy) and after its joint, and the direction that it loses; the axis is horizontal.
function outline(svg, [a, b, c, d, e, f, lostX, lostY]) {
  const extent = Math.sqrt(Math.max(a, c, 1e-300))
  const scale = 50 / extent
  const put = (name, xx, xy, yy) => {
    const mean = (xx + yy) / 2, spread = Math.hypot((xx - yy) / 2, xy)
    const long = Math.sqrt(Math.max(mean + spread, 0)), short = Math.sqrt(Math.max(mean - spread, 0))
    const angle = 0.5 * Math.atan2(2 * xy, xx - yy)
    const ellipse = svg.querySelector(name)
    ellipse.setAttribute("rx", Math.max(long * scale, 0.8))
    ellipse.setAttribute("ry", Math.max(short * scale, 0.8))
    ellipse.setAttribute("transform", `rotate(${(-angle * 180) / Math.PI})`)
  }
  put(".before", a, b, c)
  put(".after", d, e, f)
  const line = svg.querySelector(".freed")
  const there = Math.hypot(lostX, lostY) > 1e-6
  line.style.display = there ? "" : "none"
  for (const [name, value] of [["x1", -58 * lostX], ["y1", 58 * lostY], ["x2", 58 * lostX], ["y2", -58 * lostY]]) line.setAttribute(name, value)
}

// Predicted and applied force (right, up) as arrows from one point, and the correction from the tip of one to that of
// the other: all of it, or only what is around the tips.
function triangle(svg, [px, py, ax, ay]) {
  const near = svg.classList.contains("near")
  const longer = Math.max(Math.hypot(px, py), Math.hypot(ax, ay), 1e-300), gap = Math.hypot(ax - px, ay - py)
  const whole = 112 / Math.max(Math.max(0, px, ax) - Math.min(0, px, ax), Math.max(0, py, ay) - Math.min(0, py, ay), 1e-300)
  const scale = near ? 60 / Math.max(gap, 1e-300) : whole
  const middle = near
    ? [(px + ax) / 2, (py + ay) / 2]
    : [(Math.max(0, px, ax) + Math.min(0, px, ax)) / 2, (Math.max(0, py, ay) + Math.min(0, py, ay)) / 2]
  const shown = gap > NOTHING * longer && gap < NEAR * longer
  if (near) {
    svg.style.display = shown ? "" : "none"
    const times = svg.closest("figure").querySelector("[data-times]")
    const enlarged = shown ? `tips × ${Number((scale / whole).toPrecision(2))}` : ""
    const text = longer > 1e-300 ? enlarged : "nothing pushes here"
    if (times.textContent !== text) times.textContent = text
    if (!shown) return
  }
  const at = (x, y) => [(x - middle[0]) * scale, (middle[1] - y) * scale]
  arrow(svg, "predicted", at(0, 0), at(px, py))
  arrow(svg, "correction", at(px, py), at(ax, ay))
  arrow(svg, "applied", at(0, 0), at(ax, ay))
}

// A head of its own size on a line that ends where the head begins.
function arrow(svg, name, from, to) {
  const [line, head] = [svg.querySelector(`line.${name}`), svg.querySelector(`path.${name}`)]
  const length = Math.hypot(to[0] - from[0], to[1] - from[1])
  line.style.display = head.style.display = length > 1e-3 ? "" : "none"
  if (!(length > 1e-3)) return
  const size = Math.min(9, 0.6 * length), [x, y] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length]
  const back = [to[0] - size * x, to[1] - size * y], wide = 0.42 * size
  const ends = { x1: from[0], y1: from[1], x2: back[0], y2: back[1] }
  for (const key of Object.keys(ends)) line.setAttribute(key, ends[key])
  head.setAttribute("d", `M${to[0]} ${to[1]}L${back[0] - wide * y} ${back[1] + wide * x}L${back[0] + wide * y} ${back[1] - wide * x}Z`)
}
