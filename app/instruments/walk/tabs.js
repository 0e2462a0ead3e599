// A row of tabs over the sheet that is open, which scrolls; on a phone the whole instrument does (walker.py).
const STYLE = `
:host { min-height: 0 !important; }
.frame { display: flex; flex-direction: column; height: 100%; }
.list { flex: none; display: flex; }
.tab {
  min-height: 2.25rem; padding: 4px clamp(4px, 0.45vw, 0.7rem); border: 0; background: none; cursor: pointer;
  color: color-mix(in srgb, currentColor 70%, transparent);
  font: 500 clamp(0.8rem, 1.05vw, 0.95rem)/1.25 Roboto, "Helvetica Neue", Arial, sans-serif;
}
.tab[aria-selected=true] { color: var(--primary); box-shadow: inset 0 -2px; }
.tab:focus-visible { outline: 2px solid var(--primary); outline-offset: -3px; }
.pane { flex: 1; min-height: 0; overflow: hidden auto; }
.pane[hidden] { display: none; }
.opening { margin: 16px 24px; font: 0.875rem/1.45 Roboto, "Helvetica Neue", Arial, sans-serif; }
@media (max-width: 599px), (max-height: 560px) {
  :host { height: auto !important; flex: none !important; }
  .pane { overflow: visible; }
}
`

export function render({ model, view }) {
  const names = model.names, panes = filledPanes({ model, view }, names, "sheet")
  const tabs = names.map((name, k) => make("button", {
    type: "button", role: "tab", class: "tab", id: `tab-sheet-${k}`, "aria-controls": `sheet-${k}`,
    onclick: () => { model.active = name },
  }, name))
  const list = make("div", { class: "list", role: "tablist", "aria-label": "Sheets of the walk" }, ...tabs)
  const root = make("div", { class: "frame" }, make("style", {}, STYLE), list, ...panes)
  list.addEventListener("keydown", (event) => {
    const isHeld = event.altKey || event.ctrlKey || event.metaKey || ["ArrowUp", "ArrowDown"].includes(event.key)
    const to = isHeld ? -1 : ledTo(event.key, tabs.indexOf(event.target), tabs.length)
    if (to < 0) return
    event.preventDefault()
    event.stopPropagation()
    tabs[to].focus()
  })
  const show = () => names.forEach((name, k) => {
    const isOpen = name === model.active
    tabs[k].setAttribute("aria-selected", String(isOpen))
    tabs[k].tabIndex = isOpen ? 0 : -1
    panes[k].hidden = !isOpen
  })
  const paint = () => root.style.setProperty("--primary", model.primary)
  model.on("active", show)
  model.on("primary", paint)
  show()
  paint()
  return root
}
