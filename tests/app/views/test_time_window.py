"""The stretch of time that the plots show, as a link says it."""

from __future__ import annotations

import pytest
from bokeh.models import Range1d

from app.state import Session
from app.views.plots import Plots
from app.views.plots.time_window import TimeWindow


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1.5-3", (1.5, 3.0)), ("0-10", (0.0, 10.0)), ("4-400", (4.0, 10.0)), ("", (0.0, 10.0)), ("3-1", (0.0, 10.0)),
        ("1.2.3-4", (0.0, 10.0)), ("7", (0.0, 10.0)),
    ],
)  # fmt: skip
def test_a_link_says_a_stretch_and_what_makes_no_sense_is_all(text: str, shown: tuple[float, float]) -> None:
    window = TimeWindow(Range1d(0.0, 10.0))
    window.show(text)
    assert window.shown == pytest.approx(shown)
    assert window.text == ("" if window.is_whole else text.replace("400", "10"))


def test_a_zoom_is_in_the_link_and_comes_back_with_it() -> None:
    session = Session("puma560")
    session.playing = False
    plots = Plots(session)
    plots.draw()
    assert session.zoom == ""
    plots._span.update(start=2.0, end=4.5)  # by the browser
    plots.draw()
    assert session.zoom == "2-4.5"
    session.zoom = "1-3"  # a link
    plots.draw()
    assert plots._window.shown == pytest.approx((1.0, 3.0))
    session.zoom = ""
    plots.draw()
    assert plots._window.is_whole
