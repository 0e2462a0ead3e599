// Saves a text as a file on the visitor's own machine.
export function render({ model }) {
  model.on("msg:custom", (message) => {
    const { name, text } = message.data ?? message
    const link = document.createElement("a")
    link.href = URL.createObjectURL(new Blob([text], { type: "text/html" }))
    link.download = name
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 60000)
  })
  return document.createElement("span")
}
