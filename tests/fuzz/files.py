"""Broken robot files: packaged ones and a MuJoCo model, with parts lost, doubled, misspelt, moved or made absurd."""

import copy
import warnings
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from xml.etree import ElementTree

from hypothesis import strategies as st

import dynamics as dyn
from tests.dynamics.test_absurd_arguments import LONGEST_MESSAGE, NAMED, is_sound

ROBOTS = Path(str(resources.files("assets"))) / "robots"
NAMES = ("free_flyer", "iiwa14", "panda", "planar_chain", "puma560")
SCRAPS = ("", '"', "<", ">", "/", "nan", "1e400", "1e308", "-1", "0", "link", "fixed", "\0", "é", "&amp;", "&x;",
          "<!--", "1_0", "١", "0x10", "\ud800", "<mass/>", "INF", "inf", "xmlns:x='http://www.ros.org/x'", "]]>",
          "<![CDATA[", "<?x?>", "&#0;", "<!DOCTYPE r>", "\ufeff", "{", "\n", "[", "=", "1e-400", "true")  # fmt: skip
VALUES = (*SCRAPS, "1", "1 0 0", "0 0 0", "0 0 1e200", "1e-300 0 0", "1e154", "-0.0", "1.5708 0 0", "nan nan nan",
          "revolute", "prismatic", "floating", "base", "1e100", "9e99", "5e-324", " ", "1 2 3 4", "1,2,3",
          "1.5708e0 -3.1416 1e9")  # fmt: skip
TAGS = ("robot", "link", "joint", "inertial", "mass", "inertia", "origin", "axis", "limit", "dynamics", "visual",
        "geometry", "box", "mesh", "material", "color", "mimic", "parent", "child", "oriin", "x", "{http://x}link",
        "{http://www.ros.org/wiki/xacro}macro", "collision")  # fmt: skip
ATTRIBUTES = ("name", "xyz", "rpy", "value", "iz", "iyz", "link", "type", "scale")


def text_of(name: str) -> str:
    return (ROBOTS / name / "robot.urdf").read_text(encoding="utf-8")


@st.composite
def garbled(draw: st.DrawFn, texts: tuple[str, ...] = ()) -> str:
    """A packaged robot's file, or another text, with up to three places changed."""
    text = draw(st.sampled_from(texts or [text_of(name) for name in NAMES]))
    for _ in range(draw(st.integers(1, 3))):
        place, length = draw(st.integers(0, len(text))), draw(st.sampled_from((0, 1, 5, 40)))
        text = text[:place] + draw(st.sampled_from(SCRAPS)) + text[place + length :]
    return text


@st.composite
def rearranged(
    draw: st.DrawFn, texts: tuple[str, ...] = (), tags: tuple[str, ...] = TAGS, names: tuple[str, ...] = ATTRIBUTES,
    values: tuple[str, ...] = VALUES,
) -> str:  # fmt: skip
    """The same with elements or attributes lost, doubled, renamed, moved, or of other values."""
    root = ElementTree.fromstring(draw(st.sampled_from(texts or [text_of(name) for name in NAMES])))
    for _ in range(draw(st.integers(1, 4))):
        every = list(root.iter())
        parent = draw(st.sampled_from([element for element in every if len(element)] or every))
        child = draw(st.sampled_from(list(parent) or every))
        act = draw(st.sampled_from(("lose", "double", "rename", "move", "value", "attribute", "no attribute")))
        if act == "lose" and child in parent:
            parent.remove(child)
        elif act == "double":
            parent.insert(draw(st.integers(0, len(parent))), copy.deepcopy(child))
        elif act == "rename":
            child.tag = draw(st.sampled_from(tags))
        elif act == "move":
            other = draw(st.sampled_from(every))
            if not any(each is other for each in child.iter()):
                other.append(child)
        elif act == "attribute":
            child.set(draw(st.sampled_from(names)), draw(st.sampled_from(values)))
        elif act in ("value", "no attribute") and child.attrib:
            key = draw(st.sampled_from(sorted(child.attrib)))
            if act == "value":
                child.set(key, draw(st.sampled_from(values) | st.floats().map(repr)))
            else:
                del child.attrib[key]
    return ElementTree.tostring(root, encoding="unicode")


def require_brief(error: Exception) -> None:
    assert len(str(error)) < LONGEST_MESSAGE


def moves_or_is_refused(robot: dyn.Robot) -> None:
    """A robot that was read is one that falls, within numbers, or whose fall is refused by name."""
    for make in (dyn.single_arm, dyn.free_flyer):
        try:
            system = make(robot)
            solution = dyn.forward_dynamics(system, system.state())
        except NAMED as error:
            require_brief(error)
        else:
            assert is_sound(solution), "an answer that is no number"


