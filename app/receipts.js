// Answers each number once the browser has drawn what came with it, and its components have written what they write.
const LATEST_MS = 1000 // also in a browser that is never idle

export function render({ model }) {
  const idle = globalThis.requestIdleCallback ?? ((done) => setTimeout(done, LATEST_MS))
  let waiting = false
  const answer = () => {
    waiting = false
    model.seen = model.sent
  }
  model.on("sent", () => {
    if (!waiting) idle(answer, { timeout: LATEST_MS })
    waiting = true
  })
  answer()
  return document.createElement("span")
}
