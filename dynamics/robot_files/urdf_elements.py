"""The URDF elements and attributes that are read, those left out with a remark, and those refused by name.

Properties for which URDF has no element are stored in Drake's elements or in our own, which a plain URDF reader
ignores: rotor inertia, which Drake reads from a ``<transmission>``; friction that depends on the direction; tools,
the home posture and the display name.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext

import numpy as np

from dynamics.checks import brief
from dynamics.errors import ModelError
from dynamics.robot.model import Joint, Robot
from dynamics.robot_files.xml import WORDS, Element

KEPT = {
    "robot": ("link", "joint", "material"),
    "link": ("inertial", "visual"),
    "joint": ("parent", "child", "origin", "axis", "limit", "dynamics", "mimic"),
    "inertial": ("origin", "mass", "inertia"),
    "visual": ("origin", "geometry", "material"),
    "geometry": ("box", "cylinder", "sphere", "mesh"),
    "material": ("color",),
}
# elements that other programs read and this one does not use
KNOWN = {
    "robot": ("gazebo", "mujoco", "ros2_control", "sensor", "transmission"),
    "link": ("collision", "contact", "self_collision_checking", "sensor", "verbose"),
    "joint": ("calibration", "safety_controller", "hardwareInterface"),
    "material": ("texture",),
}
# how many numbers each attribute holds, and whether they must be positive
NUMBERS: dict[tuple[str, str], tuple[tuple[int, ...], bool]] = {
    ("origin", "xyz"): ((3,), False),
    ("origin", "rpy"): ((3,), False),
    ("axis", "xyz"): ((3,), False),
    ("color", "rgba"): ((4,), False),
    ("mass", "value"): ((1,), False),
    **{("inertia", name): ((1,), False) for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")},
    **{("limit", name): ((1,), False) for name in ("lower", "upper", "velocity", "effort")},
    **{("dynamics", name): ((1,), False) for name in ("damping", "friction")},
    ("box", "size"): ((3,), True),
    ("cylinder", "radius"): ((1,), True),
    ("cylinder", "length"): ((1,), True),
    ("sphere", "radius"): ((1,), True),
    ("mesh", "scale"): ((1, 3), False),
    ("mimic", "multiplier"): ((1,), False),
    ("mimic", "offset"): ((1,), False),
}
TEXTS = {
    "robot": ("name", "version"),
    "link": ("name", "type"),
    "joint": ("name", "type"),
    "visual": ("name",),
    "material": ("name",),
    "parent": ("link",),
    "child": ("link",),
    "mesh": ("filename",),
    "mimic": ("joint",),
}
REQUIRED = {
    "mass": ("value",),
    "inertia": ("ixx", "iyy", "izz"),
    "color": ("rgba",),
    "axis": ("xyz",),
    "box": ("size",),
    "cylinder": ("radius", "length"),
    "sphere": ("radius",),
    "mesh": ("filename",),
    "parent": ("link",),
    "child": ("link",),
}
MANY = {"robot": ("link", "joint"), "link": ("visual",), "geometry": KEPT["geometry"]}
DRAWN = ("visual", "material")
"""Elements that only affect a robot's appearance: an error in them is not fatal."""
SHOWN = ("visual", "geometry", "material")
"""Elements whose content is not mechanics."""
UNUSED = {"fixed": ("axis", "limit", "dynamics", "mimic"), "floating": ("axis", "mimic")}
"""Elements that a joint of some type does not use."""
NONE = {"mass": {"value": "nan"}, "inertia": dict.fromkeys(("ixx", "iyy", "izz"), "nan")}
"""The numbers of an unreadable body: if it is bolted to the world, they have no effect."""
# elements of xacro, the macro language for such files, that remain if it has not been run
XACRO = ("arg", "if", "include", "insert_block", "macro", "property", "unless")
DEFINING = ("arg", "macro", "property")
"""Those xacro elements that produce nothing by themselves."""
SPLIT = ("planar", "floating")
"""URDF's joint types with several degrees of freedom."""
# xs:double of the XML Schema, and the lower-case inf and nan that C and Python write; each digit matches in only one
# way, otherwise digits that end in a letter would take quadratic time
DOUBLE = re.compile(r"[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[Ee][+-]?[0-9]+)?|INF|inf)|NaN|nan")
LONGEST = 1000  # characters of an attribute of numbers

