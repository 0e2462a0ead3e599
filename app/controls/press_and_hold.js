const STYLE = `
:host { display: block; }
button { width: 100%; height: 36px; border: 1px solid currentColor; border-radius: 4px; background: transparent;
  color: inherit; font: 500 0.875rem Roboto, "Helvetica Neue", Arial, sans-serif; cursor: pointer; touch-action: none;
  user-select: none; }
button:hover { background: color-mix(in srgb, currentColor 8%, transparent); }
button[aria-pressed=true] { background: color-mix(in srgb, currentColor 24%, transparent); }
button:focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
`
const isPressing = event => event.key === " " || event.key === "Enter"

export function render({model}) {
  const button = make("button", { type: "button", title: model.hint, "aria-pressed": "false" })
  const name = () => { button.textContent = model.name_shown }
  name()
  let held = false
  const hold = (isHeld) => {
    if (held === isHeld) return
    held = isHeld
    button.setAttribute("aria-pressed", String(held))
    model.send_msg(held ? "press" : "release")
  }
  const press = () => hold(true), release = () => hold(false)
  button.addEventListener("pointerdown", event => {
    if (event.button !== 0) return
    button.setPointerCapture(event.pointerId)
    press()
  })
  button.addEventListener("keydown", event => {
    if (!isPressing(event)) return
    event.preventDefault()
    press()
  })
  button.addEventListener("keyup", event => { if (isPressing(event)) release() })
  for (const end of ["pointerup", "pointercancel", "lostpointercapture", "blur", "contextmenu"])
    button.addEventListener(end, release)
  model.on("name_shown", name)
  model.on("remove", release)
  return make("div", {}, make("style", {}, STYLE), button)
}
