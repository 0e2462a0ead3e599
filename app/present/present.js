// The lecturer's browser: where it is, what it keeps of a presentation, and what it alone knows of the picture.
const KEY = "armsweep-present"
const PAUSE_MS = 60 // between two words about one movement of the hand

let camera = new URLSearchParams(location.search).get("camera") ?? ""

// Followers' addresses stand beside the page's own, whatever proxies have put before it.
function home() {
  const folder = location.pathname.replace(/\/+$/, "").replace(/[^/]*$/, "")
  return `${location.origin}${folder || "/"}follow/`
}

// The page itself, beside which they stand.
const page = () => location.pathname.replace(/\/+$/, "").replace(/.*\//, "")

function keep(token) {
  try {
    if (token) sessionStorage.setItem(KEY, token)
    else sessionStorage.removeItem(KEY)
  } catch { /* without it a page that comes back presents no more */ }
}

function kept() {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}

export function render({ model }) {
  let waiting = {}
  let timer = 0
  const send = () => {
    timer = 0
    if (!Object.keys(waiting).length) return
    model.send_msg(waiting)
    waiting = {}
    timer = setTimeout(send, PAUSE_MS)
  }
  const tell = (words) => {
    if (!model.presenting) return
    Object.assign(waiting, words)
    if (!timer) send()
  }
  const turn = ({ detail }) => {
    camera = detail
    tell({ camera })
  }
  const seek = ({ detail }) => {
    if (detail.held) tell({ moment: detail.time })
    else delete waiting.moment // the session hears of it
  }
  for (const name of ["armsweep-camera", "armsweep-turning"]) window.addEventListener(name, turn)
  document.addEventListener("armsweep:seek", seek)
  model.on("presenting", () => tell({ camera }))
  model.on("msg:custom", (message) => keep((message.data ?? message).keep))
  model.on("remove", () => {
    for (const name of ["armsweep-camera", "armsweep-turning"]) window.removeEventListener(name, turn)
    document.removeEventListener("armsweep:seek", seek)
    clearTimeout(timer)
  })
  model.send_msg({ home: home(), page: page(), token: kept() })
  return document.createElement("span")
}
