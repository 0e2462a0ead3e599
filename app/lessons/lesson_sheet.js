// A step of a lesson: what is clicked and answered goes to the server; what was filled in stays when words come.

const TURNS = /^(next|back|list|home|open)\b/ // what leads to another step, or to the list

export function render({ model }) {
  const root = document.createElement("div")
  root.className = "sheet lesson"
  const style = document.createElement("style"), content = document.createElement("div")
  root.append(style, content)
  const given = keptDrafts() // of each question: what was filled in
  let step = "", name = "" // of whoever hands results in
  let goes = false // whether somebody has asked for another step here: a button that was clicked has the focus no more

  const form = () => content.querySelector("form[data-question]")
  const answerOf = (node) => {
    const { kind, question } = node.dataset
    if (kind === "choice") return node.elements.answer.value === "" ? null : Number(node.elements.answer.value)
    if (kind === "link") return node.elements.answer.value === "" ? null : Number(node.elements.answer.value)
    if (kind === "number") return node.elements.answer.value
    if (kind === "order") return [...node.querySelectorAll("[data-item]")].map((item) => Number(item.dataset.item))
    if (kind === "curve") {
      const drawn = given.get(question)
      return drawnCurve(Array.isArray(drawn) ? drawn : null)
    }
    return null
  }
  const note = (question, answer) => {
    given.set(question, answer)
    const all = keptDrafts() // another page of this browser may have kept more, or forgotten
    all.delete(question) // what was filled in last is kept longest
    keepDrafts(all.set(question, answer))
  }
  const fill = (node) => {
    const { kind, question } = node.dataset
    const before = given.get(question)
    if (kind === "curve") {
      const drawn = Array.isArray(before) ? before : null
      drawingPad(node.querySelector(".pad"), node.querySelector("legend").textContent, drawn, (values) => note(question, values))
    } else if (before === undefined || before === null) return
    else if (kind === "choice") {
      const chosen = node.querySelector(`input[value="${CSS.escape(before)}"]`)
      if (chosen) chosen.checked = true
    } else if (kind === "order") {
      const list = node.querySelector(".order")
      for (const item of [before].flat()) list.append(list.querySelector(`[data-item="${CSS.escape(item)}"]`) ?? "")
    } else if (kind !== "task") node.elements.answer.value = before
  }
  const write = () => {
    style.textContent = model.css
    const node = content.getRootNode().activeElement
    const hadFocus = root.contains(node)
    const focused = node?.dataset?.go ?? (node?.type === "submit" ? "submit" : node?.name === "answer" ? "answer" : "")
    const isNew = step !== model.step
    content.innerHTML = model.html
    if (form()) fill(form())
    const named = content.querySelector("[data-name]")
    if (named) named.value = name
    const given = "form [name=answer]:checked, form input[name=answer]:not([type=radio])"
    const again = { submit: "form [type=submit]", answer: given }[focused] ?? `[data-go="${CSS.escape(focused)}"]`
    const isRight = focused === "answer" && content.querySelector(".verdict.right")
    if (isNew && (hadFocus || (goes && document.activeElement === document.body))) content.querySelector("h3")?.focus()
    else if (isRight) content.querySelector("[data-go=next]").focus({ preventScroll: true })
    else if (focused) (content.querySelector(again) ?? content.querySelector("[type=submit], [data-go=next]"))?.focus({ preventScroll: true })
    if (isNew) root.getRootNode().host?.parentNode?.host?.scrollTo?.({ top: 0 })
    if (isNew) goes = false
    step = model.step
  }
  const remember = () => {
    const node = form()
    if (node && node.dataset.kind !== "curve") note(node.dataset.question, answerOf(node))
  }
  const wait = (node) => { // what was said of another answer is not said of this one
    const verdict = content.querySelector(".verdict") ?? node.insertAdjacentElement("afterend", document.createElement("p"))
    verdict.className = "verdict waits"
    verdict.textContent = "Checking …"
  }
  content.addEventListener("click", (event) => {
    const move = event.target.closest("[data-move]"), go = event.target.closest("[data-go]")
    const results = event.target.closest("[data-results]")
    if (move) {
      const item = move.closest("[data-item]"), by = Number(move.dataset.move)
      const other = by < 0 ? item.previousElementSibling : item.nextElementSibling
      if (other) by < 0 ? other.before(item) : other.after(item)
      move.focus()
      remember()
    } else if (results) model.send_msg({ results: results.dataset.results, name })
    else if (go) {
      if (go.dataset.go === "forget") {
        try { localStorage.removeItem(PROGRESS) } catch { /* it keeps nothing */ }
        given.clear()
        keepDrafts(given)
      }
      goes = TURNS.test(go.dataset.go)
      model.send_msg(go.dataset.go)
    }
  })
  content.addEventListener("input", ({ target }) => {
    if (target.matches("[data-name]")) name = target.value
    remember()
  })
  content.addEventListener("change", remember)
  content.addEventListener("submit", (event) => {
    event.preventDefault()
    remember()
    wait(event.target)
    model.send_msg({ answer: answerOf(event.target) })
  })
  model.on(["html", "css"], write)
  const point = (link) => {
    const node = form()
    if (node?.dataset.kind !== "link") return
    node.elements.answer.value = String(link)
    remember()
  }
  model.on("msg:custom", ({ keep, save, text, show, pointed }) => {
    if (pointed !== undefined) point(pointed)
    if (keep !== undefined) {
      try { localStorage.setItem(PROGRESS, keep) } catch { /* full, or forbidden: it lasts as long as the page */ }
    }
    if (save) saveText(save, text, "text/csv", content)
    if (show) printPage(show, "My results")
  })
  write()
  model.send_msg({ kept: keptProgress() })
  return root
}
