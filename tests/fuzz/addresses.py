"""Broken links: parts lost, of other machines, of absurd values, and packed bytes that were changed."""

import base64
import warnings
import zlib
from collections.abc import Mapping
from functools import cache

import numpy as np
from hypothesis import strategies as st

import dynamics as dyn
from app.motion.actuation import DRIVES
from app.motion.build import EDGES, KINDS, THINNEST, TITLES
from app.motion.build import LONGEST as LONGEST_EDGE
from app.motion.errors import ERRORS
from app.motion.presets import INTERVENTIONS, PRESETS
from app.motion.world import ADAPTIVE, FIXED, STEPS
from app.state.address import FORCE, HEAD, LONGEST, asked, query_of
from app.state.breakage import Breakage
from app.state.machine_loader import RefusedError
from app.state.session import Session
from tests.fuzz.files import require_brief

STAGES = tuple(sorted({stage for stage, _ in dyn.registry}))
SCRAPS = ("", "nan", "inf", "-inf", "1e400", "-1", "1_0", "١", "0x1", "\0", "\ud800", "<script>", "file", ",", ":",
          "a,b", "1e308", "-1e-300", "9" * 400, "0:1,0:2", "1:nan", "é", "true", " 1 ", "1e3", "-1e3", "0.5",
          "2", "7")  # fmt: skip
NAMES = ("preset", "mass", "bodies", "bodies", "gravity", "damping", "method", "step",
         "torques", "posture", INTERVENTIONS, "t", "stage", "link", "half", "layers", "block",
         "around", "speed", "play", "breaks", "tab", "plots", "panels", "line", "motion", "drive", "drive", "endless",
         "pins", "pins",
         "unknown")  # fmt: skip


@cache
def shown(preset: str) -> Mapping[str, str]:
    return query_of(Session(preset))


PIECES = ("Filter", "Motion", "Two filters", "Nowhere", ";", ";", "~", "~", "-", "all", "log", "bars", "999999",
          "motion/energy:all", "filter/kalman_gain:all", "filter/articulated_inertia:1,2", "a:b:c", "\n",
          "scene", "plots", ",", "<")  # fmt: skip


@cache
def asking() -> Session:
    return Session("planar_chain")


def packed(data: bytes) -> str:
    return base64.urlsafe_b64encode(zlib.compress(data)).decode().rstrip("=")


@st.composite
def interventions(draw: st.DrawFn) -> str:
    data = bytearray()
    for _ in range(draw(st.integers(0, 5))):
        count = draw(st.sampled_from((-1, 0, 1, 2, 3, -7)))
        kind = draw(st.sampled_from((0, 1, 2, 2, 2, 3, 255)))
        data += HEAD.pack(kind, draw(st.floats(0.0, 0.05) | st.floats()), count)
        for _ in range(max(count, 0)):
            data += FORCE.pack(
                draw(st.integers(0, 30)), *draw(st.lists(st.floats(-50, 50) | st.floats(), min_size=6, max_size=6))
            )
    if data and draw(st.booleans()):
        data = data[: draw(st.integers(0, len(data)))]
    text = packed(bytes(data))
    place = draw(st.integers(0, len(text)))
    return text[:place] + draw(st.sampled_from(("", "", "", "A", "!", "="))) + text[place:]


@st.composite
def bodies(draw: st.DrawFn) -> str:
    parts = []
    for _ in range(draw(st.integers(1, 4))):
        values = draw(
            st.just([2.0, 0.0, 0.1, 0.0, 0.5, 0.5, 0.5, 0.0, 0.1, 0.0])
            | st.lists(st.floats(0.0, 3.0) | st.floats(), min_size=9, max_size=11)
        )
        parts.append(f"{draw(st.integers(0, 30))}:{','.join(map(repr, values))}")
    return ";".join(parts)


