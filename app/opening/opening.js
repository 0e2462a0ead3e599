// Before the page has come: its first motion, drawn by the page's own view. What the page itself needs is held back until
// that moves, so that it moves soon however slow the line is; it goes when the page's own view is there.
const PATIENCE_MS = 5000 // after which the page is not held back any longer
const LATE_MS = 30000 // after which whoever waits is told
const FADE_MS = 250
const LOOK_MS = 500 // between two questions whether the server has started

const place = document.getElementById("opening")
const word = place.querySelector("[role=status]")
const bar = place.querySelector("progress")
const begin = JSON.parse(document.getElementById("begins-with").textContent)
if (begin && matchMedia("(prefers-reduced-motion: reduce)").matches) begin.playing = false
const home = new URL(place.dataset.home, document.baseURI) // of Panel's own files, a folder beside the page's
let begun = false // whether the server takes what is done in the page
let drawing = false // while the view that is made is this one's
let dispose = () => {}
let handOn = () => {}
let moves = () => true // whether the page's own view shows the run by now: before that it could take nothing over
let toggle = null // plays the first motion, or stops it, once it is there

async function draw() {
  const { preset, time, playing, speed } = begin
  const bundle = new URL("../armsweep/viewer.bundle.js", home)
  const data = fetch(new URL(`../../../opening/${preset}`, home)).then((answer) => {
    if (!answer.ok) throw new Error(`${answer.status}`)
    return answer.arrayBuffer()
  })
  const views = import(bundle).then((made) => {
    delete window.__THREE__ // the page's view brings its own, which would warn of this one
    return made
  })
  const [{ render, Parcel, Recorded }, buffer] = await Promise.all([views, data])
  if (place.classList.contains("over")) return
  const [run, packed] = Parcel.read(buffer)
  const theme = place.dataset.theme
  const { duration, interval, layers } = { ...run, ...begin }
  const play = {
    number: 0, track: 0, jump: 0, time: Math.min(time, duration), playing, speed, interval, duration, known: duration,
    complete: true, live: false, report: Infinity, run: 0, whole: true,
  }
  const scene = new Recorded(run.pictures, new Parcel(packed), run).scene(new Set(layers), theme, play, false)
  let tell = () => {}
  const on = (name, act) => { if (name === "msg:custom") tell = act }
  const model = { scene, theme, selected: -1, marked: [], legend: [], caption: "", words: "", on, send_msg() {} }
  const view = { model: { document: { on_event() {} } } }
  const picture = place.querySelector(".picture")
  drawing = true
  try {
    picture.attachShadow({ mode: "closed" }).append(render({ model, view, el: picture })) // nobody takes it for the page's
  } finally {
    drawing = false
  }
  dispose = () => view.armsweepDispose()
  if (model.webgl === false) {
    picture.hidden = true
    return
  }
  place.querySelector(".about").hidden = false
  let plays = playing, number = 0
  toggle = () => {
    plays = !plays
    number += 1
    tell({ play: { ...play, number, time: view.armsweepMoment(), playing: plays, jump: number } })
  }
  moves = (view) => !playing || "track" in (view.querySelector("canvas")?.dataset ?? {})
  handOn = () => {
    const now = view.armsweepMoment()
    tell({ play: { ...play, number: number + 1, playing: false } })
    if (playing || number) document.dispatchEvent(new CustomEvent("armsweep:seek", { detail: { time: now, held: false } }))
    if (plays === playing) return
    // No step stops it, whatever the page's own view does just now; this one hears it, too.
    document.dispatchEvent(new CustomEvent(plays ? "armsweep:toggle" : "armsweep:step", { detail: 0 }))
  }
}

/** The page's own view is there: it goes on from here. */
function leave(view) {
  if (drawing || place.classList.contains("over")) return
  place.classList.add("over")
  let begunAt = Infinity
  const look = () => {
    const isThere = begun && view.isConnected && view.getBoundingClientRect().width >= 50
    if (isThere) begunAt = Math.min(begunAt, performance.now())
    if (!isThere || !(moves(view) || performance.now() > begunAt + PATIENCE_MS)) return requestAnimationFrame(look)
    handOn()
    place.classList.add("gone")
    setTimeout(() => {
      dispose()
      place.remove()
    }, FADE_MS)
  }
  look()
}

// The page's key for play and pause, while this stands for it: the page would stop at a moment that nobody sees.
addEventListener("keydown", (event) => {
  if (event.key !== " " || event.repeat || !toggle || place.classList.contains("gone")) return
  event.preventDefault()
  event.stopImmediatePropagation()
  toggle()
}, true)

/** What was held back, in its order: scripts from elsewhere first, all at a time, then those that stand here. */
async function go() {
  const coming = []
  let come = 0
  for (const held of document.querySelectorAll("template[data-held]")) {
    for (const node of [...held.content.children]) {
      if (node.tagName !== "SCRIPT") {
        held.before(node)
        continue
      }
      const script = document.createElement("script")
      for (const { name, value } of node.attributes) script.setAttribute(name, value)
      script.async = false
      script.textContent = node.textContent
      if (node.src) {
        coming.push(new Promise((done, fail) => {
          script.onload = () => {
            come += 1
            bar.value = come / coming.length
            done()
          }
          script.onerror = () => fail(new Error(script.src))
        }))
        held.before(script)
      } else {
        await Promise.all(coming)
        held.before(script)
      }
    }
    held.remove()
  }
}

/** Until the server lets visitors in; then this address is asked for again. */
async function follow() {
  const start = new URL("../../../opening", home)
  for (;;) {
    try {
      const { compiled, ready } = await (await fetch(start, { cache: "no-store" })).json()
      if (ready) return location.reload()
      bar.hidden = false
      bar.value = compiled
    } catch { /* not there just now */ }
    await new Promise((done) => setTimeout(done, LOOK_MS))
  }
}

document.addEventListener("armsweep:view", ({ detail }) => leave(detail))
document.addEventListener("armsweep:begun", () => { begun = true }, { once: true })
const starts = "starting" in place.dataset // the server, which lets nobody in yet
if (starts) follow()
if (begin) {
  const drawn = draw().catch((error) => console.info(`The page opens without its first motion: ${error.message}`))
  await Promise.race([drawn, new Promise((done) => setTimeout(done, PATIENCE_MS))])
}
if (!starts) {
  setTimeout(() => {
    if (place.isConnected) word.textContent = "The page is late: the line is slow, or the server is busy. It may help to reload it."
  }, LATE_MS)
  try {
    bar.hidden = false
    await go()
    if (place.isConnected) word.textContent = "The page is being put together…"
  } catch {
    bar.hidden = true
    word.textContent = "The page's scripts could not be loaded. Reload the page when the server can be reached."
  }
}
