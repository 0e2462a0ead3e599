// The address bar and the clipboard: what only the browser can do.
const LEFT = 'armsweep-left' // under which a page that comes back finds where it was left
const FRESH_MS = 30000 // for which that matters
const WRITE_MS = 1000 // between two changes of the address while the browser plays

let camera = new URLSearchParams(location.search).get('camera')
let moment = { playing: false }
let written = 0

// While the browser plays, it knows the time best.
function write(query) {
  written = performance.now()
  if (moment.playing) query = query.replace(/(^|&)t=[^&]*/, `$1t=${moment.time.toFixed(3)}`)
  const whole = camera ? `${query}&camera=${encodeURIComponent(camera)}` : query
  if (whole) history.replaceState(null, '', `${location.pathname}?${whole}`)
}

async function copy() {
  try {
    await navigator.clipboard.writeText(location.href)
    return 'copied'
  } catch {
    return location.href // no clipboard without https or permission: the page shows the link instead
  }
}

export function render({ model }) {
  const node = document.createElement('span')
  const follow = ({ detail }) => {
    camera = detail
    write(model.query)
  }
  const keep = ({ detail }) => {
    moment = detail
    if (moment.playing && performance.now() - written > WRITE_MS) write(model.query)
  }
  window.addEventListener('armsweep-camera', follow)
  document.addEventListener('armsweep:moment', keep)
  model.on('query', () => write(model.query))
  model.on('msg:custom', async (data) => { if (data === 'copy') model.send_msg(await copy()) })
  // The page that comes back begins where this one is now, and goes to where this one was at its very end: it plays on
  // until the server has answered.
  const leave = () => {
    write(model.query)
    window.addEventListener('pagehide', () => {
      try {
        sessionStorage.setItem(LEFT, JSON.stringify({ ...moment, at: Date.now() }))
      } catch {} // a browser that keeps nothing
    }, { once: true })
  }
  document.addEventListener('armsweep:leave', leave)
  const goOn = ({ detail }) => {
    if (!detail.time) return // the run is not there yet
    document.removeEventListener('armsweep:moment', goOn)
    document.dispatchEvent(new CustomEvent('armsweep:seek', { detail: { time: left.time, held: false } }))
  }
  let left = null
  try {
    left = JSON.parse(sessionStorage.getItem(LEFT))
    sessionStorage.removeItem(LEFT)
  } catch {} // a browser that keeps nothing
  if (left?.playing && Date.now() - left.at < FRESH_MS) document.addEventListener('armsweep:moment', goOn)
  model.on('remove', () => {
    window.removeEventListener('armsweep-camera', follow)
    document.removeEventListener('armsweep:moment', keep)
    document.removeEventListener('armsweep:leave', leave)
    document.removeEventListener('armsweep:moment', goOn)
  })
  return node
}
