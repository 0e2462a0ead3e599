"""A session ends when its page's models are gone already: its work stops, and nothing of the page remains."""

import asyncio
import gc
import weakref
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import panel as pn
from bokeh.document import Document
from panel.io.document import _cleanup_doc
from panel.io.state import set_curdoc

from app.classroom.present import Presenter
from app.classroom.presentation import PRESENTATIONS
from app.page import PageParts, assembled, build
from app.screen.instruments import Instruments
from app.state.manipulation import Manipulation
from app.state.point_force import end_of
from app.state.walk import AutoWalk
from tests.app.arrival import computed


def part(whole: PageParts, kind: type[Any]) -> Any:
    return next(one for one in whole.clock._every_third if isinstance(one, kind))


async def test_what_a_session_does_ends_with_it() -> None:
    pn.extension()
    document, open_before = Document(), set(PRESENTATIONS._open)
    with set_curdoc(document):
        whole = assembled({})
        whole.page.server_doc(document)
        whole.clock.prepare()
        session = whole.session
        session.param.update(breaks=frozenset({"inward_filter.prediction.P~M~drop"}), tab="Break it", motion=0.0)
        computed(session.run, 2.0)
        whole.clock.tick(0.0, 0)
        assert session.broken is not None
        part(whole, AutoWalk).toggle()
        assert part(whole, AutoWalk).active
        part(whole, Presenter).toggle()
        assert PRESENTATIONS._open
        assert isinstance(whole.clock._manipulation, Manipulation)
        whole.clock._manipulation.press(end_of(session.system, 0), np.array([0.0, 0.0, 1.0]))
        assert session.point_force is not None
        session.tab = "Estimation"
        whole.clock.tick(0.0, 0)
        draws = part(whole, Instruments)._made["Estimation"].draws
        draws.start(100_000)
        assert draws.busy
        document.models.destroy()  # so does the server, before it says that the session is over
        whole.clock.stop()
        assert not whole.session.jobs.running
    assert set(PRESENTATIONS._open) == open_before  # other tests' of this process may be open


def open_and_close(run_async: Callable[..., weakref.ref[object]]) -> weakref.ref[object]:
    async def live() -> weakref.ref[object]:
        document = Document()
        with set_curdoc(document):
            page = build()
            document.add_root(page.get_root(document))
        await asyncio.sleep(0.05)
        context = SimpleNamespace(_document=document, id="closed")
        with set_curdoc(document):
            for callback in list(document.callbacks.session_destroyed_callbacks):
                callback(context)  # type: ignore[arg-type]
        _cleanup_doc(document, destroy=True)
        return weakref.ref(page)

    return run_async(live())


def test_nothing_remains_of_a_closed_page(run_async: Callable[..., weakref.ref[object]]) -> None:
    pn.extension()
    pages = [open_and_close(run_async) for _ in range(3)]
    gc.collect()
    # The last one may still be known to the event loop's own leftovers.
    assert [page() for page in pages[:2]] == [None, None]
