// How high it is that stands over the world: so much less room has the machine (layout.css).
export function render({ model }) {
  const root = document.createElement("div")
  root.className = "standing"
  root.append(...model.get_child("parts"))
  const page = document.documentElement.style
  const say = () => {
    for (const part of root.children) part.toggleAttribute("data-there", part.offsetHeight > 0)
    if (root.offsetHeight) page.setProperty("--room-told", `${root.offsetHeight}px`)
    else page.removeProperty("--room-told")
  }
  const observer = new ResizeObserver(say)
  for (const one of [root, ...root.children]) observer.observe(one)
  model.on("remove", () => {
    observer.disconnect()
    page.removeProperty("--room-told")
  })
  return root
}
