// The runs that are kept: a row each, and a table of how far they are from the present one.
export function render({ model }) {
  const say = (what, letter = null, value = null) => model.send_msg({ do: what, letter, value })
  const keep = make("button", { type: "button", title: "Keep this run beside whatever comes next", onclick: () => say("keep") }, "Keep this run")
  const head = make("div", { class: "head" }, make("h4", {}, "Kept runs"), keep)
  const said = make("p", { class: "said", role: "status" })
  const list = make("ul", {})
  const body = make("tbody", {})
  const told = make("p", { class: "told", role: "status" })
  const table = make("table", {},
    make("caption", {}, "How far from this run"),
    make("thead", {}, make("tr", {}, ...["run", "of", "largest", "RMS"].map((title) => make("th", { scope: "col" }, title)))),
    body)
  const copy = make("button", { type: "button", title: "All digits, as CSV", onclick: () => say("copy") }, "Copy CSV")
  const far = make("div", { class: "far" }, table, copy, told)
  const root = make("section", { "aria-label": "Kept runs" }, head, said, list, far)
  let shape = ""

  const mark = (row) => make("b", { class: "letter", style: `background: ${row.color}` }, row.letter)
  const line = (row) => {
    const name = make("input", { type: "text", maxlength: 80, "aria-label": `Name of run ${row.letter}`,
      onchange: () => say("name", row.letter, name.value) })
    name.value = row.name
    name.title = row.name
    const box = make("input", { type: "checkbox", "aria-label": `Show run ${row.letter} beside this one`, title: "Show it in 3D and in the plots",
      onchange: () => say("shown", row.letter, box.checked) })
    box.checked = row.shown
    const against = make("button", { type: "button", "aria-pressed": String(row.compared), "aria-label": `Differences from run ${row.letter}`,
      title: "Differences in the plots, and their numbers, are from this run", onclick: () => say("compare", row.letter) }, "Diff")
    return make("li", {}, box, mark(row), name, ...(row.choice ? [against] : []),
      make("button", { type: "button", disabled: row.present, "aria-label": `Open run ${row.letter}`,
        title: "Make it the run of this page; undo leads back", onclick: () => say("open", row.letter) }, row.present ? "open" : "Open"),
      make("button", { type: "button", "aria-label": `Remove run ${row.letter}`, title: "Remove it", onclick: () => say("drop", row.letter) }, "×"))
  }
  const cells = (row) => {
    if (row.words) return [make("tr", {}, make("th", { scope: "row" }, row.letter), make("td", { colspan: 3 }, row.words))]
    return row.far.map((each, k) => make("tr", {}, make("th", { scope: "row" }, k ? "" : row.letter), make("td", {}, each.of),
      make("td", { class: "number", title: each.at }, each.largest), make("td", { class: "number" }, each.rms)))
  }
  const draw = () => {
    const rows = plain(model.rows)
    for (const [name, value] of Object.entries(plain(model.colors))) root.style.setProperty(`--${name}`, value)
    const now = JSON.stringify(rows.map(({ letter, name, color, shown, present, compared, choice }) => [letter, name, color, shown, present, compared, choice]))
    const active = root.getRootNode().activeElement?.getAttribute?.("aria-label")
    if (now !== shape) {
      shape = now
      said.textContent = ""
      list.replaceChildren(...rows.map(line))
      if (active) [...root.querySelectorAll("[aria-label]")].find((each) => each.getAttribute("aria-label") === active)?.focus()
    } else for (const [k, field] of [...list.querySelectorAll("input[type=text]")].entries()) {
      if (field !== root.getRootNode().activeElement) field.value = rows[k].name
    }
    body.replaceChildren(...rows.flatMap(cells))
    far.hidden = !body.children.length
    if (far.hidden) told.replaceChildren()
  }
  model.on(["rows", "colors"], draw)
  model.on("msg:custom", (message) => {
    const news = message.data ?? message
    if ("said" in news) said.textContent = news.said
    else copyText(news.copy ?? "", told, "The table is")
  })
  draw()
  return root
}
