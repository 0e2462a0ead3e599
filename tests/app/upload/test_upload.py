"""What a page takes from a file that somebody sends."""

from __future__ import annotations

import asyncio
import io
import threading
import tracemalloc
import zipfile
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import trimesh

import dynamics as dyn
from app.assembly.build import OWN, Build
from app.clock import Clock
from app.controls.chooser import Chooser
from app.lessons.own_lesson import OwnLesson
from app.motion import file_count
from app.motion.built_machine import machine_of_build
from app.motion.setup import LONGEST_NAME, Machine, Setup, machine_of_file
from app.saved import SessionFile
from app.state import Session, opening
from app.state.history import MOST, MOST_BYTES, Choice
from app.theirs.compare import Compare
from app.upload import KeptFiles, Upload
from app.upload.file_button import FileButton
from app.upload.kept_files import LARGEST, LARGEST_ARCHIVE
from app.upload.review import MOST_ROWS, findings_html
from app.views.status import Status

INERTIAL = "<inertial><mass value='1'/><inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/></inertial>"


def chain(n_joints: int) -> bytes:
    links = "".join(
        f"<link name='l{k}'>{INERTIAL}</link><joint name='j{k}' type='continuous'><parent link='l{k - 1}'/>"
        f"<child link='l{k}'/><origin xyz='.1 0 0'/><axis xyz='0 1 0'/></joint>"
        for k in range(1, n_joints + 1)
    )
    return f"<robot name='r'><link name='l0'/>{links}</robot>".encode()


def welded(n_joints: int, n_fixed: int) -> bytes:
    """The same with links that are fixed to the last one."""
    names = [f"welded{k}" for k in range(n_fixed)]
    links = "".join(
        f"<link name='{name}'/><joint name='to {name}' type='fixed'><parent link='l{n_joints}'/>"
        f"<child link='{name}'/></joint>"
        for name in names
    )
    return chain(n_joints).replace(b"</robot>", links.encode() + b"</robot>")


def said(words: str) -> str:
    return f"<span role='status'>{words}</span>"


def tab(session: Session) -> Upload:
    return Upload(session, KeptFiles(session))


@pytest.fixture
def session() -> Session:
    return Session("puma560")


def send(upload: Upload, *chunks: bytes, total: int | None = None, name: str = "mine.urdf") -> None:
    for k, data in enumerate(chunks, 1):
        upload._button._handle_msg(
            {
                "status": "upload_event",
                "name": name,
                "chunk": k,
                "total_chunks": total or len(chunks),
                "mime_type": "text/xml",
                "data": data,
            }
        )


Run = Callable[[Coroutine[Any, Any, None]], None]
Open = Callable[[Session, bytes, str], None]


async def upload_whole(upload: Upload, *chunks: bytes, name: str = "mine.urdf") -> None:
    """As a browser sends it, and until the page has read it."""
    send(upload, *chunks, name=name)
    upload._button._handle_msg({"status": "finished"})
    while upload.session.opening.reads:
        upload.session.jobs.attend()
        await asyncio.sleep(0.001)


def test_a_file_comes_in_pieces(session: Session, run_async: Run) -> None:
    text = chain(3)
    run_async(upload_whole(tab(session), text[:100], text[100:]))
    assert (session.message, session.title) == ("", "mine.urdf")


@pytest.mark.parametrize("order", ["ia ib f f", "i ia b f f", "ia f ib f", "i a b f"])
def test_of_files_that_are_pushed_together_the_newest_opens(session: Session, run_async: Run, order: str) -> None:
    """Each is begun (i), sent (a, b) and finished (f); however these mingle, and where one push is of both, too."""
    upload, steps = tab(session), {"i": "initializing", "f": "finished"}

    async def live() -> None:
        for step in order.replace(" ", ""):
            if step in steps:
                upload._button._handle_msg({"status": steps[step]})
            else:
                send(upload, chain(3), name=f"{step}.urdf")
        while session.opening.reads:
            session.jobs.attend()
            await asyncio.sleep(0.001)

    run_async(live())
    assert (session.message, session.title) == ("", "b.urdf")
    upload._button._handle_msg({"status": "finished"})
    assert "is empty" in session.message


