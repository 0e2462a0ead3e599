"""A figure in the pane that shows it."""

from __future__ import annotations

import panel as pn
from bokeh.models import CustomJS
from bokeh.plotting import figure

NAMED = """
    const events = Bokeh.index.find_one(figure)?.canvas_view?.events_el
    if (!events) return
    events.tabIndex = -1 // Tab passes it by: no key does anything there
    events.setAttribute("role", "img")
    events.setAttribute("aria-label", title.text || name)
"""

GROWN = """
    const SIZES = ["line_width", "line_dash", "size"]
    const thin = new Map() // what each part had when it came
    const grow = figure.grows ??= () => {
        if (!figure.document) return document.removeEventListener("armsweep:scale", figure.grows)
        const scale = Number(getComputedStyle(document.documentElement).getPropertyValue("--scale")) || 1
        const sides = [figure.title, figure.left, figure.right, figure.above, figure.below, figure.center].flat()
        for (const part of [figure, ...figure.renderers.map(one => one.glyph), ...sides]) {
            for (const [name, value] of Object.entries(part.attributes)) {
                const now = value?.value ?? value, isFont = name.endsWith("text_font_size")
                if (!isFont && !SIZES.includes(name) && !(part === figure && name === "height")) continue
                const key = `${part.id} ${name}`
                if (!thin.has(key)) thin.set(key, now)
                const before = thin.get(key), grown = [before].flat().map(each => parseFloat(each) * scale)
                if (!grown.length || !grown.every(Number.isFinite)) continue
                const unit = isFont ? before.replace(/[^a-z]/g, "") : ""
                const next = isFont ? `${grown[0]}${unit}` : Array.isArray(before) ? grown : grown[0]
                if (`${next}` !== `${now}`) part.setv({[name]: next}, {sync: false})
            }
        }
    }
    document.addEventListener("armsweep:scale", grow)
    grow()
"""
"""Lines, dashes, marks, letters and the height are as many times larger as the page's type is; the server's stay what
they are."""


def figure_pane(plot: figure) -> pn.pane.Bokeh:
    """As wide as its instrument.

    To be put there when it is first seen: a figure in a pane that was left before it was seen is never laid out, and
    has every later layout of the page fail.
    """
    if not plot.js_property_callbacks:
        named = CustomJS(args={"figure": plot, "title": plot.title, "name": plot.name or "plot"}, code=NAMED)
        plot.js_on_change("inner_width", named)  # which it has from when it is laid out
        plot.title.js_on_change("text", named)
        plot.js_on_change("inner_width", CustomJS(args={"figure": plot}, code=GROWN))
    return pn.pane.Bokeh(plot, sizing_mode="stretch_width", margin=(0, 12))
