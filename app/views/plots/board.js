const [LEAST_WIDTH, LEAST_HEIGHT] = [150, 150]
const NUMBERS = 11 // pixels of an axis's numbers, of a page whose type has the usual size
const BESIDE = 0.05 // s after the last sample for which its value still stands
const DASH = {solid: "", dashed: "5 3", dotted: "1.5 2.5"}

function sample(color, dash) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg")
  svg.setAttribute("aria-hidden", "true")
  svg.setAttribute("viewBox", "0 0 16 6")
  const line = document.createElementNS("http://www.w3.org/2000/svg", "line")
  for (const [name, value] of [["x1", 0], ["x2", 16], ["y1", 3], ["y2", 3], ["stroke", color], ["stroke-width", 2.5],
    ["stroke-dasharray", DASH[dash] ?? ""]]) line.setAttribute(name, value)
  svg.append(line)
  return svg
}

function say(element, text) {
  if (element.textContent !== text) element.textContent = text
}

/** A line's name, of which a narrow panel leaves out the word that the line before begins with, too. */
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
      onclick: () => board.openMenu(this),
    }, "⋮")
    this.close = make("button", {
      class: "asks",
      "aria-label": `Remove panel ${number + 1}`, title: "Remove this panel", onclick: () => act("remove"),
    }, "×")
    this.progress = make("span", {class: "progress", hidden: true}) // heard by nobody: it would drown the step that is walked
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
    if (found[0] === "menu") this.board.openMenu(this)
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
    // Never without a number meanwhile: a figure measured while its readings are shorter is not measured again.
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

  /** While the browser plays it reads the numbers off its lines, in the same picture; at rest the server says them. */
  readAt(time) {
    const {state, samples} = this
    const isLate = !state?.reads && Math.abs(time - (this.reading?.time ?? time)) > BESIDE
    this.element.classList.toggle("late", isLate)
    say(this.when, isLate ? `at ${this.reading.time.toFixed(2)} s` : "")
    if (!state?.reads || !samples) return
    const {items, units, logarithmic} = state
    const {data} = samples
    const column = name => (data instanceof Map ? data.get(name) : data[name]) ?? []
    const [times, values] = [column("time"), k => column(String(k))]
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
    const tool = (what, text, title, more = {}, alone = false) => make("button", {
      title, "aria-label": title, class: alone ? null : "asks", onclick: () => model.send_msg({do: what, ...more}),
    }, text)
    this.tabs = make("div", {class: "tabs", role: "tablist", "aria-label": "Sets of plots", onkeydown: e => this.tabKey(e)})
    this.list = tool("listing", "Quantities", "Choose quantities to plot")
    this.addOne = tool("add", "+ Panel", "Add a panel")
    this.boxes = tool("boxes", "Box zoom", "Drag zooms into a stretch of time instead of panning")
    this.differences = tool("difference", "Diff", "Show this run less the kept ones, in every panel")
    this.told = make("div", {class: "told", role: "status"})
    this.tools = make("div", {class: "tools", role: "toolbar", "aria-label": "Tools of the plots", onkeydown: e => this.toolKey(e)},
      this.differences, this.list, this.addOne,
      tool("restore", "Restore", "This tab's own panels again"), tool("zoom", "−", "Show more time", {by: 1 / 0.7}, true),
      tool("zoom", "+", "Show less time", {by: 0.7}, true), tool("whole", "Whole run", "Show the whole run", {}, true), this.boxes,
      tool("csv", "CSV", "Save what is visible as a CSV file"), tool("taller", "Taller", "Taller or lower plots", {}, true))
    this.tools.addEventListener("focusin", event => this.rove(event.target))
    this.strip = make("div", {class: "strip"}, this.tabs, make("span", {class: "gap"}), this.tools)
    this.rove(null)
    this.grip = make("div", {
      class: "grip", role: "separator", tabindex: "0", "aria-orientation": "horizontal", "aria-label": "Height of the plots",
      "aria-valuemin": 180, "aria-valuemax": 640, "aria-valuenow": 240,
    })
    this.grip.addEventListener("pointerdown", event => this.drag(event))
    this.grip.addEventListener("keydown", event => {
      const by = {ArrowUp: 30, ArrowDown: -30}[event.key]
      if (!by) return
      event.preventDefault()
      event.stopPropagation()
      model.send_msg({do: "height", value: this.height() + by})
    })
    this.cells = model.get_child("figures").map((figure, k) => new Cell(k, figure, this))
    this.grid = make("div", {class: "cells", role: "tabpanel"}, ...this.cells.map(cell => cell.element))
    this.element = make("div", {class: model.alone ? "board alone" : "board"}, this.grip, this.strip, this.told, this.grid)
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
    this.scale = 1
    this.onScale = () => {
      this.sizeNumbers()
      this.tellScale()
    }
    document.addEventListener("armsweep:scale", this.onScale)
  }

  /** Moves the lines of the cursor, which are the browser's: the server hears nothing of it. */
  standAt(time) {
    this.now = time
    for (const line of this.cursors) if (line.location !== time) line.setv({location: time}, {sync: false})
  }

  /** While the browser reads the numbers off the lines. */
  readAt(time) {
    if (this.playing) for (const cell of this.cells) if (!cell.element.hidden) cell.readAt(time)
  }

  /** Finds the lines of the cursor in the figures that there are now, and reads the numbers of an instant that stays. */
  findCursors() {
    const models = Bokeh.documents.flatMap(one => [...one.all_models])
    this.cursors = models.filter(model => model.name === "cursor")
    this.sizeNumbers(models)
    this.tellScale()
    this.cells.forEach((cell, k) => { cell.samples = models.find(model => model.name === `samples ${k}`) })
    if (this.now === undefined) {
      document.dispatchEvent(new Event("armsweep:ask"))
      return
    }
    this.standAt(this.now)
    this.readAt(this.now)
  }

  /** How many times larger than usual the page's type is. */
  grown() { return Number(getComputedStyle(this.grid).getPropertyValue("--scale")) || 1 }

  /** Lines grow with the page's type: how thick they are, the server says. */
  tellScale() {
    const scale = this.grown()
    if (scale === this.scale || this.model.alone) return
    this.scale = scale
    this.model.send_msg({do: "scale", value: scale})
  }

  /** The numbers of the axes, which are drawn, grow with it, too. */
  sizeNumbers(models = Bokeh.documents.flatMap(one => [...one.all_models])) {
    const size = `${NUMBERS * this.grown()}px`
    for (const axis of models.filter(model => model.type === "LinearAxis")) {
      if (axis.major_label_text_font_size !== size) axis.setv({major_label_text_font_size: size}, {sync: false})
    }
  }

  height() { return this.element.getBoundingClientRect().height }

  dragging(on) { this.element.classList.toggle("dragging", on) }

  drag(event) {
    const [start, from] = [event.clientY, this.height()]
    this.grip.setPointerCapture(event.pointerId)
    const move = moved => { this.wanted = from + start - moved.clientY }
    const end = () => {
      this.grip.removeEventListener("pointermove", move)
      clearInterval(timer)
      send()
    }
    const send = () => { if (this.wanted) this.model.send_msg({do: "height", value: this.wanted}); this.wanted = 0 }
    const timer = setInterval(send, 100)
    this.grip.addEventListener("pointermove", move)
    this.grip.addEventListener("pointerup", end, {once: true})
    this.grip.addEventListener("pointercancel", end, {once: true})
  }

  tabKey(event) {
    const by = {ArrowLeft: -1, ArrowRight: 1}[event.key]
    if (!by) return
    event.preventDefault()
    event.stopPropagation()
    const names = this.model.tabs.filter(tab => tab.open).map(tab => tab.name)
    const at = names.indexOf(this.model.active)
    this.model.send_msg({do: "tab", name: names[(at + by + names.length) % names.length]})
  }

  /** Tab leads to one tool, the arrows to the others. */
  rove(target) {
    const tools = this.usable()
    const here = tools.includes(target) ? target : tools.find(tool => tool.tabIndex === 0) ?? tools[0]
    for (const tool of this.tools.children) tool.tabIndex = tool === here ? 0 : -1
  }

  usable() {
    return [...this.tools.children].filter(tool => !tool.disabled && !tool.hidden && !(this.model.alone && tool.classList.contains("asks")))
  }

  toolKey(event) {
    const tools = this.usable()
    const at = tools.indexOf(this.tools.getRootNode().activeElement)
    const to = {ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1}[event.key]
    if (to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    tools.at(to % tools.length).focus()
  }

  /** As many columns as have room; two rows where one would be too narrow, or where there is height for two. */
  arrange() {
    const isAlone = getComputedStyle(this.grid).getPropertyValue("--only-plot") === "none" // as a projector has it
    const count = isAlone ? 1 : this.model.cells.length
    const {width, height} = this.grid.getBoundingClientRect()
    const one = count < 4 || height < 2 * LEAST_HEIGHT || (width / count >= 2 * LEAST_WIDTH && height < 360)
    const columns = one ? count : Math.ceil(count / 2)
    this.grid.style.gridTemplateColumns = `repeat(${Math.max(columns, 1)}, minmax(${LEAST_WIDTH}px, 1fr))`
  }

  /** Where nothing is drawn, all but a line of the room is the world's (layout.css). */
  fold() {
    const {cells, listing} = this.model
    const isBare = cells.length > 0 && !listing && cells.every(({items, missing}) => !items.length && !missing.length)
    this.element.classList.toggle("bare", isBare)
    const height = [this.grip, this.strip, this.told, this.grid].reduce((sum, part) => sum + part.offsetHeight, 0)
    const {style} = document.documentElement
    if (isBare && height) style.setProperty("--bare-height", `${height}px`)
    else style.removeProperty("--bare-height")
  }

  show() {
    const {cells, tabs, active, most, projected, boxes, listing, colors} = this.model
    for (const [name, value] of Object.entries(colors)) this.element.style.setProperty(`--${name}`, value)
    const focused = this.tabs.contains(this.tabs.getRootNode().activeElement)
    this.tabs.replaceChildren(...tabs.map(tab => make("button", {
      role: "tab", "aria-selected": String(tab.name === active), disabled: !tab.open, tabindex: tab.name === active ? 0 : -1,
      onclick: () => this.model.send_msg({do: "tab", name: tab.name}),
    }, tab.name)))
    if (focused) this.tabs.querySelector("[aria-selected=true]")?.focus()
    this.grid.setAttribute("aria-label", active)
    this.addOne.disabled = cells.length >= most
    this.differences.hidden = !cells.some(cell => cell.canDifference)
    this.differences.setAttribute("aria-pressed", String(cells.length > 0 && cells.every(cell => cell.difference)))
    this.rove(null)
    this.boxes.setAttribute("aria-pressed", String(boxes))
    this.list.setAttribute("aria-expanded", String(listing))
    this.cells.forEach((cell, k) => {
      cell.show(cells[k])
      cell.element.classList.toggle("projected", k === projected)
    })
    this.fold()
    this.findCursors()
    this.arrange()
    if (this.open) this.fillMenu()
  }

  openMenu(cell) {
    if (this.open) return this.closeMenu()
    this.open = cell
    cell.more.setAttribute("aria-expanded", "true")
    this.menu = make("div", {
      class: "menu", role: "dialog", "aria-label": `Choices of panel ${cell.number + 1}`,
      onkeydown: event => {
        event.stopPropagation()
        if (event.key === "Escape") this.closeMenu()
      },
    })
    this.element.append(this.menu)
    this.fillMenu()
    const at = cell.more.getBoundingClientRect()
    this.menu.style.left = `${Math.max(8, Math.min(at.right - 250, innerWidth - 266))}px`
    this.menu.style.bottom = `${innerHeight - at.top + 2}px`
    this.outside = event => { if (!event.composedPath().some(each => each === this.menu || each === cell.more)) this.closeMenu() }
    document.addEventListener("pointerdown", this.outside)
    this.menu.querySelector("select, input, button")?.focus()
  }

  closeMenu() {
    if (!this.open) return
    document.removeEventListener("pointerdown", this.outside)
    this.open.more.setAttribute("aria-expanded", "false")
    this.open.more.focus()
    this.open = null
    this.menu.remove()
  }

  fillMenu() {
    const {state, act} = this.open
    const text = JSON.stringify(state)
    if (this.menu.dataset.shown === text) return
    const focused = this.menu.getRootNode().activeElement?.getAttribute?.("aria-label")
    this.menu.dataset.shown = text
    const choice = (label, options, value, change) => make("label", {class: "choice"}, label, make("select", {
      "aria-label": label, onchange: event => change(event.target.value),
    }, ...options.map(([key, name]) => make("option", {value: key, selected: key === value}, name))))
    const tick = (field, label) => {
      const box = make("input", {type: "checkbox", "aria-label": label,
        onchange: event => act("set", {field, value: event.target.checked})})
      box.checked = state[field]
      return make("label", {}, box, label)
    }
    this.menu.replaceChildren(
      ...state.choices.map(each => choice(each.label, each.options, each.value,
        value => act("component", {trace: each.trace, value}))),
      ...(state.follows.length ? [choice("Whose", state.follows, state.follow, value => act("set", {field: "follow", value}))] : []),
      ...(state.canLog ? [tick("logarithmic", "Logarithmic axis")] : []), tick("full", "Whole range, peaks and all"),
      ...(state.canBars ? [tick("bars", "Bars: every link now")] : []),
      ...(state.canDifference ? [tick("difference", "Difference: this run less the kept ones")] : []),
      ...(this.model.alone || !state.items.length ? [] : [make("div", {class: "row"},
        make("button", {title: "All samples of this panel, all digits", onclick: () => { act("copy"); this.closeMenu() }}, "Copy CSV"),
        make("button", {title: "The same as a file", onclick: () => { act("save"); this.closeMenu() }}, "Save CSV"),
        make("button", {title: "The values at this moment (C)", onclick: () => {
          const text = this.open.valuesText()
          this.closeMenu()
          this.copy(text, "The values are")
        }}, "Copy values")),
      make("div", {class: "row"}, ...["png", "svg"].map(ending => make("button", {
        title: `This panel at this moment as a picture, ${ending === "png" ? "in pixels" : "in vectors"}`,
        onclick: () => {
          const cell = this.open
          this.closeMenu()
          this.picture(cell, ending)
        },
      }, `Save ${ending.toUpperCase()}`)))]),
      make("div", {class: "row"}, make("button", {onclick: () => { act("clear"); this.closeMenu() }}, "Clear"),
        make("button", {onclick: () => { act("remove"); this.closeMenu() }}, "Remove"),
        make("button", {onclick: () => this.closeMenu()}, "Close")))
    if (focused) [...this.menu.querySelectorAll("[aria-label]")].find(each => each.getAttribute("aria-label") === focused)?.focus()
  }

  say(words) {
    clearTimeout(this.telling)
    this.told.textContent = words
    this.telling = setTimeout(() => this.told.replaceChildren(), 4000)
  }

  /** Says what is copied for a while; what is to be copied by hand stays until something else is said. */
  async copy(text, what) {
    clearTimeout(this.telling)
    await copyText(text, this.told, what)
    if (!this.told.firstElementChild) this.telling = setTimeout(() => this.told.replaceChildren(), 4000)
  }

  /** Saves a panel as it stands at this moment, in vectors or in pixels, and says so. */
  async picture(cell, ending) {
    const {machine, colors} = this.model
    const draw = view => {
      const at = `${(this.now ?? cell.reading?.time ?? 0).toFixed(3)} s`
      const svg = pictureOf(cell, view, cell.values.map(value => value.textContent), `${machine}, t = ${at}`, colors)
      return [svg, `${fileName(machine, cell.state.title, cell.state.subject, `at ${at}`)}.${ending}`]
    }
    try {
      const view = cell.state.bars ? null : this.viewOf(cell)
      const [svg, name] = view ? await whileLarge(cell, view, () => draw(view)) : draw(null)
      const blob = ending === "svg" ? new Blob([new XMLSerializer().serializeToString(svg)], {type: "image/svg+xml"}) : await inPixels(svg)
      saveBlob(name, blob, this.element)
      this.say(`Saved as ${name}.`)
    } catch (error) {
      this.say(`The picture could not be made: ${error.message}.`)
    }
  }

  /** What Bokeh has drawn in a cell. */
  viewOf(cell) {
    const plot = Bokeh.documents.flatMap(one => [...one.all_models])
      .find(model => model.type === "Figure" && model.renderers.some(each => each.data_source === cell.samples))
    return Bokeh.index.get_one(plot)
  }

  stop() {
    document.removeEventListener("dragstart", this.onDrag)
    document.removeEventListener("dragend", this.offDrag)
    if (this.open) document.removeEventListener("pointerdown", this.outside)
    this.sizes.disconnect()
    document.documentElement.style.removeProperty("--bare-height")
    document.removeEventListener("armsweep:moment", this.onMoment)
    document.removeEventListener("armsweep:scale", this.onScale)
  }
}

export function render({model}) {
  const board = new Board(model)
  board.show()
  model.on(["cells", "tabs", "active", "projected", "boxes", "listing", "colors"], () => board.show())
  model.on("msg:custom", message => {
    const data = message.data ?? message
    if (data.save) saveText(data.save, data.text, "text/csv", board.element)
    else if (data.copy) board.copy(data.copy, "The curves are")
    else (data.panels ?? []).forEach((reading, k) => board.cells[k].read({...reading, time: data.time}))
  })
  model.on("remove", () => board.stop())
  model.on("figures", () => board.findCursors())
  model.send_msg({do: "ready"})
  return board.element
}
