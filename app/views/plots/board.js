const [LEAST_WIDTH, LEAST_HEIGHT] = [150, 150]
const NUMBERS = 11 // pixels of an axis's numbers, of a page whose type has the usual size
const BESIDE = 0.05 // s after the last sample for which its value still stands
const DASH = {solid: "", dashed: "5 3", dotted: "1.5 2.5"}
const LONG_DASH = {solid: "", dashed: "6", dotted: "2 4"} // in a figure, where there is more room
const CURSOR_WIDTH = 1.5
const HEIGHTS = {least: 180, list: 300, tall: 460, most: 640} // px of the dock, of a page whose type has the usual size

const sample = (color, dash) => drawn("svg", {"aria-hidden": "true", viewBox: "0 0 16 6"},
  drawn("line", {x1: 0, x2: 16, y1: 3, y2: 3, stroke: color, "stroke-width": 2.5, "stroke-dasharray": DASH[dash] ?? ""}))

function say(element, text) {
  if (element.textContent !== text) element.textContent = text
}

/** A line's name; a narrow panel leaves out a first word that it shares with the line before. */
function named(brief, before = "") {
  const word = /^\S+ (?=\p{L})/u.exec(brief)?.[0] ?? ""
  if (!word || !before.startsWith(word)) return accented(brief)
  return [make("span", {class: "again"}, ...accented(word)), ...accented(brief.slice(word.length))]
}

/** Which of rising times is the last before a time, and how far it is on the way to the next, 0 to 1. */
function place(times, time) {
  let [low, high] = [0, times.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (times[middle] <= time) low = middle
    else high = middle - 1
  }
  const next = times[low + 1]
  return [low, next > times[low] ? Math.min(Math.max((time - times[low]) / (next - times[low]), 0), 1) : 0]
}

const column = (source, name) => source.data instanceof Map ? source.data.get(name) : source.data[name]

/** One panel: what it is, its readings, its figure or bars, and what can be done with it. */
class Cell {
  constructor(number, figure, board) {
    this.number = number
    this.board = board
    this.shown = ""
    const act = (what, more = {}) => board.model.send_msg({do: what, panel: number, ...more})
    this.act = act
    this.title = make("h3", {class: "title"})
    this.more = make("button", {
      class: "asks",
      "aria-label": `Choices of panel ${number + 1}`, "aria-haspopup": "dialog", "aria-expanded": "false", title: "Choices",
      onclick: () => board.openMenu(this.more, () => [JSON.stringify(this.state), () => this.choices()]),
    }, "⋮")
    this.close = make("button", {
      class: "asks",
      "aria-label": `Close panel ${number + 1}`, title: "Close this panel", onclick: () => act("remove"),
    }, "×")
    this.followed = new WeakSet()
    this.progress = make("span", {class: "progress", hidden: true}) // not announced: it would drown the step of the walk
    this.when = make("span", {class: "when"})
    this.readings = make("dl", {class: "readings"})
    this.note = make("div", {class: "note", hidden: true})
    this.bars = make("div", {class: "bars", hidden: true, role: "group"})
    this.empty = make("div", {class: "empty", hidden: true}, "Nothing is drawn here. Choose something under Quantities, or drag it here.")
    figure.tabIndex = -1 // Tab passes it by: nothing in it has a name, and the panel around it has its keys
    this.plot = make("div", {class: "plot"}, figure, this.note, this.bars, this.empty)
    this.zones = [["put", "Show here"], ["join", "Show beside"]].map(([what, text]) => {
      const zone = make("div", {
        ondragover: event => { event.preventDefault(); zone.classList.add("over") },
        ondragleave: () => zone.classList.remove("over"),
        ondrop: event => {
          event.preventDefault()
          zone.classList.remove("over")
          board.dragging(false)
          act(what, {key: event.dataTransfer.getData("text/plain")})
        },
      }, text)
      return zone
    })
    this.element = make("section", {
      class: "cell", tabindex: "0", role: "group", hidden: true, onkeydown: event => this.key(event),
    }, make("div", {class: "head"}, this.title, this.when, this.progress, this.more, this.close), this.readings, this.plot,
    make("div", {class: "drop"}, ...this.zones))
  }

