"""A page whose session is over leaves nothing behind."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Callable
from types import SimpleNamespace

import panel as pn
import pytest
from bokeh.document import Document
from panel.io.document import _cleanup_doc
from panel.io.state import set_curdoc

from app.page import build

pytestmark = [pytest.mark.compiled_only, pytest.mark.slow]


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
