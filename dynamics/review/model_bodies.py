"""Bodies of a MuJoCo model, reviewed as the links of a URDF that says the same, and what mends them in its text."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from dynamics.checks import Array, brief
from dynamics.descriptions.urdf_written import rpy_of
from dynamics.descriptions.xml import Element
from dynamics.mjcf.compiled_model import CompiledModel
from dynamics.review.bodies import bodies
from dynamics.review.draft import Additions, Draft, Edit, edited, text_of
from dynamics.review.extent import origin_of
from dynamics.review.finding import Finding
from dynamics.review.link_body import SIX
from dynamics.review.model_numbers import NOWHERE, Place, setting
from dynamics.review.structure import title_of
from dynamics.review.units import FARTHEST, PER_MILLIMETER, ROUND, units
from dynamics.robot.model import Geometry
from dynamics.robot.poses import inverse

ORIENTED = "quat", "axisangle", "euler", "xyaxes", "zaxis"
"""How an element says which way its axes are."""
AS_IN_FULL = (0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)
"""Where the numbers of ``fullinertia`` are."""
OF_INERTIAL = {"pos": 3, "mass": 1, "fullinertia": 6, "diaginertia": 3}
"""Attributes of an ``<inertial>``, and of how many numbers each is."""
MARGIN = 1e-12
"""Of the largest number of an inertia that is written whole."""
WORLD, THE_WORLD = -1, "world"
"""A number that no body has, and what MuJoCo calls what all of them are in."""
OF_MASS = "absurd density", "absurd mass"
WEIGHED = "settotalmass", "boundmass", "boundinertia"
"""By these MuJoCo changes what a body says."""
LENGTHS = "pos", "fromto", "size"
MARK_M = 0.005
"""What is shown smaller is a mark, and says nothing of a body's size."""


def as_written(root: Draft, additions: Additions) -> Iterator[Finding]:
    """Masses and inertias that no body has, of a model that MuJoCo does not take: it tells one, these are all.

    Args:
        root: the model's own text.
        additions: what remedies add.
    """
    if setting(root, "inertiafromgeom") == "true":
        return
    links = _Links()
    for world in root.all("worldbody"):
        for body in _inside(world, "body"):
            _write(links, body, "")
    is_balanced = setting(root, "balanceinertia") == "true"
    for finding in bodies(links.robot, Additions(links.robot), None, each_moving_weighs=True):
        if finding.kind == "missing product" or (is_balanced and finding.kind == "triangle inequality"):
            continue
        weight = "wrong" if finding.kind == "zero inertia" else finding.weight
        yield replace(_of_model(finding, links, additions, True), weight=weight)


def as_compiled(
    root: Draft,
    whole: Element,
    additions: Additions,
    model: CompiledModel,
    places: Mapping[tuple[str, str], Place],
    inferred: Collection[str],
    folder: Path | None,
) -> Iterator[Finding]:
    """What is hardly meant of the bodies of a model that MuJoCo takes: lengths, masses, mass centres, inertias.

    Args:
        root: the model's own text.
        whole: the model with what it includes.
        additions: what remedies add.
        model: what MuJoCo makes of it.
        places: where its bodies and joints stand, by their tags and names.
        inferred: bodies whose inertia MuJoCo makes of their geoms.
        folder: where its meshes are sought.
    """
    links = _Links()
    for part in model.description.parts:
        place = places.get(("body", part.name), NOWHERE)
        link = links.add(part.name, place, f"body {brief(part.name)}")
        links.body(part.name).is_of_geoms = part.name in inferred
        offset = model.offsets.get(part.name, np.eye(4))
        if part.body.mass > 0.0:
            pose = offset @ part.body_pose
            turn, center = pose[:3, :3], pose[:3, :3] @ part.body.center_of_mass + pose[:3, 3]
            links.weigh(link, place.inertial, center, part.body.mass, turn @ part.body.inertia @ turn.T)
        # what is seen in part says nothing of the size
        is_in_part = part.name in model.undrawn or (part.name in inferred and part.name in model.hidden)
        for shape in () if is_in_part else part.shapes:
            if shape.kind == "mesh" or max(shape.size) > MARK_M:
                links.shape(link, replace(shape, pose=offset @ shape.pose))
    for each in model.description.connections:
        kind = "fixed" if each.joint is None else each.joint.kind
        outer, inner = (model.offsets.get(name, np.eye(4)) for name in (each.parent, each.child))
        step = (outer @ each.origin @ inverse(inner))[:3, 3]
        # how far from the world's origin a robot, or what is around it, has been put says nothing of its lengths
        joint = links.join(kind, each.parent, each.child, step if each.parent != THE_WORLD else np.zeros(3))
        if each.joint is not None and kind == "prismatic" and np.isfinite([each.joint.lower, each.joint.upper]).all():
            body = links.body(each.child)
            body.slide, body.slides_on = places.get(("joint", each.joint.name), NOWHERE), each.joint.name
            links.new(joint, "limit", {"lower": text_of(each.joint.lower), "upper": text_of(each.joint.upper)})
    can_weigh = setting(whole, "inertiafromgeom") != "true" and not any(setting(whole, name) for name in WEIGHED)
    found = list(units(links.robot, folder))
    for finding in found:
        yield _shortened(finding, links, root)
    links.robot = edited(links.robot, [edit for each in found for edit in each.edits])
    for finding in bodies(links.robot, Additions(links.robot), folder):
        if links.named_in(finding)[1].is_of_geoms:  # and so of other lengths, too
            is_told = finding.kind in OF_MASS and not found
        else:
            is_told = finding.kind != "missing product"
        if is_told:
            yield _of_model(finding, links, additions, can_weigh)


