"""URDF to Robot: fixed joints merged away, links ordered from the tips to the base."""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from dynamics.checks import Array, brief, choices, names
from dynamics.checks import text as require_text
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.robot.mesh_files import find_mesh
from dynamics.robot.model import Frame, Geometry, Joint, Link, Robot
from dynamics.robot.right_angle import without_rounding
from dynamics.robot.urdf_bodies import NOT_FELT, Places, bodies_of, origin_pose
from dynamics.robot.urdf_tree import read_urdf
from dynamics.robot.validity import check_robot
from dynamics.robot.xml import MAXIMUM_BYTES

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
    _check(robot)
    return robot


def _check(robot: Robot) -> None:
    """Refuses what cannot be; what was not understood of its file may be why, and is said first."""
    try:
        check_robot(robot)
    except ModelError as fault:
        if robot.remarks:
            raise ModelError(f"{fault} Not understood of its file: {robot.remarks[0]}.") from None
        raise


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
    _check(robot)
    return robot


def parse_urdf(data: bytes, name: str, folder: Path | None, tip: str | Sequence[str] | None = None) -> Robot:
    """The robot as the file has it, before :func:`check_robot` looks at the whole."""
    import yourdfpy  # here: a fifth of what importing this package would cost, and only files need it

    root, remarks = read_urdf(data, name)
    model = yourdfpy.URDF.load(
        io.BytesIO(ElementTree.tostring(root.as_tree())), build_scene_graph=False, load_meshes=False
    ).robot
    title = f"robot {brief(model.name)}"
    if remarks:
        warnings.warn(f"{title}: not understood: {'; '.join(remarks)}.", stacklevel=4)
    places = {
        (each.tag, each.get("name")): f"{title}, line {each.line}, {each.tag} {brief(each.get('name'))}"
        for each in root.inner
    }
    if not any(joint.type in MOVING for joint in model.joints):
        raise ModelError(f"{title} has no moving joint; expected at least one revolute or prismatic joint.")
    tips = names(() if tip is None else tip, f"{title}: tip", ModelError)
    preorder = _preorder(model, tips, title)
    owner, pose_in_owner = _merge(model, preorder)

    moving = [link for link in reversed(preorder) if owner[link] == link and link != preorder[0]]
    index = {link: k for k, link in enumerate([*moving, preorder[0]])}
    inner = {joint.child: joint for joint in model.joints}
    bodies, faults = bodies_of(model, owner, pose_in_owner, places)
    if faults:
        faults = tuple(fault.removeprefix(f"{title}, ") for fault in faults)
        warnings.warn(f"{title}: left out of the root, which cannot feel it: {' '.join(faults)}", stacklevel=4)
    shapes = _shapes(model, owner, pose_in_owner, folder, title)
    frames = {link: Frame(link, index[owner[link]], pose_in_owner[link]) for link in preorder}
    links = {
        link: Link(link, body.mass, body.center_of_mass, body.inertia, tuple(shapes[link]))
        for link, body in bodies.items()
    }
    return Robot(
        name=model.name,
        links=tuple(links[link] for link in moving),
        joints=tuple(_joint(inner[link], pose_in_owner[inner[link].parent], places) for link in moving),
        inboard=tuple(index[owner[inner[link].parent]] for link in moving),
        root=links[preorder[0]],
        tips=_choose_tips(frames, tips, len(moving), title) if tips else _default_tips(model, owner, moving, frames),
        frames=frames,
        remarks=(*remarks, *(f"{fault} {NOT_FELT}" for fault in faults)),
        root_fault=" ".join(faults),
    )


def _choose_tips(frames: Mapping[str, Frame], names: Sequence[str], n: int, title: str) -> tuple[Frame, ...]:
    """The named frames as tool points."""
    for name in names:
        if frames[name].link == n:
            raise ModelError(f"{title}: tip {brief(name)} is fixed to the root and cannot move; name a moving link.")
    if len(set(names)) < len(names):
        raise ModelError(f"{title}: tip {brief(list(names))} names a link twice; name each tip once.")
    return tuple(frames[name] for name in names)


def _default_tips(
    model: Any, owner: Mapping[str, str], moving: Sequence[str], frames: Mapping[str, Frame]
) -> tuple[Frame, ...]:
    """One tool point for each outermost moving link: its file's leaf link if there is exactly one, else itself."""
    parents = {joint.parent for joint in model.joints}
    inboard_owners = {owner[joint.parent] for joint in model.joints if joint.type in MOVING}
    leaves: dict[str, list[str]] = {link: [] for link in moving if link not in inboard_owners}
    for link in frames:
        if link not in parents and owner[link] in leaves:
            leaves[owner[link]].append(link)
    return tuple(frames[ends[0] if len(ends) == 1 else link] for link, ends in leaves.items())


