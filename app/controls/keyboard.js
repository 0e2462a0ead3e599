// What keeps keys for itself: elements for typing or choosing text always, the others if Tab has led to them. A closed
// list, and a button that asks for a file, have no use for letters.
const WRITTEN = "input:not([type=range], [type=checkbox], [type=radio], [type=file]), textarea, [contenteditable=true], "
  + "[role=combobox][aria-expanded=true], [role=listbox], [role=option]"
const OWN_USE = `${WRITTEN}, select`
const OPEN_MENU = CSS.supports("selector(select:open)") ? "select:open" : "select" // older browsers do not know
const TYPED = `${WRITTEN}, ${OPEN_MENU}, [role=menu], [role=menuitem], [role=dialog]`
const USES_ARROWS = `${OWN_USE}, input, [role=combobox], [role=slider], [role=tab], [role=menu], [role=menuitem], [role=radiogroup], `
  + "[role=spinbutton], [role=tree], [role=grid], [role=dialog], [role=group] > :is(button, [role=button])"
// What keeps arrows even if the pointer led there: a curve being drawn, and a slider, for finer steps than by dragging.
const DRAGGED = ".pad [role=slider], input[type=range]:not([aria-label=Time])"
// A tab that is open already has no use for Space.
const USES_SPACE = `${OWN_USE}, input:not([type=range]), [role=combobox], button:not([role=tab][aria-selected=true]), a[href], `
  + "[role=button]:not([aria-current])"
const NO_NUMBER = /^([a-df-z ?[\]]|ctrl\+[zy])$/ // keys that are no part of a number and undo none that was entered

const CLOSED_MENU = "div[role=combobox][aria-expanded=false]"
const OPENS = ["Enter", " ", "ArrowDown", "ArrowUp"] // a menu, as ARIA's practices have it
const OPENS_MS = 10000 // in which a menu that was asked for opens, however busy the machine is
const CLOSING_MS = 400 // until a sheet has gone, which gives the focus back to what it believes had it

function focused() {
  let found = document.activeElement
  while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement
  return found
}