  /** A value as a program reads it: all its digits where they are known. */
  valueOf(k) {
    const isRead = this.board.playing && this.state.reads && this.samples
    const text = (!isRead && this.reading?.raw[k]) || this.values[k].textContent.split(" ")[0]
    return text.replaceAll("\u2212", "-")
  }

  /** All of them, with their names and units. */
  valuesText() {
    return this.state.items.map(({label, unit}, k) => `${label}\t${this.valueOf(k)}\t${unit || "1"}`).join("\n")
  }

  key(event) {
    if (event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey) return
    const keys = {
      "+": ["zoom", 0.7], "=": ["zoom", 0.7], "-": ["zoom", 1 / 0.7], ArrowLeft: ["pan", -0.15], ArrowRight: ["pan", 0.15],
      0: ["whole", 1], Delete: ["remove", 1], Enter: ["menu", 1], c: ["values", 1],
    }
    const found = keys[event.key]
    if (!found) return
    event.preventDefault()
    event.stopPropagation()
    if (found[0] === "menu") this.more.click()
    else if (found[0] === "values") this.board.copy(this.valuesText(), "The values are")
    else this.act(found[0], {by: found[1]})
  }

  /** A reading's number and its unit, which stands once behind several of one unit where a panel is narrow. */
  write(k, text) {
    const [number] = /^\S*/.exec(text)
    const [before, behind] = this.values[k].children
    say(before, number)
    say(behind, text.slice(number.length))
  }

  show(state) {
    this.element.hidden = !state
    const text = JSON.stringify(state ?? null)
    if (!state || text === this.shown) return
    const before = new Map((this.state?.items ?? []).map((item, k) => [item.label, this.values[k].textContent]))
    this.shown = text
    this.state = state
    this.element.setAttribute("aria-label", `Panel ${this.number + 1}: ${state.title || "empty"} ${state.subject}`)
    this.title.title = state.names
    this.title.replaceChildren(...accented(state.title), make("span", {}, state.subject ? ` ${state.subject}` : ""))
    this.empty.hidden = state.items.length + state.missing.length > 0
    this.bars.hidden = !state.bars
    this.zones[1].classList.toggle("unused", !state.canJoin)
    // Never without a number meanwhile: a figure measured with shorter readings is not measured again.
    this.values = state.items.map((item, k) => make("dd", {
      class: item.unit !== "" && item.unit === state.items[k + 1]?.unit ? "alike" : null,
      onclick: () => this.board.copy(this.valueOf(k), "The value is"),
    }, make("span"), make("span", {class: "unit"})))
    state.items.forEach((item, k) => this.write(k, before.get(item.label) ?? ` ${item.unit}`))
    this.readings.replaceChildren(...state.items.map((item, k) => make("div", {},
      sample(item.color, item.dash), make("dt", {title: item.label, "aria-label": item.label},
        ...named(item.brief, state.items[k - 1]?.brief)), this.values[k])))
    const longest = Math.max(0, ...state.items.map(item => item.brief.length + item.unit.length))
    this.readings.style.setProperty("--least", `calc(${22 + 5.8 * (longest + 10)}px * var(--scale, 1))`)
    this.columns = state.columns.map(column => {
      const bar = make("span", {class: "bar", style: `background:${column.color}`})
      const button = make("button", {
        "aria-pressed": String(column.selected), onclick: () => this.act("link", {row: column.row}),
      }, make("span", {class: "room"}, bar), make("span", {class: "name"}, column.brief))
      return {bar, button, name: column.name}
    })
    this.bars.setAttribute("aria-label", `${state.title}, one bar each`)
    this.bars.replaceChildren(...this.columns.map(column => column.button))
    this.read(this.reading) // the cell may look different at an instant that stays
  }

  /** The figure that shows this panel now: its tags are the samples of this run, then of kept runs. */
  take(figure) {
    this.figure = figure
    this.samples = figure?.tags[0]
    for (const source of figure?.tags ?? []) {
      if (this.followed.has(source)) continue
      this.followed.add(source)
      for (const signal of [source.streaming, source.properties.data.change]) signal.connect(() => this.draw())
    }
    this.draw()
  }

