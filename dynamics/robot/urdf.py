"""URDF to Robot: fixed joints merged away, links ordered from the tips to the base."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from dynamics.checks import Array, brief, choices, names
from dynamics.checks import text as require_text
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.robot.mesh_files import find_mesh
from dynamics.robot.model import Frame, Geometry, Joint, Link, Robot
from dynamics.robot.right_angle import without_rounding
from dynamics.robot.rigid_body import MassProperties, check_mass_properties, joined, massless
from dynamics.robot.urdf_elements import number_of, numbers_of
from dynamics.robot.urdf_tree import read_urdf
from dynamics.robot.validity import check_robot
from dynamics.robot.xml import MAXIMUM_BYTES, Element

MOVING = {"revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic"}
AXIS_MINIMUM = 1e-9


def load_urdf(path: str | Path, tip: str | Sequence[str] | None = None) -> Robot:
    """The robot in a URDF file. See :func:`load_urdf_text`."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            data = file.read(MAXIMUM_BYTES + 1)
    except (OSError, ValueError) as error:
        raise ModelError(
            f"robot file {brief(str(path))} cannot be read: {_reason(error)}. Give an existing file."
        ) from None
    robot = parse_urdf(data, path.name, folder=path.parent, tip=tip)
    check_robot(robot)
    return robot


def _reason(error: OSError | ValueError) -> str:
    """Why a file cannot be read, without its name: that may be as long as a file."""
    return (error.strerror or type(error).__name__) if isinstance(error, OSError) else str(error)


@public
def load_urdf_text(text: str | bytes, name: str = "robot", tip: str | Sequence[str] | None = None) -> Robot:
    """The robot in URDF text, such as an upload; its meshes are left out.

    Right angles are exact, as with :func:`dynamics.load`.

    Args:
        text: the file's content.
        name: what to call it in messages.
        tip: the link, or links, whose origins are the tool points; by default the outermost ones.

    Returns:
        The robot: index 0 is the (first) tip's link, every link comes before its inboard neighbor, fixed joints
        are merged into their parents and every link's name stays in ``frames``.

    Raises:
        ModelError: for whatever is wrong with the file, by name.

    Cost: linear in the text, some 20 ms for seven links.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    require_text(name, "name", ModelError)
    if not isinstance(data, bytes | bytearray):
        raise ModelError(f"robot file {brief(name)} is {brief(text)}; expected its text or its bytes.")
    robot = parse_urdf(data, name, folder=None, tip=tip)
    check_robot(robot)
    return robot


def parse_urdf(data: bytes, name: str, folder: Path | None, tip: str | Sequence[str] | None = None) -> Robot:
    """The robot as the file has it, before :func:`check_robot` looks at the whole."""
    root, remarks = read_urdf(data, name)
    model = _Model(root)
    title = f"robot {brief(model.name)}"
    if remarks:
        warnings.warn(f"{title}: not understood: {'; '.join(remarks)}.", stacklevel=4)
    if not any(joint.get("type") in MOVING for joint in model.joints):
        raise ModelError(f"{title} has no moving joint; expected at least one revolute or prismatic joint.")
    tips = names(() if tip is None else tip, f"{title}: tip", ModelError)
    preorder = _preorder(model, tips, title)
    owner, pose_in_owner = _merge(model, preorder)

    moving = [link for link in reversed(preorder) if owner[link] == link and link != preorder[0]]
    index = {link: k for k, link in enumerate([*moving, preorder[0]])}
    bodies = _bodies(model, owner, pose_in_owner, title)
    shapes = _shapes(model, owner, pose_in_owner, folder, title)
    frames = {link: Frame(link, index[owner[link]], pose_in_owner[link]) for link in preorder}
    links = {
        link: Link(link, body.mass, body.center_of_mass, body.inertia, tuple(shapes[link]))
        for link, body in bodies.items()
    }
    return Robot(
        name=model.name,
        links=tuple(links[link] for link in moving),
        joints=tuple(_joint(model.inner[link], pose_in_owner[model.parent[link]], title) for link in moving),
        inboard=tuple(index[owner[model.parent[link]]] for link in moving),
        root=links[preorder[0]],
        tips=_choose_tips(frames, tips, len(moving), title) if tips else _default_tips(model, owner, moving, frames),
        frames=frames,
        remarks=remarks,
    )


class _Model:
    """The elements of a file by what they are for."""

    def __init__(self, root: Element) -> None:
        self.name = root.get("name") or "robot"
        self.links = {_text(link, "name"): link for link in root.all("link")}
        self.joints, self.materials = root.all("joint"), root.all("material")
        self.inner = {_end(joint, "child"): joint for joint in self.joints}
        self.parent = {_end(joint, "child"): _end(joint, "parent") for joint in self.joints}


def _text(element: Element, attribute: str) -> str:
    return element.get(attribute) or ""


def _end(joint: Element, end: str) -> str:
    """The name of the link at an end of a joint, which is there: the tree has been checked."""
    return _text(joint.all(end)[0], "link")


def _choose_tips(frames: Mapping[str, Frame], names: Sequence[str], n: int, title: str) -> tuple[Frame, ...]:
    """The named frames as tool points."""
    for name in names:
        if frames[name].link == n:
            raise ModelError(f"{title}: tip {brief(name)} is fixed to the root and cannot move; name a moving link.")
    if len(set(names)) < len(names):
        raise ModelError(f"{title}: tip {brief(list(names))} names a link twice; name each tip once.")
    return tuple(frames[name] for name in names)


def _default_tips(
    model: _Model, owner: Mapping[str, str], moving: Sequence[str], frames: Mapping[str, Frame]
) -> tuple[Frame, ...]:
    """One tool point for each outermost moving link: its file's leaf link if there is exactly one, else itself."""
    parents = set(model.parent.values())
    inboard_owners = {owner[_end(joint, "parent")] for joint in model.joints if joint.get("type") in MOVING}
    leaves: dict[str, list[str]] = {link: [] for link in moving if link not in inboard_owners}
    for link in frames:
        if link not in parents and owner[link] in leaves:
            leaves[owner[link]].append(link)
    return tuple(frames[ends[0] if len(ends) == 1 else link] for link, ends in leaves.items())


