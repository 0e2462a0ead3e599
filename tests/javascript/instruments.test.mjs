// What plots, a replay and the page's controls decide by themselves.
import assert from "node:assert/strict"
import { test } from "node:test"
import { element, event, load, markup, model, open, random, settle } from "./page.mjs"

async function panel(units, more) {
  open()
  const { Cell } = await load("PlotBoard", ["Cell"])
  const items = units.map((unit, column) => ({ label: `q${column}`, brief: `q${column}`, unit, column, color: "red", dash: "solid" }))
  const state = { items, columns: [], missing: [], title: "Rate", subject: "", names: "", lines: [], reads: true, logarithmic: false, units: units.map((unit) => [unit]) }
  const cell = new Cell(0, element("div"), { model: model(), playing: true })
  cell.show({ ...state, ...more })
  return cell
}

test("while it plays each plot reads the straight line between its samples", async () => {
  const draw = random(21)
  for (const logarithmic of [false, true]) {
    const cell = await panel(["rad/s", "rad/s"], { logarithmic })
    const times = [0]
    while (times.length < 40) times.push(times.at(-1) + draw.between(0.005, 0.2))
    const lines = [0, 1].map(() => times.map(() => draw.between(-3, 3)))
    cell.samples = { data: { time: times, 0: lines[0], 1: lines[1] } }
    for (let k = 0; k < 200; k += 1) {
      const at = draw.integer(0, 38), share = draw.of([0, draw()])
      cell.readAt(times[at] + share * (times[at + 1] - times[at]))
      lines.forEach((line, row) => {
        const value = (1 - share) * line[at] + share * line[at + 1], wanted = logarithmic ? 10 ** value : value
        const [read, unit] = cell.values[row].textContent.replace("−", "-").split(" ")
        assert.ok(Math.abs(read - wanted) <= 5.1e-4 * Math.abs(wanted) && unit === "rad/s", `${read} is not ${wanted}`)
      })
    }
  }
})

test("a plot reads nothing where its samples have not come or have no value, and zero of what is only rounding", async () => {
  const cell = await panel(["m", "m"])
  const read = (time) => {
    cell.readAt(time)
    return cell.values.map((value) => value.textContent)
  }
  cell.samples = { data: new Map([["time", [0, 1, 2]], ["0", [5, NaN, 5]], ["1", [1e-13, 1e-13, 1e-13]]]) }
  assert.deepEqual([0, 0.5, 2.04, 2.06].map(read), [["5 m", "0 m"], ["–", "0 m"], ["5 m", "0 m"], ["–", "–"]])
  cell.samples.data.set("time", [0, 1, 2, 3]).set("0", [5, NaN, 5, 9]).set("1", [1, 1, 1, 1]) // more of it has come
  assert.deepEqual(read(2.5), ["7 m", "1 m"])
})

test("a plot draws each line whose samples have come, in its look and as large as the type", async () => {
  const cell = await panel(["m"], { lines: [[["red", "dashed", 1.5], ["blue", "solid", 3]], [["pink", "2 3", 1]]] })
  const signal = { connect() {} }, seen = []
  const samples = (data) => ({ data, streaming: signal, properties: { data: { change: signal } } })
  const figure = { tags: [samples({ time: [0, 1], 0: [5, 6] })], renderers: [{ data_source: { setv: ({ data }) => seen.push(data) } }] }
  cell.board.grown = () => 2
  cell.take(figure)
  assert.deepEqual(seen.at(-1), { xs: [[0, 1]], ys: [[5, 6]], color: ["red"], dash: [[12]], width: [3] })
  figure.tags = [samples(new Map([["time", [0, 1]], ["0", [5, 6]], ["1", [7, 8]]])), samples({ time: [4], 0: [9] })] // and of a kept run
  cell.take(figure)
  assert.deepEqual(seen.at(-1).ys, [[5, 6], [7, 8], [9]])
  assert.deepEqual([seen.at(-1).dash, seen.at(-1).width], [[[12], [], [4, 6]], [3, 6, 2]])
})

