// The card of the first minute: clicks go to the server; the drawing stays here until the arm is let go.
const MET = "armsweep-first" // under which the browser keeps that it was shown, and this tab that it is (screen.js)
const SMALL = matchMedia("(max-width: 599px), (max-height: 560px), (max-height: 640px) and (max-width: 1100px)") // there it stands in the sheet under the world (layout.css)

export function render({ model }) {
  const root = document.createElement("div"), style = document.createElement("style"), content = document.createElement("section")
  content.className = "sheet welcome"
  content.setAttribute("aria-label", "The first minute")
  root.append(style, content)
  const skip = document.querySelector("[data-skip=question]") // of the page itself
  let drawing = null
  let state = ""

  const write = () => {
    style.textContent = model.css
    const focused = root.getRootNode().activeElement
    const had = root.contains(focused) ? focused.dataset?.go ?? "pad" : null
    content.innerHTML = model.html
    const pad = content.querySelector(".pad")
    if (pad) drawingPad(pad, pad.dataset.label, drawing, (values) => { drawing = values })
    const again = had === "pad" ? ".pad svg" : `[data-go="${CSS.escape(had ?? "")}"]`
    if (model.state !== state && (had !== null || model.called)) content.querySelector("h3").focus()
    else if (had !== null) (content.querySelector(again) ?? content.querySelector("h3")).focus({ preventScroll: true })
    if (model.state !== state) place()?.scrollTo?.({ top: 0 })
    state = model.state
  }
  const go = (event) => {
    const button = event.target.closest("[data-go]")
    if (button) model.send_msg(button.dataset.go === "letgo" ? { drawn: drawnCurve(drawing) } : button.dataset.go)
  }
  const escape = (event) => {
    const isOpen = event.composedPath().some((one) => one instanceof Element && one.matches("[role=dialog], [role=listbox], [role=menu]"))
    if (event.key === "Escape" && !event.defaultPrevented && !isOpen) model.send_msg("close")
  }
  const place = () => root.getRootNode().host?.parentNode?.host // in which it is scrolled
  const leave = () => model.send_msg("close") // the user wants to see what it covers
  const sheet = () => { if (SMALL.matches) leave() }
  const press = (event) => {
    const within = event.composedPath()
    if (SMALL.matches && within.some((one) => one instanceof Element && one.matches(".switch button"))) leave()
  }
  const listeners = [["keydown", escape], ["armsweep:sheet", sheet], ["click", press]]
  for (const [name, act] of listeners) document.addEventListener(name, act)
  content.addEventListener("click", go)
  model.on(["html", "css"], write)
  if (skip) skip.hidden = false
  model.on("remove", () => {
    if (skip) skip.hidden = true
    for (const [name, act] of listeners) document.removeEventListener(name, act)
    try { sessionStorage.removeItem(MET) } catch { /* it keeps nothing */ }
  })
  try {
    sessionStorage.setItem(MET, "open")
    localStorage.setItem(MET, "met")
  } catch { /* a browser that keeps nothing is never shown it unasked */ }
  write()
  return root
}