def _preorder(model: _Model, tips: Sequence[str], title: str) -> list[str]:
    """All links, parents first and branch after branch; the first tip's branch comes last, so that reversed
    it comes first."""
    children: dict[str, list[str]] = {link: [] for link in model.links}
    for child, parent in model.parent.items():
        children[parent].append(child)
    rank = dict.fromkeys(children, -len(tips))
    for number, tip in enumerate(tips):
        if tip not in children:
            raise ModelError(f"{title} has no link {brief(tip)} for a tip; expected one of {choices(children)}.")
        link: str | None = tip
        while link is not None:
            rank[link] = max(rank[link], -number + 1)
            link = model.parent.get(link)
    root = next(link for link in children if link not in model.parent)
    order, stack = [], [root]
    while stack:
        link = stack.pop()
        order.append(link)
        stack.extend(sorted(children[link], key=rank.__getitem__)[::-1])
    return order


def _merge(model: _Model, preorder: Sequence[str]) -> tuple[dict[str, str], dict[str, Array]]:
    """For every link the moving link (or root) it is welded to, and its pose in it."""
    owner = {preorder[0]: preorder[0]}
    pose = {preorder[0]: np.eye(4)}
    for link in preorder[1:]:
        if model.inner[link].get("type") in MOVING:
            owner[link], pose[link] = link, np.eye(4)
        else:
            parent = model.parent[link]
            owner[link] = owner[parent]
            pose[link] = pose[parent] @ _origin(model.inner[link])
    return owner, pose


def _bodies(
    model: _Model, owner: Mapping[str, str], pose_in_owner: Mapping[str, Array], title: str
) -> dict[str, MassProperties]:
    groups: dict[str, list[MassProperties]] = {link: [] for link in owner.values()}
    for name, link in model.links.items():
        body, inertial = massless(), link.first("inertial")
        if inertial is not None:
            mass = number_of(inertial.first("mass"), "value") or 0.0
            body = MassProperties(mass, np.zeros(3), _inertia(inertial.all("inertia")[0]))
            check_mass_properties(body, f"{title}, line {inertial.line}, link {brief(name)}")
            body = body.moved(_origin(inertial))
        groups[owner[name]].append(body.moved(pose_in_owner[name]))
    return {link: joined(bodies) for link, bodies in groups.items()}