/** A walk of four steps that can be read at some instants. */
const stretch = (times, more = {}) => ({
  times, counts: [1, 2, 1, 3], steps: [["filter", 1], ["filter", 0], ["smoother", 0], ["smoother", 1]], odd: [], numbers: 0, blank: false,
  pages: ["a #______", "b", "c", "d"].map((text) => ({ text, colors: { light: ["#fff"], dark: ["#000"] } })),
  moves: { half: [[0, 1], [0, 2], [1, 3], [2, 3]] }, links: [{ 0: 1 }, { 1: 0 }, { 1: 3 }, { 0: 2 }], ...more,
})

test("a replay's walk goes to both ends, reads the nearest instant, and stands where it was when others come", async () => {
  const { Walks } = await load("replay", ["Walks"])
  const parcel = { series: (base) => ({ at: (row, instant) => base + 100 * row + instant }), array: (own) => Float64Array.from(own) }
  const odd = [["1", 2, { text: "odd", colors: { dark: [] } }, [7, 8]]]
  const walks = new Walks({ stretches: [stretch([0, 0.1, 0.2]), stretch([0.3, 0.4], { numbers: 5000, odd })], start: ["filter", 1] }, parcel)
  const here = () => walks.stretch.steps[walks.step].join(" ")
  const seen = [1, 1, 1, 1, -1].map((by) => [here(), walks.go("half", by)][0])
  assert.deepEqual([...seen, here()], ["filter 1", "filter 0", "smoother 0", "smoother 1", "smoother 1", "smoother 0"])
  walks.select(1)
  assert.deepEqual([here(), walks.atEnd, walks.link], ["smoother 1", true, 1])
  const draw = random(22), first = [0, 1, 3, 4]
  for (let k = 0; k < 100; k += 1) {
    const time = draw.between(-0.2, 0.6), step = draw.integer(0, 3), at = Math.min(Math.max(Math.round(10 * time), 0), 4)
    walks.stand(time)
    walks.goTo(step)
    const { page, numbers } = walks.sheet("dark"), own = at < 3 ? at : 4997 + at
    const wanted = at === 4 && step === 2 ? [7, 8] : Array.from({ length: [1, 2, 1, 3][step] }, (_, i) => own + 100 * (first[step] + i))
    assert.deepEqual([...new Float64Array(numbers)], wanted)
    assert.equal(page, at === 4 && step === 2 ? "odd" : ["a #000", "b", "c", "d"][step])
  }
  walks.add({ stretches: [stretch([1], { steps: [["filter", 0], ["object", 1]], counts: [1, 1], pages: [] })] }, parcel)
  walks.stand(0)
  walks.find(["smoother", 1])
  walks.stand(1)
  assert.equal(here(), "object 1") // of the same link
  walks.find(["nobody", 9])
  assert.equal(here(), "filter 0")
})

const MAP = {
  columns: [0, 2], rows: [0, 1], objects: [], captions: [], arrows: [],
  nodes: [0, 1, 2].map((k) => ({ name: `link ${k}`, label: "1", shape: "link", column: k, row: 0, first: 2 * k, last: 2 * k + 1, place: {} })),
}

test("the map of the computation marks where one is and what is behind, and a click leads to its own node", async () => {
  const { render } = await load("Diagram")
  const ours = model({ map: MAP, at: 0, colors: {} }), root = render({ model: ours, el: element("div") })
  await settle()
  const nodes = root.querySelectorAll(".node")
  for (let at = 0; at < 6; at += 1) {
    ours.at = at
    ours.tell("at")
    nodes.forEach((node, k) => {
      const here = Math.floor(at / 2)
      assert.deepEqual([node.getAttribute("aria-current"), node.classList.contains("done")], [k === here ? "step" : null, k < here])
    })
  }
  for (const node of nodes) node.click()
  nodes[1].dispatchEvent(event("keydown", nodes[1], { key: "Enter" }))
  assert.deepEqual(ours.sent, [0, 1, 2, 1])
})

