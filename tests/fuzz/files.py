"""Broken robot files: packaged ones with parts lost, doubled, misspelt, moved or made absurd."""

import copy
import warnings
from importlib import resources
from pathlib import Path
from xml.etree import ElementTree

from hypothesis import strategies as st

import dynamics as dyn
from tests.dynamics.absurd_values import LONGEST_MESSAGE, NAMED, is_sound

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


def text_of(name: str) -> str:
    return (ROBOTS / name / "robot.urdf").read_text(encoding="utf-8")


@st.composite
def garbled(draw: st.DrawFn) -> tuple[str, str]:
    """A packaged robot and its file with up to three places changed."""
    name = draw(st.sampled_from(NAMES))
    text = text_of(name)
    for _ in range(draw(st.integers(1, 3))):
        place, length = draw(st.integers(0, len(text))), draw(st.sampled_from((0, 1, 5, 40)))
        text = text[:place] + draw(st.sampled_from(SCRAPS)) + text[place + length :]
    return name, text


@st.composite
def rearranged(draw: st.DrawFn) -> tuple[str, str]:
    """A packaged robot and its file with elements or attributes lost, doubled, renamed, moved, or of other values."""
    name = draw(st.sampled_from(NAMES))
    root = ElementTree.fromstring(text_of(name))
    for _ in range(draw(st.integers(1, 4))):
        every = list(root.iter())
        parent = draw(st.sampled_from([element for element in every if len(element)] or every))
        child = draw(st.sampled_from(list(parent) or every))
        act = draw(st.sampled_from(("lose", "double", "rename", "move", "value", "attribute", "no attribute")))
        if act == "lose" and child in parent:
            parent.remove(child)
        elif act == "double":
            parent.insert(draw(st.integers(0, len(parent))), child)
        elif act == "rename":
            child.tag = draw(st.sampled_from(TAGS))
        elif act == "move" and not any(each is child for each in every if each is root):
            other = draw(st.sampled_from(every))
            if not any(each is other for each in child.iter()):
                other.append(child)
        elif act in ("value", "no attribute") and child.attrib:
            key = draw(st.sampled_from(sorted(child.attrib)))
            if act == "value":
                child.set(key, draw(st.sampled_from(VALUES) | st.floats().map(repr)))
            else:
                del child.attrib[key]
        elif act == "attribute":
            key = draw(st.sampled_from(("name", "xyz", "rpy", "value", "iz", "iyz", "link", "type", "scale")))
            child.set(key, draw(st.sampled_from(VALUES)))
    return name, ElementTree.tostring(root, encoding="unicode")


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


def reads_or_refuses(case: tuple[str, str]) -> None:
    """Nothing but a robot, or a ``ModelError``; no warning but of what was not understood."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "robot ")
        try:
            robot = dyn.load_urdf_text(case[1])
        except dyn.ModelError as error:
            require_brief(error)
        else:
            moves_or_is_refused(robot)


def reports_or_refuses(case: tuple[str, str]) -> None:
    """Nothing but a report, or a ``ModelError``; and of what it proposes, nothing but a robot, or one."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "robot ")
        try:
            report = dyn.robot_report(case[1].encode("utf-8", "surrogatepass"))
            for finding in report.findings:
                assert len(finding.text) < 3 * LONGEST_MESSAGE
            moves_or_is_refused(report.repaired())
        except dyn.ModelError as error:
            require_brief(error)


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


@st.composite
def garbled_models(draw: st.DrawFn) -> str:
    """A MuJoCo model with up to three places of its text changed."""
    text = MODEL
    for _ in range(draw(st.integers(1, 3))):
        place, length = draw(st.integers(0, len(text))), draw(st.sampled_from((0, 1, 5, 40)))
        text = text[:place] + draw(st.sampled_from(SCRAPS)) + text[place + length :]
    return text


