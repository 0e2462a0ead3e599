// The lecturer's browser: a presenter's keys, the picture and the camera of a moment, what is kept over a reload.
const KEY = "armsweep-lecture"
const [WIDTH, HEIGHT, QUALITY, WIDEST] = [480, 300, 0.8, 720]
const STEPS = { PageDown: 1, PageUp: -1 }
// What has a use of its own for these keys: where text is typed, a list, a slider.
const TYPED = "textarea, select, input:not([type=range], [type=checkbox], [type=radio], [type=file]), [contenteditable=true], "
  + "[role=combobox][aria-expanded=true], [role=listbox], "
  + "[role=option], [role=menu], [role=menuitem], [role=dialog], [role=spinbutton], [role=tree], [role=grid]"
const SLIDES = "input[type=range], [role=slider]"

let camera = new URLSearchParams(location.search).get("camera") ?? ""

const elements = (path) => path.filter((node) => node instanceof Element)
const scrolls = (node) => node.scrollHeight > node.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(node).overflowY)
  && node !== document.scrollingElement && node !== document.body

function focused() {
  let found = document.activeElement
  while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement
  return found
}

// The world as it is seen now, where nothing covers it, cut to the shape of a picture.
function picture() {
  let found = ""
  const take = (canvas, [left, top, width, height]) => {
    const scale = Math.max(WIDTH / width, HEIGHT / height)
    const [wide, high] = [WIDTH / scale, HEIGHT / scale]
    const small = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT })
    small.getContext("2d").drawImage(canvas, left + (width - wide) / 2, top + (height - high) / 2, wide, high, 0, 0, WIDTH, HEIGHT)
    found = small.toDataURL("image/jpeg", QUALITY)
  }
  window.dispatchEvent(new CustomEvent("armsweep-picture", { detail: take }))
  return found
}

// The largest plot of the instrument that is open, as far as it is in sight, over the page's own ground.
function figure() {
  const all = []
  const look = (node, isOpen) => {
    for (const child of [...node.children, ...(node.shadowRoot?.children ?? [])]) {
      const isHere = isOpen || (child.role === "tabpanel" && child.id.startsWith("pane-") && !child.hidden)
      if (isHere && child instanceof HTMLCanvasElement && child.width && child.checkVisibility()) all.push(child)
      look(child, isHere)
    }
  }
  look(document.body, false)
  const boxes = new Map(all.map((canvas) => [canvas, canvas.getBoundingClientRect()]))
  const { left, top, width, height } = [...boxes.values()].reduce((one, other) => (other.width * other.height > one.width * one.height ? other : one), new DOMRect())
  if (!width || !height) return ""
  const scale = Math.min(1.5, WIDEST / width)
  const whole = Object.assign(document.createElement("canvas"), { width: width * scale, height: height * scale })
  const context = whole.getContext("2d")
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--page") || "#FFFFFF"
  context.fillRect(0, 0, whole.width, whole.height)
  for (const [canvas, box] of boxes) { // of a plot, one above the other
    const isIn = box.left >= left - 1 && box.top >= top - 1 && box.right <= left + width + 1 && box.bottom <= top + height + 1
    if (isIn) context.drawImage(canvas, (box.left - left) * scale, (box.top - top) * scale, box.width * scale, box.height * scale)
  }
  return whole.toDataURL("image/jpeg", QUALITY)
}

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY))
  } catch {
    return null
  }
}

export function render({ model }) {
  const look = ({ detail }) => { camera = detail }
  let pointed = null // what has the focus because the pointer was there
  const point = () => { pointed = focused() }
  const press = (event) => {
    if (event.key === "Tab") pointed = null
    const by = STEPS[event.key]
    if (!by || !model.count || event.defaultPrevented || event.repeat) return
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
    const path = elements(event.composedPath())
    const here = path[0] === pointed
    if (path.some((node) => node.matches(TYPED) || (!here && (scrolls(node) || node.matches(SLIDES))))) return
    event.preventDefault()
    event.stopPropagation()
    model.send_msg({ step: by })
  }
  const keep = (place, text) => {
    try {
      if (text === "") sessionStorage.removeItem(KEY)
      else sessionStorage.setItem(KEY, JSON.stringify({ place, text: text ?? kept()?.text ?? "" }))
    } catch {
      model.send_msg({ full: true })
    }
  }
  const listeners = [
    [window, "armsweep-camera", look, false], [document, "pointerup", point, true],
    [document, "keydown", press, true], // before a slider that has the focus because it was clicked
  ]
  for (const [where, name, listen, early] of listeners) where.addEventListener(name, listen, early)
  model.on("msg:custom", (message) => {
    const { shoot, look: turn, keep: what, save, show } = message.data ?? message
    if (shoot !== undefined) model.send_msg({ shot: shoot, camera, picture: picture(), figure: figure() })
    if (turn !== undefined) {
      for (const name of ["armsweep-look", "armsweep-camera"]) window.dispatchEvent(new CustomEvent(name, { detail: turn }))
      document.dispatchEvent(new CustomEvent("armsweep:recalled")) // what is open beside the world begins anew
    }
    if (what !== undefined) keep(what.place, what.text)
    if (save !== undefined) saveText(save.name, save.text, "application/json", document.body)
    if (show !== undefined) printPage(show, "Handout")
  })
  model.on("remove", () => {
    for (const [where, name, listen, early] of listeners) where.removeEventListener(name, listen, early)
  })
  const before = kept()
  model.send_msg({ home: `${location.origin}${location.pathname}`, place: before?.place ?? 0, text: before?.text ?? "" })
  return document.createElement("span")
}