def _preorder(model: Any, tips: Sequence[str], title: str) -> list[str]:
    """All links, parents first and branch after branch; the first tip's branch comes last, so that reversed
    it comes first."""
    children: dict[str, list[str]] = {link.name: [] for link in model.links}
    parent: dict[str, str] = {}
    for joint in model.joints:
        children[joint.parent].append(joint.child)
        parent[joint.child] = joint.parent
    rank = dict.fromkeys(children, -len(tips))
    for number, tip in enumerate(tips):
        if tip not in children:
            raise ModelError(f"{title} has no link {brief(tip)} for a tip; expected one of {choices(children)}.")
        link: str | None = tip
        while link is not None:
            rank[link] = max(rank[link], -number + 1)
            link = parent.get(link)
    root = next(link for link in children if link not in parent)
    order, stack = [], [root]
    while stack:
        link = stack.pop()
        order.append(link)
        stack.extend(sorted(children[link], key=rank.__getitem__)[::-1])
    return order


def _merge(model: Any, preorder: Sequence[str]) -> tuple[dict[str, str], dict[str, Array]]:
    """For every link the moving link (or root) it is welded to, and its pose in it."""
    inner = {joint.child: joint for joint in model.joints}
    owner = {preorder[0]: preorder[0]}
    pose = {preorder[0]: np.eye(4)}
    for link in preorder[1:]:
        joint = inner[link]
        if joint.type in MOVING:
            owner[link], pose[link] = link, np.eye(4)
        else:
            owner[link] = owner[joint.parent]
            pose[link] = pose[joint.parent] @ origin_pose(joint.origin)
    return owner, pose


def _joint(joint: Any, parent_pose: Array, places: Places) -> Joint:
    where = places["joint", joint.name]
    length = float(np.linalg.norm(joint.axis))
    if not AXIS_MINIMUM <= length < np.inf:
        raise ModelError(f"{where}: axis is {joint.axis.tolist()}; expected a direction. Give a vector above zero.")
    limit, dynamics = joint.limit, joint.dynamics
    bounds = {"lower": -np.inf, "upper": np.inf, "velocity": np.inf, "effort": np.inf}
    if limit is not None:
        for key in bounds:
            value = getattr(limit, key)
            if value is not None and not (key in ("lower", "upper") and joint.type == "continuous"):
                bounds[key] = value
        # URDF's own defaults: a limit that names one bound only has zero for the other
        if joint.type != "continuous" and (limit.lower is None) != (limit.upper is None):
            bounds["lower" if limit.lower is None else "upper"] = 0.0
    friction = float((dynamics and dynamics.friction) or 0.0)
    return Joint(
        name=joint.name,
        kind=MOVING[joint.type],  # type: ignore[arg-type]
        axis=without_rounding(joint.axis / length),
        origin=parent_pose @ origin_pose(joint.origin),
        damping=float((dynamics and dynamics.damping) or 0.0),
        friction=(friction, friction),
        **bounds,
    )


def _shapes(
    model: Any, owner: Mapping[str, str], pose_in_owner: Mapping[str, Array], folder: Path | None, title: str
) -> dict[str, list[Geometry]]:
    named = {material.name: material for link in model.links for v in link.visuals if (material := v.material)}
    named = {name: material for name, material in named.items() if material.color is not None}
    named |= {material.name: material for material in model.materials if material.color is not None}
    shapes: dict[str, list[Geometry]] = {link: [] for link in owner.values()}
    left_out = []
    for link in model.links:
        for visual in link.visuals:
            shape = _shape(visual.geometry)
            if shape.kind == "mesh":
                path, reason = find_mesh(str(shape.path), folder)
                if path is None:
                    left_out.append(f"link {brief(link.name)}, mesh {brief(shape.path)}: {reason}")
                    continue
                shape = replace(shape, path=str(path))
            material = visual.material
            if material is not None and material.color is None:
                material = named.get(material.name)
            color = None
            if material is not None:
                red, green, blue, alpha = np.clip(material.color.rgba, 0.0, 1.0).tolist()
                color = (red, green, blue, alpha)
            pose = pose_in_owner[link.name] @ origin_pose(visual.origin)
            shapes[owner[link.name]].append(replace(shape, pose=pose, color=color))
    if left_out:
        more = f"; and {len(left_out) - 4} more" if len(left_out) > 4 else ""
        warnings.warn(f"{title}: shapes left out: {'; '.join(left_out[:4])}{more}.", stacklevel=5)
    return shapes


def _shape(geometry: Any) -> Geometry:
    still = np.eye(4)
    if geometry.box is not None:
        return Geometry("box", tuple(float(edge) for edge in geometry.box.size), still)
    if geometry.cylinder is not None:
        return Geometry("cylinder", (geometry.cylinder.radius, geometry.cylinder.length), still)
    if geometry.sphere is not None:
        return Geometry("sphere", (geometry.sphere.radius,), still)
    scale = np.broadcast_to(1.0 if geometry.mesh.scale is None else geometry.mesh.scale, 3)
    return Geometry("mesh", tuple(float(s) for s in scale), still, path=geometry.mesh.filename)
