"""What a page takes from a file that somebody sends."""

from __future__ import annotations

import pytest

from app.controls.chooser import Chooser
from app.controls.upload import LARGEST, Upload
from app.motion.setup import MOST_JOINTS
from app.state import Session

INERTIAL = "<inertial><mass value='1'/><inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/></inertial>"


def chain(n_joints: int) -> bytes:
    links = "".join(
        f"<link name='l{k}'>{INERTIAL}</link><joint name='j{k}' type='continuous'><parent link='l{k - 1}'/>"
        f"<child link='l{k}'/><origin xyz='.1 0 0'/><axis xyz='0 1 0'/></joint>"
        for k in range(1, n_joints + 1)
    )
    return f"<robot name='r'><link name='l0'/>{links}</robot>".encode()


@pytest.fixture
def session() -> Session:
    return Session("puma560")


def send(upload: Upload, *chunks: bytes, total: int | None = None) -> None:
    for k, data in enumerate(chunks, 1):
        upload._button._handle_msg(
            {
                "status": "upload_event",
                "name": "mine.urdf",
                "chunk": k,
                "total_chunks": total or len(chunks),
                "mime_type": "text/xml",
                "data": data,
            }
        )


def test_a_file_comes_in_pieces(session: Session) -> None:
    upload, text = Upload(session), chain(3)
    send(upload, text[:100], text[100:])
    upload._button._handle_msg({"status": "finished"})
    assert (session.message, session.title) == ("", "mine.urdf")


def test_no_more_is_kept_than_a_file_may_have(session: Session) -> None:
    upload = Upload(session)
    send(upload, *[b" " * (LARGEST // 2 + 1)] * 3, total=1000)
    assert "larger than the 5 MB" in session.message
    assert sum(len(c) for file in upload._button._file_buffer.values() for c in file["chunks"].values()) <= LARGEST
    assert session.title == "PUMA 560, reaching"


def test_the_browsers_refusal_is_told(session: Session) -> None:
    Upload(session)._button._handle_msg({"status": "error", "error": "exceeds maximum file size"})
    assert "larger than the 5 MB" in session.message


def test_a_robot_too_long_to_draw_is_refused(session: Session) -> None:
    session.open_robot(chain(MOST_JOINTS + 1), "long.urdf")
    assert f"{MOST_JOINTS + 1} joints" in session.message
    assert session.title == "PUMA 560, reaching"


def test_a_robot_of_too_many_shapes_is_refused(session: Session) -> None:
    shape = "<visual><geometry><sphere radius='.1'/></geometry></visual>"
    session.open_robot(chain(1).replace(b"</link>", shape.encode() * 501 + b"</link>"), "shapes.urdf")
    assert "501 shapes" in session.message


def test_the_menu_names_each_file_in_turn(session: Session) -> None:
    chooser = Chooser(session)
    session.open_robot(chain(2), "one.urdf")
    first = chooser._preset.value
    session.open_robot(chain(3), "two.urdf")
    assert chooser._preset.value != first
    assert chooser._preset.options["two.urdf"] == chooser._preset.value
    chooser._preset.value = "panda"
    assert session.preset.name == "panda"
    assert "two.urdf" not in chooser._preset.options