  /** Every line is a row of one glyph: its samples, and how it looks. */
  draw() {
    const {figure, state} = this
    if (!figure || !state) return
    const scale = this.board.grown(), rows = {xs: [], ys: [], color: [], dash: [], width: []}
    state.lines.forEach((looks, run) => looks.forEach(([color, dash, width], k) => {
      const source = figure.tags[run], ys = source && column(source, String(k))
      if (!ys) return // its samples are still on their way
      const pixels = (LONG_DASH[dash] ?? dash).split(" ").filter(part => part)
      rows.xs.push(column(source, "time"))
      rows.ys.push(ys)
      rows.color.push(color)
      rows.dash.push(pixels.map(part => Math.round(part * scale)))
      rows.width.push(width * scale)
    }))
    const [lines, letters] = figure.renderers
    lines.data_source.setv({data: rows}, {sync: false})
    letters?.glyph.setv({text_font_size: {value: `${NUMBERS * scale}px`}}, {sync: false})
  }

  /** While the browser plays, it reads the numbers from its lines, in the same picture; at rest the server sends them. */
  readAt(time) {
    const {state, samples} = this
    const isLate = !state?.reads && Math.abs(time - (this.reading?.time ?? time)) > BESIDE
    this.element.classList.toggle("late", isLate)
    say(this.when, isLate ? `at ${this.reading.time.toFixed(2)} s` : "")
    if (!state?.reads || !samples) return
    const {items, units, logarithmic} = state
    const [times, values] = [column(samples, "time") ?? [], k => column(samples, String(k)) ?? []]
    if (this.measured !== times || this.count !== times.length || this.sized !== this.shown) {
      [this.measured, this.count, this.sized, this.sizes] = [times, times.length, this.shown, new Map()]
      units.forEach((keys, k) => {
        let size = 0
        for (const value of values(k)) if (Math.abs(value) < Infinity) size = Math.max(size, logarithmic ? 10 ** value : Math.abs(value))
        for (const key of keys) this.sizes.set(key, Math.max(size, this.sizes.get(key) ?? 0))
      })
    }
    const [at, share] = place(times, time)
    const known = time - times[times.length - 1] < BESIDE // else the samples are still on their way
    items.forEach(({column, unit}, k) => {
      const line = values(column)
      const value = known ? line[at] + (share ? share * (line[at + 1] - line[at]) : 0) : NaN
      if (!this.values[k]) return
      const plain = logarithmic ? 10 ** value : value
      const size = Math.max(this.reading?.least[k] ?? 0, ...units[column].map(key => this.sizes.get(key)))
      this.write(k, Number.isFinite(value) ? `${written(plain, size, 4, false)} ${unit}`.trim() : "–") // of an instant without it
    })
  }

  /** What can be chosen of it, for a menu. */
  choices() {
    const {state, act, board} = this, close = () => board.closeMenu()
    const choice = (label, options, value, change) => make("label", {class: "choice"}, label, make("select", {
      "aria-label": label, onchange: event => change(event.target.value),
    }, ...options.map(([key, name]) => make("option", {value: key, selected: key === value}, name))))
    const tick = (field, label) => {
      const box = make("input", {type: "checkbox", "aria-label": label,
        onchange: event => act("set", {field, value: event.target.checked})})
      box.checked = state[field]
      return make("label", {}, box, label)
    }
    return [
      ...state.choices.map(each => choice(each.label, each.options, each.value,
        value => act("component", {trace: each.trace, value}))),
      ...(state.follows.length ? [choice("Whose", state.follows, state.follow, value => act("set", {field: "follow", value}))] : []),
      ...(state.canLog ? [tick("logarithmic", "Logarithmic axis")] : []), tick("full", "Whole range, peaks and all"),
      ...(state.canBars ? [tick("bars", "Bars: every link now")] : []),
      ...(state.canDifference ? [tick("difference", "Difference: this run less the kept ones")] : []),
      ...(board.model.alone || !state.items.length ? [] : [make("div", {class: "row"},
        make("button", {title: "All samples of this panel, all digits", onclick: () => { act("copy"); close() }}, "Copy CSV"),
        make("button", {title: "The same as a file", onclick: () => { act("save"); close() }}, "Save CSV"),
        make("button", {title: "The values at this moment (C)", onclick: () => {
          close()
          board.copy(this.valuesText(), "The values are")
        }}, "Copy values")),
      make("div", {class: "row"}, ...["png", "svg"].map(ending => make("button", {
        title: `This panel at this moment as a picture, ${ending === "png" ? "in pixels" : "in vectors"}`,
        onclick: () => {
          close()
          board.picture(this, ending)
        },
      }, `Save ${ending.toUpperCase()}`)))]),
      make("div", {class: "row"}, make("button", {onclick: () => { act("clear"); close() }}, "Clear"),
        make("button", {onclick: close}, "Close"))]
  }

