// How large the type is: on a large screen it grows with the window, and projected it is large at once.
const WIDE = 2133, HIGH = 1200 // pixels of a screen from which on the type grows with it
const LARGEST = 2.2 // times the usual size, at most
const LECTURE = 1.4, PROJECTED = { wide: 1280, high: 720 } // in projector mode, of such a screen or a smaller one; it grows with it

/** How many times larger than usual the type of this window is. */
function typeScale(isProjected) {
  const grown = (wide, high) => Math.max(1, Math.min(innerWidth / wide, innerHeight / high))
  return isProjected ? LECTURE * grown(PROJECTED.wide, PROJECTED.high) : Math.min(grown(WIDE, HIGH), LARGEST)
}

/** Sets the document's type size, and notifies what is drawn instead of laid out. */
function sizeType(isProjected) {
  const { style } = document.documentElement
  const scale = String(typeScale(isProjected))
  if (style.getPropertyValue("--scale") === scale) return
  style.fontSize = scale === "1" ? "" : `${100 * scale}%`
  style.setProperty("--scale", scale)
  document.dispatchEvent(new Event("armsweep:scale"))
}