@dataclass(eq=False)
class _Body:
    """Attributes:
    place: where it stands in the model.
    title: what a finding calls it.
    keeps_axes: whether its inertia is in the axes that its ``<inertial>`` has; else in those of the link.
    is_of_geoms: whether MuJoCo makes its inertia of its geoms.
    slide: where the joint stands that it slides along, if it does.
    slides_on: that joint's name.
    """

    place: Place
    title: str
    keeps_axes: bool = False
    is_of_geoms: bool = False
    slide: Place = NOWHERE
    slides_on: str = ""


class _Links:
    """A draft of a URDF whose links are a model's bodies.

    Attributes:
        robot: the draft; its links have numbers for names, and a joint that of the link that it carries.
        bodies: of each link.
    """

    def __init__(self) -> None:
        self.robot, self.bodies = Draft(0, "robot", {}, 0), list[_Body]()
        self._numbers, self._count = dict[str, int](), 0

    def add(self, name: str, place: Place, title: str) -> Draft:
        """Args: what it is called where it is joined to another."""
        self._numbers[name] = len(self.bodies)
        self.bodies.append(_Body(place, title))
        return self.new(self.robot, "link", {"name": f"{self._numbers[name]}"}, place.line)

    def body(self, name: str) -> _Body:
        return self.bodies[self._numbers[name]]

    def join(self, kind: str, parent: str, child: str, at: Array) -> Draft:
        inner, outer = f"{self._numbers[child]}", f"{self._numbers.get(parent, WORLD)}"
        joint = self.new(self.robot, "joint", {"name": inner, "type": kind}, self.body(child).place.line)
        self.new(joint, "parent", {"link": outer})
        self.new(joint, "child", {"link": inner})
        self.new(joint, "origin", {"xyz": text_of(at)})
        return joint

    def weigh(self, link: Draft, line: int, center: Array | None, mass: float | None, tensor: Array | None) -> None:
        """What of its inertial is known."""
        inertial = self.new(link, "inertial", {}, line)
        if center is not None:
            self.new(inertial, "origin", {"xyz": text_of(center)})
        if mass is not None:
            self.new(inertial, "mass", {"value": text_of(mass)})
        if tensor is not None:
            self.new(inertial, "inertia", _six(tensor))

    def weigh_unknown(self, link: Draft) -> None:
        """It weighs something, of which nothing is to be told."""
        inertial = self.new(link, "inertial", {})
        self.new(inertial, "mass", {"value": "?"})
        self.new(inertial, "inertia", dict.fromkeys(SIX, "?"))

    def shape(self, link: Draft, shape: Geometry) -> None:
        visual = self.new(link, "visual", {})
        self.new(visual, "origin", {"xyz": text_of(shape.pose[:3, 3]), "rpy": text_of(rpy_of(shape.pose[:3, :3]))})
        geometry = self.new(visual, "geometry", {})
        if shape.kind == "mesh":
            self.new(geometry, "mesh", {"filename": shape.path or "", "scale": text_of(shape.size)})
        elif shape.kind == "box":
            self.new(geometry, "box", {"size": text_of(shape.size)})
        elif shape.kind == "sphere":
            self.new(geometry, "sphere", {"radius": text_of(shape.size)})
        else:  # a capsule as the cylinder around it
            radius, length = shape.size
            ends = 2.0 * radius if shape.kind == "capsule" else 0.0
            self.new(geometry, "cylinder", {"radius": text_of(radius), "length": text_of(length + ends)})

    def new(self, around: Draft, tag: str, attributes: Mapping[str, str], line: int = 0) -> Draft:
        self._count += 1
        around.inner.append(draft := Draft(self._count, tag, dict(attributes), line or around.line))
        return draft

    def named_in(self, finding: Finding) -> tuple[Draft, _Body]:
        """The link that a finding names, or whose joint it names, and the body."""
        number = int(finding.where.split("'")[1])
        return self.robot.all("link")[number], self.bodies[number]