  read(reading) {
    this.reading = reading
    if (!this.board.playing) this.element.classList.remove("late"), say(this.when, "")
    if (!this.state || !reading) return
    if (!(this.board.playing && this.state.reads && this.samples)) reading.values.forEach((text, k) => {
      if (!this.values[k]) return
      this.write(k, text)
      this.values[k].title = reading.raw[k] && `${reading.raw[k]}: a click copies it`
    })
    reading.bars.forEach(([from, to, text], k) => {
      const column = this.columns[k]
      if (!column) return
      column.bar.style.top = `${100 * (1 - to)}%`
      column.bar.style.bottom = `${100 * from}%`
      const name = `${column.name}: ${text}`
      if (column.button.title !== name) {
        column.button.title = name
        column.button.setAttribute("aria-label", name)
      }
    })
    const notes = JSON.stringify(reading.notes)
    if (notes !== this.notes) {
      this.notes = notes
      const [beside, over] = [true, false].map(is => reading.notes.filter(([, what]) => (what === "progress") === is))
      say(this.progress, beside.map(([text]) => text).join(", "))  // in the head, where it hides no curve
      this.progress.hidden = !beside.length
      this.note.hidden = over.length === 0
      this.note.replaceChildren(...over.map(([text, what]) => what === "full"
        ? make("button", {title: "Show the whole range", onclick: () => this.act("set", {field: "full", value: true})}, text)
        : make("span", {}, text)))
    }
  }
}

class Board {
  constructor(model) {
    this.model = model
    this.open = null
    const button = (text, title, onclick, more = {}) => make("button", {title, class: "asks", onclick, ...more}, text)
    this.tabs = make("div", {class: "tabs", role: "tablist", "aria-label": "Sets of plots", onkeydown: e => this.tabKey(e)})
    this.chips = make("div", {class: "chips asks", role: "group", "aria-label": "Plots to show beside"})
    this.differences = button("Diff", "Show this run less the kept ones, in every panel", () => model.send_msg({do: "difference"}))
    this.list = button("Quantities", "Choose quantities to plot", () => this.send("listing"))
    this.more = button("⋯", "More", () => this.openMenu(this.more, () => this.tools()),
      {class: null, "aria-label": "More of the plots", "aria-haspopup": "dialog", "aria-expanded": "false"})
    this.folds = button("", null, () => this.fold(!this.folded), {class: "asks folds"})
    this.told = make("div", {class: "told", role: "status"})
    this.strip = make("div", {class: "strip"}, this.tabs, this.chips, make("span", {class: "gap"}), this.differences, this.list,
      this.more, this.folds)
    this.grip = make("div", {
      class: "grip", role: "separator", tabindex: "0", "aria-orientation": "horizontal", "aria-label": "Height of the plots",
      "aria-valuemin": HEIGHTS.least, "aria-valuemax": HEIGHTS.most, "aria-valuenow": HEIGHTS.least,
    })
    this.grip.addEventListener("pointerdown", event => this.drag(event))
    this.grip.addEventListener("keydown", event => {
      const by = {ArrowUp: 30, ArrowDown: -30}[event.key]
      if (!by) return
      event.preventDefault()
      event.stopPropagation()
      this.resize(this.height() + by)
    })
    this.cells = model.get_child("figures").map((figure, k) => new Cell(k, figure, this))
    this.grid = make("div", {class: "cells", role: "tabpanel"}, ...this.cells.map(cell => cell.element))
    this.body = make("div", {class: "body"}, model.get_child("quantities") ?? "", this.grid)
    this.element = make("div", {class: model.alone ? "board alone" : "board"}, this.grip, this.strip, this.told, this.body)
    this.folded = false
    this.onDrag = event => { if (event.dataTransfer?.types.includes("text/x-quantity")) this.dragging(true) }
    this.offDrag = () => this.dragging(false)
    document.addEventListener("dragstart", this.onDrag)
    document.addEventListener("dragend", this.offDrag)
    this.sizes = new ResizeObserver(() => {
      this.grip.setAttribute("aria-valuenow", Math.round(this.height()))
      this.arrange()
      this.fold()
    })
    for (const each of [this.grid, this.strip]) this.sizes.observe(each)
    this.cursors = []
    this.playing = false
    this.onMoment = ({detail}) => {
      this.playing = detail.playing || model.alone
      this.standAt(detail.time)
      this.readAt(detail.time)
    }
    document.addEventListener("armsweep:moment", this.onMoment)
    this.onScale = () => this.find()
    document.addEventListener("armsweep:scale", this.onScale)
    this.onPlot = ({detail}) => detail(this.printed())
    document.addEventListener("armsweep:plot", this.onPlot)
  }