export function render({model}) {
  const events = () => new Map(model.events instanceof Map ? model.events : Object.entries(model.events ?? {}))
  let pointed = null // what has the focus because the pointer was there
  let before = null // what had the focus when a key of the page, or a button by key, was pressed: a closing sheet gives it back
  let chosen = false // whether the pointer was last on what a menu offers, which gives its menu the focus back
  const named = event => {
    const key = event.key.toLowerCase()
    const arrow = key.startsWith("arrow"), bracket = "[]".includes(key)
    if (event.altKey && !bracket) return "" // some keyboards have the brackets on AltGr, which says Ctrl and Alt too
    const held = (event.ctrlKey || event.metaKey) && !(bracket && event.altKey)
    if (held) return key === "z" && event.shiftKey ? "ctrl+y" : `ctrl+${key}`
    return event.shiftKey && arrow ? `shift+${key}` : key
  }
  const act = (event, isKept) => {
    const name = named(event)
    if (event.defaultPrevented || !model.keys.includes(name)) return
    const target = event.composedPath()[0]
    if (target instanceof Element && target.closest(isKept(name)) !== null) return
    event.preventDefault()
    event.stopPropagation()
    if (event.repeat && !model.repeating.includes(name)) return
    before = focused()
    const [own, detail] = (events().get(name) ?? "").split(" ")
    if (own) document.dispatchEvent(new CustomEvent(own, { detail: Number(detail ?? 0) }))
    else model.send_msg(name)
  }
  const isSaid = event => numbers(event) !== null && typed === null // keys that are no part of a number are not typed there
  const press = event => act(event, name => isSaid(event) && NO_NUMBER.test(name) ? "none"
    : name === " " ? USES_SPACE : name.includes("arrow") ? USES_ARROWS : OWN_USE)
  const isOnSheet = event => event.composedPath().some(node => node instanceof Element && node.matches("[role=dialog]"))
  const keep = event => {
    const [target] = event.composedPath()
    const isPress = event.key === "Enter" || event.key === " "
    if (isPress && target instanceof HTMLButtonElement && !isOnSheet(event)) before = target
  }
  // A button that asks for a file is rendered again when the first file has come: the focus goes with it.
  let asking = null
  const ask = event => {
    const [target] = event.composedPath()
    if (!["Enter", " "].includes(event.key) || target.type !== "file") return
    const root = target.getRootNode()
    asking?.disconnect()
    asking = new MutationObserver(() => {
      if (target.isConnected) return
      asking.disconnect()
      if (document.activeElement === document.body) root.querySelector("input[type=file]")?.focus()
    })
    asking.observe(root, { childList: true, subtree: true })
  }
  // What has the focus because of the pointer does not receive the page's keys.
  const first = event => {
    const here = focused()
    if (pointed && !pointed.isConnected && here !== document.body) pointed = here // it was rendered again under the pointer
    if (event.key === "Tab") [pointed, chosen] = [null, false]
    else if (chosen && here?.matches("[role=combobox]:not([aria-expanded=true])")) act(event, () => "none")
    else if (pointed !== null && pointed !== document.body && pointed === here)
      act(event, name => name.startsWith("shift+") ? `${TYPED}, [role=application], ${DRAGGED}` // by which one turns the view
        : name.startsWith("arrow") ? `${TYPED}, [type=radio], ${DRAGGED}` : TYPED) // for an answer, the next one
  }
  const point = event => {
    if (event.type === "click" && event.detail === 0) return // a key's
    pointed = focused()
    chosen = event.composedPath().some(node => node instanceof Element && node.matches("[role=option], [role=menuitem]"))
  }
  // A button that was clicked by mouse gives Space back to the page; one reached by Tab keeps it.
  const release = event => {
    const button = event.detail > 0 && event.composedPath().find(node => node instanceof HTMLButtonElement)
    if (!button) return
    if (!isOnSheet(event)) before = null
    if (button.getAttribute("role") !== "tab") button.blur()
  }
  // Escape reverts what is being typed into a number field, before Enter or leaving the field applies it.
  let typed = null // the field, and its text before
  const numbers = event => {
    const path = event.composedPath()
    return path.some(node => node instanceof Element && node.classList.contains("typed-number")) ? path[0] : null
  }
  const type = event => {
    const field = event.inputType === "insertLineBreak" ? null : numbers(event) // of Enter, which has applied it
    if (field && typed?.field !== field) typed = { field, text: field.value }
  }
  const say = () => { typed = null }
  const takeBack = event => {
    if (event.key === "Enter") say()
    if (event.key !== "Escape" || typed === null || typed.field !== numbers(event)) return
    event.preventDefault()
    event.stopPropagation()
    const { field, text } = typed
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, text)
    field.dispatchEvent(new Event("input", { bubbles: true })) // as if it had been typed: the page's own field receives it
    say()
  }
  // A menu that chooses a value declares itself a list box, but its entries menu items: they are options.
  // They may be written anew while it stands open.
  let naming = 0
  const name = event => {
    const box = event.composedPath().find(node => node instanceof Element && node.matches("[role=combobox]"))
    if (!box) return
    const until = performance.now() + OPENS_MS
    const look = () => {
      if (!box.isConnected) return // rendered again: it has no list
      const list = box.getRootNode().getElementById(box.getAttribute("aria-controls"))
      for (const entry of list?.querySelectorAll("[role=menuitem]") ?? []) {
        entry.setAttribute("role", "option")
        const isShown = entry.textContent.trim() === box.textContent.trim()
        entry.setAttribute("aria-selected", String(isShown))
        if (isShown) entry.focus() // not the first of them
      }
      if (list || performance.now() < until) naming = setTimeout(look, 30)
    }
    clearTimeout(naming)
    naming = setTimeout(look)
  }
  // A menu opens only by a click, though it claims the keys for that; Space when released, or it would choose an entry.
  let pressed = null
  const open = event => {
    const [box] = event.composedPath()
    const isHeld = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey
    if (isHeld || event.repeat || !OPENS.includes(event.key) || !box.matches?.(CLOSED_MENU)) return
    const isSpace = event.key === " "
    if (event.type === (isSpace ? "keyup" : "keydown") && (!isSpace || pressed === box)) box.click()
    pressed = event.type === "keydown" ? box : null
  }
  const listeners = [
    ["pointerdown", name, true], ["keydown", name, true],
    ["beforeinput", type, true], ["focusout", say, false], ["keydown", takeBack, true],
    ["keydown", keep, true], ["keydown", ask, true], ["keydown", first, true], ["keydown", press, false], ["keydown", open, false], ["keyup", open, false],
    ["pointerup", point, true], ["click", point, true], // after a touch the focus comes with the click
    ["click", release, false],
  ]
  for (const [name, listen, early] of listeners) document.addEventListener(name, listen, early)
  model.on("closed", () => setTimeout(() => {
    if (document.activeElement === document.body && before?.isConnected) before.focus()
  }, CLOSING_MS))
  model.on("remove", () => {
    asking?.disconnect()
    for (const [name, listen, early] of listeners) document.removeEventListener(name, listen, early)
  })
  return document.createElement("span")
}
