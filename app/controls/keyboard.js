const OWN_USE = "input:not([type=range]), textarea, select, [contenteditable=true], [role=combobox], [role=listbox], [role=option]"
const USES_ARROWS = `${OWN_USE}, input, [role=slider], [role=tab], [role=menu], [role=menuitem], [role=radiogroup], `
  + "[role=spinbutton], [role=tree], [role=grid], [role=dialog]"
const USES_SPACE = `${OWN_USE}, button:not([role=tab]), a[href], [role=button], input[type=checkbox]`

export function render({model}) {
  const events = () => new Map(model.events instanceof Map ? model.events : Object.entries(model.events ?? {}))
  const press = event => {
    if (event.defaultPrevented) return
    const key = event.key.toLowerCase()
    const arrow = key.startsWith("arrow"), bracket = "[]".includes(key)
    // Some keyboards have the brackets on AltGr, which says Ctrl and Alt too; Shift with an arrow is another command.
    if ((event.altKey && !bracket) || (event.shiftKey && arrow)) return
    const held = (event.ctrlKey || event.metaKey) && !(bracket && event.altKey)
    const name = held ? (key === "z" && event.shiftKey ? "ctrl+y" : `ctrl+${key}`) : key
    if (!model.keys.includes(name) || (event.repeat && !model.repeating.includes(name))) return
    const target = event.composedPath()[0]
    const matches = selector => target instanceof Element && target.closest(selector) !== null
    if (matches(key === " " ? USES_SPACE : arrow ? USES_ARROWS : OWN_USE)) return
    event.preventDefault()
    const [own, detail] = (events().get(name) ?? "").split(" ")
    if (own) document.dispatchEvent(new CustomEvent(own, { detail: Number(detail ?? 0) }))
    else model.send_msg(name)
  }
  // A button that was clicked by mouse gives Space back to the page; one reached by Tab keeps it.
  const release = event => {
    const button = event.detail > 0 && event.composedPath().find(node => node instanceof HTMLButtonElement)
    if (button && button.getAttribute("role") !== "tab") button.blur()
  }
  document.addEventListener("keydown", press)
  document.addEventListener("click", release)
  model.on("remove", () => {
    document.removeEventListener("keydown", press)
    document.removeEventListener("click", release)
  })
  return document.createElement("span")
}
