// Parts that come one after another; those already there stay where they are.
export function render({ model }) {
  const root = document.createElement("div")
  const add = () => root.append(...model.get_child("parts").filter((part) => part.parentNode !== root))
  model.on("parts", add)
  add()
  return root
}