def reads_or_refuses(text: str, read: Callable[[str], dyn.Robot] = dyn.load_urdf_text) -> None:
    """Nothing but a robot, or a ``ModelError``; no warning but of what was not understood."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "robot ")
        try:
            robot = read(text)
        except dyn.ModelError as error:
            require_brief(error)
        else:
            moves_or_is_refused(robot)


def repaired(text: str) -> dyn.Robot:
    """What a report proposes."""
    report = dyn.robot_report(text.encode("utf-8", "surrogatepass"))
    for finding in report.findings:
        assert len(finding.text) < 3 * LONGEST_MESSAGE
    return report.repaired()


def reports_or_refuses(text: str) -> None:
    reads_or_refuses(text, repaired)


def model_reads_or_refuses(text: str) -> None:
    reads_or_refuses(text, dyn.load_mjcf_text)


MODEL = """<mujoco model="m"><compiler angle="degree"/><option density="0"/><default><joint damping="0.1"/>
<default class="c"><geom type="capsule" size="0.02 0.1" rgba="1 0 0 1"/></default></default><asset><mesh name="w"
vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale="0.1 0.1 0.1"/><material name="s" rgba="1 0 0 1"/></asset><worldbody>
<geom type="plane" size="1 1 1"/><frame euler="1 2 3"><body name="a" pos="0 0 1" childclass="c"><freejoint/>
<geom fromto="0 0 0 0 0 0.3" material="s"/><body name="b" quat="1 1 0 0"><joint name="j" range="-90 90" ref="10"
armature="0.1"/><joint type="slide" axis="1 0 0" pos="1 2 3"/><geom type="mesh" mesh="w"/><site name="t"/>
<body name="d"><joint type="ball" damping="0"/><inertial pos="0 0 1" mass="2" diaginertia="1 2 2.5"/></body></body>
</body></frame></worldbody><equality><connect body1="a" active="false"/></equality></mujoco>"""
MODEL_TAGS = ("body", "joint", "geom", "inertial", "freejoint", "frame", "site", "default", "worldbody", "compiler",
              "asset", "include", "mesh", "replicate", "composite", "flexcomp", "plugin", "attach", "key", "tendon",
              "robot")  # fmt: skip
MODEL_VALUES = (*VALUES, "mesh", "ball", "free", "slide", "hfield", "c", "a", "b", "j", "w", "auto",
                "/etc/passwd")  # fmt: skip
MODEL_NAMES = ("name", "type", "pos", "quat", "size", "class", "mesh", "file", "user", "mass", "density", "range",
               "count", "builtin", "params", "vertex", "diaginertia", "inertiafromgeom", "eulerseq", "axis",
               "ref")  # fmt: skip


def one_link(moving: str, name: str = "a") -> str:
    inertia = '<mass value="1"/><inertia ixx="0.02" iyy="0.02" izz="0.01" ixy="0" ixz="0" iyz="0"/>'
    joint = f'<joint name="j" type="continuous"><parent link="base"/><child link="{name}"/></joint>'
    body = f"<inertial>{inertia}</inertial>"
    return f'<robot name="r"><link name="base"/><link name="{name}">{body}{moving}</link>{joint}</robot>'


SHAPE = '<geometry><box size="1 1 1"/></geometry>'
FOUND = {  # besides those of test_urdf.py
    "two geometries": one_link(f"<visual>{SHAPE}{SHAPE}</visual>"),
    "a visual with nothing in it": one_link("<visual/>"),
    "a lone surrogate": one_link("", "\ud800"),
    "an attribute in another script": one_link('<visual><origin rp\u0661="0 0 0"/></visual>'),
    "an inertia of 1e308": one_link("").replace("0.02", "1e308"),
    "a color of no numbers": one_link(f'<visual>{SHAPE}<material name="x"><color rgba=" "/></material></visual>'),
    "an exponent without end": one_link(f'<visual><origin rpy="0e{"9" * 30} 0 0"/>{SHAPE}</visual>'),
    "a doubled color": one_link(
        f'<visual>{SHAPE}<material name="x"><color rgba="1 0 0 1"/><color rgba="x"/></material></visual>'
    ),
    "an attribute in disguise": one_link("").replace("<mass ", '<mass xmlns:x="http://x" x:value="2" '),
    "macros under another name": one_link('<x:macro xmlns:x="http://www.ros.org/wiki/xacro"/>'),
    "elements in each other without end": one_link("<visual>" * 30_000 + "</visual>" * 30_000),
}
FOUND_MODELS = {  # besides those of test_mjcf.py
    "numbers that take all memory": MODEL.replace('name="a"', f'name="a" user="{"1 " * 1_000_000}"'),
    "a mass that no float holds": MODEL.replace('mass="2"', 'mass="1e400"'),
}
