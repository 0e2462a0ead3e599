// Saves the text of a session as a file of its user's.
export function render({ model }) {
  const node = document.createElement("span")
  model.on("msg:custom", (message) => {
    const { name, text } = message.data ?? message
    saveText(name, text, "application/json", document.body)
  })
  return node
}
