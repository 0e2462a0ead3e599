// The moments of a lecture, a card each: picture, title, note, and what can be done with it.
export function render({ model }) {
  const say = (what, number = 0, value = null) => model.send_msg({ do: what, number, value })
  const button = (words, what, title) => make("button", { type: "button", title, onclick: () => say(what) }, words)
  const keep = button("Keep this moment", "keep", "Adds what the page shows now (K)")
  keep.className = "main"
  const [before, next] = [button("Before", "before", "The moment before (Page Up)"), button("Next", "next", "The next moment (Page Down)")]
  const head = make("div", { class: "tools" }, keep, before, next)
  const told = make("p", { class: "told", role: "status" })
  const undo = button("", "undo", "Takes the last change of this list back")
  const list = make("ol", { "aria-label": "Moments" })
  const none = make("p", { class: "none" }, "No moment is kept yet. Show what you want to come back to, and press K.")
  const root = make("section", { "aria-label": "Moments of the lecture" }, head, told, undo, none, list)
  let shape = "", here = 0

  const field = (tag, row, name, label, attributes = {}) => {
    const element = make(tag, { ...attributes, class: name, "aria-label": label, onchange: () => say(name, row.number, element.value) })
    element.value = row[name]
    return element
  }
  const card = (row, k, rows) => {
    const act = (words, what, label, title, disabled = false) =>
      make("button", { type: "button", "aria-label": label, title, disabled, onclick: () => say(what, row.number) }, words)
    const title = field("input", row, "title", `Title of moment ${k + 1}`, { type: "text", maxlength: 80 })
    const note = field("textarea", row, "note", `Note of moment ${k + 1}`, { rows: 2, maxlength: 2000, placeholder: "Note, which the class sees, too" })
    const picture = row.picture ? make("img", { src: row.picture, alt: "" }) : make("span", { class: "blank" }, "no picture")
    const open = make("button", { type: "button", class: "picture", "aria-label": `Show moment ${k + 1}: ${row.title}`, title: "Show this moment", onclick: () => say("go", row.number) }, picture)
    return make("li", { "data-number": row.number, "aria-current": row.here ? "true" : null }, open,
      make("div", { class: "line" }, make("b", {}, `${k + 1}`), title), note,
      make("div", { class: "acts" },
        act("↑", "up", `Move moment ${k + 1} up: ${row.title}`, "Earlier", k === 0),
        act("↓", "down", `Move moment ${k + 1} down: ${row.title}`, "Later", k === rows.length - 1),
        act("×", "drop", `Remove moment ${k + 1}: ${row.title}`, "Remove it")))
  }
  const draw = () => {
    const pictures = plain(model.pictures)
    const rows = plain(model.rows).map((row) => ({ ...row, picture: pictures[row.number] ?? "" }))
    for (const [name, value] of Object.entries(plain(model.colors))) root.style.setProperty(`--${name}`, value)
    keep.disabled = model.full
    before.disabled = next.disabled = rows.length === 0
    if (told.textContent !== model.word) told.textContent = model.word
    undo.hidden = !model.undone
    undo.textContent = `Undo: ${model.undone}`
    none.hidden = rows.length > 0
    const now = JSON.stringify(rows.map(({ number, title, picture, here: is }) => [number, title, picture.length, is]))
    const active = root.getRootNode().activeElement
    if (now !== shape) {
      shape = now
      const [number, name] = [active?.closest?.("li")?.dataset.number, active?.className || active?.textContent]
      const typed = active?.matches?.("input, textarea") ? [active.value, active.selectionStart, active.selectionEnd] : null
      list.replaceChildren(...rows.map(card))
      const again = number && [...list.querySelectorAll(`li[data-number="${number}"] :is(button, input, textarea)`)]
        .find((each) => (each.className || each.textContent) === name && !each.disabled)
      if (again) {
        again.focus({ preventScroll: true })
        if (typed) {
          again.value = typed[0]
          again.setSelectionRange(typed[1], typed[2])
        }
      }
    } else for (const [k, item] of [...list.children].entries()) {
      for (const name of ["title", "note"]) {
        const each = item.querySelector(`.${name}`)
        if (each !== active) each.value = rows[k][name]
      }
    }
    const present = rows.find((row) => row.here)?.number ?? 0
    if (present !== here) list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" })
    here = present
  }
  model.on(["rows", "pictures", "full", "colors", "word", "undone"], draw)
  draw()
  return root
}
