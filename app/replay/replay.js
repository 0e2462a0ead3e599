// What the server is to the page, this is to a replay: it gives each view its values, receives what the user does in it,
// and answers from what the file carries. The views, the player and the keys are the page's own. Where a lecturer leads, the
// run comes in parts, the pictures first, and another run may take its place.
const REPORT = 0.2 // s between two looks at where the clock is, while it plays
const STEP = 0.01 // s
const BLANK = "#______" // where a color goes
const PACES = { Slow: 3000, Normal: 1200, Fast: 300 } // ms for a half-step

const isProjected = () => document.documentElement.classList.contains("projector")

/** A page in the colors of a theme. */
function colored({ text, colors }, theme) {
  let k = 0
  return text.replaceAll(BLANK, () => colors[theme][k++])
}

/** What a view uses as the server's half of it. */
function modelOf(values, hear, children = {}) {
  const followers = []
  const own = {
    on(names, act) { followers.push([[names].flat(), act]) },
    send_msg: hear,
    get_child: (name) => children[name],
    message(data) { for (const [names, act] of followers) if (names.includes("msg:custom")) act(data) },
  }
  return new Proxy({ ...values, ...own }, {
    set(target, name, now) {
      if (target[name] === now) return true
      target[name] = now
      for (const [names, act] of followers) if (names.includes(name)) act()
      return true
    },
  })
}

/** A view in a place of its own, where only its own styles hold. */
function mount({ render }, model, style = "", attributes = {}) {
  const place = make("div", attributes)
  const shadow = place.attachShadow({ mode: "open" })
  shadow.append(make("style", {}, style), render({ model, el: place, view: { model: { document: { on_event() {} } } } }))
  return place
}

class Replay {
  constructor(data, parcel, views) {
    this.views = views
    this.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"
    this.clock = { number: 0, track: 0, jump: 0, time: data.time, playing: true, speed: data.speed }
    this.leading = false // while somebody else moves it
    this.onOwn = null // called when its user moves it
    this.onStep = null // called when another step is read
    this.more = {} // keys of whoever leads it
    this.hold(data, parcel)
  }

  hold(data, parcel) {
    Object.assign(this, { data, parcel: new this.views.viewer.Parcel(parcel), now: data.time })
    this.clock.track += 1
    this.shown = new Set(data.pictures.on)
    this.walks = new Walks(data.walks, this.parcel)
    this.recorded = new this.views.viewer.Recorded(data.pictures, this.parcel, data)
  }

  /** Another run instead of this one; the camera stays if it looks the same. */
  async change(data, parcel, stay) {
    this.walkAlone(false)
    this.leading = true // the camera may go where the other machine is
    this.hold(data, parcel)
    this.fill(stay)
    this.leading = false
    await this.plots.take(data.curves, this.parcel)
  }

  /** More of the run. */
  async add({ walks, curves }, packed) {
    const parcel = new this.views.viewer.Parcel(packed)
    if (walks) {
      this.walks.add(walks, parcel)
      this.walks.stand(this.now)
      this.showStep()
    }
    if (curves) await this.plots.take(curves, parcel)
  }

  /** What somebody else shows of this run. */
  lead(changes) {
    this.leading = true
    const { time, playing, speed, layers, only, step, camera } = changes
    if (step !== undefined) this.place = step
    if ([layers, only, step].some((news) => news !== undefined)) this.see(layers, only)
    if (playing !== undefined && playing !== this.clock.playing) this.tell({ playing })
    if (speed !== undefined && speed !== this.clock.speed) {
      this.tell({ speed })
      this.speed.value = speed
    }
    if (time !== undefined) {
      this.clock.time = time
      document.dispatchEvent(new CustomEvent("armsweep:seek", { detail: { time, held: false } }))
    }
    if (step !== undefined) {
      this.walks.find(step)
      this.showStep()
      this.plots.look(this.walks.link)
    }
    if (camera !== undefined) dispatchEvent(new CustomEvent("armsweep-look", { detail: camera }))
    this.leading = false
  }

  /** What the user does. */
  own() { if (!this.leading) this.onOwn?.() }

  // ---- the clock ----

  state(changes = {}) {
    Object.assign(this.clock, changes, { number: this.clock.number + 1 })
    const { duration, interval } = this.data
    return { ...this.clock, interval, duration, known: duration, complete: true, live: false, report: REPORT }
  }