test("a key acts where nothing else has a use for it, a letter never where one types, and what is held repeats only where it walks", async () => {
  open()
  const { render } = await load("Keyboard")
  const keys = ["a", " ", "arrowright", "shift+arrowright", "ctrl+z", "ctrl+y", "[", "5"]
  const ours = model({ keys, repeating: ["arrowright"], events: { a: "armsweep:step -1" } }), steps = []
  render({ model: ours })
  document.addEventListener("armsweep:step", ({ detail }) => steps.push(detail))
  const press = (key, target = document.body, more = {}) => {
    ours.sent.length = 0
    document.dispatchEvent(event("keydown", target, { key, repeat: false, ctrlKey: false, altKey: false, metaKey: false, shiftKey: false, ...more }))
    return ours.sent[0] ?? ""
  }
  const held = (key, ...names) => press(key, document.body, Object.fromEntries(names.map((name) => [name, true])))
  assert.deepEqual([press("A"), press(" "), press("ArrowRight"), press("["), press("x"), steps.join()], ["", " ", "arrowright", "[", "", "-1"])
  assert.deepEqual([held("ArrowRight", "shiftKey"), held("z", "ctrlKey"), held("Z", "metaKey", "shiftKey")], ["shift+arrowright", "ctrl+z", "ctrl+y"])
  assert.deepEqual([held("[", "ctrlKey", "altKey"), held("5", "altKey"), held("5", "ctrlKey")], ["[", "", ""]) // AltGr has brackets
  assert.deepEqual([held("ArrowRight", "repeat"), held(" ", "repeat")], ["arrowright", ""])
  for (const [tag, attributes, taken] of [
    ["input", { type: "text" }, ""], ["textarea", {}, ""], ["div", { contenteditable: "true" }, ""], ["select", {}, ""], ["input", { type: "range" }, "5 "],
    ["input", { type: "checkbox" }, "5"], ["button", {}, "5>"], ["a", { href: "#" }, "5>"], ["button", { role: "tab", "aria-selected": "true" }, "5 "],
    ["div", { role: "slider" }, "5 "], ["div", { role: "button", "aria-current": "step" }, "5 >"],
  ]) {
    const target = element(tag, attributes, document.body)
    assert.equal([press("5", target), press(" ", target), press("ArrowRight", target) && ">"].join(""), taken, `${tag} ${JSON.stringify(attributes)}`)
  }
  for (const [label, taken] of [["Time", "arrowright"], ["Object's mass", ""]]) { // a dragged number is set finer by arrows
    const slider = element("input", { type: "range", "aria-label": label }, document.body)
    slider.focus()
    document.dispatchEvent(event("pointerup", slider))
    assert.deepEqual([press("ArrowRight", slider), press("Tab", slider), press("ArrowRight", slider)], [taken, "", ""])
  }
  const field = element("input", { type: "text" }, element("div", { class: "typed-number" }, document.body))
  field.value = "12"
  assert.deepEqual([press("5", field), press("[", field)], ["", "["]) // no number has it
  document.dispatchEvent(event("beforeinput", field, { inputType: "insertText" }))
  field.value = "123"
  assert.equal(press("[", field), "")
  press("Escape", field)
  assert.deepEqual([field.value, press("[", field)], ["12", "["]) // taken back
})

