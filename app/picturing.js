// Parts of pictures that the page saves, whatever they show: words in vectors, and their way into pixels.
export const TYPEFACE = '"Helvetica Neue", Arial, sans-serif' // no font of the page's: the file goes without
export const IN_SVG = "http://www.w3.org/2000/svg"

const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu // a robot's names may contain anything

export function drawn(tag, attributes = {}, ...children) {
  const element = document.createElementNS(IN_SVG, tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children.map(each => typeof each === "string" ? each.replace(NOT_IN_XML, "\ufffd") : each))
  return element
}

/** How wide a text will be. */
export function widthOf(text, size, weight = 400) {
  const {context} = widthOf
  context.font = `${weight} ${size}px ${TYPEFACE}`
  return context.measureText(text).width
}
widthOf.context = document.createElement("canvas").getContext("2d")

/** A text in as many lines as it needs. */
export function inLines(text, width, size, weight) {
  const lines = [""]
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim()
    if (lines.at(-1) && widthOf(longer, size, weight) > width) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines
}

/** An SVG as an image that can be drawn. */
export async function imageOf(svg) {
  const picture = new Image()
  const isThere = new Promise((done, failed) => { picture.onload = done; picture.onerror = () => failed(new Error("the browser cannot draw it")) })
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`
  await isThere
  return picture
}

/** A canvas as a file. */
export function pngOf(canvas) {
  return new Promise((done, failed) => canvas.toBlob(blob => blob ? done(blob) : failed(new Error("it is too large")), "image/png"))
}