  tell(changes) {
    this.viewer.message({ play: this.state(changes) })
    this.showPlaying()
  }

  toggle() {
    this.own()
    this.tell({ playing: !this.clock.playing })
  }

  stand(time) {
    this.own()
    const place = Math.min(Math.max(time, 0), this.data.duration)
    this.tell({ playing: false, time: place, jump: this.clock.jump + 1 })
    this.follow(place)
    this.redraw()
  }

  /** Where the browser's clock is now: the walk shows the instant next to it that can be read. */
  follow(time) {
    this.now = time
    const before = this.walks.instant
    this.walks.stand(time)
    if (this.walks.instant !== before) this.showStep()
  }

  // ---- the picture ----

  scene(stay) {
    return this.recorded.scene(this.shown, this.theme, this.state({ time: this.now, jump: this.clock.jump + 1 }), stay)
  }

  /** Layers, and the links for which single ones are drawn. */
  see(layers = [...this.shown], only = this.recorded.only) {
    const names = layers.filter((name) => this.data.pictures.layers.includes(name))
    const near = Object.keys(only).length && this.place?.[0] === "filter" ? this.place[1] : null
    if (JSON.stringify([names, only, near]) === JSON.stringify([[...this.shown], this.recorded.only, this.recorded.near])) return
    Object.assign(this.recorded, { only, near })
    this.choose(names)
    this.list.chosen = names
  }

  choose(names) {
    this.shown = new Set(names)
    this.clock.track += 1
    this.tell({})
    this.viewer.message(this.recorded.piece(this.shown, this.clock.track))
    this.redraw()
    this.showLegend()
  }

  /** What stands still is drawn anew. */
  redraw() {
    const before = this.leading
    this.leading = true
    document.dispatchEvent(new CustomEvent("armsweep:seek", { detail: { time: this.now, held: false } }))
    this.leading = before
  }

  showLegend() {
    const { legend, scales, layers } = this.data.pictures
    const on = layers.filter((name) => this.shown.has(name))
    const { only } = this.recorded, near = this.recorded.closeUp(this.now)
    const isNear = (name) => near && name in near.words && (only[name] ?? [-1]).every((link) => near.whose.includes(link))
    const named = (name) => ({ ...legend[this.theme][name], ...(isNear(name) ? { name: legend[this.theme][name].name + near.larger } : {}) })
    this.viewer.legend = on.filter((name) => legend[this.theme][name]).map(named)
    const said = ["ellipsoid", "arrow"].map((sort) => {
      const words = on.filter((name) => scales[name]?.sort === sort).map((name) => (isNear(name) ? near.words[name] : scales[name].words))
      return words.length ? `${sort}s: 10 cm = ${[...new Set(words)].join(", ")}` : ""
    }).filter(Boolean)
    this.viewer.caption = said.join("; ")
  }

  // ---- the walk ----

  showStep() {
    const { stretch, step, time } = this.walks
    const { page, numbers } = this.walks.sheet(this.theme)
    if (this.diagram.map !== stretch.map) this.diagram.map = stretch.map
    this.diagram.at = step
    this.sheet.html = page
    this.sheet.numbers = numbers
    this.at.textContent = `Numbers of ${time.toFixed(2)} s`
    this.onStep?.(page)
  }

  /** The walk needs a moment that stands still and can be read. */
  walk(go) {
    this.own()
    this.see(undefined, {}) // layers of a walk here are drawn for every link
    go(this.walks)
    if (!this.clock.playing && Math.abs(this.walks.time - this.now) > 1e-9) this.stand(this.walks.time)
    this.showStep()
    this.plots.look(this.walks.link)
  }

  /** The user takes a step: the motion stops for that, as on the page. */
  step(go) {
    if (this.clock.playing) this.toggle()
    this.walk(go)
  }

  walkAlone(on) {
    clearInterval(this.walking)
    this.walking = 0
    if (on) {
      this.own()
      if (this.clock.playing) this.toggle()
      if (this.walks.atEnd) this.walk((walks) => walks.goTo(0))
      this.walking = setInterval(() => {
        this.walk((walks) => walks.go("half", 1))
        if (this.walks.atEnd || this.clock.playing) this.walkAlone(false)
      }, PACES[this.pace.value])
    }
    this.auto.setAttribute("aria-pressed", String(!!on))
  }