test("a button that is held presses once, whatever repeats or ends it, and lets go once", async () => {
  const { render } = await load("PressAndHold"), draw = random(23)
  const ours = model({ hint: "", name_shown: "Push" }), button = render({ model: ours }).querySelector("button")
  const begin = ["pointerdown", "keydown"], end = ["keyup", "pointerup", "pointercancel", "lostpointercapture", "blur", "contextmenu"]
  for (let k = 0; k < 300; k += 1) {
    const name = draw.of([...begin, ...end]), key = draw.of([" ", "a"]), primary = draw.of([0, 2]), isHeld = ours.sent.length % 2 === 1
    button.dispatchEvent(event(name, button, { key, button: primary }))
    const counts = name === "pointerdown" ? primary === 0 : name.startsWith("key") ? key === " " : true
    assert.equal(button.getAttribute("aria-pressed"), String(counts ? begin.includes(name) : isHeld))
  }
  ours.tell("remove")
  assert.ok(ours.sent.length > 40 && ours.sent.every((said, k) => said === (k % 2 ? "release" : "press")) && ours.sent.at(-1) === "release")
})

async function connected() {
  const clock = open(), ours = model(), state = { health: { status: 200, ok: true }, leaves: 0, asked: [] }
  const { render } = await load("Connection")
  globalThis.fetch = async (url) => {
    state.asked.push(String(url))
    if (state.health === null) throw new Error("nobody")
    return { headers: { get: () => state.health.again ?? null }, ...state.health }
  }
  document.addEventListener("armsweep:leave", () => { state.leaves += 1 })
  render({ model: ours, view: { model: { document: { on_event: (name, act) => { state.breaks = act } } } } })
  return { clock, ours, state, said: () => /lost|slow|full|others/.exec(document.body.textContent.replace("is lost, and", ""))?.[0] ?? "" }
}

test("a server that is late is said to be until it answers, and given up when it hears others for twenty seconds", async () => {
  const { clock, ours, said } = await connected()
  for (let k = 0; k < 3; k += 1) {
    await clock.advance(10000)
    ours.tell("msg:custom", "beat")
  }
  await clock.advance(13900)
  assert.deepEqual([ours.sent.length, said()], [4, ""])
  await clock.advance(200)
  assert.equal(said(), "slow")
  ours.tell("msg:custom", "beat")
  document.visibilityState = "hidden"
  await clock.advance(60000)
  assert.deepEqual([said(), ours.sent.length, location.reloads], ["", 4, 0])
  document.visibilityState = "visible"
  document.dispatchEvent(new Event("visibilitychange"))
  assert.equal(ours.sent.length, 5)
  await clock.advance(23000)
  assert.deepEqual([said(), location.reloads], ["slow", 0])
  await clock.advance(20000)
  assert.equal(location.reloads, 1)
})

test("a page whose connection broke comes back once, when there is room for it", async () => {
  const { clock, state, said } = await connected()
  state.health = null
  state.breaks()
  state.breaks() // told twice
  await clock.advance(60000)
  assert.ok(state.asked.length > 4 && state.asked.length < 20 && state.asked[0] === "http://here/health")
  for (const [health, words] of [[null, "lost"], [{ status: 503, again: "20" }, "others"], [{ status: 502 }, "lost"]]) {
    state.health = health
    await clock.advance(13000)
    assert.deepEqual([said(), location.reloads, state.leaves], [words, 0, 0])
  }
  state.health = { status: 200, ok: true }
  await clock.advance(60000)
  assert.deepEqual([location.reloads, state.leaves], [1, 1])
})

