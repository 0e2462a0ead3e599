/** Copies a text; where a browser does not let a page do that, it stands in `told` to be copied by hand. */
async function copyText(text, told, what) {
  try {
    await navigator.clipboard.writeText(text)
    told.textContent = `${what} copied.`
  } catch { // no clipboard without https or permission
    const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true, rows: 4 })
    field.setAttribute("aria-label", `${what}, to be copied by hand`)
    field.style.cssText = "width: 100%; box-sizing: border-box; font: 12px monospace"
    told.replaceChildren(field)
    field.select()
  }
}

/** Has the browser save a text as a file. */
function saveText(name, text, type, parent) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([text], { type })), download: name })
  parent.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(link.href), 10000)
}
