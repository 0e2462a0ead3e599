// HTML made by the server: reports what is pressed, changed and submitted in it, and keeps the focus where it was.
export function render({ model }) {
  const style = make("style"), body = make("div"), count = make("p", { class: "count" }), word = make("p", { class: "word", role: "status" })
  const root = make("section", { "aria-label": model.label, class: model.kind }, style, word, body, count)
  const numberOf = (element) => Number(element.closest("[data-number]")?.dataset.number ?? 0)
  const tell = (element, more) => model.send_msg({ do: element.dataset.do, number: numberOf(element), ...more })
  body.addEventListener("click", ({ target }) => {
    const button = target.closest("button[data-do]")
    if (button) tell(button)
  })
  body.addEventListener("change", ({ target }) => {
    if (target.matches("input") && !target.value.trim()) target.value = target.defaultValue // a title of nothing is none
    if (target.dataset.do) tell(target, { value: target.value })
  })
  body.addEventListener("submit", (event) => {
    event.preventDefault()
    tell(event.target, { form: Object.fromEntries(new FormData(event.target)) })
  })
  const write = () => {
    const active = root.getRootNode().activeElement, { do: act } = active?.dataset ?? {}
    const again = body.contains(active) ? { number: numberOf(active), typed: active.value, from: active.selectionStart, to: active.selectionEnd } : null
    body.innerHTML = model.html
    if (!again) return
    const same = [...body.querySelectorAll("[data-do]")].find((each) => each.dataset.do === act && numberOf(each) === again.number && !each.disabled)
    const found = same ?? body.querySelector(".main") ?? body.querySelector("h2, input")
    found?.focus({ preventScroll: true })
    if (!same?.matches("input, textarea")) return
    same.value = again.typed
    same.setSelectionRange(again.from, again.to)
  }
  const draw = () => {
    const pictures = plain(model.pictures)
    for (const image of body.querySelectorAll("img[data-picture]")) image.src = pictures[image.dataset.picture] ?? ""
    body.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" })
  }
  const say = () => {
    style.textContent = model.css
    for (const [place, text] of [[count, model.count], [word, model.word]]) if (place.textContent !== text) place.textContent = text
    root.classList.toggle("projected", model.projected)
  }
  model.on("html", write)
  model.on(["html", "pictures"], draw)
  model.on(["count", "word", "css", "projected"], say)
  write()
  draw()
  say()
  return root
}
