// The lecturer's browser: a presenter's keys, the camera, the picture of a moment, and what is kept over a reload.
const [WIDTH, HEIGHT, QUALITY, WIDEST] = [480, 300, 0.8, 720]
const PAUSE_MS = 60 // between two messages about one movement of the hand
const STEPS = { PageDown: 1, PageUp: -1 }
// Elements that use these keys themselves: where text is typed, a list, a slider.
const TYPED = "textarea, select, input:not([type=range], [type=checkbox], [type=radio], [type=file]), [contenteditable=true], "
  + "[role=combobox][aria-expanded=true], [role=listbox], "
  + "[role=option], [role=menu], [role=menuitem], [role=dialog], [role=spinbutton], [role=tree], [role=grid]"
const SLIDES = "input[type=range], [role=slider]"

let camera = new URLSearchParams(location.search).get("camera") ?? ""

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

// How much of an element is in sight: what lies beyond the edge of a box that scrolls is not.
function seen(node) {
  let { left, top, right, bottom } = node.getBoundingClientRect()
  for (let up = node; up; up = up.parentElement ?? up.getRootNode().host) {
    if (up === node || getComputedStyle(up).overflowY === "visible") continue
    const box = up.getBoundingClientRect();
    [left, top, right, bottom] = [Math.max(left, box.left), Math.max(top, box.top), Math.min(right, box.right), Math.min(bottom, box.bottom)]
  }
  return Math.max(right - left, 0) * Math.max(bottom - top, 0)
}

// The panel beside the world, with its title and values, where the open instrument has no plot.
async function panel() {
  let found = ""
  document.dispatchEvent(new CustomEvent("armsweep:plot", { detail: (drawing) => { found = drawing } }))
  return found
}

// The plot of the open instrument of which most is in sight, over the page's own ground.
function figure() {
  const boxes = new Map()
  const look = (node, isOpen) => {
    for (const child of [...node.children, ...(node.shadowRoot?.children ?? [])]) {
      const isHere = isOpen || (child.role === "tabpanel" && child.id.startsWith("pane-") && !child.hidden)
      if (isHere && child instanceof HTMLCanvasElement && child.width && child.checkVisibility()) boxes.set(child, child.getBoundingClientRect())
      look(child, isHere)
    }
  }
  look(document.body, false)
  const areas = new Map([...boxes.keys()].map((canvas) => [canvas, seen(canvas)]))
  const largest = [...areas].reduce((one, other) => (other[1] > one[1] ? other : one), [null, 0])[0]
  const { left, top, width, height } = boxes.get(largest) ?? new DOMRect()
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

// The presentation's token, and the lecture's file and the place in it.
function kept(name) {
  try { return JSON.parse(sessionStorage.getItem(`armsweep-${name}`)) } catch { return null }
}

export function render({ model }) {
  let waiting = {}, timer = 0, pointed = null // what has the focus because the pointer was there
  const send = () => {
    timer = 0
    if (!Object.keys(waiting).length) return
    model.send_msg(waiting)
    waiting = {}
    timer = setTimeout(send, PAUSE_MS)
  }
  const tell = (words) => {
    if (!model.presenting) return
    Object.assign(waiting, words)
    if (!timer) send()
  }
  const turn = ({ detail }) => {
    camera = detail
    tell({ camera })
  }
  const seek = ({ detail }) => {
    if (detail.held) tell({ moment: detail.time })
    else delete waiting.moment // the session has it
  }
  const point = () => { pointed = focused() }
  const press = (event) => {
    if (event.key === "Tab") pointed = null
    const by = STEPS[event.key]
    if (!by || !model.count || event.defaultPrevented || event.repeat) return
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
    const path = event.composedPath().filter((node) => node instanceof Element)
    const here = path[0] === pointed
    if (path.some((node) => node.matches(TYPED) || (!here && (scrolls(node) || node.matches(SLIDES))))) return
    event.preventDefault()
    event.stopPropagation()
    model.send_msg({ step: by })
  }
  const keep = (name, value) => {
    try {
      if (value) sessionStorage.setItem(`armsweep-${name}`, JSON.stringify(value))
      else sessionStorage.removeItem(`armsweep-${name}`)
    } catch {
      if (name === "lecture") model.send_msg({ full: true })
    }
  }
  const does = {
    shoot: async (number) => {
      const shot = { shot: number, camera, picture: picture(), figure: figure() }
      model.send_msg({ ...shot, figure: shot.figure || await panel().catch(() => "") })
    },
    look: (detail) => {
      for (const name of ["armsweep-look", "armsweep-camera"]) window.dispatchEvent(new CustomEvent(name, { detail }))
      document.dispatchEvent(new CustomEvent("armsweep:recalled")) // what is open beside the world begins anew
    },
    token: (token) => keep("present", token),
    keep: ({ place, text }) => keep("lecture", text !== "" && { place, text: text ?? kept("lecture")?.text ?? "" }),
    save: ({ name, text }) => saveText(name, text, "application/json", document.body),
    show: (text) => printPage(text, "Handout"),
  }
  const listeners = [
    [window, "armsweep-camera", turn], [window, "armsweep-turning", turn], [document, "armsweep:seek", seek],
    [document, "pointerup", point, true], [document, "keydown", press, true], // before a slider that was clicked
  ]
  for (const listener of listeners) listener[0].addEventListener(...listener.slice(1))
  model.on("presenting", () => tell({ camera }))
  model.on("msg:custom", (message) => {
    for (const [name, value] of Object.entries(message.data ?? message)) does[name]?.(value)
  })
  model.on("remove", () => {
    for (const listener of listeners) listener[0].removeEventListener(...listener.slice(1))
    clearTimeout(timer)
  })
  model.send_msg({ home: `${location.origin}${location.pathname}`, token: kept("present"), ...(kept("lecture") ?? { place: 0, text: "" }) })
  return document.createElement("span")
}
