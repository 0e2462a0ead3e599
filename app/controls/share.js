// The address bar, the clipboard and the connection: what only the browser can do.
const RETRY_MS = 700
const BANNER = `position: fixed; inset: 0 0 auto 0; z-index: 20000; padding: 10px 16px; text-align: center;
  background: #7a1f00; color: #fff; font: 15px/1.4 system-ui, sans-serif;`

const WRITE_MS = 1000 // between two changes of the address while the browser plays

let camera = new URLSearchParams(location.search).get('camera')
let moment = { playing: false }
let written = 0

// While the browser plays, it knows best where.
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

// The page that comes back is a new session: its address tells it what this one showed.
function comeBack(query) {
  if (document.querySelector('[data-armsweep-lost]')) return
  const banner = document.createElement('div')
  banner.dataset.armsweepLost = ''
  banner.setAttribute('role', 'alert')
  banner.style.cssText = BANNER
  banner.textContent = 'The connection to the server is lost. It will come back by itself, at this moment.'
  document.body.append(banner)
  const small = document.querySelector('script[src*="bokeh"]')?.src ?? location.href
  const retry = async () => {
    try {
      const answer = await fetch(small, { method: 'HEAD', cache: 'no-store' })
      if (answer.ok) {
        write(query)
        return location.reload()
      }
    } catch { /* not there yet */ }
    setTimeout(retry, RETRY_MS)
  }
  setTimeout(retry, RETRY_MS)
}

export function render({ model, view }) {
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
  const enlarge = () => {
    document.documentElement.style.fontSize = model.scale === 1 ? '' : `${100 * model.scale}%`
    document.documentElement.style.setProperty('--scale', model.scale)
  }
  enlarge()
  model.on('scale', enlarge)
  model.on('query', () => write(model.query))
  model.on('msg:custom', async (data) => { if (data === 'copy') model.send_msg(await copy()) })
  let leaving = false
  const leave = () => { leaving = true }
  window.addEventListener('pagehide', leave)
  view.model.document.on_event('connection_lost', () => { if (!leaving) comeBack(model.query) })
  model.on('remove', () => {
    window.removeEventListener('armsweep-camera', follow)
    document.removeEventListener('armsweep:moment', keep)
    window.removeEventListener('pagehide', leave)
  })
  return node
}
