"""Files that a user sends: what opens, what is refused, and what the page says."""

from collections.abc import Callable

import pytest
import trimesh

import dynamics as dyn
from app.files.kept_files import LARGEST_ARCHIVE, KeptFiles
from app.files.upload import Upload
from app.motion import robot_file
from app.motion.build import OWN, Build
from app.motion.built_machine import machine_of_build
from app.motion.setup import machine_of_file
from app.state import Session
from tests.app.arrival import over
from tests.conftest import zipped

INERTIAL = "<inertial><mass value='1'/><inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/></inertial>"


def chain(n_joints: int) -> bytes:
    links = "".join(
        f"<link name='l{k}'>{INERTIAL}</link><joint name='j{k}' type='continuous'><parent link='l{k - 1}'/>"
        f"<child link='l{k}'/><origin xyz='.1 0 0'/><axis xyz='0 1 0'/></joint>"
        for k in range(1, n_joints + 1)
    )
    return f"<robot name='r'><link name='l0'/>{links}</robot>".encode()


def welded(n_joints: int, n_fixed: int) -> bytes:
    names = [f"welded{k}" for k in range(n_fixed)]
    links = "".join(
        f"<link name='{name}'/><joint name='to {name}' type='fixed'><parent link='l{n_joints}'/>"
        f"<child link='{name}'/></joint>"
        for name in names
    )
    return chain(n_joints).replace(b"</robot>", links.encode() + b"</robot>")


def tab(session: Session) -> Upload:
    return Upload(session, KeptFiles(session))


@pytest.fixture
def session() -> Session:
    return Session("puma560")


def send(upload: Upload, *chunks: bytes, total: int | None = None, name: str = "mine.urdf") -> None:
    for k, data in enumerate(chunks, 1):
        piece = {"chunk": k, "total_chunks": total or len(chunks), "mime_type": "text/xml", "data": data}
        upload._button._handle_msg({"status": "upload_event", "name": name, **piece})


Open = Callable[[Session, bytes, str], None]


async def upload_whole(upload: Upload, *chunks: bytes, name: str = "mine.urdf") -> None:
    send(upload, *chunks, name=name)
    await over(
        upload.session, lambda: upload.session.opening.reads, lambda: upload._button._handle_msg({"status": "finished"})
    )


MESHED = chain(2).replace(
    b"</link>", b"<visual><geometry><mesh filename='package://mine/meshes/part.stl'/></geometry></visual></link>", 1
)


def part() -> bytes:
    return bytes(trimesh.creation.box((0.1, 0.1, 0.1)).export(file_type="stl"))


def shapes_of(session: Session) -> list[dyn.Geometry]:
    (robot,) = session.system.robots
    return [shape for link in (*robot.links, robot.root) for shape in link.geometry]


async def test_a_robot_opens_with_its_meshes_out_of_a_zip_and_is_kept_as_one_file(session: Session) -> None:
    upload, kept = tab(session), []
    archive = zipped({"mine/urdf/mine.urdf": MESHED, "mine/meshes/part.stl": part()})
    session.opening.param.watch(lambda event: kept.append(event.new), "sent")
    await upload_whole(upload, b"<robot", name="bad.urdf")
    assert "bad.urdf" in session.message
    await upload_whole(upload, archive, name="mine.zip")
    assert (session.message, session.title) == ("", "mine.urdf")  # what failed before is over
    (shape,) = shapes_of(session)
    assert shape.is_inside
    file, text = next(each for each in kept if each is not None)
    assert b"data:model/stl" in text
    session.open_preset("puma560")
    await upload_whole(upload, text, name=file.name)  # as the browser gives it back
    assert (session.setup.machine.file, len(shapes_of(session))) == (file, 1)


MODEL = b"""<mujoco><compiler meshdir="meshes"/><asset><mesh name="part" file="part.stl"/></asset><worldbody>
  <body><joint axis="0 1 0"/><geom type="mesh" mesh="part"/></body></worldbody></mujoco>"""
SCENE = b'<mujoco model="one part"><include file="robot.xml"/></mujoco>'


