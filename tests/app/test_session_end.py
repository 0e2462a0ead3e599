"""A session ends when the models of its page are gone already: whatever it was doing ends without a word to them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import numpy as np
import panel as pn
import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc

from app.page import Assembled, assembled
from app.present import Present
from app.present.present import PRESENTATIONS
from app.screen import Instruments
from app.state.auto_walk import AutoWalk
from app.state.manipulation import Manipulation
from app.state.point_force import end_of

pytestmark = pytest.mark.slow


def part(whole: Assembled, kind: type[Any]) -> Any:
    return next(one for one in whole.clock._every_third if isinstance(one, kind))


def nothing(_: Assembled) -> None:
    pass


def walks(whole: Assembled) -> None:
    part(whole, AutoWalk).toggle()
    assert part(whole, AutoWalk).active


def presents(whole: Assembled) -> None:
    part(whole, Present).toggle()
    assert PRESENTATIONS._all


def pushes(whole: Assembled) -> None:
    session, manipulation = whole.session, whole.clock._manipulation
    assert isinstance(manipulation, Manipulation)
    manipulation.press(end_of(session.system, 0), np.array([0.0, 0.0, 1.0]))
    assert session.point_force is not None


def breaks(whole: Assembled) -> None:
    session = whole.session
    session.param.update(breaks=frozenset({"inward_filter.prediction.P~M~drop"}), tab="Break it", motion=0.0)
    while session.run.end < 2.0:
        session.run.accept(session.run.compute())
    whole.clock.tick(0.0, 0)
    assert session.broken is not None


def draws(whole: Assembled) -> None:
    whole.session.tab = "Estimation"
    whole.clock.tick(0.0, 0)
    instrument = part(whole, Instruments)._made["Estimation"]
    instrument.draws.start(100_000)
    assert instrument.draws.busy


@pytest.mark.parametrize("does", [nothing, walks, presents, pushes, breaks, draws])
def test_what_a_session_does_ends_with_it(
    does: Callable[[Assembled], None], run_async: Callable[[Coroutine[Any, Any, None]], None]
) -> None:
    async def live() -> None:
        pn.extension()
        document = Document()
        with set_curdoc(document):
            whole = assembled({})
            whole.page.server_doc(document)
            whole.clock.prepare()
            does(whole)
            document.models.destroy()  # so does the server, before it says that the session is over
            whole.clock.stop()

    run_async(live())
    assert not PRESENTATIONS._all
