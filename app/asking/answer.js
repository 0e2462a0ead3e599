// A follower's side of a question: it is answered here, sent, sent again where that failed, and kept over a reload.
const ANSWERED = "armsweep-answer"
const AGAIN_MS_OF_ANSWER = 1500
const FEW = 12 // choices that have a button each; more are a list
const ASKED = {
  choice: "The lecturer asks you. Choose an answer.",
  link: "The lecturer asks you. Choose a link.",
  number: "The lecturer asks you. Type a number.",
  curve: "The lecturer asks you. Draw a curve.",
  order: "The lecturer asks you. Put them into order.",
  task: "The lecturer asks you to try something.",
}
const LATE = { open: "", shown: "The question is closed.", revealed: "The right answer is shown." }

/** A name that says nothing of anybody: 128 random bits. */
function randomName() {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}

class ClassQuestion {
  /** `address`: of the presentation; `section`: where the question stands. */
  constructor(address, section) {
    this.address = address
    this.section = section
    this.word = make("p", { role: "status" })
    this.body = make("div")
    section.append(this.word, this.body)
    section.addEventListener("keydown", (event) => event.stopPropagation()) // its keys are not the player's
    const kept = this.kept()
    this.mine = kept?.at === address ? kept : { at: address, who: randomName() }
    this.keep()
    this.told = null
    this.page = "" // the last part of the address of the lecturer's page
    addEventListener("storage", () => this.look()) // a page of one's own has kept something
  }

  get who() { return this.mine.who }

  kept() {
    try { return JSON.parse(localStorage.getItem(ANSWERED)) } catch { return null }
  }

  keep() {
    try { localStorage.setItem(ANSWERED, JSON.stringify(this.mine)) } catch { /* it lasts as long as the page */ }
  }

  /** What the lecturer asks now, or null. */
  hear(told) {
    const before = this.told
    this.told = told
    if (before?.number === told?.number && before?.phase === told?.phase) return this.send() // a field keeps what is typed
    if (before?.number !== told?.number) {
      clearTimeout(this.timer)
      this.timer = 0
      if (told && this.mine.number !== told.number) this.mine = { at: this.address, who: this.who, number: told.number }
      this.keep()
    }
    this.write()
    this.look()
    if (told && !before && document.activeElement === document.body) this.section.scrollIntoView({ block: "nearest" })
    this.send()
  }

  get isAnswered() { return this.mine.answer !== undefined }

  /** Another answer: the newest is sent, one at a time. */
  give(answer) {
    Object.assign(this.mine, { answer, sent: false })
    this.keep()
    this.send()
  }