  /** Moves the lines of the cursor, which are the browser's: the server is not told. */
  standAt(time) {
    this.now = time
    for (const line of this.cursors) if (line.location !== time) line.setv({location: time}, {sync: false})
  }

  /** While the browser reads the numbers from the lines. */
  readAt(time) {
    if (this.playing) for (const cell of this.cells) if (!cell.element.hidden) cell.readAt(time)
  }

  /** Finds the figures that there are now, draws what is the browser's, and reads the numbers of an instant that stays. */
  find() {
    const all = Bokeh.documents.flatMap(one => [...one.all_models]), scale = this.grown()
    this.cursors = all.filter(model => model.name === "cursor")
    for (const line of this.cursors) line.setv({line_width: CURSOR_WIDTH * scale}, {sync: false})
    for (const axis of all.filter(model => model.type === "LinearAxis")) {
      axis.setv({major_label_text_font_size: `${NUMBERS * scale}px`}, {sync: false})
    }
    this.cells.forEach((cell, k) => cell.take(all.find(model => model.name === `plot ${k}`)))
    if (this.now === undefined) {
      document.dispatchEvent(new Event("armsweep:ask"))
      return
    }
    this.standAt(this.now)
    this.readAt(this.now)
  }

  /** How many times larger than usual the page's type is. */
  grown() { return Number(getComputedStyle(this.grid).getPropertyValue("--scale")) || 1 }

  height() { return this.element.getBoundingClientRect().height }

  dragging(on) { this.element.classList.toggle("dragging", on) }

  /** The dock's height in px; none is that of its style sheet. */
  resize(pixels) {
    const {style} = this.element.getRootNode().host
    if (!pixels) return style.removeProperty("--height")
    style.setProperty("--height", `${Math.min(Math.max(pixels / this.grown(), HEIGHTS.least), HEIGHTS.most)}px`)
  }

  drag(event) {
    const [start, from] = [event.clientY, this.height()]
    this.grip.setPointerCapture(event.pointerId)
    const move = moved => this.resize(from + start - moved.clientY)
    this.grip.addEventListener("pointermove", move)
    for (const end of ["pointerup", "pointercancel"]) {
      this.grip.addEventListener(end, () => this.grip.removeEventListener("pointermove", move), {once: true})
    }
  }

  send(what, more = {}) {
    this.fold(false)
    this.model.send_msg({do: what, ...more})
  }

  tabKey(event) {
    const by = {ArrowLeft: -1, ArrowRight: 1}[event.key]
    if (!by) return
    event.preventDefault()
    event.stopPropagation()
    const names = this.model.tabs.filter(tab => tab.open).map(tab => tab.name)
    const at = names.indexOf(this.model.active)
    this.send("tab", {name: names[(at + by + names.length) % names.length]})
  }

  /** Rarely used actions, for a menu. */
  tools() {
    const {model} = this, {boxes, cells, most, alone} = model
    const isTall = this.element.getRootNode().host.style.getPropertyValue("--height")
    const tool = (text, act, more = {}) => make("button", {
      "aria-label": text, onclick: () => { act(); this.closeMenu() }, ...more,
    }, text)
    const send = (what, more = {}) => () => model.send_msg({do: what, ...more})
    return [JSON.stringify([boxes, cells.length, isTall]), () => [
      ...(alone ? [] : [tool("Add an empty panel", send("add"), {disabled: cells.length >= most}),
        tool("This set as it opens", send("restore")), tool("Save what is visible as CSV", send("csv")),
        tool("Drag zooms into a box", send("boxes"), {"aria-pressed": String(boxes)})]),
      tool("Show more time", send("zoom", {by: 1 / 0.7})), tool("Show less time", send("zoom", {by: 0.7})),
      tool("Show the whole run", send("whole")),
      tool(isTall ? "Plots as high as usual" : "Taller plots", () => this.resize(isTall ? 0 : HEIGHTS.tall * this.grown())),
    ]]
  }

