// How a question and its answers look, to the lecturer and to whoever follows: the same on both.
const AXIS = 1000 // what the server counts an axis in
const [BUNDLE_WIDTH, BUNDLE_HEIGHT] = [640, 300]

/** An element whose text is the server's HTML, which is clean. */
const shown = (tag, attributes, text) => {
  const node = make(tag, attributes)
  node.innerHTML = text
  return node
}

/** Rows of bars: each has its label, its count in words, and a mark where it is right or one's own. */
function bars({ tally, right }, own) {
  return make("ol", { class: "bars", "aria-label": "Answers" }, ...tally.rows.map(({ label, count }, k) => {
    const isRight = right?.rows.includes(k) ?? false
    const share = tally.total ? (100 * count) / tally.total : 0 // of all who answered: half of them fill half the track
    const marks = [isRight && make("b", { class: "mark" }, "✓ right"), k === own && make("b", { class: "mark" }, "your answer")]
    return make("li", { class: isRight ? "right" : null },
      make("span", { class: "label" }, shown("span", {}, label), ...marks.filter(Boolean)),
      make("span", { class: "bar", "aria-hidden": "true" }, make("span", { style: `width: ${share}%` })),
      make("span", { class: "count" }, `${count} (${Math.round(share)} %)`))
  }))
}

/** Every curve that was drawn, the middle one and the quartiles, and the right one when it is revealed. */
function bundle({ tally, right, least, most, until, unit }, own) {
  const [width, height] = [BUNDLE_WIDTH, BUNDLE_HEIGHT]
  const [left, top, across, down] = [56, 10, width - 68, height - 40]
  const line = (name, values) => svg("polyline", { class: name, points:
    values.map((value, k) => `${left + (k / (values.length - 1)) * across},${top + (1 - value / AXIS) * down}`).join(" ") })
  const words = (x, y, anchor, text) => svg("text", { x, y, "text-anchor": anchor }, text)
  const number = (value) => written(value, Math.max(Math.abs(least), Math.abs(most)), 3, false)
  const [low, middle, high] = tally.band.length ? tally.band : [[], [], []]
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": tally.words, class: "bundle" },
    svg("rect", { class: "ground", x: left, y: top, width: across, height: down }),
    svg("polygon", { class: "band", points: [...low.map((value, k) => [k, value]), ...high.map((value, k) => [k, value]).reverse()]
      .map(([k, value]) => `${left + (k / (low.length - 1)) * across},${top + (1 - value / AXIS) * down}`).join(" ") }),
    ...tally.curves.map((values) => line("one", values)), line("middle", middle),
    ...(own ? [line("own", own.map((value) => (AXIS * (value - least)) / (most - least)))] : []),
    ...(right?.curve ? [line("truth", right.curve)] : []),
    words(left - 6, top + 10, "end", number(most)), words(left - 6, top + down, "end", number(least)),
    words(left, height - 8, "middle", "0"), words(left + across, height - 8, "end", `${number(until)} s`), words(left + 6, top + 16, "start", unit))
  const key = [...(tally.total ? [["one", "answers"], ["middle", "the middle one, and half of them round it"]] : []), own && ["own", "yours"], right?.curve && ["truth", "right"]]
  return make("figure", {}, picture, make("figcaption", {}, ...key.filter(Boolean).map(([name, text]) =>
    make("span", {}, make("span", { class: `key ${name}`, "aria-hidden": "true" }), text))))
}

/** Who stands at which place, by how many: in the order of the class, or in the right one when it is revealed. */
function places({ tally, right, options }) {
  const numbers = options.map((_, k) => k)
  const order = right?.order ?? tally.order
  return make("div", { class: "places" }, make("table", {},
    make("caption", {}, right ? "How many have put each at its place ✓, and elsewhere" : "How many have put each at which place"),
    make("thead", {}, make("tr", {}, make("td"), ...numbers.map((k) => make("th", { scope: "col" }, String(k + 1))))),
    make("tbody", {}, ...order.map((item, row) => make("tr", {}, shown("th", { scope: "row" }, options[item]),
      ...numbers.map((place) => {
        const count = tally.places[item][place], isRight = Boolean(right) && place === row
        return make("td", { class: isRight ? "right" : null, style: `--share: ${Math.round((100 * count) / (tally.total || 1))}%` },
          `${count || (isRight ? 0 : "")}${isRight ? " ✓" : ""}`)
      }))))))
}

/** What a class has answered, and what it could have; `own`: this follower's answer, if there is one. */
function distribution(told, own = null) {
  const { tally, right, kind } = told
  const box = make("div", { class: "distribution" })
  box.append(make("p", { class: "total" }, tally.total === 1 ? "1 answer" : `${tally.total || "No"} answers`))
  if (tally.total || kind !== "number") // of numbers there are no rows then
    box.append(kind === "curve" ? bundle(told, own) : kind === "order" ? places(told) : bars(told, kind === "number" ? null : own))
  for (const note of tally.notes) box.append(shown("p", { class: "note" }, note))
  if (right) box.append(make("p", { class: "answer" }, right.words))
  return box
}