FELT = 1e-9
"""rad: a smaller correction of an angle has no effect."""
LIKE = 0.75
"""Similarity (``difflib``) from which on a name is taken for a misspelling of another."""
WITHOUT = {
    ("link", "inertial"): "{} weighs nothing",
    ("link", "visual"): "{} is drawn as a plain stick",
    ("joint", "origin"): "{} sits at the origin of its parent",
    ("joint", "axis"): "{} turns or slides about x",
    ("joint", "limit"): "{} has no stops",
    ("joint", "dynamics"): "{} has neither friction nor damping",
    ("inertial", "origin"): "the mass centre is at the link's own frame",
}
"""(Element, child omitted because of a misspelling) -> the effect on the robot."""
REMARKS_TOLD = 6
MOST_UNKNOWN = 20
"""Number of unknown names per element that are compared with the known ones."""
WORD = re.compile(r"[^ \t\r\n]+")
RIGHT_ANGLE = Decimal("1.5707963267948966192313216916397514420985846996876")
FEWEST_DECIMALS = 4
MOST_DECIMALS = 40
MOST_TURNS = 4


class UrdfElements:
    """A robot's elements, checked and reduced to what the mechanics and the view use.

    Attributes:
        robot: the root.
        remarks: elements that were not understood or occur twice; the first few, misspellings first.
        more: the number of other remarks.
    """

    def __init__(self, root: Element, where: str) -> None:
        self.remarks, self.more, self._slips = list[str](), 0, 0
        self._bolted = set(_bolted(root))
        joints = {child.get("name") or "" for child in root.all("joint")}
        root = replace(root, inner=[_named(child, joints) for child in root.inner])
        for child in root.inner:
            if child.tag in ("link", "joint") and not child.get("name"):
                raise ModelError(
                    f'{where}, line {child.line}: a <{child.tag}> has no name; expected name="…". Name it.'
                )
        try:
            self.robot = self._kept(root, where)
        except ModelError as error:
            raise self.explained(error) from None

    def explained(self, error: ModelError) -> ModelError:
        """The error with the first misspelling, if there is one, which may explain what is missing."""
        if not self._slips:
            return error
        return ModelError(f"{error} {self.remarks[0][0].upper()}{self.remarks[0][1:]}.")

    def _kept(self, element: Element, where: str) -> Element:
        tag = element.tag
        for attribute in REQUIRED.get(tag, ()):
            if not element.get(attribute):
                place = f"{where}, line {element.line}"
                raise ModelError(f'{place}: <{tag}> has no {attribute}; expected {attribute}="…". Add it.')
        attributes = {}
        for attribute, text in element.attributes.items():
            if (tag, attribute) in NUMBERS:
                _check_numbers(element, attribute, text, where)
            elif attribute not in TEXTS.get(tag, ()):
                # an attribute of another namespace is for another program, unless its local name is one of these
                if not attribute.startswith("{") or (tag, attribute.partition("}")[2]) in NUMBERS:
                    self._remark(element, f"attribute {brief(attribute)[1:-1]} of <{tag}> is unknown and left out")
                continue
            attributes[attribute] = as_meant(text) if attribute == "rpy" else text
        kept = Element(tag, attributes, element.line, list(self._inner(element, where)))
        if tag == "inertial" and kept.first("mass") is None:
            raise ModelError(f"{where}, line {element.line}: <inertial> has no <mass>. Add it.")
        if tag == "inertial" and kept.first("inertia") is None:
            self._remark(element, "an <inertial> has no <inertia>: its mass is a point")
            kept.inner.append(Element("inertia", dict.fromkeys(("ixx", "iyy", "izz"), "0"), element.line))
        return kept

    def _remark(self, element: Element, words: str, is_slip: bool = False) -> None:
        """Add a remark, misspellings first: what they leave out was intended."""
        if is_slip:
            self.remarks.insert(self._slips, f"line {element.line}: {words}")
            self._slips += 1
        else:
            self.remarks.append(f"line {element.line}: {words}")
        if len(self.remarks) > REMARKS_TOLD:
            self.remarks.pop()
            self.more += 1

    def _inner(self, element: Element, where: str) -> Iterator[Element]:
        tag, seen, meanings = element.tag, set[str](), dict[str, str]()
        for child in element.inner:
            if child.tag == WORDS:
                self._remark(child, f"text in <{tag}> is left out")
                continue
            if tag == "joint" and child.tag in UNUSED.get(element.get("type") or "", ()):
                continue
            if tag == "joint" and element.get("type") in SPLIT and child.tag in ("limit", "dynamics"):
                yield Element(child.tag, {}, child.line)  # kept empty, so that its presence is reported
                continue
            if child.tag == "inertial" and not child.inner:
                self._remark(child, f"an empty <inertial> in <{tag}> is left out")
                continue
            if child.tag not in KEPT.get(tag, ()):
                if child.tag not in KNOWN.get(tag, ()) and not _is_foreign(child.tag):
                    if child.tag not in meanings:
                        meanings[child.tag] = meant_by(child.tag, element) if len(meanings) < MOST_UNKNOWN else ""
                    meant = meanings[child.tag]
                    words = f"<{brief(child.tag)[1:-1]}> in <{tag}> is unknown and left out{remedy(element, meant)}"
                    is_macro = "xacro" in child.tag.partition("}")[0] and tag not in SHOWN
                    more = ": xacro has not been run" if is_macro else ""
                    self._remark(child, words + more, is_slip=bool(meant) or is_macro)
                continue
            what = f"material {brief(child.get('name'))}" if child.tag == "material" else child.tag
            if what in seen and child.tag not in MANY.get(tag, ()):
                self._remark(child, f"a second <{what}> in <{tag}> is left out")
                continue
            seen.add(what)
            name = f", {child.tag} {brief(child.get('name'))}" if tag == "robot" else ""
            try:
                kept = self._kept(child, where + name)
            except ModelError as error:
                if child.tag == "inertial" and element.get("name") in self._bolted:
                    self._remark(child, str(error).removeprefix(f"{where}, line {child.line}: ").rstrip("."))
                    yield Element("inertial", {}, child.line, [Element(each, NONE[each], child.line) for each in NONE])
                    continue
                if child.tag not in DRAWN:
                    raise
                words = re.sub("^line [0-9]+: ", "", str(error).removeprefix(f"{where}{name}, "))
                self._remark(child, f"a <{child.tag}> is left out: {words.rstrip('.')}")
                continue
            geometry = kept.first("geometry") if child.tag == "visual" else None
            if child.tag == "visual" and (geometry is None or len(geometry.inner) != 1):
                self._remark(child, "a <visual> without one box, cylinder, sphere or mesh is left out")
                continue
            yield kept


