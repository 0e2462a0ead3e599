// A step of a lesson: clicks and answers go to the server; what was filled in stays, over a reload too.
const DRAFTS = "armsweep-drafts", MOST_DRAFTS = 60
const SEED = "armsweep-seed"
const TURNS = /^(next|back|list|home|open)\b/ // what leads to another step, or to the list

const keptDrafts = () => {
  try {
    return new Map(Object.entries(JSON.parse(localStorage.getItem(DRAFTS)) ?? {}))
  } catch {
    return new Map()
  }
}
const keep = (key, text) => {
  try { localStorage.setItem(key, text) } catch { /* full, or forbidden: it lasts as long as the page */ }
}

/** The order of a question's choices: different for each student, the same after a reload. */
const orderOfChoices = (seed, question, count) => {
  const hash = (text) => [...text].reduce((sum, letter) => Math.imul(sum ^ letter.codePointAt(0), 0x01000193) >>> 0, 0x811c9dc5)
  const mixed = (k) => { const sum = hash(`${seed}/${question}/${k}`); return Math.imul(sum ^ (sum >>> 15), 0x85ebca6b) >>> 0 }
  return Array.from({ length: count }, (_, k) => k).sort((a, b) => mixed(a) - mixed(b))
}
const keptSeed = () => {
  const drawn = String(Math.random())
  try {
    return localStorage.getItem(SEED) ?? (localStorage.setItem(SEED, drawn), drawn)
  } catch {
    return drawn
  }
}

export function render({ model }) {
  const root = document.createElement("div"), style = document.createElement("style"), content = document.createElement("div")
  root.className = "sheet lesson"
  root.append(style, content)
  const drafts = keptDrafts() // by question
  const seed = keptSeed()
  let step = "", name = "" // of the student, on results
  let goes = false // whether another step was requested here: the clicked button no longer has the focus

  const form = () => content.querySelector("form[data-question]")
  const answerOf = (node) => {
    const { kind, question } = node.dataset, value = node.elements.answer?.value, draft = drafts.get(question)
    if (kind === "curve") return drawnCurve(Array.isArray(draft) ? draft : null)
    if (kind === "order") return [...node.querySelectorAll("[data-item]")].map((item) => Number(item.dataset.item))
    if (kind === "number" || kind === "task") return value ?? null
    return value === "" ? null : Number(value)
  }
  const note = (question, answer) => {
    drafts.set(question, answer)
    const all = keptDrafts() // another page of this browser may have kept more, or forgotten
    all.delete(question) // the latest one is kept longest
    keep(DRAFTS, JSON.stringify(Object.fromEntries([...all.set(question, answer)].slice(-MOST_DRAFTS))))
  }
  const remember = (node = form()) => {
    if (node && node.dataset.kind !== "curve") note(node.dataset.question, answerOf(node))
  }
  const fill = (node) => {
    const { kind, question } = node.dataset, draft = drafts.get(question) ?? null
    if (kind === "choice") {
      const choices = [...node.querySelectorAll(".option")]
      for (const k of orderOfChoices(seed, question, choices.length)) choices[k].parentNode.append(choices[k])
    }
    if (kind === "curve") {
      const drawn = Array.isArray(draft) ? draft : null
      drawingPad(node.querySelector(".pad"), node.querySelector("legend").textContent, drawn, (values) => note(question, values))
    } else if (kind === "order") {
      const list = node.querySelector(".order")
      for (const item of [draft ?? []].flat()) list.append(list.querySelector(`[data-item="${CSS.escape(item)}"]`) ?? "")
    } else if (draft !== null && node.elements.answer) node.elements.answer.value = draft
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
    const answer = "form [name=answer]:checked, form input[name=answer]:not([type=radio])"
    const again = { submit: "form [type=submit]", answer }[focused] ?? `[data-go="${CSS.escape(focused)}"]`
    const isRight = focused === "answer" && content.querySelector(".verdict.right")
    const to = isRight ? "[data-go=next]" : again
    if (isNew && (hadFocus || (goes && document.activeElement === document.body))) content.querySelector("h3")?.focus()
    else if (focused) (content.querySelector(to) ?? content.querySelector("[type=submit], [data-go=next]"))?.focus({ preventScroll: true })
    if (isNew) root.getRootNode().host?.parentNode?.host?.scrollTo?.({ top: 0 })
    goes &&= !isNew
    step = model.step
  }
  content.addEventListener("click", ({ target }) => {
    const move = target.closest("[data-move]"), go = target.closest("[data-go]")
    if (move) {
      const item = move.closest("[data-item]"), isUp = Number(move.dataset.move) < 0
      if (isUp) item.previousElementSibling?.before(item)
      else item.nextElementSibling?.after(item)
      move.focus()
      remember()
    } else if (go?.dataset.results) model.send_msg({ results: go.dataset.results, name })
    else if (go) {
      if (go.dataset.go === "forget") {
        drafts.clear()
        keep(PROGRESS, "")
        keep(DRAFTS, "{}")
      }
      goes = TURNS.test(go.dataset.go)
      model.send_msg(go.dataset.go)
    }
  })
  content.addEventListener("input", ({ target }) => {
    if (target.matches("[data-name]")) name = target.value
    remember()
  })
  content.addEventListener("change", () => remember())
  content.addEventListener("submit", (event) => {
    event.preventDefault()
    const node = event.target
    remember(node)
    const verdict = content.querySelector(".verdict") ?? node.insertAdjacentElement("afterend", document.createElement("p"))
    verdict.className = "verdict waits" // the reply to another answer does not apply to this one
    verdict.textContent = "Checking …"
    model.send_msg({ answer: answerOf(node) })
  })
  model.on(["html", "css"], write)
  model.on("msg:custom", ({ keep: progress, save, text, show, pointed }) => {
    if (pointed !== undefined && form()?.dataset.kind === "link") {
      form().elements.answer.value = String(pointed)
      remember()
    }
    if (progress !== undefined) keep(PROGRESS, progress)
    if (save) saveText(save, text, "text/csv", content)
    if (show) printPage(show, "My results")
  })
  write()
  model.send_msg({ kept: keptProgress() })
  return root
}