def test_large_files_that_are_pushed_together_are_each_within_bounds(session: Session) -> None:
    upload = tab(session)
    for name in ("a.urdf", "b.urdf"):
        send(upload, b" " * (LARGEST_ARCHIVE // 2 - 1), name=name)
    assert session.message == ""
    assert [file["filename"] for file in upload._button._buffer] == ["a.urdf", "b.urdf"]
    send(upload, b"   ", name="c.urdf")
    assert "larger than the 20 MB" in session.message
    assert not upload._button._buffer


MESHED = chain(2).replace(
    b"</link>", b"<visual><geometry><mesh filename='package://mine/meshes/part.stl'/></geometry></visual></link>", 1
)


def archive() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        file.writestr("mine/urdf/mine.urdf", MESHED)
        file.writestr("mine/meshes/part.stl", part())
    return data.getvalue()


def part() -> bytes:
    return bytes(trimesh.creation.box((0.1, 0.1, 0.1)).export(file_type="stl"))


def shapes_of(session: Session) -> list[dyn.Geometry]:
    (robot,) = session.system.robots
    return [shape for link in (*robot.links, robot.root) for shape in link.geometry]


@pytest.mark.slow
def test_a_robot_opens_with_its_meshes_out_of_a_zip_and_is_kept_as_one_file(session: Session, run_async: Run) -> None:
    upload, kept = tab(session), []
    session.opening.param.watch(lambda event: kept.append(event.new), "sent")
    run_async(upload_whole(upload, archive(), name="mine.zip"))
    assert (session.message, session.title) == ("", "mine.urdf")
    (shape,) = shapes_of(session)
    assert shape.is_inside
    file, text = next(each for each in kept if each is not None)
    assert b"data:model/stl" in text
    session.open_preset("puma560")
    run_async(upload_whole(upload, text, name=file.name))  # as the browser gives it back
    assert session.setup.machine.file == file
    assert len(shapes_of(session)) == 1


@pytest.mark.slow
def test_a_robot_and_its_meshes_may_be_chosen_together(session: Session, run_async: Run) -> None:
    upload = tab(session)
    send(upload, part(), name="part.stl")
    run_async(upload_whole(upload, MESHED))
    assert (session.message, session.title) == ("", "mine.urdf")
    assert [shape.is_inside for shape in shapes_of(session)] == [True]


MODEL = b"""<mujoco><compiler meshdir="meshes"/><asset><mesh name="part" file="part.stl"/></asset><worldbody>
  <body><joint axis="0 1 0"/><geom type="mesh" mesh="part"/></body></worldbody></mujoco>"""
SCENE = b'<mujoco model="one part"><include file="robot.xml"/></mujoco>'


def model_archive() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        file.writestr("one_part/scene.xml", SCENE)
        file.writestr("one_part/robot.xml", MODEL)
        file.writestr("one_part/meshes/part.stl", part())
    return data.getvalue()


@pytest.mark.slow
def test_a_model_opens_with_what_it_includes_and_its_meshes(session: Session, run_async: Run) -> None:
    upload = tab(session)
    run_async(upload_whole(upload, model_archive(), name="one_part.zip"))
    assert (session.message, session.title) == ("", "scene.xml")
    assert [shape.is_inside for shape in shapes_of(session)] == [True]
    assert session.system.robots[0].links[0].mass == pytest.approx(1.0)


@pytest.mark.slow
@pytest.mark.parametrize("order", [("part.stl", "robot.xml", "scene.xml"), ("scene.xml", "part.stl", "robot.xml")])
def test_a_model_and_its_files_may_be_chosen_together(session: Session, run_async: Run, order: list[str]) -> None:
    upload, files = tab(session), {"part.stl": part(), "robot.xml": MODEL, "scene.xml": SCENE}
    for name in order[:-1]:
        send(upload, files[name], name=name)
    run_async(upload_whole(upload, files[order[-1]], name=order[-1]))
    assert (session.message, session.title) == ("", "scene.xml")
    assert [shape.is_inside for shape in shapes_of(session)] == [True]


def test_a_model_and_what_it_includes_are_no_two_robots(session: Session, run_async: Run) -> None:
    upload = tab(session)
    send(upload, SCENE, name="scene.xml")
    plain = MODEL.replace(b'<geom type="mesh" mesh="part"/>', b'<geom size="0.1"/>')
    run_async(upload_whole(upload, plain, name="robot.xml"))
    assert session.title == "scene.xml"


def test_what_an_archive_lacks_is_told(session: Session, run_async: Run) -> None:
    upload, data = tab(session), archive()
    less = data.replace(b"part.stl", b"else.stl").replace(b"meshes/else.stl'/>", b"meshes/part.stl'/>")
    run_async(upload_whole(upload, less, name="mine.zip"))
    assert "part.stl" in session.message
    assert session.title == "mine.urdf"
    run_async(upload_whole(upload, data[: len(data) // 2], name="mine.zip"))
    assert "no zip archive" in session.message
    assert session.title == "mine.urdf"


def test_the_page_does_not_wait_for_a_file(session: Session, run_async: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read in another thread, and the page says that it is being read."""
    threads, read = [], opening.machine_of_file

    def reading(text: bytes, name: str) -> Any:
        threads.append(threading.get_ident())
        return read(text, name)

    monkeypatch.setattr(opening, "machine_of_file", reading)
    upload = tab(session)

    async def live() -> None:
        sent = asyncio.create_task(upload_whole(upload, chain(3)))
        await asyncio.sleep(0)
        assert (session.title, upload._word.object) == ("PUMA 560, reaching", said("Reading mine.urdf …"))
        await sent
        assert threads[0] != threading.get_ident()

    run_async(live())
    assert session.title == "mine.urdf"


def test_what_is_not_understood_of_a_file_is_told_with_its_line(session: Session, open_file: Open) -> None:
    with pytest.warns(UserWarning, match="<oriin>"):
        open_file(session, chain(3).replace(b"<origin", b"\n<oriin", 1), "mine.urdf")
    assert (session.title, session.setup.machine.system.n_joints) == ("mine.urdf", 3)
    alert = Status(session)._alert
    assert "line 2: &lt;oriin&gt; in &lt;joint&gt; is unknown" in alert.object
    assert (alert.severity, alert.closed, alert.title) == (
        "warning", False, "This file is opened, but not all of it",
    )  # fmt: skip
    open_file(session, chain(3), "plain.urdf")
    assert (session.title, session.message) == ("plain.urdf", "")


class Unforeseen(Exception):
    """What nobody has thought of."""


def test_what_was_not_foreseen_in_a_file_is_told_and_the_next_opens(
    session: Session, run_async: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same file sent again, too: the button has forgotten it."""
    upload, run = tab(session), session.run
    with monkeypatch.context() as patched:
        patched.setattr(opening, "machine_of_file", lambda text, name: raise_unforeseen())
        for _ in range(2):
            session.message = ""
            run_async(upload_whole(upload, chain(3)))
            assert session.message == "This file cannot be opened: of a kind of its own"
            assert session.run is run
    run_async(upload_whole(upload, chain(3)))
    assert (session.message, session.title) == ("", "mine.urdf")


def raise_unforeseen() -> None:
    raise Unforeseen("of a kind of its own")


def test_a_view_that_cannot_follow_a_file_leaves_the_page_as_it_was(session: Session, open_file: Open) -> None:
    session.set_torque("joint_1", 2.0)
    session.seek(0.05)
    before = (session.setup, session.run, session.history, session.cursor.param.values(), session.playing)
    watcher = session.param.watch(
        lambda event: raise_unforeseen() if not event.new.machine.preset.name else None, "setup"
    )
    open_file(session, chain(3), "mine.urdf")
    assert session.message == "This cannot be shown: of a kind of its own"
    assert (session.setup, session.run, session.history, session.cursor.param.values(), session.playing) == before
    session.param.unwatch(watcher)
    open_file(session, chain(3), "mine.urdf")
    assert session.title == "mine.urdf"


@pytest.mark.parametrize("frames_before", [0, 1])
def test_a_file_that_cannot_be_drawn_leaves_the_page_as_it_was(
    session: Session, open_file: Open, run_async: Run, frames_before: int
) -> None:
    """Only while it was never drawn: a fault of a later frame stops the motion, and the file stays."""
    clock = Clock(session, [DrawsPackaged(session, frames_before)], [])
    run = session.run
    for _ in range(2):
        session.message = ""
        open_file(session, chain(3), "mine.urdf")
        run_async(frames(clock, frames_before + 1))
        assert ("mine.urdf" in session.title) == bool(frames_before)
        assert session.message.startswith("This cannot be shown" if not frames_before else "This moment cannot")
        if frames_before:
            break
        assert session.run is run


class DrawsPackaged:
    """A view that draws so many frames of a file, and fails."""

    def __init__(self, session: Session, frames: int) -> None:
        self._session, self._frames = session, frames

    def draw(self) -> None:
        if not self._session.preset.name:
            self._frames -= 1
            if self._frames < 0:
                raise_unforeseen()

    def stop(self) -> None:
        pass


async def frames(clock: Clock, count: int) -> None:
    for frame in range(count):
        with clock._in_words():
            clock.tick(0.0, frame)


def walker(legs: int, root: str = "<freejoint/>") -> bytes:
    """A MuJoCo model: a trunk with legs of two joints."""
    leg = """<body pos="0 0 -.1" euler="0 20 0"><joint axis="0 1 0" damping=".1"/><geom type="capsule"
      fromto="0 0 0 0 0 -.3" size=".02"/><body pos="0 0 -.3"><joint axis="0 1 0"/><geom size=".03"/></body></body>"""
    trunk = f'<body name="trunk">{root}<geom type="box" size=".2 .1 .05"/>{leg * legs}</body>'
    return f"<mujoco><worldbody>{trunk}</worldbody></mujoco>".encode()


@pytest.mark.slow
def test_a_model_of_mujoco_floats_where_its_file_lets_it(session: Session, open_file: Open) -> None:
    open_file(session, walker(2), "walker.xml")
    system = session.setup.machine.system
    assert (session.message, session.title, system.kind, system.n_joints) == ("", "walker.xml", "free_flyer", 4)
    assert (session.preset.mode, session.build) == ("Free-flying", Build("free_flyer", (OWN,)))
    assert machine_of_build(session.build, session.setup.machine).system.robots[0].root.name == "trunk"
    bolted = machine_of_build(Build("single_arm", (OWN,)), session.setup.machine)
    assert bolted.system.kind == "single_arm"
    open_file(session, walker(1, "<joint type='slide' axis='1 0 0'/>"), "cart.xml")
    assert (session.title, session.setup.machine.system.kind) == ("cart.xml", "single_arm")


@pytest.mark.parametrize("text", [walker(76), walker(1, "<joint type='ball'/>" * 50)], ids=["joints", "ball joints"])
def test_models_of_mujoco_are_counted_before_they_are_compiled(text: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dyn, "load_mjcf_text", lambda *_: raise_unforeseen())
    with pytest.raises(dyn.ModelError, match="joints or more; this page shows up to"):
        machine_of_file(text, "legs.xml")
    with pytest.raises(dyn.ModelError, match="501 shapes or more"):
        machine_of_file(walker(1).replace(b"<geom", b"<geom/>" * 500 + b"<geom"), "shapes.xml")


def test_joints_that_a_default_makes_three_of_are_counted() -> None:
    bodies = "".join(
        f"<body name='b{k}'><joint name='j{k}'/><geom size='0.1' pos='{k} 0 0'/></body>" for k in range(60)
    )
    text = f"<mujoco><default><joint type='ball'/></default><worldbody>{bodies}</worldbody></mujoco>"
    with pytest.raises(dyn.ModelError, match="151 joints or more"):
        machine_of_file(text.encode(), "balls.xml")


async def read(session: Session, act: Callable[[], object]) -> None:
    """What is done has a file opened: until that is so."""
    act()
    while session.opening.reads:
        session.jobs.attend()
        await asyncio.sleep(0.001)


def test_what_is_wrong_in_a_file_is_told_and_mended(session: Session, open_file: Open, run_async: Run) -> None:
    upload = tab(session)
    review = upload._review
    assert (review._list.object, review._mend.visible) == ("", False)
    open_file(session, chain(3).replace(b"izz='.1'", b"izz='.3'", 1).replace(b"'l2'", b"'&lt;b>'"), "bent.urdf")
    assert session.title == "PUMA 560, reaching"
    assert "<b>Wrong</b>: line 1, link &#x27;l1&#x27;: of its principal moments" in review._list.object
    assert review._mend.visible

    run_async(read(session, lambda: review._open(None)))
    assert (session.title, session.setup.machine.system.n_joints) == ("bent mended.urdf", 3)
    assert (review._list.object, review._mend.visible) == ("", False)
    open_file(session, chain(2).replace(b"xyz='.1 0 0'", b"xyz='100 0 0'"), "far.urdf")
    assert session.title == "far.urdf"
    assert "<b>Doubtful</b>" in review._list.object
    session.undo()
    assert (review._list.object, review._mend.visible) == ("", False)
    open_file(session, b"<robot", "none.urdf")
    assert review._list.object == ""


BENT = b"""<mujoco model="bent"><worldbody><body name="arm"><joint axis="0 1 0"/>
<inertial pos="0.2 0 0" mass="2" diaginertia="0.1 0.1 0.5"/></body></worldbody></mujoco>"""


def test_what_is_wrong_in_a_model_of_mujoco_is_told_and_mended(
    session: Session, open_file: Open, run_async: Run
) -> None:
    review = tab(session)._review
    open_file(session, BENT, "bent.xml")
    assert "<b>Wrong</b>: line 2, body &#x27;arm&#x27;: of its principal moments" in review._list.object

    run_async(read(session, lambda: review._open(None)))
    assert (session.title, review._mend.visible) == ("bent mended.xml", False)
    (link,) = session.setup.machine.system.robots[0].links
    assert link.inertia.diagonal() == pytest.approx([0.25, 0.25, 0.5])


def test_bad_data_are_there_to_be_tried_and_mended(session: Session, run_async: Run) -> None:
    """The Stanford arm as printed: refused, told of link by link, and opened with every remedy carried out."""
    upload, before = tab(session), session.setup

    run_async(read(session, lambda: upload._example.param.trigger("clicks")))
    assert session.setup is before
    told = upload._review._list.object
    assert told.count("mass centre is") == 5
    assert "of its principal moments 0, 0.0004, 0.003 kg m² the largest is more" in told
    run_async(read(session, lambda: upload._review._open(None)))
    assert session.title == "stanford arm as printed mended.urdf"
    boom = next(link for link in session.setup.machine.system.robots[0].links if link.name == "link_3")
    assert boom.center_of_mass[2] == pytest.approx(-0.6447)


def test_a_review_tells_no_more_than_one_reads(session: Session, open_file: Open) -> None:
    open_file(session, chain(60).replace(b"izz='.1'", b"izz='.3'"), "bent.urdf")
    review = session.opening.review
    assert review is not None
    found = findings_html(review)
    assert found.count("<li>") == MOST_ROWS + 1
    assert "and 40 more" in found


def test_names_that_no_page_has_room_for_are_refused(session: Session, open_file: Open) -> None:
    for old in (b"'r'", b"'l2'", b"'j2'", b"'welded0'"):
        open_file(session, welded(3, 1).replace(old, b"'" + b"x" * (LONGEST_NAME + 1) + b"'"), "long.urdf")
        assert f"has {LONGEST_NAME + 1} characters" in session.message
        assert len(session.message) < 250
    open_file(session, chain(3), "n" * 10_000)
    assert len(session.title) == LONGEST_NAME


def test_files_that_were_left_take_little_memory(session: Session) -> None:
    """Two hundred steps back, but no more than there is room for."""
    machine = machine_of_file(chain(file_count.MOST["joints"]), "long.urdf")
    history = session.history
    for _ in range(60):
        history = history.left(Choice(Setup(Machine(machine.preset, machine.system, machine.state))))
    assert 10 < len(history.past) < MOST_BYTES / machine.size <= len(history.past) + 1
    for _ in range(300):
        history = history.left(Choice(Setup(machine)))
    assert len(history.past) == MOST


@pytest.mark.slow
def test_what_a_file_takes_is_known(session: Session) -> None:
    """Of links that are fixed only their frames are left, and two hundred files of them would be a gigabyte."""
    machine_of_file(data := welded(1, 2000), "fixed.urdf")  # what is loaded once
    tracemalloc.start()
    machine = machine_of_file(data, "fixed.urdf")
    taken = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert taken < machine.size < 5 * taken


def test_no_more_is_kept_than_a_file_may_have(session: Session) -> None:
    upload = tab(session)
    send(upload, *[b" " * (LARGEST_ARCHIVE // 2 + 1)] * 3, total=1000)
    assert "larger than the 20 MB" in session.message
    held = sum(len(c) for file in upload._button._file_buffer.values() for c in file["chunks"].values())
    assert held <= LARGEST_ARCHIVE
    assert session.title == "PUMA 560, reaching"


def test_an_empty_file_is_told(session: Session) -> None:
    """No piece of it comes; and where too much came, that is what is said."""
    upload = tab(session)
    upload._button._handle_msg({"status": "finished"})
    assert "is empty" in session.message
    send(upload, b" " * (LARGEST + 1))
    upload._button._handle_msg({"status": "finished"})
    assert "larger than the 5 MB" in session.message


def test_the_browsers_refusal_is_told(session: Session) -> None:
    tab(session)._button._handle_msg({"status": "error", "error": "exceeds maximum file size"})
    assert "larger than the 20 MB" in session.message


def test_a_robot_too_long_to_draw_is_refused(session: Session, open_file: Open) -> None:
    open_file(session, chain(file_count.MOST["joints"] + 1), "long.urdf")
    assert f"{file_count.MOST['joints'] + 1} joints" in session.message
    assert session.title == "PUMA 560, reaching"


@pytest.mark.parametrize(
    "text",
    [chain(3000), welded(1, 3000), b"<robot><link name='a'>" + b"<visual/>" * 10_001 + b"</link></robot>"],
    ids=["joints", "links that are fixed", "elements"],
)
def test_what_is_too_much_is_refused_before_it_is_read(text: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """To read it whole would take seconds, in which every page of the process answers late."""
    monkeypatch.setattr(dyn, "load_urdf_text", lambda *_: raise_unforeseen())
    with pytest.raises(dyn.ModelError, match="or more; this page shows up to") as refusal:
        machine_of_file(text, "n" * 10_000)
    assert len(str(refusal.value)) < 250


@pytest.mark.parametrize(
    "text", [b"<robot>", b"<!DOCTYPE r><robot/>", b"\xff\xfe<", b"", b"<?xml version='1.0' encoding='x'?>"]
)
def test_what_cannot_be_counted_is_refused_by_whoever_reads_it(text: bytes) -> None:
    with pytest.raises(dyn.ModelError, match="robot file 'x'"):
        machine_of_file(text, "x")


def test_a_robot_of_too_many_shapes_is_refused(session: Session, open_file: Open) -> None:
    shape = "<visual><geometry><sphere radius='.1'/></geometry></visual>"
    open_file(session, chain(1).replace(b"</link>", shape.encode() * 501 + b"</link>"), "shapes.urdf")
    assert "501 shapes" in session.message
    mesh = b"<visual><geometry><mesh filename='data:model/stl;base64,AAAA'/></geometry></visual>"
    open_file(session, chain(1).replace(b"</link>", mesh * 501 + b"</link>"), "meshes.urdf")
    assert "'meshes.urdf' has 501 shapes" in session.message


def test_the_menu_names_each_file_in_turn(session: Session, open_file: Open) -> None:
    chooser = Chooser(session)
    open_file(session, chain(2), "one.urdf")
    first = chooser._preset.value
    open_file(session, chain(3), "two.urdf")
    assert chooser._preset.value != first
    assert chooser._preset.options["two.urdf"] == chooser._preset.value
    chooser._preset.value = "panda"
    assert session.preset.name == "panda"
    assert "two.urdf" not in chooser._preset.options


@pytest.mark.parametrize("playing", [True, False])
def test_who_has_paused_sees_the_start_of_what_they_open(session: Session, open_file: Open, playing: bool) -> None:
    session.playing = playing
    open_file(session, chain(4), "one.urdf")
    assert (session.preset.title, session.playing, session.time) == ("one.urdf", playing, 0.0)


@pytest.mark.parametrize("preset", ["puma560", "two_arms_and_box", "free_flyer"])
def test_the_menu_of_motions_leads_to_where_a_file_is_opened(preset: str) -> None:
    session, asked = Session(preset), list[int]()
    run, chooser = session.run, Chooser(session, lambda: asked.append(1))
    words, value = list(chooser._preset.options.items())[-1]
    assert words == "Open a robot file…"
    chooser._preset.value = value
    assert (len(asked), session.run, session.message) == (1, run, "")
    assert chooser._preset.value == preset  # that is still what moves


@pytest.mark.parametrize("made", [
    lambda session: Upload(session, KeptFiles(session))._button,
    lambda session: SessionFile(session)._open,
    lambda session: Compare(session)._file,
    lambda session: OwnLesson(session, lambda _: "", lambda: None)._file,
])  # fmt: skip
def test_a_file_of_another_ending_is_sent_and_gets_an_answer(
    session: Session, made: Callable[[Session], FileButton]
) -> None:
    """The widget drops in silence what it does not accept."""
    assert not made(session).accept
