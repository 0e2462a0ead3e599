// What an equation has besides itself: its digits, its left side for other programs, what its letters mean, its paper.
const FORMS = ["NumPy", "LaTeX", "CSV"]

/** Adds it to the sections of a sheet. `numbers()` are those of the sheet, `ask(what)` asks the server or the replay. */
function besides(content, numbers, ask) {
  const opened = new Set() // matrices whose digits are shown, by equation and place: they stay so from step to step
  const tip = document.createElement("div")
  tip.className = "tip"
  tip.setAttribute("aria-hidden", "true") // the same is under "more", for those who cannot point
  let letters = null, reference = "", anchors = {} // the page of the reference, and the places of letters on it
  let waiting = false, pointed = null // the letter pointed at, while it was not known yet

  const matricesOf = (section) => [...section.querySelectorAll("table[data-tiled]")]
  const keyOf = (table) => {
    const section = table.closest("section.equation")
    return `${section.id} ${matricesOf(section).indexOf(table)}`
  }
  const show = (table, digits) => {
    digits ? opened.add(keyOf(table)) : opened.delete(keyOf(table))
    table.classList.toggle("tiles", !digits)
    const button = table.closest("section.equation").querySelector("button[data-digits]")
    button?.setAttribute("aria-pressed", String(matricesOf(table.closest("section.equation")).every((each) => !each.classList.contains("tiles"))))
  }

  const add = (section) => {
    const matrices = matricesOf(section)
    const digits = matrices.length ? "<button type='button' data-digits aria-pressed='false'>Digits</button> " : ""
    const forms = FORMS.map((form) => `<button type='button' data-copy='${form}'>${form}</button>`).join(" ")
    const more = document.createElement("details")
    more.className = "more"
    more.innerHTML = `<summary>more</summary><div class='tools'>${digits}<span>copy the left side:</span> ${forms}</div>` +
      "<p class='note' role='status'></p><dl class='letters'></dl>"
    section.querySelector("footer")?.append(more)
    for (const table of matrices) show(table, opened.has(keyOf(table)))
  }

  // A letter that the stage computes anew has its meaning there; the name of a letter is its class.
  const meaningOf = (stage, name) => letters[`${stage} ${name}`] ?? letters[name] ?? ""
  const placeOf = (stage, name) => anchors[`${stage} ${name}` in letters ? `${stage} ${name}` : name]
  const explained = (stage, name) => {
    const words = document.createElement("template"), place = placeOf(stage, name)
    words.innerHTML = meaningOf(stage, name)
    if (place && words.content.firstChild) {
      const link = Object.assign(document.createElement("a"), { href: `${reference}#${place}`, target: "_blank", rel: "noopener", textContent: "in the reference" })
      link.setAttribute("aria-label", `${words.content.querySelector("dd").firstChild.textContent.replace(";", "").trim()}: in the reference`)
      words.content.querySelector("dd").append(" ", link)
    }
    return words.content
  }
  const namesIn = (section) => {
    const [stage] = section.dataset.equation.split(" ")
    const used = new Set([...section.querySelectorAll("header math [class]")].map((each) => each.className))
    return [...used].map((name) => explained(stage, name))
  }
  const fill = (section) => {
    if (!letters) return void ((waiting ||= (ask("letters"), true)))
    section.querySelector("dl.letters").replaceChildren(...namesIn(section))
  }
  content.addEventListener("toggle", ({ target }) => {
    if (!target.open) return
    const section = target.closest("section.equation")
    if (target.className === "more") fill(section)
    else if (target.className === "origin" && !target.querySelector(".card"))
      ask(`paper ${section.dataset.equation} ${target.querySelector(".source").textContent}`)
  }, true)

  const fit = () => fitFormulas([...content.querySelectorAll("section.equation header > math, .headline .formula > math")])

  const point = (event) => {
    const letter = event.target.closest?.("section.equation header math [class]")
    pointed = letters ? null : letter
    if (!letter) return void (tip.hidden = true)
    if (!letters) return fill(letter.closest("section.equation"))
    explain(letter)
  }
  const explain = (letter) => {
    const [stage] = letter.closest("section.equation").dataset.equation.split(" ")
    const words = meaningOf(stage, letter.className)
    tip.hidden = !words
    if (!words) return
    tip.innerHTML = `<dl class='letters'>${words}</dl>`
    const here = letter.getBoundingClientRect(), sheet = tip.parentElement.getBoundingClientRect()
    tip.style.left = `${Math.max(0, Math.min(here.left - sheet.left, sheet.width - tip.offsetWidth - 4))}px`
    tip.style.top = `${here.bottom - sheet.top + 4}px`
  }
  content.addEventListener("pointerover", point)
  content.addEventListener("pointerdown", point)
  content.addEventListener("pointerleave", () => {
    pointed = null
    tip.hidden = true
  })

  const copy = async (button) => {
    const section = button.closest("section.equation")
    const value = section.querySelector(".numbers .term .value")
    const table = value.querySelector("table"), cells = [...value.querySelectorAll("[data-n]")]
    const across = table ? columnsOf(cells) : 1
    const rowsOf = (list) => Array.from({ length: Math.ceil(list.length / across) }, (_, row) => list.slice(row * across, (row + 1) * across))
    const text = copied(button.dataset.copy, rowsOf(cells.map((cell) => numbers()[Number(cell.dataset.n)])), rowsOf(cells.map((cell) => cell.textContent)))
    const told = section.querySelector(".more [role=status]"), form = button.dataset.copy
    await copyText(text, told, `The left side as ${form}`)
    if (!told.firstElementChild) told.textContent = `Copied as ${form}.`
  }
  content.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]"), digits = event.target.closest("button[data-digits]")
    const table = event.target.closest("section.equation table[data-tiled]")
    if (button) copy(button)
    else if (digits) {
      const all = digits.getAttribute("aria-pressed") !== "true"
      for (const each of matricesOf(digits.closest("section.equation"))) show(each, all)
    } else if (table) show(table, table.classList.contains("tiles"))
  })

  return {
    tip,
    written: () => {
      tip.hidden = true
      for (const section of content.querySelectorAll("section.equation")) add(section)
    },
    fit,
    /** The answer to a request. */
    answered: (answer) => {
      if (answer.letters) {
        letters = answer.letters
        reference = answer.reference ?? ""
        anchors = answer.anchors ?? {}
        for (const more of content.querySelectorAll(".more[open]")) fill(more.closest("section.equation"))
        if (pointed?.isConnected) explain(pointed)
      }
      if (!answer.paper) return
      for (const section of content.querySelectorAll("section.equation")) {
        const origin = section.querySelector(".origin[open]")
        if (origin && !origin.querySelector(".card") && answer.paper === `${section.dataset.equation} ${origin.querySelector(".source").textContent}`)
          origin.insertAdjacentHTML("beforeend", answer.card)
      }
    },
  }
}
