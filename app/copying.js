/** Copies a text; if the browser forbids that, shows it in `told` to be copied by hand. */
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

/** A file name from what the file is about, in lower-case letters, digits and underscores. */
export const fileName = (...words) => words.map((each) => each.slice(0, 60).toLowerCase().replace(/[^a-z0-9.]+/g, "_").replace(/^[_.]+|[_.]+$/g, ""))
  .filter(Boolean).join("_")

/** Has the browser save a text as a file. */
const saveText = (name, text, type, parent) => saveBlob(name, new Blob([text], { type }), parent)

/** Has the browser save what it has made as a file. */
export function saveBlob(name, blob, parent) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name })
  parent.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(link.href), 10000)
}