TWO_ROBOTS = b"""<mujoco model="two"><worldbody>
<body name="long"><joint name="j" axis="0 1 0"/><geom size="0.1" pos="0 0 0.3"/>
<body name="fore" pos="0 0 0.5"><joint name="k" axis="0 1 0"/><geom size="0.1" pos="0 0 0.3"/></body></body>
<body name="short &amp; free" pos="3 0 0"><freejoint/><geom size="0.1"/>
<body name="arm"><joint name="i" axis="0 1 0"/><geom size="0.1" pos="0 0 0.3"/></body></body></worldbody></mujoco>"""


async def test_the_robot_of_a_scene_is_chosen_on_the_page_and_stays_so_in_the_file(session: Session) -> None:
    upload = tab(session)
    await upload_whole(upload, TWO_ROBOTS, name="two.xml")
    assert (session.system.joint_names, upload._robot.value) == (("k", "j"), "")
    for name, joints in (("short & free", ("i",)), ("long", ("k", "j"))):
        await over(
            session,
            lambda: session.opening.reads,
            lambda name=name: upload._robot.param.update(value=name),  # type: ignore[misc]
        )
        assert ("moves by itself and is left out" in session.message, session.system.joint_names) == (True, joints)
        assert (upload._robot.visible, upload._robot.value) == (True, name)
    session.open_preset("puma560")
    assert not upload._robot.visible


async def test_a_model_opens_with_what_it_includes_and_its_meshes(session: Session) -> None:
    files = {"part.stl": part(), "robot.xml": MODEL, "scene.xml": SCENE}
    names = {"one_part/scene.xml": SCENE, "one_part/robot.xml": MODEL, "one_part/meshes/part.stl": part()}
    files["one_part.zip"] = zipped(names)
    for order in (["one_part.zip"], ["part.stl", "robot.xml", "scene.xml"], ["scene.xml", "part.stl", "robot.xml"]):
        upload = tab(session)
        for name in order[:-1]:
            send(upload, files[name], name=name)
        await upload_whole(upload, files[order[-1]], name=order[-1])
        assert (session.message, session.title) == ("", "scene.xml"), order
        assert [shape.is_inside for shape in shapes_of(session)] == [True]
        assert session.system.robots[0].links[0].mass == pytest.approx(1.0)
        session.open_preset("puma560")


