function write(element, text) {
  if (element.textContent !== text) element.textContent = text
}

function writeFormula(cell, mathml) {
  const formula = cell.querySelector(".formula") || cell.appendChild(make("div", { class: "formula" }))
  if (formula.dataset.of === mathml) return
  formula.dataset.of = mathml
  formula.innerHTML = mathml  // from the program's own constants, never from a file
}

// A formula that is wider than its column can be scrolled, by keys, too.
function reach(table) {
  for (const formula of table.querySelectorAll(".formula")) {
    const isWide = formula.scrollWidth > formula.clientWidth
    if (isWide) formula.tabIndex = 0
    else formula.removeAttribute("tabindex")
  }
}

function makeRow(row, columns, choose) {
  const holder = row.action ? make("button", { type: "button" }) : make("span")
  const cells = row.cells.map((_, i) => i === 0 ? make("th", { scope: "row", class: columns[i].kind }, holder) : make("td", { class: columns[i].kind }))
  const line = make("tr", { onclick: () => line.dataset.key && choose(line.dataset.key) }, ...cells)
  return line
}

function update(line, row, chosen) {
  line.dataset.key = row.action ? row.key : ""
  line.className = row.tone || ""
  const current = row.key === chosen
  if (current && !line.hasAttribute("aria-current")) requestAnimationFrame(() => line.scrollIntoView({block: "nearest"}))
  if (current) line.setAttribute("aria-current", "true")
  else line.removeAttribute("aria-current")
  row.cells.forEach((text, i) => write(i === 0 ? line.cells[0].firstChild : line.cells[i], text))
  if (row.action) line.cells[0].firstChild.title = row.action
  if (row.formula) writeFormula(line.cells[0], row.formula)
  if (row.hint) line.cells[0].querySelector(".formula").title = row.hint
}

export function render({model}) {
  const table = make("table")
  const caption = table.createCaption()
  const head = table.createTHead().insertRow()
  const body = table.createTBody()
  let shape = ""

  const draw = () => {
    caption.textContent = model.caption
    const now = JSON.stringify([model.columns, model.rows.map(row => [row.key, Boolean(row.action)])])
    const isNew = now !== shape // only then are there other formulas
    if (isNew) {
      shape = now
      head.replaceChildren(...model.columns.map(({title, kind}) => make("th", { scope: "col", class: kind }, title)))
      body.replaceChildren(...model.rows.map(row => makeRow(row, model.columns, key => model.send_msg(key))))
    }
    model.rows.forEach((row, i) => update(body.rows[i], row, model.chosen))
    if (isNew) requestAnimationFrame(() => reach(table))
  }

  for (const name of ["rows", "columns", "caption", "chosen"]) model.on(name, draw)
  new ResizeObserver(() => reach(table)).observe(table)
  draw()
  return table
}
