// Words and formulas that change with the step, and numbers in them that change with the instant.
const DIGITS = 4
const HANDS = ["wheel", "pointerdown", "keydown"], SEEKING = 6000 // ms after which everything above has been rendered
const STILL = matchMedia("(prefers-reduced-motion: reduce)")

// Of six rows or columns three are angular and three linear: with which of the sizes of a group a cell is compared.
// `down` and `across` are 2 where there are six, else 1.
export function placeOfSize(cell, down, across, columns) {
  const half = (at, halves) => (halves === 2 ? Math.floor(at / 3) % 2 : 0)
  return half(Math.floor(cell / columns), down) * across + half(cell % columns, across)
}

const part = (at, count, words) => (count % 6 ? "" : `${words.split("|")[Math.floor(at / 3) % 2]} ${"xyz"[at % 3]}`)

// A number of a matrix with its row, its column and its unit, as far as the matrix says them.
export function nameOf(cell, number) {
  const table = cell.closest("table.matrix")
  if (!table) return number
  const [row, column, across] = [cell.parentElement.rowIndex, cell.cellIndex, cell.parentElement.cells.length]
  const { down = "angular|linear", along = "angular|linear", each = "" } = table.dataset
  const names = [["row", part(row, table.rows.length, down)], ["column", part(column, across, along)]]
  const place = names.filter(([, name]) => name).map((words) => words.join(" ")).join(", ")
  const unit = each.split("|")[2 * Math.floor(row / 3) + Math.floor(column / 3)] ?? ""
  return `${place ? `${place}: ` : ""}${number} ${unit}`.trim()
}

const passing = new WeakMap() // of a sheet: its numbers, where they came by a message
const unfolded = new WeakMap() // and which of its parts are open, wherever it is drawn anew

const BESIDE = 30 // px of its neighbour, which shows that the map continues
/** Scrolls a map that is wider than its sheet sideways to the present step. */
function bringIntoSight(here) {
  const map = here.closest(".wide")
  const [edge, box] = [map.getBoundingClientRect(), here.getBoundingClientRect()]
  const names = here.closest(".steps tr")?.querySelector("th[scope=row]")?.offsetWidth ?? 0 // which stay at the edge
  if (box.right > edge.right - BESIDE) map.scrollLeft += box.right - edge.right + BESIDE
  else if (box.left < edge.left + names + BESIDE) map.scrollLeft -= edge.left + names + BESIDE - box.left
}