test("the address says the moment that is shown and the view, and a page that comes back goes on from there", async () => {
  const clock = open(), moment = (time) => document.dispatchEvent(new CustomEvent("armsweep:moment", { detail: { playing: true, time } }))
  const share = async (query) => (await load("Browser")).render({ model: model({ query }) })
  await share("robot=puma&t=1.000&link=2")
  dispatchEvent(new CustomEvent("armsweep-camera", { detail: "1 2 3 0 0 0" }))
  assert.equal(location.href, "http://here/app?robot=puma&t=1.000&link=2&camera=1%202%203%200%200%200")
  const addresses = new Set()
  for (let time = 2; time < 8; time += 0.1) {
    moment(time)
    clock.now += 100
    const [, told] = /robot=puma&t=([0-9.]+)&link=2&/.exec(addresses.add(location.href) && location.href)
    assert.ok(time < 3.2 || (told < time + 1e-3 && told > time - 1.2), `${told} at ${time}`)
  }
  assert.ok(addresses.size < 9) // not at each picture
  document.dispatchEvent(new Event("armsweep:leave"))
  moment(5.5)
  dispatchEvent(new Event("pagehide"))
  const kept = sessionStorage, seeks = []
  open()
  globalThis.sessionStorage = kept
  await share("")
  document.addEventListener("armsweep:seek", ({ detail }) => seeks.push(detail))
  for (const time of [0, 0.1, 0.2]) moment(time)
  assert.deepEqual(seeks, [{ time: 5.5, held: false }])
})

test("a curve that is drawn has no gaps when it is sent, and is none where nothing was drawn", async () => {
  const { drawnCurve } = await load("LessonSheet", ["drawnCurve"]), draw = random(24)
  assert.deepEqual([drawnCurve(null), drawnCurve([null, null])], [null, null])
  for (let k = 0; k < 100; k += 1) {
    const slope = draw.between(-2, 2), known = Array.from({ length: 25 }, (_, at) => (at === 7 || draw() < 0.3 ? slope * at : null))
    const [first, last] = [known.findIndex((value) => value !== null), known.findLastIndex((value) => value !== null)]
    drawnCurve(known).forEach((value, at) => assert.ok(Math.abs(value - slope * Math.min(Math.max(at, first), last)) < 1e-12))
  }
})

test("names of links, runs, moments and files never become markup", async () => {
  const bad = "<img src=x onerror=alert(1)>&\"'", colors = {}
  const run = { letter: "A", name: bad, shown: true, far: [{ of: bad, largest: bad, rms: bad, at: bad }] }
  for (const [name, values] of [
    ["KeptList", { rows: [run, { ...run, words: bad }], colors }],
    ["RowTable", { columns: [{ title: bad }], rows: [{ key: "k", cells: [bad], action: bad }], caption: bad, chosen: "k" }],
    ["SheetTable", { caption: bad, columns: [bad], rows: [{ name: bad, cells: [["1", "1", bad]] }], chosen: 0 }],
    ["QuantityList", { items: [{ key: bad, symbol: bad, mechanics: bad, estimation: bad, search: "" }], colors }],
    ["Timeline", { duration: 1, marks: [{ value: 0.5, label: bad, word: bad }], colors, span: [] }],
    ["ShowList", { groups: [{ title: bad, items: [{ name: "x", symbol: bad, words: bad, icon: "" }] }], chosen: [], scales: {} }],
    ["Diagram", { map: { ...MAP, nodes: MAP.nodes.map((node) => ({ ...node, name: bad, label: bad })) }, colors }],
  ]) {
    open()
    const { render } = await load(name)
    const root = render({ model: model(values), el: element("div") })
    await settle()
    assert.deepEqual(markup.filter((text) => text.includes("img")), [], name)
    assert.ok([root, ...root.all].some((node) => `${node.textContent}${node.value}${node.title}`.includes(bad)), name) // shown all the same
  }
})

test("the choices of a lesson's question stand in an order of the student's own, the same after a reload", async () => {
  const { orderOfChoices } = await load("LessonSheet", ["orderOfChoices"]), draw = random(25), first = [0, 0, 0]
  for (let k = 0; k < 3000; k += 1) {
    const seed = String(draw()), order = orderOfChoices(seed, "gain/01_push", 3)
    assert.deepEqual([...order].sort(), [0, 1, 2])
    assert.deepEqual(orderOfChoices(seed, "gain/01_push", 3), order)
    first[order[0]] += 1
  }
  for (const count of first) assert.ok(Math.abs(count - 1000) < 130, String(first)) // five standard deviations
})