  /** Whether one plot stands on the world, as a projector has it. */
  isProjected() { return getComputedStyle(this.grid).getPropertyValue("--only-plot") === "none" }

  /** As many columns as have room; two rows where one would be too narrow, or where there is height for two. */
  arrange() {
    const count = this.isProjected() ? 1 : this.model.cells.length
    const {width, height} = this.grid.getBoundingClientRect()
    const one = count < 4 || height < 2 * LEAST_HEIGHT || (width / count >= 2 * LEAST_WIDTH && height < 360)
    const columns = one ? count : Math.ceil(count / 2)
    this.grid.style.gridTemplateColumns = `repeat(${Math.max(columns, 1)}, minmax(${LEAST_WIDTH}px, 1fr))`
  }

  /** Where the plots are folded, all of their space but one line goes to the world (layout.css). */
  fold(folded = this.folded) {
    this.folded = folded
    const isFolded = folded && !this.isProjected()
    this.element.classList.toggle("folded", isFolded)
    this.folds.setAttribute("aria-expanded", String(!folded))
    say(this.folds, folded ? "Show plots" : "Fold plots")
    const height = [this.grip, this.strip, this.told, this.body].reduce((sum, part) => sum + part.offsetHeight, 0)
    const {style} = document.documentElement
    if (isFolded && height) style.setProperty("--folded-height", `${height}px`)
    else style.removeProperty("--folded-height")
  }

  show() {
    const {cells, tabs, active, prepared, most, projected, listing, colors} = this.model
    for (const [name, value] of Object.entries(colors)) this.element.style.setProperty(`--${name}`, value)
    this.row(this.tabs, [tabs, active], () => tabs.map(tab => make("button", {
      role: "tab", "aria-selected": String(tab.name === active), disabled: !tab.open, tabindex: tab.name === active ? 0 : -1,
      onclick: () => this.send("tab", {name: tab.name}),
    }, tab.name)))
    this.row(this.chips, [prepared, cells.length < most], () => prepared.map(({name, title}) => make("button", {
      title: `Show ${title}`, disabled: cells.length >= most, onclick: () => this.send("prepared", {name}),
    }, name)))
    this.grid.setAttribute("aria-label", active)
    this.differences.hidden = !cells.some(cell => cell.canDifference)
    this.differences.setAttribute("aria-pressed", String(cells.length > 0 && cells.every(cell => cell.difference)))
    this.list.setAttribute("aria-expanded", String(listing))
    this.element.getRootNode().host?.style.setProperty("--list-height", `${listing ? HEIGHTS.list : 0}px`)
    this.cells.forEach((cell, k) => {
      cell.show(cells[k])
      cell.element.classList.toggle("projected", k === projected)
    })
    this.fold()
    this.find()
    this.arrange()
    if (this.open) this.fillMenu()
  }

  /** Replaces buttons that have changed; if one had the focus, one keeps it. */
  row(element, what, made) {
    const text = JSON.stringify(what)
    if (element.dataset.shown === text) return
    const focused = element.contains(element.getRootNode().activeElement)
    element.dataset.shown = text
    element.replaceChildren(...made())
    if (focused) (element.querySelector("[aria-selected=true]") ?? element.firstElementChild ?? this.more).focus()
  }

  /** Opens a menu above its button, or closes the open one; `content` makes it. */
  openMenu(opener, content) {
    if (this.open) return this.closeMenu()
    this.open = {opener, content}
    opener.setAttribute("aria-expanded", "true")
    this.menu = make("div", {
      class: "menu", role: "dialog", "aria-label": opener.getAttribute("aria-label"),
      onkeydown: event => {
        event.stopPropagation()
        if (event.key === "Escape") this.closeMenu()
      },
    })
    this.element.append(this.menu)
    this.fillMenu()
    const at = opener.getBoundingClientRect()
    this.menu.style.left = `${Math.max(8, Math.min(at.right - 250, innerWidth - 266))}px`
    this.menu.style.bottom = `${innerHeight - at.top + 2}px`
    this.outside = event => { if (!event.composedPath().some(each => each === this.menu || each === opener)) this.closeMenu() }
    document.addEventListener("pointerdown", this.outside)
    this.menu.querySelector("select, input, button")?.focus()
  }

