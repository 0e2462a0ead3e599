/** Has the browser print a page; its dialog saves a PDF as well. */
function printPage(text, title) {
  document.querySelector("iframe.armsweep-printed")?.remove()
  const frame = document.createElement("iframe")
  frame.className = "armsweep-printed"
  frame.title = title
  frame.tabIndex = -1
  frame.setAttribute("aria-hidden", "true")
  frame.style.cssText = "position: fixed; width: 1px; height: 1px; right: 0; bottom: 0; border: 0; visibility: hidden"
  frame.onload = () => frame.contentWindow.print()
  frame.srcdoc = text
  document.body.append(frame)
}
