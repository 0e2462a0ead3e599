/** Every word must be found; symbols are typed as they are or spelled out. */
function matches(item, words) {
  return words.every(word => item.search.includes(word))
}

/** An exact name comes first, then the shortest name with all words in it, then what only mentions them. */
export function rank(item, words) {
  const whole = words.join(" ")
  if (item.spelled.some(name => name === whole)) return 0
  const said = [item.mechanics, item.estimation].map(name => name.toLowerCase())
  return Math.min(...said.map(name => (words.every(word => name.includes(word)) ? name.length : 1000)))
}

export function render({model}) {
  let chosen = null
  const field = make("input", {
    type: "search", placeholder: "Search: gain, Kalman, inertia, ε …", "aria-label": "Search quantities", role: "combobox",
    "aria-expanded": "true", "aria-controls": "quantities", "aria-autocomplete": "list", autocomplete: "off",
    oninput: () => fill(), onkeydown: event => key(event),
  })
  const list = make("ul", {id: "quantities", role: "listbox", "aria-label": "Quantities"})
  const panel = make("select", {"aria-label": "Panel to put it into"})
  const put = make("button", {onclick: () => send("put")}, "Put")
  const join = make("button", {title: "Show beside what the panel shows", onclick: () => send("join")}, "Beside")
  const told = make("a", {target: "_blank", rel: "noopener", hidden: ""}, "In the reference")
  const element = make("div", {class: "list", role: "region", "aria-label": "Quantities to plot"}, field, list,
    make("div", {class: "row"}, panel, put, join, told))

  function send(what) {
    if (chosen) model.send_msg({do: what, panel: Number(panel.value), key: chosen})
  }

  function choose(key) {
    chosen = key
    for (const row of list.children) {
      const selected = row.dataset.key === key
      if (row.role === "option") row.setAttribute("aria-selected", String(selected))
      if (selected) {
        row.scrollIntoView({block: "nearest"})
        field.setAttribute("aria-activedescendant", row.id)
      }
    }
    const place = model.items.find(item => item.key === chosen)?.anchor
    told.hidden = !(model.reference && place)
    if (!told.hidden) told.href = `${model.reference}#${place}`
    put.disabled = chosen === null
    join.disabled = chosen === null || Number(panel.value) >= model.panels
  }

  function key(event) {
    const rows = [...list.querySelectorAll("[role=option]")]
    const at = rows.findIndex(row => row.dataset.key === chosen)
    const next = {ArrowDown: at + 1, ArrowUp: at - 1}[event.key]
    if (next !== undefined && rows.length) {
      event.preventDefault()
      choose(rows[Math.min(Math.max(next, 0), rows.length - 1)].dataset.key)
    } else if (event.key === "Enter") send("put")
    else if (event.key === "Escape") model.send_msg({do: "listing"})
    event.stopPropagation()
  }

  function fill() {
    const words = field.value.toLowerCase().split(/\s+/).filter(word => word)
    const found = model.items.filter(item => matches(item, words))
    if (words.length) found.sort((one, other) => rank(one, words) - rank(other, words))
    list.replaceChildren(...found.map((item, k) => {
      const row = make("li", {
        role: "option", id: `quantity-${k}`, draggable: "true", "data-key": item.key, onclick: () => choose(item.key),
        ondblclick: () => send("put"),
        ondragstart: event => {
          choose(item.key)
          event.dataTransfer.effectAllowed = "copy"
          event.dataTransfer.setData("text/plain", item.key)
          event.dataTransfer.setData("text/x-quantity", item.key)
        },
      }, make("b", {}, ...accented(item.symbol)), ` ${item.mechanics}`,
      make("small", {}, item.estimation === item.mechanics ? item.stage : `${item.estimation} · ${item.stage}`))
      return row
    }))
    if (!found.length) list.append(make("li", {class: "none", role: "presentation"}, "Nothing has that name."))
    choose(found.some(item => item.key === chosen) ? chosen : words.length && found.length ? found[0].key : null)
  }

  function count() {
    const value = panel.value
    const numbers = Array.from({length: Math.min(model.panels + 1, model.most)}, (_, k) => k)
    panel.replaceChildren(...numbers.map(k => make("option", {value: k}, k < model.panels ? `into panel ${k + 1}` : "into a new panel")))
    panel.value = numbers.includes(Number(value)) && value !== "" ? value : String(numbers.at(-1) ?? 0)
    choose(chosen)
  }

  function paint() {
    for (const [name, value] of Object.entries(model.colors)) element.style.setProperty(`--${name}`, value)
  }

  panel.addEventListener("change", () => choose(chosen))
  paint()
  fill()
  count()
  model.on("items", fill)
  model.on(["panels", "most"], count)
  model.on("colors", paint)
  return element
}
