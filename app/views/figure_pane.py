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
    const thin = new Map() // what each part had when it came
    const grow = figure.grows ??= () => {
        if (!figure.document) return document.removeEventListener("armsweep:scale", figure.grows)
        const scale = Number(getComputedStyle(document.documentElement).getPropertyValue("--scale")) || 1
        for (const part of [...figure.renderers.map(one => one.glyph), ...figure.center]) {
            for (const name of ["line_width", "line_dash", "size"]) {
                const now = [part.attributes[name]?.value ?? part.attributes[name]].flat()
                if (!now.length || !now.every(Number.isFinite)) continue
                const key = `${part.id} ${name}`
                if (!thin.has(key)) thin.set(key, now)
                const grown = thin.get(key).map(each => each * scale)
                if (`${grown}` === `${now}`) continue
                part.setv({[name]: name === "line_dash" ? grown : grown[0]}, {sync: false})
            }
        }
    }
    document.addEventListener("armsweep:scale", grow)
    grow()
"""
"""Lines, dashes and marks are as many times larger as the page's type is; the server's stay what they are."""


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
