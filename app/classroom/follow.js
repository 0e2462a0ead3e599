// A follower's page: a replay that gets its run in parts and is moved by what the lecturer does. It sends nothing but
// answers to what the class is asked.
const SILENCE_MS = 12000 // without a message, after which the lecturer counts as gone; one comes every five seconds
const AGAIN_MS = { lost: 700, away: 1500, full: 20000 }
const LONGEST_MS = 15000 // between two attempts
const DRIFT = 0.25 // s by which its own clock may be off
const HERE = location.pathname
const LED = ["playing", "speed", "step", "layers", "only", "camera"]
const WORDS = {
  coming: "The lecturer's run is on its way…",
  following: "Following the lecturer",
  tried: "Following the lecturer, who tries another object: this picture shows the one that is carried",
  changing: "The lecturer shows another run; it is on its way…",
  around: "Looking around; press F to follow again",
  lost: "The connection is lost; this is the last moment. It comes back by itself.",
  away: "Nobody is presenting at this address. It looks again by itself.",
  full: "The server cannot take more followers. It tries again by itself.",
  over: "The presentation has ended; what is shown stays.",
}

const [bar, caption, step] = ["lead", "caption", "step"].map((name) => document.getElementById(name))
const [word, button] = bar.children
const line = document.createElement("div") // where its equation is as large as there is room for
const fit = () => fitFormulas([...line.children])
new ResizeObserver(fit).observe(line)

async function fetched(url) {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
  return answer
}

async function viewsOf(name) {
  const { bokeh, ...texts } = await (await fetched(`views/${name}`)).json()
  const library = document.createElement("script")
  library.textContent = bokeh
  document.head.append(library)
  const views = {}
  for (const [view, text] of Object.entries(texts)) {
    const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }))
    views[view] = await import(url)
    URL.revokeObjectURL(url)
  }
  return views
}

async function part(name) {
  const buffer = await (await fetched(`${HERE}/${name}`)).arrayBuffer()
  const length = Number(new BigUint64Array(buffer, 0, 1)[0])
  return [JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length))), { buffer, from: 8 + length }]
}

class Follower {
  state = {}
  replay = null
  shown = { run: 0, machine: 0 } // what the replay holds, and which parts of it
  have = new Set()
  following = true
  loading = false
  link = "coming" // or open, lost, away, full, over
  attempts = 0
  failures = 0

  constructor(views) {
    this.views = views
    this.class = new ClassQuestion(HERE, document.getElementById("asked"))
    button.addEventListener("click", () => this.back())
    addEventListener("online", () => this.open())
    setInterval(() => { if (this.link === "open" && performance.now() - this.heard > SILENCE_MS) this.lose("lost") }, 2000)
    this.open()
  }

  // ---- the stream ----

  open() {
    if (this.link === "open" || this.link === "over") return
    clearTimeout(this.timer)
    this.source?.close()
    const source = this.source = new EventSource(`${HERE}/led?who=${this.class.who}`)
    source.onmessage = ({ data }) => {
      this.heard = performance.now()
      this.attempts = 0
      this.link = "open"
      this.hear(JSON.parse(data))
    }
    source.addEventListener("end", ({ data }) => this.lose(JSON.parse(data)))
    source.onerror = () => this.lose(source.readyState === EventSource.CLOSED ? "away" : "lost")
  }

