// A row of buttons: each sends the server its number, or the document its event.
const STYLE = `
div { display: flex; align-items: center; height: 100%; gap: 2px; flex-wrap: wrap; font-family: Roboto, "Helvetica Neue", Arial, sans-serif; }
button {
  flex: none; min-width: 2.25rem; height: 2.25rem; padding: 0; border: 0; border-radius: 1.125rem; background: none;
  color: inherit; cursor: pointer; font: 0.9rem/1 Roboto, "Helvetica Neue", Arial, sans-serif;
}
@media (max-width: 359px) { button { min-width: 1.8rem; } } /* all tools in one row */
button[hidden] { display: none; }
button:disabled { opacity: 0.4; cursor: default; }
button:hover:enabled { background: color-mix(in srgb, currentColor 12%, transparent); }
button:focus-visible { outline: 2px solid; outline-offset: -3px; }
.icon { font: 1.35rem/1 "Material Icons"; font-feature-settings: "liga"; white-space: nowrap; }
.round { width: 3rem; height: 3rem; border-radius: 1.5rem; background: var(--primary); color: var(--page, #fff); }
.round:hover:enabled { background: color-mix(in srgb, var(--primary) 85%, currentColor); }
.round .icon { font-size: 1.5rem; }
.outlined {
  margin: 0 2px; padding: 0 0.7rem; border: 1px solid color-mix(in srgb, currentColor 45%, transparent); border-radius: 4px;
}
.outlined[aria-pressed=true] {
  color: var(--primary); border-color: var(--primary); background: color-mix(in srgb, var(--primary) 14%, transparent);
}
`

export function render({ model }) {
  const buttons = model.items.map((_, k) => make("button", { type: "button", onclick: () => {
    const [name, detail] = model.items[k].event.split(" ")
    if (name) document.dispatchEvent(new CustomEvent(name, { detail: Number(detail ?? 0) }))
    else model.send_msg(k)
  } }))
  const row = make("div", {}, make("style", {}, STYLE), ...buttons)
  const show = () => model.items.forEach(({ words, icon, label, look, pressed, disabled, hidden }, k) => {
    const button = buttons[k]
    button.className = look
    if ((button.dataset.face ?? "") !== icon + label) {
      button.dataset.face = icon + label
      button.replaceChildren(make("span", icon ? { class: "icon", "aria-hidden": "true" } : {}, icon + label))
    }
    button.setAttribute("aria-label", words)
    button.title = words
    if (pressed !== null) button.setAttribute("aria-pressed", String(pressed))
    button.disabled = disabled
    button.hidden = hidden
  })
  const paint = () => row.style.setProperty("--primary", model.primary || "currentColor")
  model.on("items", show)
  model.on("primary", paint)
  show()
  paint()
  return row
}
