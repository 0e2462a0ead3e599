"""What a browser never says: to every component that hears one, and of every property that one may set.

A page is open as a server holds it. Each message comes as Bokeh takes it off the wire, so that nothing stands before
the component that would not stand there otherwise. What cannot be read must change nothing; the page goes on.
"""

import asyncio
import gc
import warnings
from collections.abc import Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, TypeVar
from unittest import TestCase
from weakref import WeakSet

import panel as pn
from bokeh.document import Document
from hypothesis import strategies as st
from panel.io.document import unlocked
from panel.io.state import set_curdoc
from panel.reactive import Reactive

from app.page import PageParts, assembled
from app.screen.instruments import Rail
from app.views.plots.board import PlotBoard

T = TypeVar("T")
TALKING = {
    "Viewer", "PlotBoard", "QuantityList", "Keyboard", "LecturerBrowser", "Connection", "Diagram", "Sheet",
    "PressAndHold", "RowTable", "FileButton", "Timeline", "ShowList", "Screen", "KeptList", "CopyButton", "Editor",
    "HtmlView",
}  # fmt: skip
MARKUP = "<img src=x onerror=alert(1)>"
SCALARS = (
    st.none() | st.booleans() | st.integers(-3, 40) | st.integers() | st.floats() | st.text(max_size=12)
    | st.sampled_from(("", " ", "\0", "\ud800", "١", "nan", "-1", "9" * 400, MARKUP, "__class__", "ready", "0"))
    | st.binary(max_size=40)
)  # fmt: skip
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
POINT = st.lists(st.floats(-2, 2) | st.floats(), min_size=3, max_size=3)


