"""What the page's own JavaScript decides, tested by ``node --test`` on what Python draws and packs here."""

import base64
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

from app.classroom.browser import HtmlView, LecturerBrowser
from app.classroom.present import page_text
from app.controls.kept_runs import KeptList
from app.controls.keyboard import Connection, Keyboard
from app.controls.push import PressAndHold
from app.controls.share import Browser
from app.controls.transport import Timeline
from app.equations.sheet import Sheet
from app.instruments.edit.sheets import SheetTable
from app.instruments.walk.diagram import Diagram
from app.lessons.lessons import LessonSheet
from app.number_text import number_text
from app.replay.curves import Parcel
from app.replay.replay import text_of
from app.viewer.playing import piece
from app.views.components import TYPE_SIZE, RowTable, with_elements
from app.views.plots.board import PlotBoard, QuantityList
from app.views.show import ShowList

ROOT = Path(__file__).resolve().parents[1]
TESTS = sorted((ROOT / "tests/javascript").glob("*.test.mjs"))
COMPONENTS = (
    Browser, Connection, Diagram, HtmlView, Keyboard, KeptList, LecturerBrowser, LessonSheet, PlotBoard, PressAndHold,
    QuantityList, RowTable, Sheet, SheetTable, ShowList, Timeline,
)  # fmt: skip
INTERVAL = 0.02
KINDS = ("link", "ellipsoid", "arrow", "object")


def in_base64(packed: bytes) -> str:
    return base64.b64encode(packed).decode()


def scripts() -> dict[str, str]:
    """What the server sends of each component, of a follower's page and of a replay."""
    found = {component.__name__: text_of(component) for component in COMPONENTS}
    follower = re.search(r"<script[^>]*>(.*)</script>", page_text("views"), re.DOTALL)
    assert follower
    return found | {
        "follower": follower[1],
        "answer": with_elements(ROOT / "app/classroom/answer.js"),
        "replay": with_elements(TYPE_SIZE) + (ROOT / "app/replay/replay.js").read_text("utf-8"),
    }


def drawn_numbers(rng: np.random.Generator) -> list[dict[str, Any]]:
    """Numbers of all sizes, alone and beside larger ones, as the server writes them."""
    values = rng.choice([-1.0, 1.0], 500) * rng.uniform(1.0, 10.0, 500) * 10.0 ** rng.integers(-14, 9, 500)
    return [
        {"value": value, "beside": beside, "digits": digits, "padded": padded,
         "text": number_text(value, beside, digits, padded)}
        for value in [0.0, -0.0, 99999.6, 0.00099996, 9.9996, 1200.0, *values.tolist()]
        for beside, digits, padded in [(0.0, 4, True), (abs(value) * 10.0 ** rng.uniform(0.0, 24.0), 3, False)]
    ]  # fmt: skip


def drawn_parcel(rng: np.random.Generator) -> dict[str, Any]:
    """Arrays and series, with numbers that are none and rows that occur twice."""
    parcel = Parcel()
    rows = np.cumsum(rng.normal(size=(5, 40)), axis=1)
    rows[2, 7:12] = [0.0, -0.0, np.inf, -np.inf, np.nan]
    rows = rows[[0, 1, 2, 1, 3, 4, 0]]
    kinds = [np.uint8, np.float32, np.uint32, np.float64]
    arrays = [rng.integers(0, 200, count).astype(kind) for kind, count in zip(kinds, (3, 7, 5, 4), strict=True)]
    references = [parcel.array(array) for array in arrays]
    series = [parcel.series(rows), parcel.series(rows.astype(np.float32)), parcel.series(rows)]
    return {
        "packed": in_base64(parcel.compressed({"arrays": references, "series": series, "word": "ε̇ of 1 m"})),
        "arrays": [in_base64(array.tobytes()) for array in arrays],
        "series": [[in_base64(row.tobytes()) for row in rows.astype(kind)] for kind in (float, np.float32, float)],
    }


def drawn_motion(rng: np.random.Generator) -> dict[str, Any]:
    """Poses at instants, some turned too far for a motion and some hidden, and what lies between them."""
    count, meshes = 12, len(KINDS)
    poses = np.zeros((count, meshes, 3, 4))
    turns = np.empty((count, meshes, 4))
    sizes = rng.uniform(0.5, 2.0, (count, meshes, 3))
    for mesh in range(meshes):
        turn = Rotation.random(rng=rng)
        for k in range(count):
            turns[k, mesh] = turn.as_quat()
            if KINDS[mesh] == "ellipsoid":
                half = rng.normal(size=(3, 3))
                poses[k, mesh, :, :3] = half @ half.T
            else:
                poses[k, mesh, :, :3] = turn.as_matrix() * sizes[k, mesh]
            poses[k, mesh, :, 3] = rng.normal(size=3)
            step = rng.normal(size=3)
            far = np.pi * 0.6 if KINDS[mesh] == "arrow" and k % 4 == 1 else 0.5
            turn = turn * Rotation.from_rotvec(far * step / np.linalg.norm(step))
    poses[6, 3, :, :3] = 0.0  # nothing is shown of it there
    poses = poses.astype(np.float32).astype(float)
    wanted = []
    for time in rng.uniform(0.0, INTERVAL * (count - 1), 60):
        k, share = int(time / INTERVAL), time / INTERVAL % 1.0
        between = (1.0 - share) * poses[k] + share * poses[k + 1]
        for mesh, kind in enumerate(KINDS):
            if not (poses[k, mesh, :, :3].any() and poses[k + 1, mesh, :, :3].any()):
                between[mesh] = poses[k, mesh]
            elif kind != "ellipsoid":
                ends = Rotation.from_quat(turns[k : k + 2, mesh])
                if (ends[0].inv() * ends[1]).magnitude() > 1.0:
                    between[mesh] = poses[k if share < 0.5 else k + 1, mesh]
                else:
                    size = (1.0 - share) * sizes[k, mesh] + share * sizes[k + 1, mesh]
                    between[mesh, :, :3] = Slerp([0.0, 1.0], ends)(share).as_matrix() * size
        wanted.append([time, between.ravel().tolist()])
    packed = np.pad(poses.reshape(count, meshes, 12), ((0, 0), (0, 1), (0, 0)))  # and a mesh that is never seen
    halves = [range(0, count, 2), range(1, count, 2)]  # every second instant comes first
    return {
        "kinds": KINDS,
        "interval": INTERVAL,
        "pieces": [in_base64(piece(3, 8, k, part[0], 2, [INTERVAL * at for at in part], packed[list(part)]))
                   for k, part in enumerate(halves)],
        "wanted": wanted,
    }  # fmt: skip


@pytest.mark.node
def test_what_the_page_decides_by_itself(tmp_path: Path) -> None:
    rng = np.random.default_rng(38)
    drawn = {"numbers": drawn_numbers(rng), "parcel": drawn_parcel(rng), "motion": drawn_motion(rng)}
    given = tmp_path / "given.json"
    given.write_text(json.dumps({**drawn, "scripts": scripts(), "view": str(ROOT / "app/viewer/src")}), "utf-8")
    command, variables = ["timeout", "60", "node", "--test"], {**os.environ, "GIVEN_BY_PYTHON": str(given)}
    done = subprocess.run([*command, *map(str, TESTS)], env=variables, capture_output=True, text=True)
    assert TESTS
    assert done.returncode == 0, done.stdout + done.stderr
