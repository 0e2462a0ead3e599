// Saves the text of a session as a file, with the view that only the browser knows, and restores that view.
export function render({ model }) {
  const node = document.createElement("span")
  let camera = new URLSearchParams(location.search).get("camera") ?? ""
  const follow = ({ detail }) => { camera = detail }
  window.addEventListener("armsweep-camera", follow)
  model.on("msg:custom", (message) => {
    const { name, text, look } = message.data ?? message
    if (look !== undefined) {
      window.dispatchEvent(new CustomEvent("armsweep-look", { detail: look }))
      window.dispatchEvent(new CustomEvent("armsweep-camera", { detail: look })) // of the address, too
      return
    }
    const whole = JSON.parse(text)
    if (camera) whole.moment.camera = camera
    saveText(name, JSON.stringify(whole, null, 1), "application/json", document.body)
  })
  model.on("remove", () => window.removeEventListener("armsweep-camera", follow))
  return node
}
