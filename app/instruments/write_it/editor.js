// One line of text. What may complete the word before the caret stands in a list below it: ARIA's editable combobox
// with a list box. Arrows move in the list, Enter or Tab takes, Escape closes; Ctrl+Space, or an arrow, opens all of it,
// and so does a tap into the empty field.
const KEPT = "armsweep.written"
const WORD = /(?<![.A-Za-z0-9_])[A-Za-z_][A-Za-z0-9_]*$/ // no word behind a point: that is .T
const PATIENCE_MS = 2000 // after which a text is sent even if the one before has not been answered
const ROOM_PX = 260 // below the field for its buttons and the verdict
const SMALL = matchMedia("(max-width: 599px), (max-height: 560px)")
const TOUCH = matchMedia("(max-width: 599px), (pointer: coarse)") // no Ctrl and no arrows

function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT) ?? "{}")
    return found && typeof found === "object" && !Array.isArray(found) ? found : {}
  } catch { return {} } // no storage, or not ours
}

function keep(lines) {
  try { localStorage.setItem(KEPT, JSON.stringify(lines)) } catch { /* none: it is not kept */ }
}

export function render({ model }) {
  const style = make("style")
  const left = make("label", { for: "line" })
  const field = make("input", {
    id: "line", type: "text", role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": "letters",
    "aria-haspopup": "listbox", autocomplete: "off", autocapitalize: "off", autocorrect: "off", spellcheck: "false", maxlength: 400,
  })
  const list = make("ul", { id: "letters", role: "listbox", "aria-label": "Letters and functions in scope", hidden: "" })
  const root = make("div", { class: "editor" }, style, left, make("span", { class: "around" }, field, list))
  let shown = [], at = -1, sent = 0, since = 0, waiting = null

  const tell = () => {
    const late = performance.now() - since > PATIENCE_MS
    if (sent > model.heard && !late) {
      waiting ??= setTimeout(() => { waiting = null; tell() }, PATIENCE_MS)
      return
    }
    clearTimeout(waiting)
    waiting = null
    sent = model.heard + 1
    since = performance.now()
    told = field.value
    model.send_msg({ typed: field.value })
  }
  let told = ""
  const answered = () => {
    raise(ROOM_PX)
    if (field.value !== told) tell()
  }
  // A phone, or a low screen, has room for the field and its verdict, and for nothing above them.
  const raise = (room = 0) => {
    const isLow = SMALL.matches || innerHeight - root.getBoundingClientRect().bottom < room
    if (isLow && field.matches(":focus")) root.scrollIntoView({ block: "start" })
  }

  const word = () => field.value.slice(0, field.selectionStart).match(WORD)?.[0] ?? ""
  const close = () => {
    list.hidden = true
    at = -1
    field.setAttribute("aria-expanded", "false")
    field.removeAttribute("aria-activedescendant")
  }
  const mark = (next) => {
    at = next
    for (const [k, option] of [...list.children].entries()) option.setAttribute("aria-selected", String(k === at))
    if (at < 0) return field.removeAttribute("aria-activedescendant")
    field.setAttribute("aria-activedescendant", list.children[at].id)
    list.children[at].scrollIntoView({ block: "nearest" })
  }
  const open = (all) => {
    const begun = all ? "" : word()
    if (!all && !begun) return close()
    shown = plain(model.letters).filter(({ name }) => name.startsWith(begun) && (all || name !== word()))
    if (!shown.length) return close()
    list.replaceChildren(...shown.map(({ name, shape, meaning }, k) => make("li", { id: `letter-${k}`, role: "option", "aria-selected": "false" },
      make("code", {}, name), make("span", { class: "shape" }, shape), make("span", { class: "meaning" }, meaning))))
    list.hidden = false
    at = -1
    field.setAttribute("aria-expanded", "true")
    field.removeAttribute("aria-activedescendant")
  }
  const take = (k) => {
    const end = field.selectionStart, start = end - word().length
    field.setRangeText(shown[k].name, start, end, "end")
    close()
    field.focus()
    tell()
  }

  field.addEventListener("input", () => { open(false); tell() })
  field.addEventListener("keydown", (event) => {
    const isOpen = !list.hidden, down = event.key === "ArrowDown", up = event.key === "ArrowUp"
    if ((event.key === " " && event.ctrlKey) || ((down || up) && !isOpen)) open(true)
    else if (down) mark((at + 1) % shown.length)
    else if (up) mark((at + shown.length - (at < 0 ? 0 : 1)) % shown.length)
    else if (isOpen && (event.key === "Enter" || event.key === "Tab") && at >= 0) take(at)
    else if (event.key === "Enter") { close(); told = null; tell() }
    else if (isOpen && event.key === "Escape") close()
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  field.addEventListener("focus", () => raise())
  field.addEventListener("click", () => { if (TOUCH.matches && !field.value && list.hidden) open(true) })
  field.addEventListener("blur", close)
  list.addEventListener("mousedown", (event) => event.preventDefault()) // the field keeps the focus
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]")
    if (option) take([...list.children].indexOf(option))
  })

  const write = () => {
    left.textContent = `${model.left} =`
    left.setAttribute("title", model.spoken)
    field.setAttribute("aria-label", model.spoken)
    field.value = told = model.text
    close()
  }
  const paint = () => { style.textContent = model.look }
  const judge = () => field.setAttribute("aria-invalid", String(model.is_wrong))
  model.on(["turn", "left", "spoken"], write)
  model.on("heard", answered)
  model.on("is_wrong", judge)
  model.on("look", paint)
  model.on("right", () => { const lines = plain(model.right); if (Object.keys(lines).length) keep({ ...kept(), ...lines }) })
  model.on("calls", () => field.focus())
  model.on("forgets", () => keep({}))
  write()
  paint()
  judge()
  const before = kept()
  if (Object.keys(before).length) model.send_msg({ kept: before })
  return root
}
