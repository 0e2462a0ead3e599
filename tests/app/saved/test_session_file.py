"""The buttons: what is saved is opened again in a thread, and a bad file leaves the page as it was."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from app.saved import SessionFile
from app.saved.read import camera_in
from app.saved.written import LARGEST, written
from app.state import Session
from app.state.opening import NOT_OPENED
from tests.app.upload.test_upload import chain

Run = Callable[[Coroutine[Any, Any, None]], None]
MARKUP = "<img src=x onerror=alert(1)>"


def seen_from(camera: str, text: str) -> bytes:
    """As the browser completes the file."""
    whole = json.loads(text)
    whole["moment"]["camera"] = camera
    return json.dumps(whole).encode()


async def sent(view: SessionFile, session: Session, data: object, name: str) -> None:
    view.take(data, name)
    while session.opening._saved.busy:
        session.jobs.attend()
        await asyncio.sleep(0.001)


def test_what_is_saved_opens_in_another_page(run_async: Run, open_file: Callable[..., None]) -> None:
    session, other = Session("puma560"), Session("two_arms_and_box")
    open_file(session, chain(3), "mine.urdf")
    session.keep()
    view, theirs = SessionFile(session), SessionFile(other)
    saved: list[tuple[str, str]] = []
    view._saver.save = lambda *file: saved.append(file)  # type: ignore[method-assign]
    view.save()
    ((name, text),) = saved
    assert name == "mine_urdf.armsweep.json"
    assert name in view._word.object
    assert any("overflow-wrap: anywhere" in str(sheet) for sheet in view._word.stylesheets)  # one word, and a long one
    kept: list[Any] = []
    other.opening.param.watch(lambda event: kept.append(event.new), "sent")

    async def live() -> None:
        theirs.dialog.open = True
        theirs_kept = other.keep()
        looks: list[str] = []
        theirs._saver.look = looks.append  # type: ignore[method-assign]
        await sent(theirs, other, seen_from("1.5000 -2.0000 0.7500 0.0000 -0.0000 0.4000", text), MARKUP)
        assert looks == ["1.5000 -2.0000 0.7500 0.0000 -0.0000 0.4000"]
        assert (other.title, other.message, theirs.dialog.open) == ("mine.urdf", "", False)
        opened, _, undo = theirs._told.words.partition(".")
        assert opened == "&lt;img src=x onerror=alert(1)&gt; is open"
        assert undo == " Undo leads back to what was shown before."
        assert kept[0] == (other.setup.machine.file, chain(3))  # for the browser, that a reload finds it
        opened_kept = other.kept
        assert [each.letter for each in opened_kept] == ["A"]
        other.undo()
        assert other.preset.name == "two_arms_and_box"
        assert other.kept == (theirs_kept,), "the runs that were kept then are back, too"
        other.redo()
        assert other.kept == opened_kept
        other.drop_kept("A")
        other.undo()
        assert other.kept == (), "what was done with them since is not undone"

    run_async(live())


def test_a_bad_file_changes_nothing_but_the_message(run_async: Run) -> None:
    session = Session("puma560")
    session.keep()
    view = SessionFile(session)
    text = written(session)
    before = (session.setup, session.run, session.kept, session.history, session.cursor.time)

    async def live() -> None:
        for data, word in (
            (b"{", "damaged"),
            (text.replace('"A"', '"Q"').encode(), "letter"),
            (text.replace('"preset": "puma560"', '"preset": "nothing"').encode(), "no preset"),
            (b"x" * (LARGEST + 1), "larger"),
            ("no bytes", "larger"),
        ):
            session.message = ""
            await sent(view, session, data, MARKUP)
            assert word in session.message
            assert NOT_OPENED not in session.message
            assert word in view._word.object
            assert (session.setup, session.run, session.kept, session.history, session.cursor.time) == before

    run_async(live())


def test_a_page_may_not_open_more_than_its_share(run_async: Run) -> None:
    session = Session("puma560")
    view = SessionFile(session)
    text = written(session).encode()
    session.jobs.allowance.refuses_upload = lambda: "page"  # type: ignore[method-assign]

    async def live() -> None:
        await sent(view, session, text, "x")
        assert "in a minute" in session.message

    run_async(live())


@pytest.mark.parametrize(
    "camera", ["", "1 2 3", "1.0 2.0 3.0 4.0 5.0 6.0; alert(1)", "nan 0.0 0.0 0.0 0.0 0.0", "x" * 900]
)
def test_a_camera_that_no_browser_writes_is_none(camera: str) -> None:
    assert camera_in(seen_from(camera, written(Session("puma560")))) == ""