  // ---- the page ----

  press(key) {
    const go = (along, by) => () => this.step((walks) => walks.go(along, by))
    const act = {
      " ": () => this.toggle(),
      ",": () => this.stand(this.now - STEP),
      ".": () => this.stand(this.now + STEP),
      r: () => {
        this.own()
        this.tell({ playing: true, time: 0, jump: this.clock.jump + 1 })
      },
      arrowright: go("half", 1), arrowleft: go("half", -1),
      "shift+arrowright": go("link", 1), "shift+arrowleft": go("link", -1), arrowdown: go("stage", 1), arrowup: go("stage", -1),
      "]": go("arm", 1), "[": go("arm", -1),
      w: () => this.walkAlone(!this.walking),
      p: () => {
        document.documentElement.classList.toggle("projector")
        this.size()
      },
      "?": () => (this.keys.open ? this.keys.close() : this.keys.showModal()),
      ...this.more,
    }[key]
    act?.()
  }

  size() { sizeType(isProjected()) }

  showPlaying() {
    const { playing } = this.clock
    this.button.textContent = playing ? "❚❚" : "▶"
    this.button.setAttribute("aria-label", playing ? "Pause (space)" : "Play (space)")
    this.button.title = this.button.getAttribute("aria-label")
    if (playing && this.walking) this.walkAlone(false)
  }

  paint(theme, stay = true) {
    this.theme = theme
    const { data } = this
    document.documentElement.dataset.theme = theme
    for (const [name, color] of Object.entries(data.colors[theme])) document.documentElement.style.setProperty(`--${name}`, color)
    this.timeline.colors = data.colors[theme]
    this.viewer.theme = theme
    this.viewer.scene = this.scene(stay)
    this.redraw()
    this.diagram.colors = data.walks.colors[theme]
    this.sheet.css = data.walks.css[theme]
    this.list.theme = theme
    this.list.groups = data.pictures.groups[theme]
    this.board.colors = data.curves.colors[theme]
    this.showLegend()
    this.showStep()
    this.plots.paint(theme)
  }

  /** What depends on the run, in views that there are. */
  fill(stay) {
    const { data } = this
    const { scales } = data.pictures
    Object.assign(this.timeline, { duration: data.duration, marks: data.marks })
    this.list.scales = Object.fromEntries(Object.entries(scales).map(([name, { words }]) => [name, `10 cm: ${words}`]))
    this.list.chosen = [...this.shown]
    this.title.textContent = data.title
    this.about.replaceChildren(make("h2", {}, data.title), make("p", {}, data.note),
      ...(data.events.length ? [make("p", {}, "In this run:"), make("ul", {}, ...data.events.map((event) => make("li", {}, event)))] : []),
      make("form", { method: "dialog" }, make("button", {}, "Close")))
    this.paint(this.theme, stay)
    this.showPlaying()
  }

  build() {
    const { data, views } = this
    this.size()
    addEventListener("resize", () => this.size())
    const { styles } = data
    this.viewer = modelOf({
      scene: this.scene(false), theme: this.theme, selected: -1, marked: [], webgl: null, fallback_image: undefined, legend: [],
      draggable: false, bases: false, words: "", caption: "",
    }, () => {})
    this.viewer.on("selected", () => {
      const link = this.data.pictures.scene.meshes[this.viewer.selected]?.link
      if (link !== null && link !== undefined) this.walk((walks) => walks.select(link))
    })
    this.timeline = modelOf({ duration: data.duration, marks: data.marks, colors: data.colors[this.theme] }, () => {})
    this.diagram = modelOf({ map: this.walks.stretch.map, at: this.walks.step, colors: data.walks.colors[this.theme] },
      (node) => this.step((walks) => walks.goTo(walks.stretch.map.nodes[node].first)))
    this.sheet = modelOf({ html: "", css: data.walks.css[this.theme], numbers: null }, (asked) => this.hear(asked))
    this.list = modelOf({
      groups: data.pictures.groups[this.theme], chosen: [...this.shown], theme: this.theme,
      scales: {},
    }, () => {})
    this.list.on("chosen", () => {
      if (this.list.chosen.join() === [...this.shown].join()) return
      this.own()
      Object.assign(this.recorded, { only: {}, near: null })
      this.choose(this.list.chosen)
    })
    const keyboard = modelOf({ keys: data.keys.map(({ key }) => key), repeating: data.keys.filter(({ repeats }) => repeats).map(({ key }) => key) },
      (key) => setTimeout(() => this.press(key))) // the player receives Space first, as with a server
    this.figures = Array.from({ length: data.most }, () => make("div", { style: "position: absolute; inset: 0" }))
    this.board = modelOf({
      cells: [], tabs: [], prepared: [], active: "", most: data.most, boxes: false, listing: false, colors: data.curves.colors[this.theme], alone: true,
    }, (message) => this.plots.act(message), { figures: this.figures })
    this.plots = new Plots(this)
    this.frame(keyboard, styles, views)
  }

