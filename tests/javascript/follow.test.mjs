// A class: who follows a lecturer, what the lecturer's browser tells, and how an answer gets through.
import assert from "node:assert/strict"
import { test } from "node:test"
import { element, load, model, open, random, settle } from "./page.mjs"

const near = (one, other) => assert.ok(Math.abs(one - other) < 1e-9, `${one} is not ${other}`)

/** A part of a run as the server packs it: how long its data is, and the data. */
const packed = (data) => {
  const text = new TextEncoder().encode(JSON.stringify(data).padEnd(256)), whole = new Uint8Array(8 + text.length)
  new BigUint64Array(whole.buffer, 0, 1)[0] = BigInt(text.length)
  whole.set(text, 8)
  return { ok: true, arrayBuffer: async () => whole.buffer }
}

/** A follower before a replay that notes what it is told; the run has come in its first part unless `state` is null. */
async function following(state = {}) {
  const clock = open("http://here/follow/abc"), sources = [], asked = [], waiting = [], did = []
  globalThis.EventSource = class extends EventTarget {
    static CLOSED = 2
    constructor() { super(); Object.assign(this, { isOpen: true, readyState: 1 }); sources.push(this) }
    close() { this.isOpen = false }
  }
  globalThis.fetch = async (url) => {
    if (url.startsWith("views/")) return { ok: true, json: async () => ({ bokeh: "" }) }
    asked.push(url.split("/").at(-1))
    return new Promise((done) => { waiting.push(done) })
  }
  Object.assign(document.places, { lead: element("div"), step: element("div"), asked: element("section") })
  document.places.lead.append(element("span"), element("button"))
  document.querySelector = () => ({ dataset: { views: "views.json" } })
  await load("follower")
  const replay = {
    now: 0, add: async (data) => { did.push(["add", data.name]) }, change: async (data) => { did.push(["change", data.name]); replay.data = data },
    lead: (news) => { did.push(["lead", news]); replay.now = news.time ?? replay.now },
  }
  window.armsweepFollower.views = { replay: { play: async (data, { from }) => Object.assign(replay, { data, from }) } }
  const say = (changes) => sources.at(-1).onmessage({ data: JSON.stringify(changes) })
  const come = async (data) => { waiting.shift()(data ? packed(data) : { ok: false }); await settle() }
  if (state) {
    say({ run: 1, parts: { run: 1, machine: 1, all: ["a", "b"] }, time: 0, playing: true, speed: 1, step: ["filter", 2], layers: ["x"], camera: "", ...state })
    await come({ name: "a", duration: 10 })
  }
  did.length = 0
  return { clock, follower: window.armsweepFollower, replay, did, sources, asked, say, come, how: () => document.places.lead.dataset.how }
}

test("where the lecturer is goes on by itself, whatever else changes, and begins anew after the end", async () => {
  const { clock, follower, say } = await following({ time: 2, speed: 0.5 })
  for (const [wait, news, time] of [[1000, { layers: ["y"] }, 2.5], [3000, { step: ["filter", 3] }, 4], [1000, { camera: "1" }, 4.5]]) {
    await clock.advance(wait)
    say(news)
    near(follower.time, time)
  }
  say({ speed: 2, time: 9 })
  await clock.advance(1000)
  near(follower.time, 1)
  say({ playing: false, time: 7 })
  await clock.advance(1000)
  near(follower.time, 7)
})

test("a follower shows the newest of each thing at once, and its clock is moved only where it is off", async () => {
  const { clock, follower, did, replay, say } = await following()
  const draw = random(11), lecturer = { step: ["filter", 2], layers: ["x"], camera: "" }
  for (let k = 0; k < 60; k += 1) {
    const name = draw.of(["step", "layers", "camera"]), off = draw.of([0.05, 0.2, 0.3, 3]), isOff = off > 0.25
    const value = { step: [draw.of(["filter", "smoother"]), draw.integer(0, 4)], layers: [draw.of(["x", "y"])], camera: draw.of(["0", "1"]) }[name]
    const isNews = JSON.stringify(value) !== JSON.stringify(lecturer[name])
    did.length = 0
    await clock.advance(250)
    const { time } = follower
    replay.now = (time + off) % 10
    say({ [name]: value })
    lecturer[name] = value
    assert.deepEqual(did, isNews || isOff ? [["lead", { ...(isNews && { [name]: value }), ...(isOff && { time }) }]] : [])
  }
  say({ playing: false, time: 3 })
  say({ time: 3.001 }) // where it stands, it stands exactly
  say({ jump: 1 }) // the lecturer's own clock was moved
  assert.deepEqual(did.slice(-3).map(([, news]) => news), [{ playing: false, time: 3 }, { time: 3.001 }, { time: 3.001 }])
})

test("a run comes part by part, and what comes late of another run is not shown", async () => {
  const { clock, did, asked, come, say, follower, replay, how } = await following()
  say({ run: 2, parts: { run: 2, machine: 1, all: ["c", "d"] } })
  assert.equal(how(), "changing")
  assert.equal(replay.from, 8 + 256) // where the numbers begin
  await come({ name: "b" }) // of run 1
  say({ step: ["filter", 4], time: 5 }) // of what is not there yet
  assert.deepEqual([did, asked], [[], ["a", "b", "c"]])
  for (const wait of [2000, 4000, 8000, 15000, 15000]) { // it does not come: ever less often
    const before = asked.length
    await come(null)
    await clock.advance(wait - 1)
    assert.equal(asked.length, before)
    await clock.advance(1)
    assert.equal(asked.length, before + 1)
  }
  await come({ name: "c", duration: 4 })
  assert.deepEqual([did[0], did[1][1].step, follower.shown.run, how()], [["change", "c"], ["filter", 4], 2, "lost"]) // silence, since
  await come({ name: "d", walks: {} })
  assert.deepEqual(did.slice(2), [["add", "d"], ["lead", { step: ["filter", 4] }]])
})

