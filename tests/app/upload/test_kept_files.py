"""The link of a file of one's own: the browser gives the file back, or the page says which one is wanted."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Coroutine
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest

import dynamics as dyn
from app.controls.share import Share, file_words
from app.motion.own_file import OwnFile
from app.opening.opening import begins_with
from app.state import Session, opening
from app.state.address import opened, query_of, restore, wanted_by
from app.state.robot_editing import RobotEditing
from app.upload import KeptFiles
from app.upload.kept_files import LARGEST, MOST_KEPT, TOO_LARGE
from app.upload.receiving import TOO_MANY
from app.views.status import Status
from tests.app.upload.test_upload import chain, raise_unforeseen, tab

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


def test_of_a_robot_that_is_edited_the_browser_keeps_what_is_shown(open_file: Open) -> None:
    """The present form alone, undone ones included, beside the file that it came from."""
    session = Session("puma560")
    browser = Browser(session)
    open_file(session, chain(3), "mine.urdf")
    own = session.setup.machine.file
    assert own is not None
    editing = RobotEditing(session)
    for damping in (1.0, 2.0):
        editing.apply(lambda robot, damping=damping: dyn.with_joint(robot, robot.joint_names[0], damping=damping))
    kept = session.setup.machine
    assert kept.file is not None
    assert browser.files == {own.digest: chain(3), kept.file.digest: zlib.decompress(kept.source)}
    session.undo()
    assert list(browser.files) == [own.digest, session.setup.machine.file.digest]  # type: ignore[union-attr]
    assert session.setup.machine.file.digest != kept.file.digest  # type: ignore[union-attr]
    assert query_of(session)["file"] == session.setup.machine.file.digest  # type: ignore[union-attr]


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

    async def live() -> None:
        browser.begin()
        while session.opening.reads:
            session.jobs.attend()
            await asyncio.sleep(0.001)

    run_async(live())
    return session, browser


def test_a_file_that_opens_is_given_to_the_browser_to_keep(open_file: Open) -> None:
    session = Session("puma560")
    browser = Browser(session)
    open_file(session, chain(3), "mine.urdf")
    digest = OwnFile.of(chain(3), "mine.urdf").digest
    assert browser.files == {digest: chain(3)}
    assert session.opening.sent is None
    assert session.opening.kept == {digest}
    open_file(session, b"<robot/>", "bad.urdf")
    assert list(browser.files) == [digest]
    browser.component.forget()
    assert (browser.files, session.opening.kept) == ({}, frozenset())


def test_a_link_brings_the_file_back_to_its_moment_from_the_browser(link: dict[str, str], run_async: Run) -> None:
    session, _ = arrived(link, run_async, {link["file"]: chain(3)})
    assert (session.message, session.title) == ("", "mine.urdf, your hand")
    assert (session.setup.posture, session.setup.drive, session.playing) == ((0.1, 0.2, 0.3), "hand", False)
    assert session.cursor.time == pytest.approx(0.125)
    assert query_of(session) == link
    assert not session.can_undo
    assert session.opening.wanted is None
    assert not session.opening.awaits_link


def test_without_the_file_the_page_says_which_is_wanted_and_goes_on(
    link: dict[str, str], run_async: Run, open_file: Open
) -> None:
    session, _ = arrived(link, run_async, {})
    assert "mine.urdf" in session.message
    assert link["file"][:8] in session.message
    alert = Status(session)._alert
    assert (alert.severity, alert.title) == ("info", "This link needs a file")
    assert (session.title, session.playing) == ("PUMA 560, reaching", True)
    share = Share(session)
    share.draw()
    assert share._browser.query == ""  # the address still says what is wanted: a reload asks again
    open_file(session, chain(3), "called otherwise.urdf")
    assert (session.message, session.title) == ("", "called otherwise.urdf, your hand")
    assert session.setup.posture == (0.1, 0.2, 0.3)
    share.draw()
    assert link["file"] in share._browser.query


def test_another_file_of_that_name_is_opened_as_it_is_and_told(
    link: dict[str, str], run_async: Run, open_file: Open
) -> None:
    session, _ = arrived(link, run_async, {})
    open_file(session, chain(4), "mine.urdf")
    assert "not the file that the link was made with" in session.message
    assert (session.system.n_joints, session.setup.posture) == (4, None)
    session.message = ""
    open_file(session, chain(5), "other.urdf")
    assert (session.message, session.title) == ("", "other.urdf")


def test_who_opens_something_else_is_asked_for_nothing_more(link: dict[str, str], run_async: Run) -> None:
    session, _ = arrived(link, run_async, {})
    session.open_preset("panda")
    assert not session.opening.awaits_link
    assert query_of(session)["preset"] == "panda"


def test_what_the_browser_gives_is_held_to_all_limits(link: dict[str, str], run_async: Run) -> None:
    """Another file than was asked for, one too large, and one that is refused: the page goes on, and says it."""
    digest = link["file"]
    for bad, words in ((chain(4), ""), (b" " * (LARGEST + 1), TOO_LARGE), (b"<robot>", "not well-formed")):
        session, _ = arrived(link, run_async, {digest: bad})
        assert words in session.message
        assert session.playing
        assert session.setup.posture is None
    refusing = opened(link, "puma560")
    refusing.jobs.allowance.refuses_upload = lambda: "page"  # type: ignore[method-assign]
    browser = Browser(refusing)
    browser.files[digest] = chain(3)
    browser.begin()
    assert refusing.message == TOO_MANY["page"]
    assert refusing.playing


@pytest.mark.parametrize(
    "message",
    [
        None, "file", {}, {"kind": "file"}, {"kind": "file", "digest": "0" * 32, "data": chain(2)},
        {"kind": "missing", "digest": None}, {"kind": "kept", "digests": "many"}, {"kind": "kept"},
        {"kind": "kept", "digests": ["x" * 10_000, {}, "0" * 31, None, 5]},
    ],
)  # fmt: skip
def test_what_no_browser_of_ours_says_changes_nothing(message: object) -> None:
    session = Session("puma560")
    component, before = KeptFiles(session), (session.setup, session.run)
    component._handle_msg(message)
    assert (session.setup, session.run, session.message, session.opening.wanted) == (*before, "", None)
    assert not session.opening.kept


def test_what_the_browser_says_that_it_keeps_is_bounded() -> None:
    session = Session("puma560")
    KeptFiles(session)._handle_msg({"kind": "kept", "digests": [f"{k:032x}" for k in range(500)]})
    assert len(session.opening.kept) == MOST_KEPT


@pytest.mark.parametrize(
    ("file", "name"), [("", "mine.urdf"), ("xyz", "mine.urdf"), ("A" * 32, "m"), ("0" * 31, "m"), ("0" * 33, "m")]
)
def test_a_link_that_names_no_file_is_answered(file: str, name: str) -> None:
    session, query = Session("puma560"), {"preset": "file", "file": file, "name": name}
    assert wanted_by(query, session) is None
    restore(session, query)
    assert "not part of a link" in session.message


def test_names_in_a_link_are_bounded_and_shown_as_they_are(run_async: Run) -> None:
    query = {"preset": "file", "file": "0" * 32, "name": "<img src=x>\n\x00" + "n" * 5000}
    session, _ = arrived(query, run_async, {})
    assert len(session.message) < 400
    assert "&lt;img src=x&gt;n" in Status(session)._alert.object
    assert begins_with(query, session) is None


def test_of_a_link_that_makes_no_sense_the_file_is_followed(link: dict[str, str], run_async: Run) -> None:
    session, _ = arrived({**link, "posture": "0,0"}, run_async, {link["file"]: chain(3)})
    assert "only the file is followed" in session.message
    assert (session.title, session.setup.posture) == ("mine.urdf", None)


def test_share_says_what_the_link_of_a_file_needs(open_file: Open) -> None:
    session = Session("puma560")
    assert file_words(session) == ""
    open_file(session, chain(3), "<b>.urdf")
    assert "does not keep it" in file_words(session)
    session.opening.kept = frozenset({OwnFile.of(chain(3), "").digest})
    assert "anybody else needs that file" in file_words(session)
    share = Share(session)
    share._browser._handle_msg("copied")
    assert "keeps &lt;b&gt;.urdf" in share._told.words


def test_the_file_that_a_link_needs_leaves_open_what_its_user_has_opened_meanwhile(open_file: Open) -> None:
    """Who drops the file on the tab *Model* goes on reading there; a link that says another tab opens that."""
    for more, open_then in (({}, "Model"), ({"tab": "Check"}, "Check")):
        query = {"preset": "file", "file": OwnFile.of(chain(3), "").digest, "name": "mine.urdf", **more}
        session = opened(query, "puma560")
        session.tab = "Model"
        open_file(session, chain(3), "mine.urdf")
        assert session.opening.wanted is None
        assert session.tab == open_then


def test_undo_leads_from_file_to_file_and_each_has_its_own_link(open_file: Open) -> None:
    session = Session("puma560")
    open_file(session, chain(2), "two.urdf")
    first = query_of(session)["file"]
    open_file(session, chain(3), "three.urdf")
    assert query_of(session)["file"] != first
    session.undo()
    assert (query_of(session)["file"], query_of(session)["name"]) == (first, "two.urdf")


def test_the_word_of_the_tab_is_what_happened(open_file: Open, run_async: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opened, refused, unforeseen, too large, empty, not drawn; nothing where something else is shown since."""
    session = Session("puma560")
    view = tab(session)

    def word() -> str:
        return str(view._word.object)

    assert word() == ""
    open_file(session, chain(2), "good.urdf")
    assert "good.urdf is open." in word()
    open_file(session, b"<robot>", "bad.urdf")
    assert "bad.urdf is not opened.<" in word()
    assert "robot file" in session.message  # why is told once
    with monkeypatch.context() as patched:
        patched.setattr(opening, "machine_of_file", lambda text, name: raise_unforeseen())
        open_file(session, chain(2), "odd.urdf")
    assert "odd.urdf is not opened.<" in word()
    assert "of a kind of its own" in session.message
    view._button._handle_msg({"status": "error", "error": "too large"})
    assert "Not opened" in word()
    assert "larger than the 20 MB" in session.message
    view._button._handle_msg({"status": "finished"})
    assert "Not opened" in word()
    assert "is empty" in session.message
    open_file(session, chain(3), "again.urdf")
    assert "again.urdf is open." in word()
    session.open_preset("panda")
    assert word() == ""
    session.undo()
    assert "again.urdf is open." in word()
    watcher = session.param.watch(
        lambda event: raise_unforeseen() if event.new.machine.preset.title == "undrawn.urdf" else None, "setup"
    )
    open_file(session, chain(4), "undrawn.urdf")
    session.param.unwatch(watcher)
    assert "is open" not in word()
    assert "Not opened" in word()
    for label in (view._button.label, view._button.uploaded_label):
        assert "ploaded" not in label
    assert view._button.icon  # not the tick of a file that has come