  frame(keyboard, styles, views) {
    const { data } = this
    const button = (label, text, act, more = {}) => make("button", { type: "button", "aria-label": label, title: label, onclick: act, ...more }, text)
    this.button = button("", "", () => this.toggle(), { class: "play" })
    const speed = make("select", { "aria-label": "Speed", onchange: () => {
      this.own()
      this.tell({ speed: Number(speed.value) })
    } },
      ...Object.entries(data.speeds).map(([name, times]) => make("option", { value: times, selected: times === this.clock.speed }, name)))
    this.speed = speed
    this.pace = make("select", { "aria-label": "Pace of the walk", onchange: () => { if (this.walking) this.walkAlone(true) } },
      ...Object.keys(PACES).map((name) => make("option", { selected: name === "Normal" }, name)))
    this.auto = button("Walk by itself (W)", "walk", () => this.walkAlone(!this.walking), { "aria-pressed": "false" })
    this.at = make("p", { class: "at", role: "status" })
    this.keys = make("dialog", { "aria-label": "Keys" }, make("h2", {}, "Keys"), make("table", {}, make("tbody", {},
      ...data.keys.map(({ shown, words }) => make("tr", {}, make("th", { scope: "row" }, make("kbd", {}, shown)), make("td", {}, words))))),
      make("form", { method: "dialog" }, make("button", {}, "Close")))
    this.about = make("dialog", { "aria-label": "About this file" })
    this.title = make("h1")
    const walk = make("section", { id: "walk", role: "tabpanel", "aria-labelledby": "tab-walk" },
      make("div", { class: "bar" }, button("One step back (←)", "‹", () => this.step((walks) => walks.go("half", -1))), this.auto,
        button("One step on (→)", "›", () => this.step((walks) => walks.go("half", 1))), this.pace, this.at),
      mount(views.diagram, this.diagram, "", { class: "map" }),
      make("div", { class: "scrolled", tabindex: "0", role: "region", "aria-label": "The step" }, mount(views.sheet, this.sheet)))
    const show = make("section", { id: "show", role: "tabpanel", "aria-labelledby": "tab-show", hidden: true, class: "scrolled" },
      mount(views.show, this.list))
    const tabs = [["walk", "Walk", walk], ["show", "Show", show]].map(([name, text, panel]) => make("button", {
      type: "button", role: "tab", id: `tab-${name}`, "aria-controls": name, "aria-selected": String(name === "walk"), onclick: (event) => open(event.target, panel),
    }, text))
    const open = (tab, panel) => {
      for (const each of tabs) each.setAttribute("aria-selected", String(each === tab))
      for (const each of [walk, show]) each.hidden = each !== panel
    }
    const instruments = make("div", { role: "tablist", "aria-label": "Instruments", class: "tabs", onkeydown: (event) => {
      if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return
      const other = tabs.find((each) => each !== event.target)
      other.click()
      other.focus()
    } }, ...tabs)
    this.dock = mount(views.board, this.board, styles.board, { class: "dock" })
    document.body.append(
      make("header", {}, this.title, make("span", { class: "gap" }), button(data.carries ?? "What this file carries", "i", () => this.about.showModal()),
        button("Keys (?)", "?", () => this.press("?")), button("Toggle theme", "◐", () => this.paint(this.theme === "light" ? "dark" : "light"))),
      make("main", {},
        make("div", { class: "world" }, make("div", { class: "view" }, mount(views.viewer, this.viewer)),
          make("div", { class: "transport", role: "group", "aria-label": "Time" }, button("Step back (,)", "‹", () => this.press(",")), this.button,
            button("Step forward (.)", "›", () => this.press(".")), button("From the start (R)", "↺", () => this.press("r")), speed,
            mount(views.timeline, this.timeline, styles.timeline, { class: "timeline" })), this.dock),
        make("aside", { "aria-label": "Walk and layers" }, instruments, walk, show)),
      this.keys, this.about, views.keyboard.render({ model: keyboard }))
    document.addEventListener("armsweep:moment", ({ detail }) => this.follow(detail.time))
    document.addEventListener("armsweep:seek", () => this.own())
    for (const event of ["armsweep-turning", "armsweep-camera"]) addEventListener(event, () => this.own())
  }

