"""What MuJoCo has compiled, as a description: bodies, each joint of them, and what they look like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from dynamics.checks import Array, brief
from dynamics.descriptions.description import Connection, Description, Part
from dynamics.errors import ModelError
from dynamics.mjcf.elements import Kept
from dynamics.mjcf.shapes import is_shown, shape_of
from dynamics.robot.model import Frame, Geometry, Joint
from dynamics.robot.poses import displaced, inverse, moved_by, pose_of_quaternion
from dynamics.robot.right_angle import without_rounding
from dynamics.robot.rigid_body import MassProperties, massless

FREE, BALL, SLIDE, HINGE = range(4)
"""``mjtJoint``."""
LOSSES = "damping", "armature", "frictionloss"
AXES = dict(zip("xyz", np.eye(3), strict=True))


class CompiledModel:
    """A model's bodies and joints.

    Attributes:
        description: the robot's parts; what has more than one freedom to its parent has parts without mass between.
        sites: named points, each with the number of the part that it is in.
        offsets: (4, 4) of each body, by its name: body <- its part, whose origin is at its last joint.
        remarks: what moves otherwise here.
        undrawn: names of bodies of whose looks some is of no kind that is drawn, or left out.
        hidden: names of bodies with geoms that are not to be seen.

    Args:
        model: what ``compiling.compiled`` has found.
        kept: where its bodies and joints stand in the file.
        where: what messages call the file.

    Raises:
        ModelError: for what is no tree of hinges and slides, by name.
    """

    def __init__(self, model: Mapping[str, Any], kept: Kept, where: str) -> None:
        self._places, self._where = kept.places, where
        self._model = {name: np.array(model[name]) if "_" in name or name == "qpos0" else model[name] for name in model}
        self.remarks = tuple(self._remarks())
        self._root = self._find_root()
        self._parts, self._connections = dict[str, Part](), list[Connection]()
        self._offsets: dict[int, Array] = {}
        self.undrawn, self.hidden = set(kept.undrawn), set[str]()
        self._shapes = self._shapes_of(kept)
        bodies = range(len(model["body"])) if self._root == 0 else self._inside(self._root)
        for body in bodies:
            self._add(body)
        self.description = Description(kept.root.get("model") or "", (*self._parts.values(),), (*self._connections,))
        self.offsets = {self._model["body"][body]: offset for body, offset in self._offsets.items()}
        numbers = {name: k for k, name in enumerate(self._parts)}
        taken = {*self._parts}
        self.sites = tuple(
            Frame(name, numbers[model["body"][body]], inverse(self._offsets[body]) @ pose)
            for name, body, pose in self._sites()
            if body in self._offsets and name and name not in taken
        )

    def _place(self, kind: str, name: str) -> str:
        place = self._places.get((kind, name))
        return f"{self._where}, {'' if place is None else f'{place}, '}{kind} {brief(name)}"

    def _remarks(self) -> Iterator[str]:
        found = {
            "the spring of joint": ("jnt", np.any(np.reshape(self._model["jnt_stiffness"], (-1, 1)), axis=1)),
            "what carries the weight of body": ("body", self._model["body_gravcomp"] != 0.0),
            "the cone that limits ball joint": (
                "jnt", (self._model["jnt_type"] == BALL) & (self._model["jnt_limited"] != 0)
            ),
        }  # fmt: skip
        for what, (kind, has) in found.items():
            names = [name for name, one in zip(self._model[kind], has, strict=True) if one]
            if names:
                more = f" and of {len(names) - 1} more" if len(names) > 1 else ""
                place = self._places.get(("joint" if kind == "jnt" else kind, names[0]))
                yield f"{'' if place is None else f'{place}: '}{what} {brief(names[0])}{more} is left out"

    def _find_root(self) -> int:
        """The body that floats; or the world, to which all else is bolted."""
        owners = self._owners()
        free = [body for body, kind in zip(owners, self._model["jnt_type"], strict=True) if kind == FREE]
        if not free:
            return 0
        place = self._place("body", self._model["body"][free[0]])
        inside = set(self._inside(free[0]))
        others = [body for body in owners if body not in inside]
        if others:
            raise ModelError(
                f"{place}: flies by itself, beside body {brief(self._model['body'][others[0]])}; expected one robot. "
                "Remove one of them."
            )
        first = int(self._model["jnt_dofadr"][self._model["body_jntadr"][free[0]]])
        for what in LOSSES:
            if np.any(self._model[f"dof_{what}"][first : first + 6]):
                raise ModelError(
                    f"{place}: its free joint has {what}, and what floats here has none. Use <freejoint/>."
                )
        return free[0]

    def _owners(self) -> list[int]:
        """The body of each joint."""
        return np.repeat(np.arange(len(self._model["body"])), self._model["body_jntnum"]).tolist()

    def _inside(self, root: int) -> list[int]:
        """A body and all that is joined to it, parents first."""
        found = {root: None}
        for body, parent in enumerate(self._model["body_parentid"].tolist()):
            if body and parent in found:
                found[body] = None
        return list(found)

    def _add(self, body: int) -> None:
        """A body with its joints, whose parent is there already."""
        m, name = self._model, self._model["body"][body]
        parent = int(m["body_parentid"][body])
        joints = [] if body == self._root else list(self._joints(body))
        at_parent = self._offsets.get(parent, np.eye(4))
        offset: Array = np.eye(4)
        inboard, step = m["body"][parent], pose_of_quaternion(m["body_pos"][body], m["body_quat"][body])
        step = inverse(at_parent) @ step
        for number, (joint, anchor, zero) in enumerate(joints):
            is_last = number == len(joints) - 1
            outboard = name if is_last else self._between(name, joint.name)
            before, offset = offset, offset if anchor is None else moved_by(anchor)
            origin = step @ inverse(before) @ offset @ displaced(joint.kind, joint.axis, -zero)
            self._connections.append(Connection(inboard, outboard, origin, joint))
            if not is_last:
                self._parts[outboard] = Part(outboard, self._place("body", name))
            inboard, step = outboard, np.eye(4)
        if not joints and body != self._root:
            self._connections.append(Connection(inboard, name, step))
        self._offsets[body] = offset
        self._parts[name] = self._part(body, inverse(offset))

    def _between(self, body: str, joint: str) -> str:
        """The name of a part without mass."""
        name = f"{body}_{joint}"
        while name in self._parts or name in self._model["body"]:
            name += "_"
        return name

    def _part(self, body: int, to_part: Array) -> Part:
        m, name = self._model, self._model["body"][body]
        shapes = tuple(
            Geometry(one.kind, one.size, to_part @ one.pose, one.color, one.path) for one in self._shapes.get(body, ())
        )
        owner = body
        while owner not in (0, self._root) and m["body_jntnum"][owner] == 0:
            owner = int(m["body_parentid"][owner])
        if owner == 0:  # bolted to the world: not felt
            return Part(name, self._place("body", name), massless(), shapes=shapes)
        inertia = np.diag(m["body_inertia"][body])
        mass = MassProperties(float(m["body_mass"][body]), np.zeros(3), inertia)
        pose = to_part @ pose_of_quaternion(m["body_ipos"][body], m["body_iquat"][body])
        return Part(name, self._place("body", name), mass, pose, shapes)

    def _joints(self, body: int) -> Iterator[tuple[Joint, Array | None, float]]:
        """Each freedom of a body: its joint, where its axis is in the body, and its displacement as the file poses it.

        A slide's axis is where the hinge before it is: it makes no difference.
        """
        m = self._model
        first = int(m["body_jntadr"][body])
        for j in range(first, first + int(m["body_jntnum"][body])):
            if m["jnt_type"][j] == BALL:
                yield from self._hinges_of_ball(j)
                continue
            dof, limited, bounded = int(m["jnt_dofadr"][j]), m["jnt_limited"][j], m["jnt_actfrclimited"][j]
            friction = float(m["dof_frictionloss"][dof])
            lower, upper = map(float, m["jnt_range"][j] if limited else (-np.inf, np.inf))
            slides = m["jnt_type"][j] == SLIDE
            joint = Joint(
                m["jnt"][j],
                "prismatic" if slides else "revolute",
                without_rounding(m["jnt_axis"][j]),
                np.eye(4),
                lower,
                upper,
                effort=float(np.max(np.abs(m["jnt_actfrcrange"][j]))) if bounded else np.inf,
                damping=float(m["dof_damping"][dof]),
                friction=(friction, friction),
                rotor_inertia=float(m["dof_armature"][dof]),
            )
            yield joint, None if slides else m["jnt_pos"][j], float(m["qpos0"][m["jnt_qposadr"][j]])

    def _hinges_of_ball(self, j: int) -> Iterator[tuple[Joint, Array, float]]:
        m, name = self._model, self._model["jnt"][j]
        dof = int(m["jnt_dofadr"][j])
        for what in LOSSES:
            if m[f"dof_{what}"][dof]:
                raise ModelError(
                    f"{self._place('joint', name)}: is a ball joint with {what}, which acts in all directions alike; "
                    f"that of no three hinges does. Take away its {what}, or write three hinges in its place."
                )
        for letter, axis in AXES.items():
            yield Joint(f"{name}_{letter}", "revolute", axis, np.eye(4)), m["jnt_pos"][j], 0.0

    def _shapes_of(self, kept: Kept) -> dict[int, list[Geometry]]:
        found: dict[int, list[Geometry]] = {}
        for geom, body in enumerate(self._model["geom_bodyid"].tolist()):
            if (shape := shape_of(self._model, geom, kept.meshes, kept.placed)) is not None:
                found.setdefault(body, []).append(shape)
            else:
                apart = self.undrawn if is_shown(self._model, geom) else self.hidden
                apart.add(self._model["body"][body])
        return found

    def _sites(self) -> Iterator[tuple[str, int, Array]]:
        m = self._model
        for name, body, place, turn in zip(m["site"], m["site_bodyid"], m["site_pos"], m["site_quat"], strict=True):
            yield name, int(body), pose_of_quaternion(place, turn)
