// The websocket to the server: whether it answers, and what the page does when it does not.
const BEAT_MS = 10000 // between two pings of the server; none while the page is hidden or scrubbed
const LATE_MS = [4000, 2000] // without an answer, after which the page says so and checks again
const OFFLINE_MS = 1000 // the same if the machine says that it has no network: the server may run on it
const DEAD_MS = 20000 // without an answer while others get one: dead, whatever it reports; a busy session is late, too, but not as late
const RETRY_MS = [700, 8000] // between two tries to come back, at first and at last
const GAP_MS = 3000 // by which a timer is late when the machine has slept
const LOOK = `position: fixed; inset: 6px 0 auto; margin: 0 auto; width: max-content; z-index: 20000; max-width: 90vw;
  padding: 4px 16px; border-radius: 14px; background: #7a1f00; color: #fff; font: 0.875rem/1.4 system-ui, sans-serif;
  text-align: center; pointer-events: none; box-shadow: 0 1px 4px rgba(0, 0, 0, 0.4);`
const WORDS = {
  lost: 'The connection to the server is lost. The picture plays what it has, and the page comes back by itself, without its undo history.',
  late: 'The server is slow to answer. The picture plays what it has.',
  full: 'The connection to the server is lost, and others are served first. The page comes back by itself.',
}

const later = ms => new Promise(done => setTimeout(done, ms * (0.5 + Math.random()))) // not all at the same time

// A word over the page, or none.
function tell(kind) {
  let word = document.querySelector('[data-armsweep-connection]')
  if (kind && !word) {
    word = document.createElement('div')
    word.dataset.armsweepConnection = ''
    word.setAttribute('role', 'alert')
    word.style.cssText = LOOK
    document.body.append(word)
  }
  if (!kind) word?.remove()
  else if (word.textContent !== WORDS[kind]) word.textContent = WORDS[kind]
}

// Whether the server has room for this page: yes, no (it answers), or no answer.
async function asked() {
  const health = new URL(location.pathname.endsWith('/') ? '../health' : 'health', location.href)
  const ask = (url, method) => fetch(url, { method, cache: 'no-store', signal: AbortSignal.timeout(5000) })
  try {
    const answer = await ask(health, 'GET')
    if (answer.status === 503) return answer.headers.get('Retry-After') ? 'full' : 'gone' // a proxy has none
    if (answer.status !== 404) return answer.ok ? 'ready' : 'gone'
    const small = document.querySelector('script[src*="bokeh"]')?.src ?? location.href
    return (await ask(small, 'HEAD')).ok ? 'ready' : 'gone'
  } catch {
    return 'gone'
  }
}

export function render({ model, view }) {
  let [lost, leaving, held, waits, othersSince] = [false, false, false, false, null]
  let [beat, late] = [null, null]

  // The page that comes back is a new session: its address tells it what this one showed.
  const comeBack = async () => {
    if (lost || leaving) return
    lost = true
    tell('lost')
    for (let wait = RETRY_MS[0]; ; wait = Math.min(1.5 * wait, RETRY_MS[1])) {
      await later(wait)
      if (leaving) return
      const answer = await asked()
      if (answer === 'ready') break
      tell(answer === 'full' ? 'full' : 'lost')
    }
    document.dispatchEvent(new Event('armsweep:leave'))
    location.reload()
  }

  const ask = (patience = LATE_MS[0]) => {
    if (lost || waits) return
    waits = true
    model.send_msg('beat')
    late = setTimeout(isLate, patience)
  }
  // A network that comes back may still bring the answer; a slow server has better things to do than make another page.
  const isLate = async () => {
    const answer = await asked()
    if (lost || !waits) return
    tell(answer === 'gone' ? 'lost' : 'late')
    othersSince = answer === 'ready' ? othersSince ?? performance.now() : null
    if (othersSince !== null && performance.now() - othersSince > DEAD_MS) return comeBack()
    late = setTimeout(isLate, LATE_MS[1])
  }
  const hear = () => {
    [waits, othersSince] = [false, null]
    clearTimeout(late)
    if (!lost) tell(null)
  }

  let last = performance.now()
  const look = () => {
    const slept = performance.now() - last > BEAT_MS + GAP_MS
    last = performance.now()
    if (document.visibilityState === 'visible' && (slept || !held)) ask()
  }
  const seek = ({ detail }) => { held = detail.held }
  const shown = () => { if (document.visibilityState === 'visible') ask() }
  const offline = () => ask(OFFLINE_MS)
  const online = () => ask()
  const leave = () => { leaving = true }
  const stay = () => { leaving = false } // from the browser's back-forward cache
  beat = setInterval(look, BEAT_MS)
  model.on('msg:custom', data => { if (data === 'beat') hear() })
  document.addEventListener('armsweep:seek', seek)
  document.addEventListener('visibilitychange', shown)
  window.addEventListener('online', online)
  window.addEventListener('offline', offline)
  window.addEventListener('pagehide', leave)
  window.addEventListener('pageshow', stay)
  view.model.document.on_event('connection_lost', comeBack)
  model.on('remove', () => {
    clearInterval(beat)
    clearTimeout(late)
    document.removeEventListener('armsweep:seek', seek)
    document.removeEventListener('visibilitychange', shown)
    window.removeEventListener('online', online)
    window.removeEventListener('offline', offline)
    window.removeEventListener('pagehide', leave)
    window.removeEventListener('pageshow', stay)
  })
  return document.createElement('span')
}
