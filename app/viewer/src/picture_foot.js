// What stands below a picture of the scene, in vectors: whose it is and when, the scales, and what each form means.
import { IN_SVG, TYPEFACE, drawn, inLines, widthOf } from '../../picturing.js'

const IN_SVG_FILE = 'image/svg+xml'
const [TEXT, MARGIN, GAP, ICON] = [12, 14, 16, 16] // pixels of a picture that is COMMON wide
const [COMMON, LEAST] = [1280, 0.75] // in a narrow one they are smaller, down to that
export const COLORS = { light: { ground: '#f1f4f8', ink: '#1d2733' }, dark: { ground: '#14191f', ink: '#e6ebf1' } }

/** ``x_FREE`` with its index where it belongs. */
function indexed(name) {
  return name.split(/_([A-Z]+)/).flatMap((part, k) => {
    if (!part) return []
    if (k % 2) return [drawn('tspan', { dy: 0.3 * TEXT, 'font-size': 0.75 * TEXT }, part)]
    return [k ? drawn('tspan', { dy: -0.3 * TEXT }, part) : part]
  })
}

/**
 * A group to be put below a picture `width` pixels wide, and how high it is.
 *
 * `lines`: of words, the first is the heading; `legend`: names with a color, and an icon that the server has drawn.
 */
export function foot(width, lines, legend, { ground, ink }) {
  const unit = Math.max(width / COMMON, LEAST)
  const inner = width / unit - 2 * MARGIN
  const body = drawn('g', { transform: `scale(${unit})`, 'font-family': TYPEFACE, 'font-size': TEXT, fill: ink })
  let y = 0.6 * MARGIN
  lines.filter(Boolean).forEach((words, k) => {
    for (const line of inLines(words, inner, TEXT, k ? 400 : 600)) {
      y += 1.4 * TEXT
      body.append(drawn('text', { x: MARGIN, y: y - 0.3 * TEXT, 'font-weight': k ? 400 : 600 }, line))
    }
  })
  let x = MARGIN
  if (legend.length) y += 1.7 * TEXT
  for (const { name, color, icon } of legend) {
    const size = ICON + 6 + widthOf(name.replace(/_([A-Z]+)/g, '$1'), TEXT)
    if (x > MARGIN && x + size > MARGIN + inner) [x, y] = [MARGIN, y + 1.6 * TEXT]
    const sign = icon ? new DOMParser().parseFromString(icon.replace('<svg', `<svg xmlns='${IN_SVG}'`), IN_SVG_FILE).documentElement
      : drawn('rect', { width: ICON - 4, height: ICON - 4, fill: color })
    for (const [key, value] of [['x', x], ['y', y - 0.8 * ICON]]) sign.setAttribute(key, value)
    body.append(sign, drawn('text', { x: x + ICON + 6, y }, ...indexed(name)))
    x += size + GAP
  }
  const height = Math.ceil(unit * (y + (legend.length ? MARGIN : 0.6 * MARGIN)))
  return { height, group: drawn('g', {}, drawn('rect', { width, height, fill: ground }), body) }
}
