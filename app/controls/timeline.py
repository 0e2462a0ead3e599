"""The timeline: a scrubber, marks at what happened, and the instant in words, in the browser's own time."""

from __future__ import annotations

import param

from app.component import Component


class Timeline(Component):
    """Follows the clock of the browser's player, and moves it; the server hears of it from the player alone."""

    duration = param.Number(default=10.0, doc="Length of the timeline, s.")
    marks = param.List(
        default=[],
        item_type=dict,
        doc="Where something happened, in order: `value` s, `label`, and the whole `word`.",
    )
    span = param.List(default=[], doc="s, from and to where a ghost is seen that is seen for a while only; or nothing.")
    endless = param.Boolean(default=False, doc="Whether it goes along with the clock, a run having no end.")
    colors = param.Dict(default={}, doc="CSS colors: ink, accent, ghost.")

    _esm = "timeline.js"
    _stylesheets = ["timeline.css"]  # noqa: RUF012