def _bolted(root: Element) -> Iterator[str]:
    """The links that are bolted to the world."""
    fixed, carried = dict[str, list[str]](), set[str]()
    for joint in root.all("joint"):
        parent, child = ((one.get("link") or "" if (one := joint.first(end)) else "") for end in ("parent", "child"))
        carried.add(child)
        if joint.get("type") == "fixed":
            fixed.setdefault(parent, []).append(child)
    found = [name for link in root.all("link") if (name := link.get("name") or "") not in carried]
    while found:
        yield (name := found.pop())
        found += fixed.pop(name, ())


def _named(child: Element, joints: set[str]) -> Element:
    """The element, with a new name if it is a fixed joint without one."""
    if child.tag != "joint" or child.get("type") != "fixed" or child.get("name"):
        return child
    return replace(child, attributes={**child.attributes, "name": free_name(f"fixed_{child.line}", joints)})


def free_name(wanted: str, taken: set[str]) -> str:
    """A name that the file does not use; it is added to ``taken``."""
    while wanted in taken:
        wanted += "_"
    taken.add(wanted)
    return wanted


def macros(element: Element) -> Iterator[Element]:
    """Unexpanded xacro elements that may produce part of the mechanics."""
    for child in element.inner:
        space, _, tag = child.tag.rpartition("}")
        if "xacro" in space.lower():
            if tag not in DEFINING:
                yield child
        elif child.tag not in DRAWN and child.tag in KEPT.get(element.tag, ()):
            yield from macros(child)


