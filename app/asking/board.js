// The lecturer's sheet: a question of one's own is typed, or the one that is asked stands there with its answers.
const [FEWEST, MOST] = [2, 6]

function composing(model) {
  const field = (name, attributes) => make("input", { type: "text", autocomplete: "off", "aria-label": name, ...attributes })
  const ask = field("Question", { maxlength: 300, class: "ask" })
  const kind = (value, words, checked) => make("label", {}, make("input", { type: "radio", name: "kind", value, checked, onchange: () => show() }), ` ${words}`)
  const options = make("ol", { class: "options" })
  const add = () => {
    const k = options.childElementCount
    options.append(make("li", {}, field(`Choice ${k + 1}`, { maxlength: 120 }),
      make("label", {}, make("input", { type: "radio", name: "right", value: k, "aria-label": `Choice ${k + 1} is right` }), " right")))
    more.hidden = options.childElementCount >= MOST
    return options.lastElementChild.querySelector("input")
  }
  const more = make("button", { type: "button", onclick: () => add().focus() }, "Another choice")
  const unit = field("Unit", { maxlength: 20, size: 8 }), value = field("Right answer", { maxlength: 60, size: 10, inputmode: "decimal" })
  const choices = make("div", {}, options, make("p", { class: "note" }, "Which one is right you may leave open."), more)
  const number = make("p", { class: "typed" }, make("span", {}, "Unit"), unit, make("span", {}, "Right answer, if you wish"), value)
  const word = make("p", { class: "refused", role: "alert" })
  const form = make("form", { onsubmit: (event) => {
    event.preventDefault()
    model.send_msg({ do: "ask", ask: ask.value, kind: form.elements.kind.value, right: Number(form.elements.right.value || -1),
      options: [...options.querySelectorAll("input[type=text]")].map((each) => each.value), unit: unit.value, value: value.value })
  } },
    make("label", { class: "line" }, make("span", {}, "Question"), ask),
    make("p", { class: "kinds", role: "group", "aria-label": "Asks for" }, kind("choice", "one of several", true), kind("number", "a number", false)),
    choices, number, word, make("p", { class: "tools" }, make("button", { type: "submit", class: "main" }, "Ask the class")))
  const show = () => { [choices.hidden, number.hidden] = [form.elements.kind.value !== "choice", form.elements.kind.value !== "number"] }
  for (let k = 0; k < FEWEST; ++k) add()
  show()
  model.on("word", () => { word.textContent = model.word })
  return form
}

export function render({ model }) {
  const style = make("style"), content = make("div"), count = make("p", { class: "answered" })
  const root = make("section", { class: "asked board", "aria-label": "The question" }, style, content)
  const act = (what, words, name) => make("button", { type: "button", class: name, onclick: () => model.send_msg({ do: what }) }, words)
  let own = composing(model), before = ""
  const acts = { open: () => [act("close", "Close and show", "main")], shown: () => (model.can_reveal ? [act("reveal", "Reveal", "main")] : []), revealed: () => [] }
  const write = () => {
    const told = plain(model.told)
    const hadFocus = content.contains(content.getRootNode().activeElement)
    if (!told.kind) {
      if (before) own = composing(model)
      content.replaceChildren(own)
    } else {
      const possible = told.kind === "number" ? [make("p", { class: "note" }, `A number${told.unit ? `, in ${told.unit}` : ""}.`)]
        : told.kind === "curve" ? [make("p", { class: "note" }, "A curve, drawn by hand.")]
        : told.kind === "order" ? [make("ul", {}, ...told.options.map((option) => shown("li", {}, option))), make("p", { class: "note" }, "Each puts them into order.")]
        : told.kind === "task" ? [make("p", { class: "note" }, "Each tries it on a page of their own, which says when it is done.")]
        : [make("ol", { class: `choices ${told.kind}` }, ...told.options.map((option) => shown("li", {}, option)))]
      const body = told.phase === "open" ? [...possible, count] : [distribution(told)]
      content.replaceChildren(shown("h3", { tabindex: -1 }, told.ask), ...body,
        make("p", { class: "tools" }, ...acts[told.phase](), act("end", told.phase === "open" ? "Withdraw it" : "Another question")))
    }
    if (hadFocus || told.number !== before) (content.querySelector(".main") ?? content.querySelector("h3, input"))?.focus()
    before = told.number ?? ""
  }
  const tell = () => { count.textContent = model.answered }
  const paint = () => {
    style.textContent = model.css
    root.classList.toggle("projected", model.projected)
  }
  model.on(["told", "can_reveal"], write)
  model.on("answered", tell)
  model.on(["css", "projected"], paint)
  tell()
  paint()
  write()
  return root
}
