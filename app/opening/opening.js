// What comes at once: the first motion, drawn by the page's own view. The page is requested as soon as all that this needs
// has come, so that it moves soon however slow the line or the server is; it ends when the page's own view is there.
const PATIENCE_MS = 5000 // after which the page is not held back any longer
const LATE_MS = 30000 // after which a waiting user is told why
const FADE_MS = 250
const LOOK_MS = 500 // between two checks whether the server has started

const place = document.getElementById("opening")
const word = place.querySelector("[role=status]")
const bar = place.querySelector("progress")
const begin = JSON.parse(document.getElementById("begins-with").textContent)
if (begin && matchMedia("(prefers-reduced-motion: reduce)").matches) begin.playing = false
const home = new URL(place.dataset.home, document.baseURI) // of Panel's own files, a folder beside the page's
let begun = false // whether the server accepts input from the page
let drawing = false // while the view that is made is this one's
let dispose = () => {}
let handOn = () => {}
let moves = () => true // whether the page's own view shows the run by now: before that it can take nothing over
let toggle = null // plays the first motion, or stops it, once it is there
const letters = [] // pressed before the page could know the moment that is seen
let heard = true // whether the server knows of all that the user wished of the motion

async function draw(came) {
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
  came()
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
    picture.attachShadow({ mode: "closed" }).append(render({ model, view, el: picture })) // so that it is not taken for the page's
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
    // No step stops it, whatever the page's own view does now; this one receives it, too.
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
    const until = performance.now() + PATIENCE_MS
    const give = () => {
      if (letters.length && !heard && performance.now() < until) return requestAnimationFrame(give)
      for (const key of letters) document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))
    }
    give()
    setTimeout(() => {
      dispose()
      place.remove()
    }, FADE_MS)
  }
  look()
}

// While the opening motion is shown, keys are handled here: the page does not know the moment on the screen yet.
// Letters wait until it does.
addEventListener("keydown", (event) => {
  const isLetter = /^[a-z]$/i.test(event.key) && !(event.ctrlKey || event.metaKey || event.altKey)
  if (!(event.key === " " || isLetter) || !toggle || place.classList.contains("gone")) return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (event.repeat) return
  if (isLetter) letters.push(event.key)
  else toggle()
}, true)

/** The page's own document, of this address. */
async function page() {
  const headers = "embedded" in place.dataset ? { "Armsweep-Embedded": "1" } : {}
  const answer = await fetch(location.href, { headers, cache: "no-store" })
  const text = await answer.text()
  if (answer.ok) return new DOMParser().parseFromString(text, "text/html")
  document.open() // that says why, and tries again
  document.write(text)
  document.close()
  return new Promise(() => {})
}

/** Puts it here, in its order: scripts from elsewhere are loaded together, then those run that stand in it. */
async function go({ documentElement, head, body, title }) {
  document.title = title
  for (const { name, value } of documentElement.attributes) document.documentElement.setAttribute(name, value)
  const coming = []
  let come = 0
  for (const node of [...head.children, ...body.children]) {
    const isOfHead = node.parentNode === head
    const put = (made) => (isOfHead ? document.head.append(made) : place.before(made))
    if (node.tagName !== "SCRIPT") {
      if (!["META", "TITLE"].includes(node.tagName)) put(node)
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
    } else await Promise.all(coming)
    put(script)
  }
}

/** Until the server lets visitors in. */
async function letIn() {
  const start = new URL("../../../opening", home)
  for (;;) {
    try {
      const { compiled, ready } = await (await fetch(start, { cache: "no-store" })).json()
      if (ready) return
      bar.hidden = false
      bar.value = compiled
    } catch { /* not there just now */ }
    await new Promise((done) => setTimeout(done, LOOK_MS))
  }
}

document.addEventListener("armsweep:moment", ({ detail }) => { heard = detail.heard })
document.addEventListener("armsweep:view", ({ detail }) => leave(detail))
document.addEventListener("armsweep:begun", () => { begun = true }, { once: true })
const late = new Promise((done) => setTimeout(done, PATIENCE_MS))
let came = () => {}
const files = new Promise((done) => { came = done })
const drawn = begin && draw(came).catch((error) => {
  came()
  console.info(`The page opens without its first motion: ${error.message}`)
})
if ("starting" in place.dataset) await letIn()
setTimeout(() => {
  if (place.isConnected) word.textContent = "The page is slow to load: the connection is slow, or the server is busy. Reloading it may help."
}, LATE_MS)
try {
  word.textContent = "The rest of the page is on its way…"
  bar.hidden = false
  if (begin) await Promise.race([files, late]) // a server that is making a page has no time for them
  const whole = page()
  if (begin) await Promise.race([drawn, late])
  await go(await whole)
  if (place.isConnected) word.textContent = "The page is being put together…"
} catch (error) {
  console.warn(error)
  bar.hidden = true
  word.textContent = "The page could not be loaded. Reload it when the server can be reached."
}
