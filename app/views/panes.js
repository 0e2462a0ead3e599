/** Panes in the order of their names, each of which is filled when what is in it has been made. What is in one stays in
    the document: the styles that components write are lost where their elements leave it. */
function filledPanes({ model, view }, names, id) {
  const panes = names.map((_, k) => make("div", {
    class: "pane", role: "tabpanel", id: `${id}-${k}`, "aria-labelledby": `tab-${id}-${k}`,
  }, make("p", { class: "opening" }, "Opening …")))
  const fill = () => model.get_child("panes").forEach((content, k) => {
    const pane = panes[names.indexOf(model.made[k])]
    if (content && content.parentNode !== pane) pane.replaceChildren(content)
  })
  view.on_child_render("panes", () => {
    fill()
    view.render_children() // at once: a layout of the page meanwhile cannot measure a plot that is not drawn
  })
  fill()
  return panes
}

/** The tab to which a key leads from the one `at` of `count`; -1: to none. */
function ledTo(key, at, count) {
  const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[key]
  if (by) return (at + by + count) % count
  return key === "Home" ? 0 : key === "End" ? count - 1 : -1
}
