// A button that copies a text from the server.
export function render({ model }) {
  const button = document.createElement("button"), told = document.createElement("span")
  button.type = "button"
  told.setAttribute("role", "status")
  told.className = "told"
  const write = () => { button.textContent = model.label }
  button.addEventListener("click", () => model.send_msg("copy"))
  model.on("label", write)
  model.on("msg:custom", (message) => copyText((message.data ?? message).copy ?? "", told, model.what))
  write()
  const root = document.createElement("div")
  root.append(button, told)
  return root
}