def meant_by(tag: str, inside: Element) -> str:
    """The known element that a tag misspells, unless that is present too; empty if nothing is similar."""
    there = {child.tag for child in inside.inner}
    missing = [name for name in KEPT.get(inside.tag, ()) if name in MANY.get(inside.tag, ()) or name not in there]
    return next(iter(difflib.get_close_matches(tag.lower()[:LONGEST], missing, n=1, cutoff=LIKE)), "")


def remedy(inside: Element, meant: str) -> str:
    """The effect of omitting the intended element, and what to do."""
    if not meant:
        return ""
    without = WITHOUT.get((inside.tag, meant), "").format(f"{inside.tag} {brief(inside.get('name'))}")
    return f"{f': {without}' if without else ''}. If <{meant}> is meant, correct the name"


def _is_foreign(tag: str) -> bool:
    """Whether an element has another namespace, for another program, and no local name that is known here."""
    space, _, name = tag.rpartition("}")
    return bool(space) and "xacro" not in space and not any(name in known for known in (XACRO, *KEPT.values()))


def right_angles(robot: Element) -> Iterator[str]:
    """A remark on angles of bodies and joints that are taken for right angles, if the change is above ``FELT``."""
    around = [one for each in robot.inner for one in (each.all("inertial") if each.tag == "link" else [each])]
    turned = [origin for one in around for origin in one.all("origin") if _is_rounded(origin.get("rpy") or "")]
    if turned:
        more = f"; so are {len(turned) - 1} more" if len(turned) > 1 else ""
        text = brief(turned[0].get("rpy"))[1:-1]
        yield f'line {turned[0].line}: rpy="{text}" is taken for exact right angles{more}'


def _is_rounded(rpy: str) -> bool:
    with suppress(ValueError, ArithmeticError):  # a malformed number is reported elsewhere
        return any(abs(float(a) - float(b)) > FELT for a, b in zip(rpy.split(), as_meant(rpy).split(), strict=True))
    return False


def as_meant(text: str) -> str:
    """The angles of an ``rpy`` attribute; one that is a right angle to its last printed digit becomes exact.

    ``1.5708``, ``1.57079632679`` and ``-3.1416`` are multiples of a right angle, rounded to the given decimals;
    taken literally they would leave 1e-5 or 1e-11 where every matrix should have 0. The text's own precision
    decides: ``1.5707`` and ``1.57079`` are not roundings of a right angle and are kept, and so is a number with fewer
    than four decimals, ``1.571`` or ``1.57``, which may as well have been measured. ``text`` is finite numbers, rad.
    """
    return " ".join(_angle(part) for part in text.split())


def _angle(text: str) -> str:
    if float(text) == 0.0:  # its exponent may be anything
        return text
    with localcontext(prec=60):
        value = Decimal(text)
        decimals = -int(value.as_tuple().exponent)
        if not FEWEST_DECIMALS <= decimals <= MOST_DECIMALS or abs(value) > (MOST_TURNS + 1) * RIGHT_ANGLE:
            return text
        turns = int((value / RIGHT_ANGLE).to_integral_value())
        exact = turns * RIGHT_ANGLE
        if turns == 0 or abs(turns) > MOST_TURNS or exact.quantize(Decimal(1).scaleb(-decimals)) != value:
            return text
        return repr(float(exact))


def _numbers(count: int) -> str:
    return "one number" if count == 1 else f"{count} numbers"


def _check_numbers(element: Element, attribute: str, text: str, where: str) -> None:
    tag = element.tag
    counts, positive = NUMBERS[tag, attribute]
    if len(text) > LONGEST:
        raise ModelError(
            f"{where}, line {element.line}: {attribute} of <{tag}> is {len(text)} characters long. Correct it."
        )
    parts = WORD.findall(text.replace(",", " ") if tag in ("box", "mesh") else text)
    values = [float(part) if DOUBLE.fullmatch(part) else None for part in parts]
    endless = tag == "limit"  # an infinite limit means none
    wrong = ""
    if None in values:
        wrong = f"is not a number; expected {_numbers(counts[-1])}. Correct it."
    elif len(values) not in counts:
        wrong = f"holds {len(values)} numbers; expected {_numbers(counts[-1])}. Correct it."
    elif any(math.isnan(value) or (math.isinf(value) and not endless) for value in values if value is not None):
        wrong = "is not finite; expected finite numbers. Correct it."
    elif positive and min(value for value in values if value is not None) <= 0.0:
        wrong = "is not above zero; a shape needs a size. Correct it, or remove the shape."
    if wrong:
        raise ModelError(f'{where}, line {element.line}: <{tag} {attribute}="{brief(text)[1:-1]}"> {wrong}')


