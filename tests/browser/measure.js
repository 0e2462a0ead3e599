/* What of a page cannot be seen or reached: gives lines of words, none where all is well. It walks through every shadow
   root. Asked with the page's least size of what is touched, in CSS pixels; 0: nothing is touched here. */
(touch) => {
  const found = []
  const all = []
  const parentOf = (node) => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host ?? null
  const style = new Map()
  const look = (node) => {
    if (!style.has(node)) style.set(node, getComputedStyle(node))
    return style.get(node)
  }
  const { FILTER_ACCEPT, FILTER_REJECT, SHOW_ELEMENT } = NodeFilter
  const collect = (root) => { // what is hidden, and all within it, nobody sees: a dozen instruments
    const walk = document.createTreeWalker(root, SHOW_ELEMENT, (node) => look(node).display === "none" ? FILTER_REJECT : FILTER_ACCEPT)
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      all.push(node)
      if (node.shadowRoot) collect(node.shadowRoot)
    }
  }
  collect(document)
  const chains = new Map()
  const up = (node) => {
    if (!chains.has(node)) {
      const parent = parentOf(node)
      chains.set(node, parent ? [parent, ...up(parent)] : [])
    }
    return chains.get(node)
  }
  const shown = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const named = (node) => {
    const words = node.getAttribute("aria-label") || node.getAttribute("title") || node.textContent.trim()
    return `${node.localName}${node.className && typeof node.className === "string" ? "." + node.className.split(" ")[0] : ""} "${words.slice(0, 40)}"`
  }
  // Of what is written for readers of the screen alone, nothing is measured.
  const unseen = (node) => [node, ...up(node)].some((one) => {
    const { clipPath, clip, position } = look(one)
    return clipPath === "inset(50%)" || (position === "absolute" && clip === "rect(0px, 0px, 0px, 0px)")
  })
  const clips = (value) => value === "hidden" || value === "clip"
  const scrolls = (value) => value === "auto" || value === "scroll"
  const seen = all.filter((node) => node instanceof HTMLElement && shown(node) && !unseen(node))

  // A heading or a button whose words are broken inside.
  const letters = document.createRange()
  for (const node of seen) {
    if (!node.matches("th, caption, h1, h2, h3, h4, h5, button, label")) continue
    for (const child of node.childNodes) {
      if (child.nodeType !== Node.TEXT_NODE) continue
      for (const { 0: word, index } of child.textContent.matchAll(/\p{L}+/gu)) {
        letters.setStart(child, index)
        letters.setEnd(child, index + word.length)
        if (new Set([...letters.getClientRects()].map((rect) => Math.round(rect.top))).size > 1) {
          found.push(`broken inside the word "${word}": ${named(node)}`)
        }
      }
    }
  }

  // What a field cuts off: a number without its last digits, or its power of ten, reads as another. Words are read on.
  for (const node of seen.filter((node) => node.matches("input[type=text]:not([role=combobox])") && !node.matches(":focus"))) {
    const cut = node.scrollWidth - node.clientWidth
    if (/^[-−+.]?\d/.test(node.value) && cut > 1) found.push(`cut off by ${cut} px in its field, "${node.value}": ${named(node)}`)
  }

  // Text that is cut off: it is wider or higher than what hides the rest of it, and nothing scrolls it.
  const range = document.createRange()
  for (const node of seen) {
    const text = [...node.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE && child.textContent.trim())
    if (!text.length || node.closest("svg, math, noscript, style")) continue
    for (const child of text) {
      range.selectNodeContents(child)
      const box = range.getBoundingClientRect()
      if (box.width < 1 || box.height < 1) continue
      let left = box.left, right = box.right, top = box.top, bottom = box.bottom
      let scrolledX = false, scrolledY = false
      for (const around of [node, ...up(node)]) {
        const { overflowX, overflowY, position, textOverflow, paddingRight } = look(around)
        const edge = around.getBoundingClientRect()
        if (around === node && textOverflow === "ellipsis" && clips(overflowX) && box.width > 40 && right > edge.right - parseFloat(paddingRight) * (around.currentCSSZoom ?? 1) + 1) {
          found.push(`ends in dots: ${named(node)}`) // which begin before the padding
        }
        if (scrolls(overflowX)) scrolledX = true
        if (scrolls(overflowY)) scrolledY = true
        if (clips(overflowX) && !scrolledX && (right > edge.right + 1 || left < edge.left - 1)) {
          found.push(`clipped sideways by ${Math.round(Math.max(right - edge.right, edge.left - left))} px: ${named(node)} in ${named(around).slice(0, 40)}`)
          break
        }
        if (clips(overflowY) && !scrolledY && (bottom > edge.bottom + 2 || top < edge.top - 2)) {
          found.push(`clipped in height by ${Math.round(Math.max(bottom - edge.bottom, edge.top - top))} px: ${named(node)}`)
          break
        }
        if (position === "fixed") break
      }
    }
  }

  // Controls that nobody reaches, that lie over each other, or that are too small for a finger.
  const CONTROLS = "button, input, select, textarea, a[href], summary, canvas[role=application], [role=button], [role=tab], [role=slider], [role=separator], [role=combobox]"
  const controls = seen.filter((node) => node.matches(CONTROLS) && !node.disabled && !node.closest("svg"))
  const boxes = []
  for (const node of controls) {
    const box = node.getBoundingClientRect()
    if (box.width < 1 || box.height < 1) continue
    const { position, opacity, pointerEvents } = look(node)
    if (opacity === "0" || pointerEvents === "none") continue // a field under its own drawing
    if (node.classList.contains("skip")) continue // comes when Tab leads to it
    let scrolledX = false, scrolledY = false, area = { left: box.left, right: box.right, top: box.top, bottom: box.bottom }
    for (const around of up(node)) {
      const { overflowX, overflowY } = look(around)
      const edge = around.getBoundingClientRect()
      const isScroller = (scrolls(overflowX) && around.scrollWidth > around.clientWidth) || (scrolls(overflowY) && around.scrollHeight > around.clientHeight)
      if (scrolls(overflowX)) scrolledX = true
      if (scrolls(overflowY)) scrolledY = true
      if (isScroller || clips(overflowX) || clips(overflowY)) {
        area = { left: Math.max(area.left, edge.left), right: Math.min(area.right, edge.right), top: Math.max(area.top, edge.top), bottom: Math.min(area.bottom, edge.bottom) }
      }
      if ((clips(overflowX) && !scrolledX && (box.right > edge.right + 2 || box.left < edge.left - 2))
        || (clips(overflowY) && !scrolledY && (box.bottom > edge.bottom + 2 || box.top < edge.top - 2))) {
        found.push(`out of reach: ${named(node)}`)
        break
      }
    }
    if (!scrolledX && (box.right > innerWidth + 1 || box.left < -1)) found.push(`out of the window sideways: ${named(node)}`)
    if (!scrolledY && (box.bottom > innerHeight + 1 || box.top < -1)) found.push(`out of the window in height: ${named(node)}`)
    // An instrument is a column: what stands in it beside its edge is found by nobody.
    const column = up(node).find((around) => scrolls(look(around).overflowX) && around.scrollWidth > around.clientWidth + 2)
    if (column && box.right > column.getBoundingClientRect().right + 2 && up(column).some((around) => around.classList.contains("tabs"))) {
      found.push(`beside the edge of its instrument: ${named(node)}`)
    }
    const isBackground = node.localName === "canvas" && look(node).getPropertyValue("--only-plot") // as a projector has it
    if (touch && node.localName !== "canvas" && !node.matches("[role=separator], input[type=checkbox], input[type=radio], input[type=range]")
      && Math.min(box.width, box.height) < touch) {
      found.push(`${Math.round(box.width)} x ${Math.round(box.height)} px to touch: ${named(node)}`)
    }
    if (!isBackground && area.right - area.left > 2 && area.bottom - area.top > 2) boxes.push({ node, position, ...area })
  }
  const isOnTop = (node) => {
    const { x, y, width, height } = node.getBoundingClientRect()
    let hit = document.elementFromPoint(x + width / 2, y + height / 2)
    while (hit?.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(x + width / 2, y + height / 2)
      if (!inner || inner === hit) break
      hit = inner
    }
    return hit === node || (hit && up(hit).includes(node)) // its icon
  }
  const within = (one, other) => one === other || up(one).includes(other)
  // A picture's own buttons; the switch of what stands beside the world, which lies on it where it stands alone; and the
  // cross of what is told, of which the machine keeps clear.
  const drawnOn = (one, other) => one.localName === "canvas"
    && (up(other).includes(one.parentElement) || (isOnTop(other) && up(other).some((around) => around.matches(".sheet-switch, .told"))))
  for (let i = 0; i < boxes.length; ++i) {
    for (let k = i + 1; k < boxes.length; ++k) {
      const [a, b] = [boxes[i], boxes[k]]
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
      const tall = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
      if (wide <= 3 || tall <= 3 || within(a.node, b.node) || within(b.node, a.node)) continue
      if (drawnOn(a.node, b.node) || drawnOn(b.node, a.node)) continue
      found.push(`over each other, ${Math.round(wide)} x ${Math.round(tall)} px: ${named(a.node)} and ${named(b.node)}`)
    }
  }

  // A page that is wider than its window, and a bar to scroll within what has one of the same direction itself.
  const whole = document.scrollingElement
  if (whole.scrollWidth > innerWidth + 1) found.push(`the document is ${whole.scrollWidth} px wide in a window of ${innerWidth}`)
  if (whole.scrollHeight > innerHeight + 1) found.push(`the document is ${whole.scrollHeight} px high in a window of ${innerHeight}`)
  const down = (node) => scrolls(look(node).overflowY) && node.scrollHeight > node.clientHeight + 1 && node.clientHeight > 0
  for (const node of seen.filter(down)) {
    if (node.matches("textarea, [role=listbox]") || node === whole || node === document.body) continue
    const outer = up(node).find((one) => one instanceof HTMLElement && one !== whole && down(one))
    if (outer) found.push(`a scrollbar within a scrollbar: ${named(node)}, in ${named(outer).slice(0, 60)}`)
  }

  // A place of the layout that is mostly empty: nothing that is seen stands in its lower half.
  for (const place of seen.filter((node) => ["tabs", "plots", "world"].some((name) => node.classList.contains(name) && look(node).gridArea.includes(name) || (node.classList.contains(name) && look(node).gridArea.includes("sheet"))))) {
    const edge = place.getBoundingClientRect()
    if (edge.width < 2 || edge.height < 2) continue
    const inner = all.filter((node) => !node.children.length && !node.shadowRoot && up(node).includes(place)
      && node.checkVisibility({ visibilityProperty: true }) && (node.matches("canvas, img, svg *, input, [class*=Slider-rail]") || node.textContent.trim()))
    const lowest = Math.max(0, ...inner.map((node) => node.getBoundingClientRect()).filter((box) => box.width > 1 && box.top < edge.bottom).map((box) => Math.min(box.bottom, edge.bottom)))
    const rightmost = Math.max(0, ...inner.map((node) => node.getBoundingClientRect()).filter((box) => box.width > 1 && box.left < edge.right).map((box) => Math.min(box.right, edge.right)))
    if (edge.width > 200 && rightmost < edge.left + 0.55 * edge.width) found.push(`an empty half: ${place.className} is ${Math.round(edge.width)} px wide, and used to ${Math.round(rightmost - edge.left)}`)
    if (!place.classList.contains("tabs") && lowest < edge.top + 0.6 * edge.height) found.push(`an empty half: ${place.className} is ${Math.round(edge.height)} px high, and used to ${Math.round(lowest - edge.top)}`)
  }
  return [...new Set(found)]
}