def _write(links: _Links, body: Draft, outer: str) -> None:
    """A body as its text has it, and all in it; what a class says, or MuJoCo infers, is not known."""
    name = f"{body.number}"
    link = links.add(name, Place(body.line, body.file, body), title_of(body))
    links.body(name).keeps_axes = True
    inertial = next(_inside(body, "inertial"), None)
    if inertial is not None and _is_read(inertial):
        links.weigh(link, inertial.line, inertial.numbers("pos", 3), _mass(inertial), _tensor(inertial))
    elif inertial is not None or next(_inside(body, "geom"), None) is not None:
        links.weigh_unknown(link)
    moves = next(_inside(body, "joint", "freejoint"), None) is not None
    place = body.numbers("pos", 3)
    links.join("revolute" if moves else "fixed", outer, name, np.zeros(3) if place is None else place)
    for inner in _inside(body, "body"):
        _write(links, inner, name)


def _is_read(inertial: Draft) -> bool:
    """Whether what it says are numbers: what is none MuJoCo tells, and nobody else knows what it was to be."""
    given = ((name, count) for name, count in OF_INERTIAL.items() if name in inertial.attributes)
    return all(inertial.numbers(name, count) is not None for name, count in given)


def _mass(inertial: Draft) -> float | None:
    value = inertial.numbers("mass", 1)
    return None if value is None else float(value[0])


def _tensor(inertial: Draft) -> Array | None:
    full, diagonal = inertial.numbers("fullinertia", 6), inertial.numbers("diaginertia", 3)
    if full is None:
        return None if diagonal is None else np.diag(diagonal)
    tensor = np.zeros((3, 3))
    for (row, column), value in zip(AS_IN_FULL, full, strict=True):
        tensor[row, column] = tensor[column, row] = value
    return tensor


def _of_model(finding: Finding, links: _Links, additions: Additions, can_weigh: bool) -> Finding:
    """What is found of a link, of its body: where that stands, and the ``<inertial>`` that mends it."""
    link, body = links.named_in(finding)
    own = body.place.own
    edits: tuple[Edit, ...] = ()
    if own is not None and finding.edits and can_weigh and finding.kind != "shape in millimetres":
        mended = edited(link, finding.edits).first("inertial")
        edits = () if mended is None else tuple(_weighed(own, body, mended, additions))
    return _told(finding, body.title, body.place._replace(line=finding.line), edits)