DRAKE, OWN = "https://drake.mit.edu/", "urn:armsweep:robot"
"""The namespaces of these elements."""
UNLIMITED = 1e300
"""Stands for no limit where an element requires a number."""


@dataclass(frozen=True, eq=False)
class Extensions:
    """A file's content beyond URDF.

    Attributes:
        rotor_inertia: joint name -> kg m^2 or kg, seen at the joint.
        friction: joint name -> friction against motion in the negative and positive direction, N m or N.
        tips: links whose origins are the tool points; empty if the file has none.
        home: joint name -> rad or m.
        title: the display name.
        joints: names of all joints of the file.
    """

    rotor_inertia: Mapping[str, float]
    friction: Mapping[str, tuple[float, float]]
    tips: tuple[str, ...]
    home: Mapping[str, float]
    title: str
    joints: frozenset[str]

    def of_joint(self, joint: Joint) -> Joint:
        """A joint with the properties that its file adds to URDF."""
        return replace(
            joint,
            rotor_inertia=self.rotor_inertia.get(joint.name, joint.rotor_inertia),
            friction=self.friction.get(joint.name, joint.friction),
        )

    def of(self, robot: Robot) -> Robot:
        """The robot with its home and title."""
        home = {
            name: value for name, value in self.home.items() if name not in self.joints or name in robot.joint_names
        }
        return replace(robot, home=home or robot.home, title=self.title or robot.title)


def extensions_of(root: Element, where: str) -> Extensions:
    """The extensions in the complete ``<robot>`` element of a file."""
    return Extensions(
        rotor_inertia=dict(_rotors(root, where)),
        friction={
            joint.get("name") or "": (_number(each, "negative", where), _number(each, "positive", where))
            for joint in root.all("joint")
            for each in joint.all(own("friction"))
        },
        tips=tuple(_text(each, "link", where) for each in root.all(own("tip"))),
        home={_text(each, "joint", where): _number(each, "value", where) for each in root.all(own("home"))},
        title=next((_text(each, "text", where) for each in root.all(own("title"))), ""),
        joints=frozenset(joint.get("name") or "" for joint in root.all("joint")),
    )


def own(tag: str) -> str:
    """The name of one of our own elements."""
    return f"{{{OWN}}}{tag}"


def drakes(tag: str) -> str:
    """The name of one of Drake's."""
    return f"{{{DRAKE}}}{tag}"


def _rotors(root: Element, where: str) -> Iterator[tuple[str, float]]:
    """For every joint with a single actuator: the rotor's inertia times the gear ratio squared."""
    for transmission in root.all("transmission"):
        joints, actuators = transmission.all("joint"), transmission.all("actuator")
        if len(joints) != 1 or len(actuators) != 1:
            continue
        # Drake goes by the prefix: its namespace may have any name
        rotor, gears = (
            next((each for each in actuators[0].inner if each.tag.endswith("}" + tag)), None)
            for tag in ("rotor_inertia", "gear_ratio")
        )
        if rotor is not None:
            ratio = 1.0 if gears is None else _number(gears, "value", where)
            yield joints[0].get("name") or "", _number(rotor, "value", where) * ratio**2


def _text(element: Element, attribute: str, where: str) -> str:
    found = element.get(attribute)
    if not found:
        tag = element.tag.partition("}")[2]
        raise ModelError(f'{where}, line {element.line}: <{tag}> has no {attribute}; expected {attribute}="…". Add it.')
    return found


def _number(element: Element, attribute: str, where: str) -> float:
    text = _text(element, attribute, where)
    if not (len(text) <= LONGEST and DOUBLE.fullmatch(text.strip()) and np.isfinite(value := float(text))):
        tag = element.tag.partition("}")[2]
        raise ModelError(
            f'{where}, line {element.line}: <{tag} {attribute}="{brief(text)[1:-1]}"> is no finite number; expected '
            "one number. Correct it."
        )
    return value
