/** An element with its attributes and children; `on…` adds a listener, and false or null is left out. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value)
    else if (value === true) element.setAttribute(name, "")
    else if (value !== false && value !== null) element.setAttribute(name, value)
  }
  element.append(...children)
  return element
}

/** The content of a message as objects: Bokeh passes maps. */
const plain = (value) => {
  if (value instanceof Map) return Object.fromEntries([...value].map(([k, v]) => [k, plain(v)]))
  return Array.isArray(value) ? value.map(plain) : value
}