  /** A click in the sheet, or its request: what letters mean, and how a paper prints an equation. */
  hear(asked) {
    const { letters, cards } = this.views.meanings.default
    const [kind, ...numbers] = asked.split(" "), which = numbers.join(" ")
    if (asked === "letters") this.sheet.message({ letters })
    else if (kind === "paper") cards[which] && this.sheet.message({ paper: which, card: cards[which] })
    else if (kind === "link") this.walk((walks) => walks.select(Number(numbers[0])))
  }
}

/** The place in the computation, and what is read there. */
class Walks {
  constructor({ stretches, start }, parcel) {
    this.stretches = []
    this.known = [] // stretches whose steps and pages later ones may have, too
    this.add({ stretches, start }, parcel)
  }

  /** More instants; those at which nothing can be read are dropped. */
  add({ stretches, start }, parcel) {
    const [before, now] = this.times ? [this.stretch.steps[this.step], this.time] : [start, 0]
    this.stretches = [...this.stretches.filter(({ blank }) => !blank), ...stretches.map((own) => {
      const stretch = { ...this.known[own.like], ...own }
      if (!own.blank && own.like === undefined) this.known.push(stretch)
      const first = [0]
      for (const count of stretch.counts) first.push(first.at(-1) + count)
      const odd = stretch.odd.map(([at, step, page, own]) => [`${at} ${step}`, { page, own: parcel.array(own) }])
      return { ...stretch, first, numbers: parcel.series(stretch.numbers), odd: new Map(odd) }
    })]
    this.times = this.stretches.flatMap(({ times }, k) => times.map((time, at) => ({ time, at, stretch: k })))
    this.instant = this.nearest(now)
    this.find(before)
  }

  get stretch() { return this.stretches[this.times[this.instant].stretch] }

  get time() { return this.times[this.instant].time }

  get link() { return this.stretch.steps[this.step][1] }

  get atEnd() { return this.step === this.stretch.steps.length - 1 }

  nearest(time) {
    let best = 0
    this.times.forEach((each, k) => { if (Math.abs(each.time - time) < Math.abs(this.times[best].time - time)) best = k })
    return best
  }

  stand(time) {
    const [before, stretch] = [this.stretch.steps[this.step], this.stretch]
    this.instant = this.nearest(time)
    if (this.stretch !== stretch) this.find(before)
  }

  /** A step, or the most similar one that exists. */
  find(wanted) {
    const { steps } = this.stretch
    const like = [(step) => step.join() === wanted.join(), ([stage, link]) => stage === wanted[0] && link === wanted[1], ([, link]) => link === wanted[1]]
    this.step = Math.max(0, like.map((is) => steps.findIndex(is)).find((found) => found >= 0) ?? 0)
  }

  go(along, by) { this.step = this.stretch.moves[along][this.step][by < 0 ? 0 : 1] }

  goTo(step) { this.step = step }

  select(link) { this.step = this.stretch.links[this.step][link] ?? this.step }

  /** The page of a step, and the numbers that go there. */
  sheet(theme) {
    const { stretch, step } = this
    const { at } = this.times[this.instant]
    const odd = stretch.odd.get(`${at} ${step}`)
    if (odd) return { page: colored(odd.page, theme), numbers: odd.own.slice().buffer }
    const numbers = new Float64Array(stretch.counts[step])
    for (let k = 0; k < numbers.length; k += 1) numbers[k] = stretch.numbers.at(stretch.first[step] + k, at)
    return { page: colored(stretch.pages[step], theme), numbers: numbers.buffer }
  }
}

