// The screen and its user: size of the type, theme, whether things may move, and a projector's controls.
const CHOSEN = "armsweep-theme" // under which the browser keeps what the user chose
const IDLE_MS = 3500 // without a movement, after which a projector's controls go away
const PAGE = { light: "#FFFFFF", dark: "#121212" } // behind what floats over the world
const MET = "armsweep-first" // under which it keeps that somebody has seen the first minute, and a tab that it is on
const AWAKE = ["pointermove", "pointerdown", "keydown", "focusin", "wheel"]

const dark = matchMedia("(prefers-color-scheme: dark)")
const still = matchMedia("(prefers-reduced-motion: reduce)")

// If the browser keeps nothing for this page, a choice holds as long as the page is open.
const own = {}
function kept(store, now) {
  try {
    const place = window[store]
    if (now === null) place.removeItem(CHOSEN)
    else if (now) place.setItem(CHOSEN, now)
    return place.getItem(CHOSEN)
  } catch {
    if (now !== undefined) own[store] = now
    return own[store] ?? null
  }
}
let linked = new URLSearchParams(location.search).get("theme") // until the user chooses

/** The link's, else what this tab was opened with, else the user's choice, else the system's. */
export function wanted() {
  const known = ["light", "dark"]
  if (known.includes(linked)) kept("sessionStorage", linked)
  for (const found of [linked, kept("sessionStorage"), kept("localStorage")]) {
    if (known.includes(found)) return found
  }
  return dark.matches ? "dark" : "light"
}

/** "new" if it has never been seen, "again" if the page was reloaded in the first minute, else nothing. */
function visitor() {
  if (window.top !== window) return "" // a part of another site's page, which has its own introduction
  try {
    const isReloaded = performance.getEntriesByType("navigation")[0]?.type === "reload"
    if (isReloaded && sessionStorage.getItem(MET) !== null) return "again"
    if (localStorage.getItem(MET) !== null) return ""
    localStorage.setItem(MET, "") // what is kept concerns the card, and only where it is shown
    localStorage.removeItem(MET)
    return "new"
  } catch {
    return "" // a browser that keeps nothing would show it at every visit
  }
}

const PLACES = {
  question: ".welcome h3",
  lessons: ".lesson h3",
  walk: ".map .node.here",
  world: "canvas[role=application]",
  plots: "[role=tablist][aria-label='Sets of plots'] [aria-selected=true]",
}
const PATIENCE_MS = 10000 // for an instrument that is made when it is opened

/** What has the focus, in whatever shadow root. */
function focused() {
  let here = document.activeElement
  while (here?.shadowRoot?.activeElement) here = here.shadowRoot.activeElement
  return here
}

/** The first element of a page that matches and is seen, in whatever shadow root. */
function find(selector, root = document) {
  for (const node of root.querySelectorAll("*")) {
    if (node.matches(selector) && node.checkVisibility()) return node
    const within = node.shadowRoot && find(selector, node.shadowRoot)
    if (within) return within
  }
  return null
}

/** Goes to a place; if its instrument has to be made first, to the instrument's name at once, and on from there. */
function lead(name) {
  const until = performance.now() + PATIENCE_MS
  const tab = { walk: "Walk", lessons: "Lessons" }[name]
  const way = tab && find(`[role=tab][data-name=${tab}]`)
  way?.click()
  const look = () => {
    const place = find(PLACES[name])
    if (place) place.focus()
    else if (performance.now() < until) setTimeout(() => { if (!way || focused() === way) look() }, 50)
  }
  way?.focus()
  look()
}

/** Focuses what was hidden as soon as it can be, unless its user has gone elsewhere. */
function goBack(place, until) {
  if (focused() !== document.body || place === document.body || !place?.isConnected || performance.now() > until) return
  place.focus({ preventScroll: true })
  setTimeout(goBack, 50, place, until)
}

export function render({ model }) {
  const root = document.documentElement
  const say = (name, value) => value ? root.style.setProperty(name, value) : root.style.removeProperty(name)
  let asked = wanted()
  const ask = () => {
    asked = wanted()
    if (asked !== model.theme) model.send_msg(asked)
  }
  const hear = () => {
    say("--page", PAGE[model.theme])
    if (model.theme === asked) return
    asked = model.theme
    linked = null
    kept("localStorage", asked)
    kept("sessionStorage", null)
  }

  const size = () => sizeType(model.projector)

  let idle = 0
  const wake = () => {
    if (!model.projector) return
    show(true)
    clearTimeout(idle)
    idle = setTimeout(() => show(isHeld()), IDLE_MS)
  }
  // Whoever is in a menu or a dialog, or has come to a control by keys, keeps the controls.
  const isHeld = () => {
    const here = focused()
    if (here?.matches("[role=dialog] *, [role=listbox], [role=option], [aria-expanded=true]")) return true
    return Boolean(here?.matches("button:focus-visible, input:focus-visible"))
  }
  const show = (on) => {
    say("--controls", on ? "" : "hidden")
    say("--lift", on && model.projector ? "1" : "") // the picture's notes stand over the controls
    root.style.cursor = on ? "" : "none"
  }
  let left = null // what had the focus before, which projector mode may hide
  const project = () => {
    if (model.projector) left ??= focused()
    else {
      goBack(left, performance.now() + PATIENCE_MS)
      left = null
    }
    size()
    clearTimeout(idle)
    say("--bar", model.projector ? "fixed" : "")
    say("--bar-zoom", model.projector ? String(1 / LECTURE) : "")
    say("--only-plot", model.projector ? "none" : "")
    show(true)
    if (model.projector) wake()
    else if (document.fullscreenElement) document.exitFullscreen().catch(() => {})
  }
  const toggle = () => {
    // Before the answer, a part of which may hide it before the rest arrives; a clicked button loses the focus first.
    if (!model.projector) setTimeout(() => { left = focused() })
    if (!model.projector) root.requestFullscreen?.().catch(() => {}) // a page within another may not
    model.send_msg(model.projector ? "off" : "on")
  }
  const leave = () => { if (model.projector) model.send_msg("off") }
  const shrunk = () => { if (!document.fullscreenElement) leave() } // the browser itself takes Escape then
  const escape = (event) => {
    const isOpen = event.composedPath().some((one) => one instanceof Element && one.matches("[role=dialog], [role=listbox]"))
    if (event.key === "Escape" && !isOpen) leave()
  }
  const rest = () => { if (still.matches) model.send_msg("still") }

  // The links that skip to a place, which lies behind shadow roots, where no fragment of an address reaches.
  const skip = (event) => {
    const to = event.target.closest?.("a[data-skip]")
    if (!to) return
    event.preventDefault()
    const sheet = { plots: "Plots", question: "" }[to.dataset.skip] ?? "Instruments"
    if (sheet) document.dispatchEvent(new CustomEvent("armsweep:sheet", { detail: sheet }))
    lead(to.dataset.skip)
  }

  const listeners = [
    [document, "click", skip],
    [window, "resize", size], [dark, "change", ask], [still, "change", rest],
    [document, "armsweep:projector", toggle], [document, "fullscreenchange", shrunk], [document, "keydown", escape],
    ...AWAKE.map((name) => [document, name, wake]),
  ]
  for (const [target, name, act] of listeners) target.addEventListener(name, act)
  model.on("theme", hear)
  model.on("projector", project)
  model.on("remove", () => {
    clearTimeout(idle)
    for (const [target, name, act] of listeners) target.removeEventListener(name, act)
  })
  say("--page", PAGE[model.theme])
  ask()
  rest()
  project()
  const who = visitor()
  if (who) model.send_msg(who)
  return document.createElement("span")
}