  lose(how) {
    this.source.close()
    this.link = how
    if (how === "over" || how === "away") this.class.hear(null)
    this.say()
    if (how === "over") return
    const wait = Math.min(AGAIN_MS[how] * 1.5 ** this.attempts, Math.max(LONGEST_MS, AGAIN_MS[how]))
    this.attempts += 1
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.open(), wait * (0.5 + Math.random())) // not all at once
  }

  hear(changes) {
    const before = { ...this.state }
    Object.assign(this.state, changes)
    if (changes.time !== undefined) this.at = performance.now()
    if (changes.parts) this.load()
    if ("question" in changes) this.class.hear(changes.question)
    this.sayMoment()
    if (this.isLed) {
      const isNews = (name) => name in changes && JSON.stringify(changes[name]) !== JSON.stringify(before[name])
      this.lead([...LED.filter(isNews), ...(isNews("jump") || this.isOff ? ["time"] : [])])
    }
    this.say()
  }

  get isLed() { return this.replay && this.following && this.shown.run === this.state.run }

  /** Where the lecturer is by now. */
  get time() {
    const { time, playing, speed } = this.state
    const { duration } = this.replay.data
    const now = time + (playing ? speed * (performance.now() - this.at) / 1e3 : 0)
    return now <= duration ? now : playing ? now % duration : duration
  }

  get isOff() {
    const off = Math.abs(this.time - this.replay.now)
    return Math.min(off, this.replay.data.duration - off) > (this.state.playing ? DRIFT * Math.max(this.state.speed, 1) : 1e-6)
  }

  /** Brings these parts of the replay's state to where the lecturer is. */
  lead(names = [...LED, "time"]) {
    if (names.length) this.replay.lead(Object.fromEntries(names.map((name) => [name, name === "time" ? this.time : this.state[name]])))
  }

  // ---- the run ----

  /** Fetches one part after the other, in their order; a part that is gone meanwhile is not waited for. */
  async load() {
    if (this.loading) return
    this.loading = true
    try {
      for (let next = this.next(); next; next = this.next()) await this.take(...next)
      this.failures = 0
    } catch (error) {
      this.failures += 1
      console.info(`a part did not come: ${error.message}`)
      setTimeout(() => this.load(), Math.min(1000 * 2 ** this.failures, LONGEST_MS))
    } finally {
      this.loading = false
      this.say()
    }
  }

  next() {
    const { parts } = this.state
    const isNew = parts.run !== this.shown.run
    if (isNew && this.replay && !this.following) return null // a follower who looks around keeps the view
    const name = isNew ? parts.all[0] : parts.all.find((each) => !this.have.has(each))
    return name && [name, isNew, parts]
  }

  async take(name, isNew, parts) {
    const [data, packed] = await part(name)
    if (parts.run !== this.state.parts.run) return
    if (!isNew) {
      this.have.add(name)
      await this.replay.add(data, packed)
      if (this.isLed && data.walks) this.lead(["step"])
      return
    }
    if (this.replay) await this.replay.change(data, packed, parts.machine === this.shown.machine)
    else {
      this.replay = await this.views.replay.play(data, packed, this.views)
      this.replay.onOwn = () => this.leave()
      this.replay.onStep = (page) => this.sayStep(page)
      this.replay.more = { f: () => this.back() }
      document.body.prepend(bar, caption, this.class.section, step)
    }
    document.title = `${data.title} · following · Armsweep`
    this.shown = { run: parts.run, machine: parts.machine }
    this.have = new Set([name])
    this.sayMoment()
    if (this.isLed) this.lead()
    this.say()
  }

  /** The moment of the lecture, with its picture and not before: its number of how many, its title, and its note. */
  sayMoment() {
    const { caption: said, run } = this.state
    if (!said || (this.replay && this.shown.run !== run)) return
    const [title, note] = said
    caption.hidden = !title
    for (const [k, text] of [title, note].entries()) caption.children[k].textContent = text
  }

  /** The step in one line, with its equation: where the page is narrow its sheet lies far below the world. */
  sayStep(page) {
    if (page === this.read) return
    this.read = page
    const sheet = new DOMParser().parseFromString(page, "text/html")
    const said = sheet.querySelector("[data-spoken]")?.dataset.spoken ?? ""
    step.hidden = !said
    line.replaceChildren(sheet.querySelector(".first .equation header math") ?? "")
    step.replaceChildren(said, line)
    fit()
  }

  // ---- the follower ----

  leave() {
    if (this.link !== "over") this.following = false
    this.say()
  }

  back() {
    this.following = true
    if (this.isLed) this.lead()
    this.load()
    this.say()
  }

  say() {
    const isThere = this.link === "open" || this.link === "coming"
    const how = !isThere ? this.link : !this.replay ? "coming" : !this.following ? "around"
      : this.shown.run !== this.state.run ? "changing" : this.state.tries ? "tried" : "following"
    if (bar.dataset.how === how) return
    bar.dataset.how = how
    word.textContent = WORDS[how]
    button.hidden = how !== "around"
  }
}

window.armsweepFollower = new Follower(await viewsOf(document.querySelector("script[data-views]").dataset.views))
