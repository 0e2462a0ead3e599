// Draws what instruments showed on the page that is printed, by the script of the page's own sheets, which stands before it.
const look = document.getElementById("sheets").textContent
for (const place of document.querySelectorAll(".instrument")) {
  const { html, css, numbers } = JSON.parse(place.textContent)
  const model = { html, css, numbers: Uint8Array.from(atob(numbers ?? ""), (byte) => byte.charCodeAt(0)), on() {}, send_msg() {} }
  const style = document.createElement("style")
  style.textContent = numbers === null ? "" : look
  place.attachShadow({ mode: "open" }).append(style, render({ model, view: { model } }))
}
