// A table of numbers that can be typed: applied by Enter or by leaving the cell, reverted by Escape. Up and down move on.
const SLACK = 4 // px: a field keeps room for the caret

export function render({ model }) {
  const caption = make("p"), head = make("tr"), body = make("tbody")
  const table = make("table", {}, make("thead", {}, head), body)
  const root = make("div", { class: "sheet" }, caption, table)
  let shape = ""

  const say = (input, row, column) => {
    if (input.value !== input.dataset.shown) model.send_msg({ row, column, text: input.value.slice(0, 60) })
  }
  const cell = (row, column) => {
    const input = make("input", { type: "text", autocomplete: "off", spellcheck: "false", inputmode: "text" })
    input.addEventListener("focus", () => {
      input.value = input.dataset.shown = input.dataset.raw // every digit, to be edited
      input.select()
      model.send_msg({ chosen: row })
    })
    input.addEventListener("blur", () => { say(input, row, column); requestAnimationFrame(fill) })
    input.addEventListener("keydown", event => {
      const step = { ArrowUp: -1, ArrowDown: 1, Enter: 0 }[event.key]
      if (event.key === "Escape") { input.value = input.dataset.shown; input.select(); event.stopPropagation() }
      if (step === undefined) return
      event.preventDefault()
      say(input, row, column)
      input.dataset.shown = input.value
      body.rows[row + step]?.querySelectorAll("input")[column]?.focus()
    })
    return make("td", {}, input)
  }
  const line = (row, at) => {
    const parts = row.name.split(/(?<=[_/.-])/).flatMap(part => [part, make("wbr")]) // a long name ends there first
    const name = make("button", { type: "button", onclick: () => model.send_msg({ chosen: at }) }, ...parts)
    return make("tr", {}, make("th", { scope: "row" }, name), ...row.cells.map((_, column) => cell(at, column)))
  }
  // As many digits as the cells have room for: a number cut off reads as another. Its title has all digits.
  const pen = document.createElement("canvas").getContext("2d")
  const fitting = (text, raw, room) => {
    const shorter = [4, 3, 2, 1].map(digits => written(Number(raw.replaceAll("\u2212", "-")), 0, digits, false))
    const fits = [text, ...shorter].find(one => pen.measureText(one).width <= room - SLACK)
    return fits ?? (room > 0 ? shorter.at(-1) : text)
  }
  const roomOf = input => {
    if (!input) return 0
    const { font, paddingLeft, paddingRight } = getComputedStyle(input)
    pen.font = font
    return input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
  }
  const fill = () => {
    const room = roomOf(body.querySelector("input")) // all columns are alike
    const open = root.getRootNode().activeElement
    model.rows.forEach((row, at) => {
      const element = body.rows[at]
      if (at === model.chosen) element.setAttribute("aria-current", "true")
      else element.removeAttribute("aria-current")
      row.cells.forEach(([text, raw, label], column) => {
        const input = element.querySelectorAll("input")[column]
        input.dataset.raw = raw
        input.setAttribute("aria-label", label)
        input.title = `${raw}: ${label}`
        if (input !== open) input.value = fitting(text, raw, room)
        else if (input.value === input.dataset.shown) input.value = input.dataset.shown = raw // applied, and judged
      })
    })
  }
  const draw = () => {
    caption.textContent = model.caption
    table.setAttribute("aria-label", model.caption)
    const now = JSON.stringify([model.columns, model.rows.map(row => [row.name, row.cells.length])])
    if (now !== shape) {
      shape = now
      head.replaceChildren(...model.columns.map(title => make("th", { scope: "col" }, title)))
      body.replaceChildren(...model.rows.map(line))
    }
    fill()
  }
  for (const name of ["rows", "columns", "caption", "chosen", "heard"]) model.on(name, draw)
  draw()
  const observer = new ResizeObserver(fill)
  observer.observe(table)
  model.on("remove", () => observer.disconnect())
  return root
}
