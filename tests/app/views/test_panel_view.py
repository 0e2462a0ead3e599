"""The readings of a panel: rounding beside its neighbors, or beside what it has been, is zero."""

from __future__ import annotations

import numpy as np
from bokeh.models import Range1d

from app.sampling.moment import Moment
from app.sampling.quantities import catalogue
from app.sampling.sampler import Sampler, read
from app.state import Session
from app.views.plots.panel_view import PanelView, Sampled, Sight
from app.views.plots.panels import Panel

TRACE = ("contact/object_acceleration", "linear")


def test_rounding_beside_what_was_is_zero_and_its_digits_are_at_hand() -> None:
    session = Session("two_arms_and_box")
    for _ in range(2):
        session.run.accept(session.run.compute())
    quantities = catalogue(session.run.solution_at(0.0))
    sampler = Sampler(session.jobs)
    sampler.want([(session.run, quantities)], [TRACE])
    sampler.catch_up()
    view, panel = PanelView(Range1d(0.0, 10.0), 0, print), Panel((TRACE,))
    sampled = Sampled(session.run, quantities, sampler.curves(session.run))
    view.draw(panel, Sight(sampled, None, session.system, session.cursor, "light", (0.0, 10.0)))
    values = read(Moment(session.run, 0.3), quantities, [TRACE])
    values[TRACE][0] = [20.0, -8.457e-17, 0.25]
    reading = view.reading(panel, values, None)
    assert reading["values"] == ["20 m/s²", "0 m/s²", "0.25 m/s²"]
    assert reading["raw"] == ["20.0", "−8.457e−17", "0.25"]
    largest = np.nanmax(np.abs(sampler.curves(session.run).column(TRACE)))
    values[TRACE][0] = [1e-13 * largest, 0.0, 0.0]  # all three: it is what they have been that says so
    assert view.reading(panel, values, None)["values"][0] == "0 m/s²"