test("who looks around keeps what is looked at, and comes back to where the lecturer is by then", async () => {
  const { clock, follower, replay, did, asked, come, say, how } = await following()
  await come({ name: "b" })
  replay.onOwn()
  did.length = 0
  say({ step: ["smoother", 1], camera: "1 1 1 0 0 0", time: 3 })
  say({ run: 2, parts: { run: 2, machine: 2, all: ["c"] } })
  assert.deepEqual([did, how(), asked, document.places.lead.children[1].hidden], [[], "around", ["a", "b"], false])
  await clock.advance(500)
  follower.back()
  await come({ name: "c", duration: 10 })
  const { time, step, camera } = did[1][1]
  assert.deepEqual([did[0], step, camera, how()], [["change", "c"], ["smoother", 1], "1 1 1 0 0 0", "following"])
  near(time, 3.5)
})

test("a connection that is silent or breaks is opened again, one at a time and ever less often, and not after the end", async () => {
  const { clock, sources, say, how } = await following()
  await clock.advance(11000)
  assert.deepEqual([sources.length, how()], [1, "following"])
  await clock.advance(3100)
  assert.deepEqual([sources[0].isOpen, how()], [false, "lost"])
  const waits = []
  for (let k = 0; k < 12; k += 1) {
    const before = sources.length, at = clock.now
    while (sources.length === before && clock.now < at + 30000) await clock.advance(50)
    waits.push(clock.now - at)
    assert.equal(sources.filter(({ isOpen }) => isOpen).length, 1)
    sources.at(-1).onerror()
  }
  const sum = (some) => some.reduce((one, other) => one + other)
  assert.ok(waits.every((wait) => wait >= 250 && wait < 22600) && sum(waits.slice(-4)) > 5 * sum(waits.slice(0, 4)), String(waits))
  dispatchEvent(new Event("online")) // at once
  say({ time: 4 })
  assert.equal(how(), "following")
  sources.at(-1).dispatchEvent(Object.assign(new Event("end"), { data: '"over"' }))
  const before = sources.length
  await clock.advance(100000)
  assert.deepEqual([sources.length, how()], [before, "over"])
})

test("the lecturer's browser tells the newest of what a hand does, sixteen times a second, and nothing unasked", async () => {
  const clock = open(), ours = model({ presenting: false, count: 0 }), { render } = await load("LecturerBrowser")
  const turn = (camera) => dispatchEvent(new CustomEvent("armsweep-turning", { detail: camera }))
  const seek = (time, held) => document.dispatchEvent(new CustomEvent("armsweep:seek", { detail: { time, held } }))
  render({ model: ours })
  turn("0")
  assert.deepEqual(ours.sent.splice(0), [{ home: "http://here/app", token: null, place: 0, text: "" }])
  ours.presenting = true
  for (let k = 0; k < 100; k += 1) {
    turn(String(k))
    seek(0.01 * k, true)
    await clock.advance(10)
  }
  await clock.advance(200)
  assert.ok(ours.sent.length <= 19 && ours.sent.length >= 15)
  assert.deepEqual(ours.sent.at(-1), { camera: "99", moment: 0.99 })
  for (const [time, held] of [[0.5, true], [0.6, true], [0.7, false]]) seek(time, held) // of the last the session hears by itself
  await clock.advance(200)
  assert.deepEqual(ours.sent.at(-1), { moment: 0.5 })
})

test("an answer is sent until it has arrived, one at a time, and of several the newest; one that is refused is none", async () => {
  const clock = open("http://here/follow/abc"), posts = []
  const ask = { number: 5, phase: "open", kind: "choice", html: "<h2>Which?</h2>" }
  let arrive = null
  globalThis.fetch = async (url, { body }) => {
    posts.push(JSON.parse(body))
    const status = posts.length === 1 ? await new Promise((done) => { arrive = () => done(204) }) : { 4: 204, 5: 400 }[posts.length] ?? 0
    return { status, json: async () => ({ words: "No number." }) }
  }
  const { ClassQuestion } = await load("answer", ["ClassQuestion"]), start = () => new ClassQuestion("/follow/abc", element("section"))
  const question = start()
  question.hear(ask)
  for (const answer of [0, 1, 2]) question.give(answer)
  await settle()
  assert.deepEqual(posts.map(({ answer }) => answer), [0])
  arrive() // which is not what is answered by now
  await settle()
  await clock.advance(10000)
  assert.deepEqual(posts.map(({ answer, number, who }) => [answer, number, who === posts[0].who]), [0, 2, 2, 2].map((answer) => [answer, 5, true]))
  const later = start() // the page is loaded again
  later.hear(ask)
  await clock.advance(10000)
  assert.deepEqual([posts.length, later.mine.answer, later.who], [4, 2, posts[0].who])
  later.hear({ ...ask, number: 6, kind: "number", unit: "m" })
  assert.equal(later.isAnswered, false)
  later.give("much")
  await settle()
  assert.deepEqual([later.word.textContent, later.isAnswered], ["No number.", false])
  later.give("3")
  later.hear(null) // withdrawn
  await clock.advance(20000)
  assert.equal(posts.length, 6)
})
