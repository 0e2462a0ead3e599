// The rail: opens an instrument at once; the server is told, and fills a pane that has not been made yet.
const SLIM = 430 // pixels of width below which the rail lies on top of its instrument
const WIDE = 1800 // pixels of a window from which on two stand side by side
const TYPING_MS = 900 // within which typed letters belong to one name

/** Scrolls everything in it, shadow trees included, to its beginning. */
function toTop(node) {
  if (node.scrollTop) node.scrollTop = 0
  for (const child of [...node.children, ...(node.shadowRoot?.children ?? [])]) toTop(child)
}

export function render({ model, view }) {
  const items = model.items
  const names = items.map((item) => item.name)
  const list = make("div", { class: "list", role: "tablist", "aria-label": "Instruments" })
  const tabs = items.map(({ name, icon, words }, k) => {
    const face = make("span", { class: "icon", "aria-hidden": "true" }, icon)
    return make("button", {
      type: "button", role: "tab", id: `tab-pane-${k}`, "aria-controls": `pane-${k}`, "data-name": name, title: words, class: "item",
    }, face, make("span", { class: "name" }, name))
  })
  const groups = new Map()
  items.forEach(({ group }, k) => {
    if (!groups.has(group)) {
      groups.set(group, make("span", { class: "group", "aria-hidden": "true" }, group))
      list.append(groups.get(group))
    }
    list.append(tabs[k])
  })
  const panes = filledPanes({ model, view }, names, "pane")
  const split = make("button", { type: "button", class: "split item" },
    make("span", { class: "icon", "aria-hidden": "true" }, "vertical_split"), make("span", { class: "name" }, "Two"))
  const rail = make("div", { class: "rail" }, list, split)
  const frame = make("div", { class: "frame" }, rail, make("div", { class: "panes" }, ...panes)) // Tab goes from one to the other

  const open = (name) => {
    if (name === model.active) return
    if (name === model.beside) model.beside = model.active // they change places
    model.active = name
  }
  const isThere = (name) => model.there.includes(name)
  const isWide = () => innerWidth >= WIDE
  const fade = () => { // at the edges behind which there is more
    list.classList.toggle("above", list.scrollTop > 1)
    list.classList.toggle("below", list.scrollTop + list.clientHeight < list.scrollHeight - 1)
  }
  list.addEventListener("scroll", fade)
  const show = () => {
    const alone = isThere(model.alone) ? model.alone : ""
    const beside = !alone && isWide() && isThere(model.beside) && model.beside !== model.active ? model.beside : ""
    items.forEach(({ name }, k) => {
      const isOpen = name === model.active
      tabs[k].hidden = !isThere(name)
      tabs[k].setAttribute("aria-selected", String(isOpen))
      tabs[k].classList.toggle("beside", name === beside)
      tabs[k].tabIndex = isOpen ? 0 : -1
      panes[k].hidden = alone ? name !== alone : !isOpen && name !== beside
      panes[k].classList.toggle("left", name === beside)
    })
    for (const [group, node] of groups) node.hidden = !items.some((item) => item.group === group && isThere(item.name))
    rail.hidden = alone !== ""
    frame.classList.toggle("two", beside !== "")
    split.hidden = !isWide()
    const words = beside ? `Close ${beside}: one instrument` : "Two instruments side by side"
    split.setAttribute("aria-pressed", String(beside !== ""))
    split.setAttribute("aria-label", words)
    split.title = words
    document.documentElement.style.setProperty("--beside", beside ? "1" : "0") // layout.css makes room
    tabs[names.indexOf(model.active)]?.scrollIntoView({ block: "nearest", inline: "nearest" })
    fade()
  }
  let before = "" // what was open before, which moves beside it
  list.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]")
    if (!tab) return
    isLed = false
    if (tab.dataset.name !== model.active) before = model.active
    open(tab.dataset.name)
  })
  split.addEventListener("click", () => {
    if (split.getAttribute("aria-pressed") === "true") model.beside = ""
    else {
      const others = [before, ...names].filter((name) => isThere(name) && name !== model.active)
      const other = others[0] ?? ""
      model.beside = other
    }
  })
  let typed = "", typedAt = 0
  let isLed = false // by the page's key for it: letters are names then, and the page's own otherwise
  list.addEventListener("keydown", (event) => {
    const ours = tabs.filter((tab) => !tab.hidden), called = ours.map((tab) => tab.dataset.name.toLowerCase())
    const at = ours.indexOf(event.target.closest("[role=tab]"))
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return
    let to = ledTo(event.key, at, ours.length)
    if (isLed && /^[a-z]$/i.test(event.key)) {
      const letter = event.key.toLowerCase(), longer = typed + letter
      // More letters of a name search from this one on, its first letter from the next.
      const found = (text, from) => {
        const k = [...called.slice(from), ...called.slice(0, from)].findIndex((name) => name.startsWith(text))
        return k < 0 ? -1 : (from + k) % called.length
      }
      to = typed && event.timeStamp - typedAt < TYPING_MS ? found(longer, at) : -1
      typed = to < 0 ? letter : longer
      if (to < 0) to = found(letter, (at + 1) % called.length)
      typedAt = event.timeStamp
      if (to < 0) to = at
    }
    if (to < 0) return
    event.preventDefault()
    event.stopPropagation()
    ours[to].focus()
  })
  const sizes = new ResizeObserver(() => {
    const top = frame.getBoundingClientRect().width < SLIM
    frame.classList.toggle("top", top)
    list.setAttribute("aria-orientation", top ? "horizontal" : "vertical")
    fade()
  })
  for (const part of [frame, list]) sizes.observe(part)
  const lead = () => {
    document.dispatchEvent(new CustomEvent("armsweep:sheet", { detail: "Instruments" })) // where they stand in a sheet
    tabs[names.indexOf(model.active)]?.focus()
    isLed = true
  }
  list.addEventListener("focusout", (event) => { if (!list.contains(event.relatedTarget)) isLed = false })
  document.addEventListener("armsweep:rail", lead)
  const begin = () => toTop(frame)
  document.addEventListener("armsweep:recalled", begin)
  window.addEventListener("resize", show)
  model.on("active", show)
  model.on("there", show)
  model.on("beside", show)
  model.on("alone", () => {
    show()
    toTop(frame) // larger type has moved away what was being read
  })
  model.on("remove", () => {
    sizes.disconnect()
    window.removeEventListener("resize", show)
    document.removeEventListener("armsweep:rail", lead)
    document.removeEventListener("armsweep:recalled", begin)
    document.documentElement.style.removeProperty("--beside")
  })
  const paint = () => frame.style.setProperty("--primary", model.primary)
  model.on("primary", paint)
  paint()
  show()
  return frame
}