def _weighed(own: Draft, body: _Body, mended: Draft, additions: Additions) -> Iterator[Edit]:
    """An ``<inertial>`` of the numbers that a link's has."""
    pose, mass, inertia = origin_of(mended), mended.first("mass"), mended.first("inertia")
    around = next((each for each in _holders(own) if each.first("inertial") is not None), own)
    is_turned = around is not own and not body.keeps_axes  # and shifted, by the frame that it is in
    if pose is None or mass is None or inertia is None or is_turned:
        return
    tensor = np.zeros((3, 3))
    tensor[np.triu_indices(3)] = [float(inertia.attributes.get(name, 0.0)) for name in SIX]
    edits = additions.inside(around, "inertial", {"pos": text_of(pose[:3, 3]), "mass": mass.attributes["value"]})
    yield from edits
    at = edits[-1].at
    is_diagonal = not tensor[np.triu_indices(3, 1)].any()
    # MuJoCo finds the moments by its own arithmetic, and takes none that lack a rounding
    one, other, largest = sorted(np.diag(tensor))
    if not is_diagonal or one + other < largest:
        tensor = tensor + MARGIN * np.abs(tensor).max() * np.eye(3)
    for name in ("fullinertia" if is_diagonal else "diaginertia", *(() if body.keeps_axes else ORIENTED)):
        yield Edit("drop", at, name)
    if is_diagonal:
        yield Edit("set", at, "diaginertia", text_of(np.diag(tensor)))
    else:
        yield Edit("set", at, "fullinertia", text_of([tensor[place] for place in AS_IN_FULL]))


def _shortened(finding: Finding, links: _Links, root: Draft) -> Finding:
    """What looks like millimetres, with the lengths of the model that mend it."""
    _, body = links.named_in(finding)
    own = body.place.own
    edits: list[Edit] = []
    if finding.kind == "limits in millimetres":
        own, title = body.slide.own, f"joint {brief(body.slides_on)}"
        ends = () if own is None else (own.set("range", *(edit.value for edit in finding.edits)),)
        return _told(finding, title, body.slide, ends)
    if finding.kind == "millimetres" and "file" in finding.remedy:
        edits += _all_shortened(root, links)
    elif finding.kind == "millimetres" and own is not None:
        steps = _poses(root, own)
        far = [each for each in steps if float(np.linalg.norm(_position(each))) > FARTHEST]
        edits += [edit for each in far or steps for edit in _times(each, "pos")]
    elif finding.kind == "mesh in millimetres" and own is not None:
        shown = {each.get("mesh") for each in _inside(own, "geom")}
        for asset in root.all("asset"):
            for mesh in asset.all("mesh"):
                if (mesh.name or Path(mesh.get("file") or "").stem) in shown:
                    edits += _times(mesh, "scale") or [mesh.set("scale", *[PER_MILLIMETER] * 3)]
    return _told(finding, body.title, body.place, tuple(edits))


def _all_shortened(root: Draft, links: _Links) -> Iterator[Edit]:
    """Every length of a model; none of one that includes others, in which they would stay."""
    if any(each.tag == "include" for each in root.every()):
        return
    slides = {body.slide.own.number for body in links.bodies if body.slide.own is not None}
    for each in root.every():
        for name in LENGTHS:
            yield from _times(each, name)
        if each.get("type") == "slide" or each.number in slides:
            yield from _times(each, "range")


def _poses(root: Draft, body: Draft) -> list[Draft]:
    """What says together where a body is in the one that carries it: the frames that it is in, and itself."""
    around = {inner.number: each for each in root.every() for inner in each.inner}
    found = [body]
    while (outer := around.get(found[-1].number)) is not None and outer.tag == "frame":
        found.append(outer)
    return found


def _position(draft: Draft) -> Array:
    value = draft.numbers("pos", 3)
    return np.zeros(3) if value is None else value


def _told(finding: Finding, title: str, place: Place, edits: tuple[Edit, ...]) -> Finding:
    return Finding(finding.kind, finding.weight, place.line, title, finding.words, finding.remedy, edits, place.file)


def _times(draft: Draft, attribute: str) -> list[Edit]:
    """An element's lengths as millimetres."""
    count = len(draft.attributes.get(attribute, "").split())
    values = draft.numbers(attribute, count) if count else None
    return [] if values is None else [draft.set(attribute, *np.round(values * PER_MILLIMETER, ROUND))]


def _inside(body: Draft, *tags: str) -> Iterator[Draft]:
    """What is in a body, also in frames of it."""
    for each in body.inner:
        if each.tag in tags:
            yield each
        elif each.tag == "frame":
            yield from _inside(each, *tags)


def _holders(body: Draft) -> Iterator[Draft]:
    """The body, and the frames in it."""
    yield body
    for frame in body.all("frame"):
        yield from _holders(frame)


def _six(tensor: Array) -> dict[str, str]:
    return dict(zip(SIX, map(text_of, tensor[np.triu_indices(3)]), strict=True))