def like(**parts: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """A message with some of its parts lost, or made of anything."""
    return st.fixed_dictionaries({}, optional={name: part | JSON for name, part in parts.items()})


def word(*words: str) -> st.SearchStrategy[str]:
    """Words as one component knows them, possibly with numbers after them."""
    number = st.integers(-2, 40).map(str) | st.sampled_from(("", "x", "1e3", "٣", "9" * 30))
    return st.builds(lambda head, tail: " ".join((head, *tail)), st.sampled_from(words), st.lists(number, max_size=3))


FIELDS = "logarithmic", "follow", "bars", "full", "difference", "component", "__class__", "traces", "name"
NUMBER = st.integers(-2, 9)
LIKELY = {
    "Viewer": st.sampled_from(("ready", "redrawn"))
    | like(moment=st.floats(), jump=NUMBER, held=st.booleans())
    | like(taken=NUMBER, number=NUMBER)
    | like(mesh=st.integers(-2, 60), phase=st.sampled_from(("start", "move", "end")), place=POINT, target=POINT),
    "PlotBoard": like(
        do=st.sampled_from(("ready", "tab", "prepared", "put", "join", "add", "remove", "clear", "restore",
                            "component", "set", "link", "zoom", "pan", "whole", "boxes", "listing", "csv", "copy",
                            "save", "difference")),
        panel=NUMBER, key=st.sampled_from(("filter/residual", "smoother/force", MARKUP)), trace=NUMBER, row=NUMBER,
        name=st.sampled_from(("Filter", "Motion", "Joint inertia", MARKUP)), field=st.sampled_from(FIELDS),
        value=st.sampled_from(("cursor", "all", "0", "7", "40")) | st.booleans() | NUMBER, by=st.floats(),
    ),
    "KeptList": like(
        do=st.sampled_from(("keep", "shown", "name", "open", "drop", "copy")), letter=st.sampled_from("ABCF"),
        value=st.booleans() | st.sampled_from(("two arms", MARKUP, "x" * 9000)),
    ),
    "Editor": like(
        typed=st.text(max_size=300)
        | st.lists(st.sampled_from(("H", "P", " @ ", ".T", "(", ")", "[k]", "lambda", "__class__", " + ", MARKUP)))
        .map("".join),
        kept=st.dictionaries(
            st.sampled_from(("inward_filter.correction.D", MARKUP)), st.sampled_from(("H @ P @ H.T + I_r", "P")) | JSON
        ),
    ),
    "HtmlView": like(
        do=st.sampled_from(("keep", "next", "before", "undo", "go", "up", "down", "drop", "title", "note")),
        number=NUMBER, value=st.booleans() | st.sampled_from(("two arms", MARKUP, "x" * 9000)),
    ),
    "QuantityList": like(do=st.sampled_from(("put", "join")), panel=NUMBER, key=st.just("filter/gain")),
    "CopyButton": st.just("copy"),
    "Keyboard": st.sampled_from((" ", ",", ".", "r", "ctrl+z", "ctrl+y", "a", "arrowright", "[", "]", "p", "?")),
    "Diagram": st.integers(-5, 400),
    "Screen": st.sampled_from(("light", "dark", "still", "on", "off")),
    "Sheet": word(
        "link", "cell", "mend", "piece", "break", "line", "step", "see", "anew", "row", "base", "walk", "map", "sweep",
        "form", "joint", "group", "table", "paper", "show", "open", "one", "all", "",
    ),
    "PressAndHold": st.sampled_from(("press", "release")),
    "FileButton": like(
        status=st.sampled_from(("initializing", "upload_event", "finished", "error")),
        name=st.sampled_from(("a.urdf", MARKUP)), chunk=NUMBER, total_chunks=NUMBER, data=st.binary(max_size=40),
        mime_type=st.just("text/xml"),
    ),
}  # fmt: skip


@cache
def loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


def settled(work: Coroutine[Any, Any, T]) -> T:
    """What comes of it, in a thread: beside a test that drives a browser this one's own loop is taken."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(loop().run_until_complete, work).result()


def components() -> list[Any]:
    """Every component that there is in this process."""
    return [one for one in gc.get_objects() if issubclass(type(one), Reactive)]


@cache
def strangers() -> WeakSet[Any]:
    """Those of other tests' pages, from before this one's was made."""
    return WeakSet(components())


@cache
def opened() -> tuple[Document, PageParts]:
    """A page with every tab made, as a server holds it."""
    strangers()

    async def made() -> tuple[Document, PageParts]:
        pn.extension()
        document = Document()
        with set_curdoc(document):
            whole = assembled({"preset": "planar_chain"})
            whole.clock.prepare()
            document.add_root(whole.page.get_root(document))
            rail = next(iter(whole.page.select(Rail)))
            for item in rail.items:
                rail.active = item["name"]
            next(iter(whole.page.select(PlotBoard)))._handle_msg({"do": "listing"})
        return document, whole

    return settled(made())


@cache
def talking() -> Mapping[str, list[Any]]:
    """The components of each kind that hears a browser, of this page: other tests' pages may have ended."""
    opened()
    found: dict[str, list[Any]] = {}
    for one in components():
        if one not in strangers():
            for name in TALKING.intersection(kind.__name__ for kind in type(one).__mro__):
                found.setdefault(name, []).append(one)
    assert found.keys() == TALKING
    return found


@st.composite
def told(draw: st.DrawFn) -> list[tuple[str, int, Any]]:
    """A few messages, each to a component by its name, and which of these."""
    found = []
    for _ in range(draw(st.integers(1, 12))):
        name = draw(st.sampled_from(sorted(TALKING)))
        found.append((name, draw(st.integers(0, 3)), draw(LIKELY.get(name, JSON) | JSON)))
    return found


async def goes_on(whole: PageParts, document: Document) -> None:
    """The page works as before: it takes another machine, and time goes by."""
    session = whole.session
    with set_curdoc(document), unlocked():
        for frame in range(3):
            whole.clock.tick(0.02, frame)
            await asyncio.sleep(0)
        session.open_preset("planar_chain")
        session.playing = True
        for frame in range(3):
            whole.clock.tick(0.02, frame)
            while session.jobs.running:
                await asyncio.wait(session.jobs.running)
                session.jobs.attend()
        assert session.run.end > 0.0


def changes_nothing_or_what_it_says(messages: list[tuple[str, int, Any]]) -> None:
    """No message is a fault, and after them the page goes on."""
    document, whole = opened()

    async def live() -> None:
        with set_curdoc(document):
            for name, which, message in messages:
                ones = talking()[name]
                ones[which % len(ones)]._handle_msg(message)
        await goes_on(whole, document)

    with TestCase().assertNoLogs("app", "ERROR"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        settled(live())


FOUND: dict[str, Any] = {
    "a click on nothing": [("Sheet", 0, "")],
    "a cell of one number": [("Sheet", which, f"cell {link}") for which in range(4) for link in range(3)],
    "a file without a status": [("FileButton", 0, {})],
    "a file that is no bytes": [("FileButton", 0, {"status": "upload_event", "name": "a", "chunk": 1, "total_chunks": 1,
                                                   "mime_type": "", "data": 10**12})],
    "a file whose pieces are others than were told": [
        ("FileButton", 0, {"status": "upload_event", "name": "a", "chunk": chunk, "total_chunks": total,
                           "mime_type": "", "data": b"x"})
        for chunk, total in ((5, 6), (1, 2), (0, 1), (True, 1))
    ],
    "a message of nothing": [(name, 0, None) for name in sorted(TALKING)],
}  # fmt: skip