/** The figures of the open tab. */
class Plots {
  constructor(replay) {
    this.replay = replay
    this.link = 0
    this.tabs = []
  }

  /** The curves of the run that is shown. */
  async take({ tabs }, parcel) {
    const { board, walks, figures } = this.replay
    Object.assign(this, { tabs, parcel })
    this.link = Math.min(walks.link, (tabs[0]?.looks.length ?? 1) - 1)
    board.tabs = tabs.map(({ name }) => ({ name, open: true }))
    if (tabs.length) await this.open((tabs.find(({ name }) => name === this.wanted) ?? tabs[0]).name)
    else {
      this.views?.clear()
      for (const figure of figures) figure.replaceChildren()
      this.document = null
      Object.assign(board, { active: "", cells: [] })
    }
  }

  get tab() { return this.tabs.find(({ name }) => name === this.replay.board.active) }

  async open(name) {
    const { board, figures, data } = this.replay
    board.active = name
    this.views?.clear()
    for (const figure of figures) figure.replaceChildren()
    Bokeh.documents.length = 0
    this.document = Bokeh.require("document").Document.from_json(this.tab.document)
    this.document.event_manager.send_event = () => {}
    this.dress()
    Bokeh.documents.push(this.document)
    this.views = await Bokeh.embed.add_document_standalone(this.document, figures[0], figures)
    this.span = this.document.roots()[0].x_range
    this.span.setv({ start: 0, end: data.duration })
    this.showCells()
  }

  look(link) {
    const links = this.tab?.looks.length ?? 0
    if (!links || link >= links || link === this.link) return
    this.link = link
    this.dress()
    this.showCells()
  }

  paint() {
    if (!this.document) return
    this.dress()
    this.showCells()
  }

  showCells() { this.replay.board.cells = this.tab.looks[this.link][this.replay.theme].cells }

  /** The lines and the look of this link, in this theme. */
  dress() {
    const { tab, document } = this
    tab.samples[this.link].forEach((reference, number) => {
      const rows = this.parcel.series(reference)
      const data = { time: rows.row(0) }
      for (let k = 1; k < rows.rows.length; k += 1) data[k - 1] = rows.row(k)
      document.get_model_by_id(tab.sources[number]).data = data
    })
    for (const [id, values] of Object.entries(tab.looks[this.link][this.replay.theme].attributes)) {
      const own = Object.entries(values).map(([name, given]) => [name, this.read(given)])
      document.get_model_by_id(id)?.setv(Object.fromEntries(own))
    }
  }

  /** A value as Bokeh's own data writes it. */
  read(given) {
    if (Array.isArray(given)) return given.map((each) => this.read(each))
    if (given === null || typeof given !== "object") return given
    if ("id" in given && Object.keys(given).length === 1) return this.document.get_model_by_id(given.id)
    if (given.type === "map") return new Map((given.entries ?? []).map(([key, each]) => [this.read(key), this.read(each)]))
    if (given.type === "number") return Number({ nan: NaN, "-inf": -Infinity, "+inf": Infinity }[given.value])
    const { type, ...rest } = given
    return ["value", "field", "expr"].includes(type) ? rest : Object.fromEntries(Object.entries(given).map(([key, each]) => [key, this.read(each)]))
  }

  act(message) {
    const { data, walks } = this.replay
    const { span } = this
    const now = this.replay.now
    const wide = () => span.end - span.start
    const stretch = (width, middle) => {
      const within = Math.min(Math.max(width, 0.02 * data.duration), data.duration)
      const start = Math.min(Math.max(middle - within / 2, 0), data.duration - within)
      span.setv({ start, end: start + within })
    }
    const acts = {
      tab: () => {
        this.wanted = message.name
        return this.open(message.name)
      },
      link: () => this.replay.walk(() => walks.select(message.row)),
      zoom: () => stretch(wide() * message.by, now),
      pan: () => stretch(wide(), (span.start + span.end) / 2 + wide() * message.by),
      whole: () => stretch(data.duration, 0),
    }
    acts[message.do]?.()
  }
}

export async function play(data, parcel, views) {
  const replay = new Replay(data, parcel, views)
  replay.build()
  replay.fill(false)
  await replay.plots.take(data.curves, replay.parcel)
  window.armsweepReplay = replay
  return replay
}
