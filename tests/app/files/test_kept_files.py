"""The link of one's own file: the browser gives the file back, or the page says which one is wanted."""

from collections.abc import Callable, Coroutine
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest

from app.controls.share import Share
from app.files.kept_files import LARGEST, TOO_LARGE, TOO_MANY, KeptFiles
from app.motion.robot_file import OwnFile
from app.state import Session
from app.state.address import opened, query_of
from app.views.notice import Status
from tests.app.arrival import over
from tests.app.files.test_upload import chain

Open = Callable[[Session, bytes, str], None]
Run = Callable[[Coroutine[Any, Any, None]], None]


class Browser:
    """Stands where ``kept_files.js`` does: what it holds, and what it is asked."""

    def __init__(self, session: Session) -> None:
        self.files: dict[str, bytes] = {}
        self.component = KeptFiles(session)
        self.component._send_msg = self._hear  # type: ignore[method-assign]

    def _hear(self, message: dict[str, Any]) -> None:
        if "keep" in message:
            self.files.pop(message["keep"].get("instead", ""), None)
            self.files[message["keep"]["digest"]] = message["keep"]["data"]
        if "forget" in message:
            self.files.clear()
        self.say(kind="kept", digests=list(self.files))

    def say(self, **message: Any) -> None:
        self.component._handle_msg(message)

    def begin(self) -> None:
        self.component.begin()
        if digest := self.component.wanted:
            if digest in self.files:
                self.say(kind="file", digest=digest, name="another name", data=self.files[digest])
            else:
                self.say(kind="missing", digest=digest)


@pytest.fixture
def link(open_file: Open) -> dict[str, str]:
    """To a moment of a file of three joints, posed and driven otherwise than it opens."""
    session = Session("puma560")
    open_file(session, chain(3), "mine.urdf")
    session.change(posture=(0.1, 0.2, 0.3))
    session.set_drive("hand")
    session.playing = False
    session.seek(0.125)
    return dict(parse_qsl(urlencode(query_of(session))))


def arrived(link: dict[str, str], run_async: Run, files: dict[str, bytes]) -> tuple[Session, Browser]:
    """A page that was opened by the link, in a browser that holds some files."""
    session = opened(link, "puma560")
    browser = Browser(session)
    browser.files = dict(files)
    run_async(over(session, lambda: session.opening.reads, browser.begin))
    return session, browser


def test_a_file_that_opens_is_given_to_the_browser_to_keep(open_file: Open) -> None:
    session = Session("puma560")
    browser = Browser(session)
    open_file(session, chain(3), "mine.urdf")
    digest = OwnFile.of(chain(3), "mine.urdf").digest
    assert (browser.files, session.opening.sent, session.opening.kept) == ({digest: chain(3)}, None, {digest})
    open_file(session, b"<robot/>", "bad.urdf")
    assert list(browser.files) == [digest]
    browser.component.forget()
    assert (browser.files, session.opening.kept) == ({}, frozenset())


def test_a_link_brings_the_file_back_to_its_moment_from_the_browser(link: dict[str, str], run_async: Run) -> None:
    session, _ = arrived(link, run_async, {link["file"]: chain(3)})
    assert (session.message, session.title) == ("", "mine.urdf, your hand")
    assert (session.setup.posture, session.setup.drive, session.playing) == ((0.1, 0.2, 0.3), "hand", False)
    assert (session.cursor.time, query_of(session)) == (pytest.approx(0.125), link)
    assert not session.can_undo
    assert session.opening.wanted is None
    assert not session.opening.awaits_link


def test_without_the_file_the_page_says_which_is_wanted_and_goes_on(
    link: dict[str, str], run_async: Run, open_file: Open
) -> None:
    session, _ = arrived(link, run_async, {})
    assert "mine.urdf" in session.message
    assert link["file"][:8] in session.message
    alert = Status(session).alert
    assert (alert.severity, alert.title) == ("info", "This link needs a file")
    assert (session.title, session.playing) == ("PUMA 560, reaching", True)
    share = Share(session)
    share.draw()
    assert share.browser.query == ""  # the address still says what is wanted: a reload asks again
    open_file(session, chain(3), "called otherwise.urdf")
    assert (session.message, session.title) == ("", "called otherwise.urdf, your hand")
    assert session.setup.posture == (0.1, 0.2, 0.3)
    share.draw()
    assert link["file"] in share.browser.query


def test_what_the_browser_gives_is_held_to_all_limits(link: dict[str, str], run_async: Run) -> None:
    """Another file than was asked for, one too large, and one that is refused: the page goes on, and says it."""
    digest = link["file"]
    for bad, words in ((chain(4), ""), (b" " * (LARGEST + 1), TOO_LARGE), (b"<robot>", "not well-formed")):
        session, _ = arrived(link, run_async, {digest: bad})
        assert words in session.message
        assert session.playing
        assert session.setup.posture is None
    waiting = opened(link, "puma560")
    component = KeptFiles(waiting)
    for kind in ("file", "missing"):  # a late answer to another question
        component._handle_msg({"kind": kind, "digest": "0" * 32, "name": "mine.urdf", "data": chain(2)})
        assert waiting.opening.wanted is not None
        assert (waiting.message, waiting.opening.kept) == ("", frozenset()), kind
    refusing = opened(link, "puma560")
    refusing.jobs.allowance.takes_upload = lambda: False  # type: ignore[method-assign]
    browser = Browser(refusing)
    browser.files[digest] = chain(3)
    browser.begin()
    assert refusing.message == TOO_MANY
    assert refusing.playing
