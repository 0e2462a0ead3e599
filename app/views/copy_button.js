// A button that copies a text from the server.
export function render({ model }) {
  const button = make("button", { type: "button", onclick: () => model.send_msg("copy") })
  const told = make("span", { class: "told", role: "status" })
  const write = () => { button.textContent = model.label }
  model.on("label", write)
  model.on("msg:custom", (message) => copyText((message.data ?? message).copy ?? "", told, model.what))
  write()
  return make("div", {}, button, told)
}
