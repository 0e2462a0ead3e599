// Three buttons that choose the content of a small screen's sheet; the layout's style sheet follows the properties.
const CHOICES = {
  World: { "--sheet-tabs": "none", "--sheet-plots": "none", "--sheet-height": "0", "--world-end": "-1", "--rest": "flex",
    "--transport-height": "auto" },
  Instruments: {},
  Plots: { "--sheet-tabs": "none", "--sheet-plots": "flex" },
}
const STYLE = `
.switch { display: flex; gap: 4px; padding: 2px 8px; }
button { flex: 1; min-height: 2.25rem; padding: 2px 8px; border: 1px solid color-mix(in srgb, currentColor 35%, transparent);
  border-radius: 6px; background: none; color: inherit; font: 0.875rem Roboto, "Helvetica Neue", Arial, sans-serif; cursor: pointer; }
button[aria-pressed=true] { background: color-mix(in srgb, currentColor 16%, transparent); font-weight: 600; }
button:focus-visible { outline: 2px solid; outline-offset: -3px; }
`

// What was out of sight measures itself anew when it comes: tabs, whose line under the open one was nowhere.
function awaken(place) {
  let width = 0
  const observer = new ResizeObserver(([{ contentRect }]) => {
    if (!width && contentRect.width) window.dispatchEvent(new Event("resize"))
    width = contentRect.width
  })
  const wait = requestAnimationFrame(() => {
    const frame = place.getRootNode().host?.getRootNode().host?.getRootNode()
    const tabs = frame?.querySelector(".tabs")
    if (tabs) observer.observe(tabs)
  })
  return () => {
    cancelAnimationFrame(wait)
    observer.disconnect()
  }
}

export function render({ model }) {
  const root = document.documentElement
  const place = make("div", { class: "switch", role: "group", "aria-label": "What stands beside the world" })
  const names = [...new Set(Object.values(CHOICES).flatMap((choice) => Object.keys(choice)))]
  let chosen = ""
  const choose = (name) => {
    chosen = name
    for (const property of names) {
      const value = CHOICES[name][property]
      if (value) root.style.setProperty(property, value)
      else root.style.removeProperty(property)
    }
    for (const button of place.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.textContent === name))
    }
  }
  place.append(...Object.keys(CHOICES).map((name) => make("button", {
    type: "button", onclick: () => choose(name === chosen && name !== "World" ? "World" : name),
  }, name)))
  const open = ({ detail }) => choose(detail)
  document.addEventListener("armsweep:sheet", open)
  model.on("msg:custom", choose)
  const rest = awaken(place)
  model.on("remove", () => {
    document.removeEventListener("armsweep:sheet", open)
    rest()
  })
  choose("Instruments")
  return make("div", {}, make("style", {}, STYLE), place)
}
