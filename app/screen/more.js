// One button that opens the rest of the bar, if there is no room for that.
const STYLE = `
button { min-width: 40px; min-height: 40px; border: 0; border-radius: 8px; background: none; color: #FFFFFF; cursor: pointer; font: 0.9rem/1 Roboto, "Helvetica Neue", Arial, sans-serif; }
button[aria-expanded=true] { background: rgba(255, 255, 255, 0.2); }
button:focus-visible { outline: 2px solid #FFFFFF; outline-offset: -3px; }
`

export function render() {
  const root = document.documentElement
  const button = make("button", {
    type: "button", "aria-label": "More tools", title: "More tools", onclick: () => fold(button.getAttribute("aria-expanded") !== "true"),
  }, "More")
  const fold = (open) => {
    button.setAttribute("aria-expanded", String(open))
    root.style.setProperty("--tools", open ? "flex" : "none")
  }
  fold(false)
  return make("div", {}, make("style", {}, STYLE), button)
}
