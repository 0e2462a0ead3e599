const STEP = 0.01 // s between two places of the scrubber
const AT = "0.5625rem" // half the thumb: where the scrubber's track begins
const APART = 8 // px between the words of two marks

export function render({ model }) {
  const span = make("div", { class: "span" }), marks = make("div", { class: "marks" })
  const range = make("input", { type: "range", min: 0, step: STEP, value: 0, "aria-label": "Time" })
  const time = make("b"), whole = make("span", { class: "whole" })
  const root = make("div", { class: "timeline" }, make("div", { class: "track" }, span, range, marks),
    make("div", { class: "instant" }, make("p", {}, time, whole)))
  let [now, held, from, to] = [0, false, 0, model.duration]

  const ofWhole = () => model.endless ? " of ∞" : ` of ${Number(model.duration.toPrecision(6))} s`
  const show = () => {
    const text = `${now.toFixed(2)} s`
    if (!held) range.value = now
    range.style.setProperty("--share", to > from ? (range.value - from) / (to - from) : 0)
    if (time.textContent !== text) {
      time.textContent = text
      range.setAttribute("aria-valuetext", text + ofWhole())
    }
  }
  const place = () => {
    Object.assign(range, { min: from, max: to })
    const [first, last] = (model.span ?? []).map((at) => Math.min(Math.max((at - from) / (to - from), 0), 1))
    span.hidden = !(last > first)
    if (!span.hidden) {
      Object.assign(span.style, { left: `calc(${AT} + ${first} * (100% - 2 * ${AT}))`, width: `calc(${last - first} * (100% - 2 * ${AT}))` })
      span.title = `The broken motion is seen from ${model.span[0].toFixed(2)} s to ${model.span[1].toFixed(2)} s`
    }
    model.marks.forEach(({ value }, k) => {
      const { style } = marks.children[k]
      style.left = `${100 * (value - from) / (to - from)}%`
      style.display = value < from || value > to ? "none" : ""
    })
  }
  // A mark shows its words if there is room for them within the track; else only when pointed at, or to screen readers.
  const write = () => {
    const width = marks.clientWidth
    let free = 0
    model.marks.forEach(({ value, label, word }, k) => {
      const mark = marks.children[k]
      mark.textContent = label
      const [long, at] = [mark.offsetWidth, width * (value - from) / (to - from)]
      const start = Math.max(0, Math.min(at - long / 2, width - long))
      const fits = start >= free
      if (fits) free = start + long + APART
      else mark.textContent = ""
      mark.style.setProperty("--aside", fits ? `${start + long / 2 - at}px` : "0px")
      for (const [name, said] of [["role", "img"], ["aria-label", word]]) {
        if (fits) mark.removeAttribute(name)
        else mark.setAttribute(name, said)
      }
    })
  }
  const stretch = () => {
    if (!model.endless) [from, to] = [0, model.duration]
    whole.textContent = ofWhole()
    for (const [name, value] of Object.entries(model.colors)) root.style.setProperty(`--${name}`, value)
    const lead = (value) => { // a mark lies over the scrubber
      range.value = value
      seek(false)
    }
    marks.replaceChildren(...model.marks.map(({ value, word }) => Object.assign(make("span", { onclick: () => lead(value) }), { title: word })))
    place()
    write()
    time.textContent = "" // it is announced again, with another duration
    show()
  }
  const seek = (isHeld) => {
    held = isHeld
    now = Number(range.value)
    document.dispatchEvent(new CustomEvent("armsweep:seek", { detail: { time: now, held } }))
    show()
  }
  const follow = ({ detail }) => {
    if (held) return
    now = detail.time
    if (model.endless && (detail.begin !== from || detail.duration !== to)) {
      [from, to] = [detail.begin, detail.duration]
      place()
    }
    show()
  }
  range.addEventListener("input", () => seek(true))
  // A scrubber that is released where it was grabbed reports no change.
  const letGo = () => { if (held) seek(false) }
  const ends = ["pointerup", "pointercancel", "blur"]
  range.addEventListener("change", letGo)
  for (const end of ends) window.addEventListener(end, letGo)
  document.addEventListener("armsweep:moment", follow)
  model.on(["duration", "marks", "colors", "endless", "span"], stretch)
  const watch = new ResizeObserver(write)
  watch.observe(marks)
  model.on("remove", () => {
    watch.disconnect()
    document.removeEventListener("armsweep:moment", follow)
    for (const end of ends) window.removeEventListener(end, letGo)
  })
  stretch()
  document.dispatchEvent(new Event("armsweep:ask"))
  return root
}