  async send() {
    if (this.told?.phase !== "open" || !this.isAnswered || this.mine.sent || this.sending || this.timer) return
    const { number, answer, who } = this.mine
    this.sending = true
    let status = 0, words = ""
    try {
      const reply = await fetch(`${this.address}/answer`, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ who, number, answer }),
      })
      status = reply.status
      if (status === 400) words = (await reply.json()).words
    } catch { /* nobody was there */ }
    this.sending = false
    if (this.mine.number !== number || this.told?.phase !== "open") return
    if (this.mine.answer !== answer) { /* another one has been given meanwhile */
      this.wait(400)
    } else if (status === 204) {
      this.mine.sent = true
      this.keep()
      this.say("Your answer has arrived. You may change it until the question is closed.")
    } else if (status === 400) {
      delete this.mine.answer
      this.keep()
      this.say(words)
    } else if (status !== 409) {
      this.say("Your answer has not arrived yet; it is sent again.")
      this.wait(AGAIN_MS_OF_ANSWER * (0.5 + Math.random()))
    }
  }

  /** A page of one's own may say that what is to be tried is done. */
  look() {
    const { told, mine } = this
    if (told?.kind !== "task" || told.phase !== "open" || mine.seen === told.number || !isStepRight(told.step)) return
    mine.seen = told.number // once: what is pressed afterwards counts
    this.give(0)
    this.write()
  }

  wait(duration) {
    this.timer = setTimeout(() => {
      this.timer = 0
      this.send()
    }, duration)
  }

  say(words) {
    if (this.word.textContent !== words) this.word.textContent = words
  }

  write() {
    const { told } = this
    this.section.hidden = !told
    if (!told) return
    const own = this.isAnswered ? this.mine.answer : null
    this.say(told.phase === "open" ? (this.isAnswered ? this.word.textContent || "You have answered; you may change it." : ASKED[told.kind]) : LATE[told.phase])
    const ask = shown("h2", {}, told.ask)
    if (told.phase === "open") this.section.removeAttribute("tabindex")
    else this.section.tabIndex = 0 // it may scroll, and has nothing else for keys
    if (told.phase === "open") this.body.replaceChildren(ask, this.form(own))
    else this.body.replaceChildren(ask, distribution(told, own), ...this.verdict(own))
  }

  verdict(own) {
    const { kind } = this.told
    if (own === null) return [make("p", { class: "note" }, "You have not answered.")]
    if (kind === "order") return [shown("p", { class: "note" }, `Your order: ${own.map((k) => this.told.options[k]).join(" · ")}`)]
    return kind === "number" ? [make("p", { class: "note" }, `Your answer: ${own}`)] : []
  }

  form(own) {
    const { kind, options } = this.told
    if (kind === "number") return this.number(own)
    if (kind === "curve") return this.curve(own)
    if (kind === "order") return this.order(own)
    if (kind === "task") return this.task(own)
    return options.length > FEW ? this.list(own) : this.buttons(own)
  }

  buttons(own) {
    const group = make("div", { role: "group", "aria-label": "Answers", class: "choices" })
    const press = (k) => {
      for (const [j, each] of [...group.children].entries()) each.setAttribute("aria-pressed", String(j === k))
    }
    group.append(...this.told.options.map((option, k) => {
      const button = shown("button", { type: "button" }, option)
      button.addEventListener("click", () => {
        press(k)
        this.give(k)
      })
      return button
    }))
    press(own)
    return group
  }

  list(own) {
    const options = this.told.options.map((option, k) => {
      const found = shown("option", { value: k }, option)
      found.selected = k === own
      return found
    })
    const select = make("select", { "aria-label": "Your answer" }, make("option", { value: "" }, "choose"), ...options)
    return this.sent(select, () => (select.value === "" ? null : Number(select.value)))
  }

  number(own) {
    const { unit } = this.told
    const field = make("input", { type: "text", inputmode: "decimal", autocomplete: "off", maxlength: 60, "aria-label": unit ? `Your answer, in ${unit}` : "Your answer" })
    field.value = own ?? ""
    return this.sent(make("span", { class: "typed" }, field, unit), () => field.value.trim() || null)
  }

  curve(own) {
    const { least, most, until, unit } = this.told
    const pad = make("div", { class: "pad", "data-least": least, "data-most": most, "data-until": until, "data-unit": unit })
    let drawn = own
    drawingPad(pad, "Your curve", own, (values) => { drawn = values })
    return this.sent(make("div", {}, pad, make("p", { class: "note" }, "Draw with a finger or the mouse. By keys: ← → go along the time, ↑ ↓ change the value.")),
      () => drawnCurve(drawn)?.map((value) => Number(value.toPrecision(4))) ?? null)
  }

  order(own) {
    const { options } = this.told
    const rows = make("ol", { class: "order" })
    const move = (row, by) => make("button", { type: "button", onclick: ({ currentTarget }) => {
      const other = by < 0 ? row.previousElementSibling : row.nextElementSibling
      if (other) by < 0 ? other.before(row) : other.after(row)
      currentTarget.focus()
    } }, by < 0 ? "↑" : "↓")
    rows.append(...(own ?? options.keys()).map((k) => {
      const row = make("li", { "data-item": k }, shown("span", {}, options[k]))
      for (const [by, words] of [[-1, "Move up"], [1, "Move down"]]) {
        const button = move(row, by)
        button.setAttribute("aria-label", `${words}: ${row.firstChild.textContent}`)
        row.append(button)
      }
      return row
    }))
    return this.sent(rows, () => [...rows.children].map((row) => Number(row.dataset.item)))
  }

  task(own) {
    const address = `../${this.page}?lesson=${encodeURIComponent(this.told.where)}`
    return make("div", {}, make("p", {},
      make("a", { href: address, target: "_blank", rel: "noopener" }, "Try it on a page of your own"),
      ", beside this one; when its check says that it is done, so does this page."), this.buttons(own))
  }

  /** A form with something to fill in and a button that sends it. */
  sent(field, read) {
    return make("form", { onsubmit: (event) => {
      event.preventDefault()
      const answer = read()
      if (answer === null) this.say("There is no answer yet: give one first.")
      else this.give(answer)
    } }, field, make("button", { type: "submit", class: "main" }, "Send my answer"))
  }
}
