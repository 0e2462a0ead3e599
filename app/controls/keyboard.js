const OWN_USE = "input:not([type=range]), textarea, select, [contenteditable=true], [role=combobox], [role=listbox], [role=option]"
const USES_SPACE = `${OWN_USE}, button:not([role=tab]), a[href], [role=button], input[type=checkbox]`

export function render({model}) {
  const press = event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.repeat && ![",", "."].includes(event.key)) return
    const target = event.composedPath()[0]
    const matches = selector => target instanceof Element && target.closest(selector) !== null
    if (matches(event.key === " " ? USES_SPACE : OWN_USE)) return
    const key = event.key.toLowerCase()
    if ([" ", ",", ".", "r"].includes(key)) {
      event.preventDefault()
      model.send_msg(key)
    }
  }
  document.addEventListener("keydown", press)
  model.on("remove", () => document.removeEventListener("keydown", press))
  return document.createElement("span")
}