async def test_the_page_says_what_an_archive_lacks(session: Session) -> None:
    upload = tab(session)
    data = zipped({"mine/urdf/mine.urdf": MESHED, "mine/meshes/part.stl": part()})
    less = zipped({"mine/urdf/mine.urdf": MESHED, "mine/meshes/else.stl": part()})
    await upload_whole(upload, less, name="mine.zip")
    assert "part.stl" in session.message
    assert session.title == "mine.urdf"
    await upload_whole(upload, data[: len(data) // 2], name="mine.zip")
    assert "not a zip archive" in session.message
    assert session.title == "mine.urdf"


def walker(legs: int, root: str = "<freejoint/>") -> bytes:
    leg = """<body pos="0 0 -.1" euler="0 20 0"><joint axis="0 1 0" damping=".1"/><geom type="capsule"
      fromto="0 0 0 0 0 -.3" size=".02"/><body pos="0 0 -.3"><joint axis="0 1 0"/><geom size=".03"/></body></body>"""
    trunk = f'<body name="trunk">{root}<geom type="box" size=".2 .1 .05"/>{leg * legs}</body>'
    return f"<mujoco><worldbody>{trunk}</worldbody></mujoco>".encode()


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


async def test_only_what_keeps_a_file_from_opening_is_ticked(session: Session, open_file: Open) -> None:
    upload = tab(session)
    review = upload._review
    wrong, doubtful = review._ticks["wrong"], review._ticks["doubtful"]
    assert (review._list.object, review._mend.visible) == ("", False)
    open_file(session, chain(3).replace(b"izz='.1'", b"izz='.5'", 1).replace(b"'l2'", b"'&lt;b>'"), "bent.urdf")
    assert session.title == "bent.urdf"
    assert ([*wrong.options.values()], wrong.value, doubtful.options) == ([0], [], {})
    assert next(iter(wrong.options)).startswith("line 1, link 'l1': the largest of its principal moments")
    assert "inertia ixx 0.1 → 0.25" in next(iter(wrong.options))
    assert (review._mend.visible, review._mend.disabled) == (True, True)
    wrong.value = [0]
    assert not review._mend.disabled
    await over(session, lambda: session.opening.reads, lambda: review._open(None))
    assert (session.title, session.setup.machine.system.n_joints) == ("bent mended.urdf", 3)
    assert (review._list.object, review._mend.visible) == ("", False)
    open_file(session, chain(2).replace(b"xyz='.1 0 0'", b"xyz='100 0 0'"), "far.urdf")
    assert session.title == "far.urdf"
    assert (wrong.options, [*doubtful.options.values()], doubtful.value) == ({}, [0], [])
    assert "(origin xyz 100 0 0 → 0.1 0 0)" in next(iter(doubtful.options))
    assert (review._mend.visible, review._mend.disabled) == (True, True)
    doubtful.value = [0]
    assert not review._mend.disabled
    session.undo()
    assert (review._list.object, review._mend.visible) == ("", False)
    open_file(session, chain(2).replace(b"<mass value='1'/>", b"<mass value='-1'/>", 1), "below.urdf")
    assert (wrong.value, review._mend.disabled) == ([0], False)
    open_file(session, b"<robot", "none.urdf")
    assert review._list.object == ""


def test_no_more_is_kept_than_a_file_may_have(session: Session) -> None:
    upload = tab(session)
    send(upload, *[b" " * (LARGEST_ARCHIVE // 2 + 1)] * 3, total=1000)
    assert "larger than the 20 MB" in session.message
    held = sum(len(c) for file in upload._button._file_buffer.values() for c in file["chunks"].values())
    assert held <= LARGEST_ARCHIVE
    assert session.title == "PUMA 560, reaching"


SHAPE = b"<visual><geometry><sphere radius='.1'/></geometry></visual>"
MESH = b"<visual><geometry><mesh filename='data:model/stl;base64,AAAA'/></geometry></visual>"
BALLS = "".join(f"<body name='b{k}'><joint name='j{k}'/><geom size='.1' pos='{k} 0 0'/></body>" for k in range(60))
TOO_MUCH = {
    "joints": (chain(3000), "or more; this page shows up to"),
    "links that are fixed": (welded(1, 3000), "or more; this page shows up to"),
    "elements": (b"<robot><link name='a'>" + b"<visual/>" * 10_001 + b"</link></robot>", "or more; this page shows"),
    "joints of a model": (walker(76), "joints or more; this page shows up to"),
    "ball joints": (walker(1, "<joint type='ball'/>" * 50), "joints or more; this page shows up to"),
    "shapes of a model": (walker(1).replace(b"<geom", b"<geom/>" * 500 + b"<geom"), "501 shapes or more"),
}
REFUSED = {
    "too many joints": (chain(robot_file.MOST["joints"] + 1), f"{robot_file.MOST['joints'] + 1} joints"),
    "ball joints by default": (
        f"<mujoco><default><joint type='ball'/></default><worldbody>{BALLS}</worldbody></mujoco>".encode(),
        "151 joints or more",
    ),
    "too many shapes": (chain(1).replace(b"</link>", SHAPE * 501 + b"</link>"), "501 shapes"),
    "too many meshes": (chain(1).replace(b"</link>", MESH * 501 + b"</link>"), "'x' has 501 shapes"),
    **{repr(text): (text, "robot file 'x'") for text in (b"<robot>", b"<!DOCTYPE r><robot/>", b"\xff\xfe<", b"",
                                                          b"<?xml version='1.0' encoding='x'?>")},
}  # fmt: skip


def test_a_file_that_is_too_much_or_no_robot_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """To read it whole would take seconds, in which every page of the process answers late."""
    for what, (text, words) in REFUSED.items():
        with pytest.raises(dyn.ModelError) as refusal:
            machine_of_file(text, "x")
        assert words in str(refusal.value), what
    for reader in ("load_urdf_text", "load_mjcf_text"):
        monkeypatch.setattr(dyn, reader, None)
    for what, (text, words) in TOO_MUCH.items():
        with pytest.raises(dyn.ModelError) as refusal:
            machine_of_file(text, "n" * 10_000)
        assert words in str(refusal.value), what
        assert len(str(refusal.value)) < 250