@st.composite
def rearranged_models(draw: st.DrawFn) -> str:
    """The same with elements or attributes lost, doubled, renamed, or of other values."""
    root = ElementTree.fromstring(MODEL)
    for _ in range(draw(st.integers(1, 4))):
        every = list(root.iter())
        parent = draw(st.sampled_from([element for element in every if len(element)] or every))
        child = draw(st.sampled_from(list(parent) or every))
        act = draw(st.sampled_from(("lose", "double", "rename", "value", "attribute", "no attribute")))
        if act == "lose" and child in parent:
            parent.remove(child)
        elif act == "double":
            parent.append(copy.deepcopy(child))
        elif act == "rename":
            child.tag = draw(st.sampled_from(MODEL_TAGS))
        elif act == "attribute":
            child.set(draw(st.sampled_from(MODEL_NAMES)), draw(st.sampled_from(MODEL_VALUES)))
        elif child.attrib:
            key = draw(st.sampled_from(sorted(child.attrib)))
            if act == "value":
                child.set(key, draw(st.sampled_from(MODEL_VALUES) | st.floats().map(repr)))
            else:
                del child.attrib[key]
    return ElementTree.tostring(root, encoding="unicode")


def model_reads_or_refuses(text: str) -> None:
    """The same of a MuJoCo model."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "robot ")
        try:
            robot = dyn.load_mjcf_text(text)
        except dyn.ModelError as error:
            require_brief(error)
        else:
            moves_or_is_refused(robot)


def one_link(moving: str, name: str = "a") -> tuple[str, str]:
    inertia = '<mass value="1"/><inertia ixx="0.02" iyy="0.02" izz="0.01" ixy="0" ixz="0" iyz="0"/>'
    joint = f'<joint name="j" type="continuous"><parent link="base"/><child link="{name}"/></joint>'
    body = f"<inertial>{inertia}</inertial>"
    return "", f'<robot name="r"><link name="base"/><link name="{name}">{body}{moving}</link>{joint}</robot>'


SHAPE = '<geometry><box size="1 1 1"/></geometry>'
FOUND = {
    "two geometries": one_link(f"<visual>{SHAPE}{SHAPE}</visual>"),
    "a visual with nothing in it": one_link("<visual/>"),
    "a lone surrogate": one_link("", "\ud800"),
    "an attribute in another script": one_link('<visual><origin rp\u0661="0 0 0"/></visual>'),
    "an inertia of 1e308": ("", one_link("")[1].replace("0.02", "1e308")),
    "a color of no numbers": one_link(f'<visual>{SHAPE}<material name="x"><color rgba=" "/></material></visual>'),
    "digits that end in a letter": ("", one_link("")[1].replace('value="1"', f'value="{"1" * 100_000}x"')),
    "digits of another script": ("", one_link("")[1].replace("0.02", "\u0661")),
    "an exponent without end": one_link(f'<visual><origin rpy="0e{"9" * 30} 0 0"/>{SHAPE}</visual>'),
    "a misspelt element": one_link(f"<visual><oriin/>{SHAPE}</visual>"),
    "a misspelt attribute": ("", one_link("")[1].replace("iyz=", "iz=")),
    "a doubled mass": ("", one_link("")[1].replace("<mass", '<mass value="2"/><mass')),
    "a doubled color": one_link(
        f'<visual>{SHAPE}<material name="x"><color rgba="1 0 0 1"/><color rgba="x"/></material></visual>'
    ),
    "words between elements": one_link("words"),
    "an attribute in disguise": ("", one_link("")[1].replace("<mass ", '<mass xmlns:x="http://x" x:value="2" ')),
    "macros under another name": one_link('<x:macro xmlns:x="http://www.ros.org/wiki/xacro"/>'),
    "numbers apart by underscores": ("", one_link("")[1].replace("0.02", "0.0_2")),
    "elements in each other without end": one_link("<visual>" * 30_000 + "</visual>" * 30_000),
    "elements beside each other without end": one_link("<visual/>" * 60_000),
}
FOUND_MODELS = {
    "a mesh from anywhere": MODEL.replace('vertex="0 0 0 1 0 0 0 1 0 0 0 1"', 'file="/etc/passwd"'),
    "an include from anywhere": MODEL.replace("<worldbody>", '<include file="/etc/passwd"/><worldbody>'),
    "a mesh that takes all memory": MODEL.replace(
        'name="w"', 'name="v" builtin="supersphere" params="30000 1 1"/><mesh name="w"'
    ),
    "numbers that take all memory": MODEL.replace('name="a"', f'name="a" user="{"1 " * 1_000_000}"'),
    "a mass that no float holds": MODEL.replace('mass="2"', 'mass="1e400"'),
    "an entity": '<!DOCTYPE m [<!ENTITY x "y">]>' + MODEL,
}
