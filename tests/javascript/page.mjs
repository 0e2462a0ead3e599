// What a page gives its scripts, without a browser: elements, events, a clock that a test moves, and the sources themselves.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { webcrypto } from "node:crypto"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"

/** What Python has drawn and packed for these tests, and what it says of it; `tests/test_javascript.py` writes the file. */
export const given = JSON.parse(readFileSync(process.env.GIVEN_BY_PYTHON ?? "run pytest tests/test_javascript.py", "utf8"))

const folder = mkdtempSync(join(tmpdir(), "page-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))

const write = (name, text) => {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return pathToFileURL(path).href
}

let count = 0
/** A script as the server sends it, as a new module; `names` of it are exported besides its own. */
export const load = (script, names = []) =>
  import(write(`${count += 1}/${script}.mjs`, `${given.scripts[script]}\nexport { ${names.join(", ")} }\n`))

/** A module of the 3D view with a stand-in for three.js, or all of it as the browser gets it: `bundle/viewer.bundle`. */
export const view = (name) => {
  const places = { ".": "./index.js", "./addons/controls/OrbitControls.js": "./index.js" }
  for (const part of ["src", "bundle", "package.json"]) cpSync(join(given.view, "..", part), join(folder, "viewer", part), { recursive: true })
  write("viewer/node_modules/three/package.json", JSON.stringify({ type: "module", exports: places }))
  write("viewer/node_modules/three/index.js", `export * from "${new URL("three.mjs", import.meta.url)}"`)
  return import(pathToFileURL(join(folder, `viewer/${name}.js`)).href)
}

export const bytes = (text) => Uint8Array.from(Buffer.from(text, "base64"))

/** Random numbers of a seed (mulberry32). */
export function random(seed) {
  const next = () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (low, high) => low + Math.floor((high - low + 1) * next())
  return Object.assign(next, { integer, between: (low, high) => low + (high - low) * next(), of: (choices) => choices[integer(0, choices.length - 1)] })
}

/** Lets promises that nothing holds up go on. */
export const settle = async () => { for (let k = 0; k < 5; k += 1) await new Promise((done) => { setImmediate(done) }) }

class Clock {
  now = 1000 // ms
  timers = new Map()
  pictures = []
  made = 0

  add(act, delay = 0, every = 0) {
    this.timers.set(this.made += 1, { act, at: this.now + delay, every })
    return this.made
  }

  /** Moves on, timer by timer, by some ms. */
  async advance(ms) {
    const until = this.now + ms
    for (let turns = 0; ; turns += 1) {
      if (turns > 1e4) throw new Error("timers without end")
      const [number, next] = [...this.timers].sort(([, one], [, other]) => one.at - other.at)[0] ?? []
      if (!next || next.at > until) break
      this.now = Math.max(this.now, next.at)
      if (next.every) next.at += next.every
      else this.timers.delete(number)
      next.act()
      await settle()
    }
    this.now = until
  }

  /** The next picture of the display, some ms later. */
  picture(ms) {
    this.now += ms
    for (const act of this.pictures.splice(0)) act(this.now)
  }
}

// Selectors as far as the sources need them: lists, descendants, tags, classes, attributes, and `:not` of such.
const parted = (text, sign) => text.match(new RegExp(`(?:\\[[^\\]]*\\]|\\([^)]*\\)|[^${sign}([])+`, "g")).map((part) => part.trim()).filter(Boolean)
const isSimple = (node, simple) => {
  if (simple.startsWith(":")) return simple.startsWith(":not(") && !node.matches(simple.slice(5, -1)) // nothing is open, hovered or focused
  if (simple.startsWith(".")) return node.classList.contains(simple.slice(1))
  if (!simple.startsWith("[")) return simple === "*" || node.tagName === simple.toUpperCase()
  const [name, value] = simple.slice(1, -1).split("=")
  return value === undefined ? node.attributes.has(name) : node.getAttribute(name) === value.replace(/^['"]|['"]$/g, "")
}
const isCompound = (node, text) => text.match(/:not\([^)]*\)|:[\w-]+|\.[\w-]+|\[[^\]]*\]|\*|[\w-]+/g).every((each) => isSimple(node, each))

export const markup = [] // every text that a script has written as HTML

class Node extends EventTarget {
  constructor(tag) {
    super()
    const dashed = (name) => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    const names = () => (this.getAttribute("class") ?? "").split(" ").filter(Boolean)
    const toggle = (name, on = !names().includes(name)) => {
      this.setAttribute("class", [...names().filter((each) => each !== name), ...(on ? [name] : [])].join(" "))
      return on
    }
    const style = {
      setProperty: (name, value) => { style[name] = value }, getPropertyValue: (name) => style[name] ?? "", removeProperty: (name) => { delete style[name] },
    }
    Object.assign(this, {
      tagName: tag.toUpperCase(), nodes: [], parentElement: null, attributes: new Map(), style, clientWidth: 400, isConnected: true,
      classList: { contains: (name) => names().includes(name), toggle, add: (name) => toggle(name, true), remove: (name) => toggle(name, false) },
      dataset: new Proxy({}, {
        get: (_, name) => this.attributes.get(dashed(name)), set: (_, name, value) => Boolean(this.attributes.set(dashed(name), String(value))),
      }),
    })
  }

  get children() { return this.nodes.filter((node) => node instanceof Node) }
  get all() { return this.children.flatMap((child) => [child, ...child.all]) }
  get firstChild() { return this.nodes[0] ?? null }
  get firstElementChild() { return this.children[0] ?? null }
  get rows() { return this.querySelectorAll("tr") }
  get cells() { return this.children }
  get className() { return this.getAttribute("class") ?? "" }
  set className(name) { this.setAttribute("class", name) }
  get textContent() { return this.nodes.map((node) => node.textContent ?? node).join("") }
  set textContent(text) { this.replaceChildren(...(text === "" ? [] : [String(text)])) }
  set innerHTML(text) { markup.push(text) }
  setAttribute(name, value) { this.attributes.set(name, String(value)) }
  getAttribute(name) { return this.attributes.get(name) ?? null }
  hasAttribute(name) { return this.attributes.has(name) }
  removeAttribute(name) { this.attributes.delete(name) }
  append(...nodes) {
    for (const node of nodes) if (node instanceof Node) node.parentElement = this
    this.nodes.push(...nodes.map((node) => (node instanceof Node ? node : String(node))))
  }
  prepend(...nodes) { this.nodes.unshift(...nodes) }
  replaceChildren(...nodes) { this.nodes = []; this.append(...nodes) }
  remove() { this.parentElement.nodes = this.parentElement.nodes.filter((node) => node !== this) }
  matches(selector) {
    return parted(selector, ",").some((one) => {
      const [last, ...before] = parted(one, " ").reverse()
      return isCompound(this, last) && (!before.length || Boolean(this.parentElement?.closest(before[0]))) // of two, as here
    })
  }
  closest(selector) { return this.matches(selector) ? this : this.parentElement?.closest(selector) ?? null }
  querySelectorAll(selector) { return this.all.filter((node) => node.matches(selector)) }
  querySelector(selector) { return this.querySelectorAll(selector)[0] ?? null }
  getRootNode() { return document }
  focus() { document.activeElement = this }
  click() { this.dispatchEvent(new Event("click", { cancelable: true })) }
  contains(node) { return this === node || this.all.includes(node) }
  getBoundingClientRect() { return { left: 0, top: 0, width: 100, height: 100 } }
  getContext() { return { measureText: (text) => ({ width: 6 * text.length }) } }
  createCaption() { return element("caption", {}, this) }
  createTHead() { return element("thead", {}, this) }
  createTBody() { return element("tbody", {}, this) }
  insertRow() { return element("tr", {}, this) }
  scrollIntoView() {}
  setPointerCapture() {}
}
class Input extends Node {
  get value() { return this.text ?? "" }
  set value(text) { this.text = text }
}

export const element = (tag, attributes = {}, parent = null) => {
  const node = new (tag === "input" ? Input : Node)(tag)
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
  parent?.append(node)
  return node
}

/** What the server's half of a component is to its script; `sent` is what the script has said. */
export function model(values = {}) {
  const followers = []
  return Object.assign(values, {
    sent: [],
    send_msg(message) { this.sent.push(message) },
    on(names, act) { followers.push([[names].flat(), act]) },
    tell(name, message) { for (const [names, act] of followers) if (names.includes(name)) act(message) },
  })
}

const store = (kept = new Map()) => ({
  getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, String(text)), removeItem: (key) => kept.delete(key),
})

/** A new page at an address, in the global scope; returns its clock. */
export function open(address = "http://here/app?t=1") {
  const clock = new Clock(), url = new URL(address), window = new EventTarget()
  const ignore = class { observe() {} disconnect() {} }
  const globals = {
    window: globalThis,
    document: Object.assign(new EventTarget(), {
      createElement: (tag) => element(tag), createElementNS: (_, tag) => element(tag), head: element("head"), body: element("body"),
      documentElement: element("html"), hidden: false, visibilityState: "visible", places: {}, getElementById: (name) => document.places[name],
      querySelector: (selector) => document.body.querySelector(selector),
    }),
    Element: Node, HTMLButtonElement: ignore, HTMLInputElement: Input, MutationObserver: ignore,
    ResizeObserver: class extends ignore { constructor(act) { super(); this.observe = () => queueMicrotask(act) } },
    CustomEvent: class extends Event { constructor(name, { detail = null } = {}) { super(name); this.detail = detail } },
    CSS: { supports: () => true },
    getComputedStyle: () => ({ getPropertyValue: () => "", paddingLeft: "0", paddingRight: "0", font: "" }),
    matchMedia: () => ({ matches: false }),
    location: { href: url.href, pathname: url.pathname, search: url.search, origin: url.origin, reloads: 0, reload() { this.reloads += 1 } },
    history: { replaceState: (_, __, text) => { location.href = new URL(text, url).href } },
    performance: { now: () => clock.now }, localStorage: store(), sessionStorage: store(), crypto: globalThis.crypto ?? webcrypto,
    setTimeout: (act, delay) => clock.add(act, delay), setInterval: (act, delay) => clock.add(act, delay, delay),
    clearTimeout: (number) => clock.timers.delete(number), clearInterval: (number) => clock.timers.delete(number),
    requestAnimationFrame: (act) => clock.pictures.push(act), cancelAnimationFrame: () => {},
  }
  for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"]) globals[name] = window[name].bind(window)
  for (const [name, value] of Object.entries(globals)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  document.activeElement = document.body
  Date.now = () => clock.now
  Math.random = random(7)
  markup.length = 0
  return clock
}

open()

/** An event that has a path, from its target to the document, as it is heard at the document. */
export function event(name, target, values = {}) {
  const made = Object.assign(new Event(name, { cancelable: true }), values), path = []
  for (let node = target; node; node = node.parentElement) path.push(node)
  made.composedPath = () => [...path, document]
  return made
}