export function render({ model, view }) {
  const root = document.createElement("div")
  root.className = "sheet"
  const style = document.createElement("style")
  const content = document.createElement("div")
  const spoken = document.createElement("p") // the step in one sentence, for screen readers
  spoken.className = "spoken"
  spoken.setAttribute("role", "status")
  let groups = [], pictures = []
  const present = () => floats(passing.get(view.model) ?? model.numbers)
  const more = besides(content, present, (what) => model.send_msg(what))
  const shape = new ResizeObserver(() => {
    more.fit()
    for (const here of content.querySelectorAll(".wide [aria-current=step]")) bringIntoSight(here)
  })
  root.append(style, content, spoken, more.tip)

  const look = () => {
    const kept = [...content.querySelectorAll("details[data-kept]")]
    if (kept.length) unfolded.set(view.model, kept.filter((each) => each.open).map((each) => each.dataset.kept))
  }
  let sought = false
  const seek = () => { // once for each link, whatever is still counted above it: until the user does anything, or for a while
    const isNew = !sought && content.querySelector("[data-sought]")
    sought = content.querySelector("[data-sought]") !== null
    if (!isNew) return
    const watch = setInterval(() => content.querySelector("[data-sought]")?.scrollIntoView({ block: "start", behavior: "instant" }), 100)
    const stop = () => {
      clearInterval(watch)
      for (const name of HANDS) window.removeEventListener(name, stop, { capture: true })
    }
    for (const name of HANDS) window.addEventListener(name, stop, { capture: true })
    setTimeout(stop, SEEKING)
  }
  const paint = () => { style.textContent = model.css } // apart: every element that it rules is styled anew
  const write = () => {
    const focused = content.getRootNode().activeElement?.dataset?.go
    look()
    content.innerHTML = model.html
    for (const table of content.querySelectorAll("table[data-cells]")) addCells(table)
    for (const name of unfolded.get(view.model) ?? []) content.querySelector(`[data-kept="${CSS.escape(name)}"]`)?.setAttribute("open", "")
    root.hidden = !model.html // its margins, too
    const sentence = content.querySelector("[data-spoken]")?.dataset.spoken ?? ""
    const isNext = spoken.textContent && spoken.textContent !== sentence && !focused // not by what was clicked in it
    if (spoken.textContent !== sentence) spoken.textContent = sentence
    if (focused) content.querySelector(`[data-go="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true })
    // The cells of one matrix are a group: its largest number says what is rounding, and how dark a cell is. Where its
    // parts have units of their own, or larger numbers have been subtracted to get it, ``data-beside`` is the place of
    // the sizes that say what is rounding, and ``data-units`` says which cell is compared with which.
    groups = [...content.querySelectorAll("[data-first]")].map((element) => ({
      first: Number(element.dataset.first),
      cells: [...element.querySelectorAll("[data-n]"), ...(element.dataset.n === undefined ? [] : [element])],
      heat: element.dataset.heat === undefined ? 0 : Number(element.dataset.heat),
      strongest: Number(element.dataset.strongest ?? (element.dataset.tiled === undefined ? 55 : 92)),
      tiled: element.dataset.tiled !== undefined,
      beside: element.dataset.beside === undefined ? -1 : Number(element.dataset.beside),
      units: (element.dataset.units ?? "1 1 1").split(" ").map(Number),
      digits: Number(element.closest("[data-digits]")?.dataset.digits ?? DIGITS),
    }))
    pictures = [...content.querySelectorAll("svg[data-crossing], svg[data-triangle]")]
    more.written()
    count()
    shape.unobserve(content) // again: it reports the next layout, and nothing has to be laid out before
    shape.observe(content)
    if (isNext) content.querySelector(".head[data-spoken]")?.scrollIntoView({ block: "nearest", behavior: "instant" })
    seek()
  }

  // A text of the step that is shown: saved, or copied; the sheet says which.
  const handOn = ({ handed, what, name }) => {
    const told = content.querySelector("[data-told]") ?? spoken
    if (!name) return copyText(handed, told, what)
    saveText(name, handed, "text/plain", root)
    told.textContent = `Saved as ${name}.`
  }

  const count = () => {
    const numbers = present()
    for (const { first, cells, heat, strongest, tiled, beside, units, digits } of groups) {
      if (first + cells.length > numbers.length) continue
      const values = cells.map((_, i) => numbers[first + i])
      const largest = Math.max(0, ...values.filter(Number.isFinite).map(Math.abs))
      const texts = cells.map((cell, i) => {
        const size = beside < 0 ? largest : numbers[beside + placeOfSize(i, ...units)]
        const plain = written(values[i], size, digits)
        const text = cell.dataset.bracketed !== undefined && plain.startsWith("−") ? `(${plain})` : plain
        if (cell.textContent !== text) cell.textContent = text
        return text
      })
      if (heat) shade(cells, values, texts, heat, strongest)
      if (tiled) shade(cells, values, texts, blockOf(cells.length / columnsOf(cells), columnsOf(cells)), strongest)
    }
    for (const picture of pictures) draw(picture, numbers)
  }

  // ``data-to`` leads to the section of that id, ``data-go`` asks the server.
  const follow = (event) => {
    const to = event.target.closest("[data-to]"), target = event.target.closest("[data-go]")
    if (to) content.querySelector(`[id="${to.dataset.to}"]`)?.scrollIntoView({ block: "start", behavior: STILL.matches ? "instant" : "smooth" })
    else if (target) model.send_msg(target.dataset.go)
    return to ?? target
  }
  content.addEventListener("toggle", look, { capture: true }) // it does not bubble
  content.addEventListener("click", follow)
  content.addEventListener("mousedown", (event) => {
    if (event.target.closest("[data-go], [data-to]")) event.preventDefault() // the mouse leaves the keys to the page
  })
  content.addEventListener("keydown", (event) => {
    if ((event.key !== "Enter" && event.key !== " ") || !follow(event)) return
    event.preventDefault()
    event.stopPropagation()
  })
  content.addEventListener("pointerover", (event) => {
    const cell = event.target.closest("[data-n]")
    if (cell) cell.title = nameOf(cell, String(present()[Number(cell.dataset.n)] ?? ""))
  })
  model.on("html", write)
  model.on("css", paint)
  model.on("numbers", () => {
    passing.delete(view.model)
    count()
  })
  model.on("msg:custom", (data) => {
    if (data.letters || data.paper) return more.answered(data)
    if (data.handed) return handOn(data)
    passing.set(view.model, data)
    count()
  })
  paint()
  write()
  return root
}

function floats(bytes) {
  if (!bytes) return new Float64Array()
  if (bytes instanceof ArrayBuffer) return new Float64Array(bytes)
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
}
