// A follower's side of a question: the answer is given, sent (again if that failed), and kept over a reload.
const ANSWERED = "armsweep-answer"
const RETRY_MS = 1500
const ASKED = { choice: "The lecturer asks you. Choose an answer.", number: "The lecturer asks you. Type a number." }
const CLOSED = { shown: "The question is closed.", revealed: "The right answer is shown." }

/** A name that identifies nobody: 128 random bits. */
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
    this.question = null
    this.mine = { at: address, who: randomName() }
    try {
      const kept = JSON.parse(localStorage.getItem(ANSWERED))
      if (kept?.at === address) this.mine = kept
    } catch { /* nothing is kept */ }
    this.keep()
  }

  get who() { return this.mine.who }

  get isOpen() { return this.question?.phase === "open" }

  get isAnswered() { return this.mine.answer !== undefined }

  keep() {
    try { localStorage.setItem(ANSWERED, JSON.stringify(this.mine)) } catch { /* it lasts as long as the page */ }
  }

  /** What the lecturer asks now, or null. */
  hear(question) {
    const before = this.question
    this.question = question
    if (before?.number === question?.number && before?.phase === question?.phase) return this.send() // a field keeps what is typed
    if (before?.number !== question?.number) {
      clearTimeout(this.timer)
      this.timer = 0
      if (question && this.mine.number !== question.number) this.mine = { at: this.address, who: this.who, number: question.number }
      this.keep()
    }
    this.write()
    if (question && !before && document.activeElement === document.body) this.section.scrollIntoView({ block: "nearest" })
    this.send()
  }

  /** Another answer: the newest is sent, one at a time. */
  give(answer) {
    Object.assign(this.mine, { answer, sent: false })
    this.keep()
    this.send()
  }

  async send() {
    if (!this.isOpen || !this.isAnswered || this.mine.sent || this.sending || this.timer) return
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
    if (this.mine.number !== number || !this.isOpen) return
    if (this.mine.answer !== answer) { // another one has been given meanwhile
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
      this.say("Your answer has not arrived yet; it is being sent again.")
      this.wait(RETRY_MS * (0.5 + Math.random()))
    }
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
    const { question, isAnswered, isOpen, section, body } = this
    section.hidden = !question
    if (!question) return
    const { kind, phase, html } = question
    this.say(!isOpen ? CLOSED[phase] : !isAnswered ? ASKED[kind] : this.word.textContent || "You have answered; you may change it.")
    body.innerHTML = html // the server's own, which is clean
    if (isOpen) section.removeAttribute("tabindex")
    else section.tabIndex = 0 // it may scroll, and has nothing else that takes keys
    if (isOpen) this.listen()
    else this.mark()
  }

  listen() {
    const { answer } = this.mine
    const buttons = [...this.body.querySelectorAll(".choices button")], form = this.body.querySelector("form")
    const press = (value) => { for (const each of buttons) each.setAttribute("aria-pressed", String(each.value === String(value))) }
    press(answer)
    for (const button of buttons) {
      button.addEventListener("click", () => {
        press(button.value)
        this.give(Number(button.value))
      })
    }
    if (!form) return
    form.elements.answer.value = answer ?? ""
    form.addEventListener("submit", (event) => {
      event.preventDefault()
      const value = form.elements.answer.value.trim()
      if (value) this.give(value)
      else this.say("There is no answer yet: give one first.")
    })
  }

  /** One's own answer, among those of the class. */
  mark() {
    const { kind } = this.question, { answer } = this.mine
    if (!this.isAnswered) this.body.append(make("p", { class: "note" }, "You have not answered."))
    else if (kind === "number") this.body.append(make("p", { class: "note" }, `Your answer: ${answer}`))
    else this.body.querySelectorAll(".bars .label")[answer]?.append(make("b", { class: "mark" }, "your answer"))
  }
}