  closeMenu() {
    if (!this.open) return
    document.removeEventListener("pointerdown", this.outside)
    this.open.opener.setAttribute("aria-expanded", "false")
    this.open.opener.focus()
    this.open = null
    this.menu.remove()
  }

  fillMenu() {
    const [text, make] = this.open.content()
    if (this.menu.dataset.shown === text) return
    const focused = this.menu.getRootNode().activeElement?.getAttribute?.("aria-label")
    this.menu.dataset.shown = text
    this.menu.replaceChildren(...make())
    if (focused) [...this.menu.querySelectorAll("[aria-label]")].find(each => each.getAttribute("aria-label") === focused)?.focus()
  }

  say(words) {
    clearTimeout(this.telling)
    this.told.textContent = words
    this.telling = setTimeout(() => this.told.replaceChildren(), 4000)
  }

  /** Says for a while what was copied; a text to be copied by hand stays until the next message. */
  async copy(text, what) {
    clearTimeout(this.telling)
    await copyText(text, this.told, what)
    if (!this.told.firstElementChild) this.telling = setTimeout(() => this.told.replaceChildren(), 4000)
  }

  /** A panel as it stands at this moment, in vectors, and a name for it. */
  async drawing(cell) {
    const {machine, colors} = this.model
    const draw = view => {
      const at = `${(this.now ?? cell.reading?.time ?? 0).toFixed(3)} s`
      const svg = pictureOf(cell, view, cell.values.map(value => value.textContent), `${machine}, t = ${at}`, colors)
      return [svg, fileName(machine, cell.state.title, cell.state.subject, `at ${at}`)]
    }
    const view = cell.state.bars ? null : Bokeh.index.get_one(cell.figure)
    return view ? whileLarge(cell, view, () => draw(view)) : draw(null)
  }

  /** The panel that a projector shows, as a picture for print; nothing if it is empty. */
  async printed() {
    const cell = this.cells[this.model.projected] ?? this.cells[0]
    if (!cell?.state.items.length && !cell?.state.bars) return ""
    const canvas = await inPixels((await this.drawing(cell))[0], 1)
    return canvas.toDataURL("image/jpeg", 0.8)
  }

  /** Saves a panel, in vectors or in pixels, and says so. */
  async picture(cell, ending) {
    try {
      const [svg, title] = await this.drawing(cell), name = `${title}.${ending}`
      const blob = ending === "svg" ? new Blob([new XMLSerializer().serializeToString(svg)], {type: "image/svg+xml"}) : await pngOf(await inPixels(svg))
      saveBlob(name, blob, this.element)
      this.say(`Saved as ${name}.`)
    } catch (error) {
      this.say(`The picture could not be made: ${error.message}.`)
    }
  }

  stop() {
    document.removeEventListener("dragstart", this.onDrag)
    document.removeEventListener("dragend", this.offDrag)
    if (this.open) document.removeEventListener("pointerdown", this.outside)
    this.sizes.disconnect()
    document.documentElement.style.removeProperty("--folded-height")
    document.removeEventListener("armsweep:moment", this.onMoment)
    document.removeEventListener("armsweep:scale", this.onScale)
    document.removeEventListener("armsweep:plot", this.onPlot)
  }
}

export function render({model}) {
  const board = new Board(model)
  board.show()
  model.on(["cells", "tabs", "active", "prepared", "projected", "boxes", "listing", "colors"], () => board.show())
  model.on("msg:custom", message => {
    const data = message.data ?? message
    if (data.save) saveText(data.save, data.text, "text/csv", board.element)
    else if (data.copy) board.copy(data.copy, "The curves are")
    else (data.panels ?? []).forEach((reading, k) => board.cells[k].read({...reading, time: data.time}))
  })
  model.on("remove", () => board.stop())
  model.send_msg({do: "ready"})
  return board.element
}