@st.composite
def builds(draw: st.DrawFn) -> dict[str, str]:
    """A machine put together of anything, held anyhow; most of them such as can be."""
    kind = draw(st.sampled_from((*KINDS, "multi_arm", "multi_arm", "arms")))
    robots = draw(st.lists(st.sampled_from((*TITLES, "own", "")), min_size=1, max_size=1 if kind in KINDS[::2] else 4))
    shape = draw(st.sampled_from(tuple(EDGES)))
    edge = st.floats(0.05, 0.6) | st.floats(THINNEST, LONGEST_EDGE)
    size = draw(st.just([]) | st.lists(edge, min_size=len(EDGES[shape]), max_size=len(EDGES[shape])))
    mass = draw(st.just([]) | st.floats(0.001, 1e4).map(lambda mass: [f"{mass!r}kg"]))
    parts = [kind, ",".join(robots), ",".join([shape, *map(repr, size), *mass])]
    if draw(st.booleans()):
        place = st.lists(st.floats(-2, 2) | st.floats(-50, 50), min_size=3 * len(robots), max_size=3 * len(robots))
        parts.append(",".join(map(repr, draw(place | st.lists(st.floats(), max_size=4)))))
    return {"preset": "built", "build": ";".join(parts[: 2 if kind in KINDS[::2] else draw(st.integers(2, 4))])}


@st.composite
def queries(draw: st.DrawFn) -> dict[str, str]:
    """The address of a page with up to four of its parts lost, made absurd, or another page's."""
    query = dict(shown(draw(st.sampled_from(sorted(PRESETS)))))
    joints = asking().system.n_joints
    for name in draw(st.lists(st.sampled_from(NAMES), max_size=4)):
        numbers = st.lists(
            st.floats(-7, 7) | st.floats(), min_size=1, max_size=draw(st.sampled_from((2, joints, 12, 14)))
        )
        query[name] = draw(
            st.sampled_from(SCRAPS)
            | st.floats().map(repr)
            | numbers.map(lambda parts: ",".join(map(repr, parts)))
            | st.sampled_from(("preset", "stage", "block", "around")).map(lambda other: query.get(other, ""))
            | st.sampled_from((*STAGES, *DRIVES))
            | interventions()
            | bodies()
            | st.sampled_from((*FIXED, *ADAPTIVE, *map(repr, STEPS)))
            | st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
        )
        if draw(st.integers(0, 9)) == 0:
            del query[name]
    query.setdefault("preset", "puma560")
    return query


def follows_or_refuses(query: dict[str, str]) -> None:
    """A moment that can be drawn and whose own address leads to it again, or a refusal by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            found = asked(query, asking()).tried()
        except (RefusedError, *ERRORS) as error:
            require_brief(error)
            return
        for time in (0.0, found.run.end):
            solution = found.run.solution_at(time)
            assert np.all(np.isfinite(solution.joint_acceleration))
        session = Session("puma560")
        breakage = Breakage(session)
        found.show(session)
        breakage.follow()
        again = query_of(session)
        assert sum(map(len, again.values())) < LONGEST
        assert query_of_again(again) == again


def query_of_again(query: dict[str, str]) -> dict[str, str]:
    session = Session("puma560")
    asked(query, session).tried().show(session)
    return query_of(session)


PUMA = {"preset": "puma560"}
FOUND = {
    "nothing but a preset": PUMA,
    "more joints than there are": {**PUMA, "posture": ",".join(["0"] * 40)},
    "a force on a body that is not there": {
        **PUMA, INTERVENTIONS: packed(HEAD.pack(2, 0.0, 1) + FORCE.pack(30, *[1.0] * 6)),
    },
    "an object that is not there let go": {**PUMA, INTERVENTIONS: packed(HEAD.pack(0, 0.0, -1))},
    "a time that is no number": {**PUMA, INTERVENTIONS: packed(HEAD.pack(2, float("nan"), -1))},
    "an instrument that is not there": {**PUMA, "tab": "Nowhere"},
    "a line that is not there": {**PUMA, "line": "filter/nowhere/7"},
    "a body that is not there": {**PUMA, "bodies": "30:1,0,0,0,1,1,1,0,0,0"},
    "a body of no matter": {**PUMA, "bodies": "0:1,0,0,0,9,1,1,0,0,0"},
    "a step that is no step": {**PUMA, "step": "0.0003"},
    "a motion of nothing broken": {**PUMA, "motion": "1.0"},
    "pins of what is not there": {**PUMA, "pins": "scene,plots,scene,,<b>,__class__"},
    "digits of another script": {**PUMA, "t": "١"},
}  # fmt: skip
MACHINES = {
    "no machine": {"preset": "built"},
    "a hair between two arms": {"preset": "built", "build": "multi_arm;puma560,puma560;beam,0.01,0.01"},
    "a plate thicker than it is long": {"preset": "built", "build": "multi_arm;panda,panda;beam,0.1,0.4"},
}