def _inertia(element: Element) -> Array:
    xx, xy, xz, yy, yz, zz = (number_of(element, f"i{axes}") or 0.0 for axes in ("xx", "xy", "xz", "yy", "yz", "zz"))
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _joint(joint: Element, parent_pose: Array, title: str) -> Joint:
    name, is_endless = _text(joint, "name"), joint.get("type") == "continuous"
    where = f"{title}, line {joint.line}, joint {brief(name)}"
    along = joint.first("axis")
    axis = np.array((1.0, 0.0, 0.0) if along is None else numbers_of(along, "xyz", (1.0, 0.0, 0.0)))
    length = float(np.linalg.norm(axis))
    if not AXIS_MINIMUM <= length < np.inf:
        raise ModelError(f"{where}: axis is {axis.tolist()}; expected a direction. Give a vector above zero.")
    limit, dynamics = joint.first("limit"), joint.first("dynamics")
    bounds = {"lower": -np.inf, "upper": np.inf, "velocity": np.inf, "effort": np.inf}
    given = {key: value for key in bounds if (value := number_of(limit, key)) is not None}
    if is_endless:
        given = {key: value for key, value in given.items() if key not in ("lower", "upper")}
    elif ("lower" in given) != ("upper" in given):
        # URDF's own defaults: a limit that names one bound only has zero for the other
        given.setdefault("lower", 0.0)
        given.setdefault("upper", 0.0)
    friction = number_of(dynamics, "friction") or 0.0
    return Joint(
        name=name,
        kind=MOVING[_text(joint, "type")],  # type: ignore[arg-type]
        axis=without_rounding(axis / length),
        origin=parent_pose @ _origin(joint),
        damping=number_of(dynamics, "damping") or 0.0,
        friction=(friction, friction),
        **bounds | given,
    )


def _shapes(
    model: _Model, owner: Mapping[str, str], pose_in_owner: Mapping[str, Array], folder: Path | None, title: str
) -> dict[str, list[Geometry]]:
    visuals = [(link, visual) for link, element in model.links.items() for visual in element.all("visual")]
    inside = [material for _, visual in visuals for material in visual.all("material")]
    named = {material.get("name"): color for material in (*inside, *model.materials) if (color := _color(material))}
    shapes: dict[str, list[Geometry]] = {link: [] for link in owner.values()}
    left_out = []
    for link, visual in visuals:
        (form,) = visual.all("geometry")[0].inner
        shape = _shape(form)
        if shape.kind == "mesh":
            path, reason = find_mesh(str(shape.path), folder)
            if path is None:
                left_out.append(f"link {brief(link)}, mesh {brief(shape.path)}: {reason}")
                continue
            shape = replace(shape, path=str(path))
        material = visual.first("material")
        color = None if material is None else _color(material) or named.get(material.get("name"))
        pose = pose_in_owner[link] @ _origin(visual)
        shapes[owner[link]].append(replace(shape, pose=pose, color=color))
    if left_out:
        more = f"; and {len(left_out) - 4} more" if len(left_out) > 4 else ""
        warnings.warn(f"{title}: shapes left out: {'; '.join(left_out[:4])}{more}.", stacklevel=5)
    return shapes


def _color(material: Element) -> tuple[float, float, float, float] | None:
    color = material.first("color")
    if color is None:
        return None
    red, green, blue, alpha = np.clip(numbers_of(color, "rgba", ()), 0.0, 1.0).tolist()
    return red, green, blue, alpha


def _shape(form: Element) -> Geometry:
    still = np.eye(4)
    if form.tag == "box":
        return Geometry("box", numbers_of(form, "size", ()), still)
    if form.tag in ("cylinder", "sphere"):
        sizes = [number_of(form, name) for name in ("radius", "length")]
        return Geometry(form.tag, tuple(size for size in sizes if size is not None), still)  # type: ignore[arg-type]
    scale = numbers_of(form, "scale", (1.0,))
    return Geometry("mesh", scale if len(scale) == 3 else scale * 3, still, path=form.get("filename"))


def _origin(element: Element) -> Array:
    """The pose that the ``<origin>`` of an element says; its quarter turns are exact."""
    pose, origin = np.eye(4), element.first("origin")
    if origin is None:
        return pose
    (si, sj, sk), (ci, cj, ck) = (turn(numbers_of(origin, "rpy", (0.0, 0.0, 0.0))) for turn in (np.sin, np.cos))
    rotation = np.array(
        [
            [cj * ck, sj * (si * ck) - ci * sk, sj * (ci * ck) + si * sk],
            [cj * sk, sj * (si * sk) + ci * ck, sj * (ci * sk) - si * ck],
            [-sj, cj * si, cj * ci],
        ]
    )
    pose[:3, :3], pose[:3, 3] = without_rounding(rotation), numbers_of(origin, "xyz", (0.0, 0.0, 0.0))
    return pose
