// Fields that need every key; of the others, those that use the arrows, and those that use the space bar.
const OWN_USE = "input:not([type=range]), textarea, select, [contenteditable=true], [role=combobox], [role=listbox], [role=option]"
const USES_ARROWS = `${OWN_USE}, input[type=range], [role=slider], [role=tab], [role=tablist], [role=menu], [role=menuitem], `
  + "[role=radio], [role=radiogroup], [role=spinbutton], [role=tree], [role=grid], [role=dialog]"
const USES_SPACE = `${OWN_USE}, button:not([role=tab]), a[href], [role=button], input[type=checkbox]`
const ARROWS = ["arrowleft", "arrowright", "arrowup", "arrowdown"]
const KEYS = [" ", ",", ".", "r", "w", "[", "]", ...ARROWS]
const REPEATED = [",", ".", "[", "]", ...ARROWS]

export function render({model}) {
  const press = event => {
    const key = event.key.toLowerCase()
    if (!KEYS.includes(key) || event.ctrlKey || event.metaKey) return
    // Some keyboards have the brackets on AltGr; an arrow with Alt or Shift is another command.
    if (ARROWS.includes(key) ? event.altKey || event.shiftKey : event.altKey && !"[]".includes(key)) return
    if (event.repeat && !REPEATED.includes(key)) return
    const target = event.composedPath()[0]
    const matches = selector => target instanceof Element && target.closest(selector) !== null
    if (matches(key === " " ? USES_SPACE : ARROWS.includes(key) ? USES_ARROWS : OWN_USE)) return
    event.preventDefault()
    model.send_msg(key)
  }
  document.addEventListener("keydown", press)
  model.on("remove", () => document.removeEventListener("keydown", press))
  return document.createElement("span")
}
