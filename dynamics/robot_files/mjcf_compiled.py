"""MuJoCo's compiled model as a description: bodies, their joints, and their shapes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from dynamics.checks import Array, brief, choices
from dynamics.errors import ModelError
from dynamics.robot.model import INSIDE, Frame, Geometry, Joint, Link
from dynamics.robot.rigid_body import (
    MassProperties,
    displaced,
    inverse,
    joined,
    massless,
    moved_by,
    pose_of_quaternion,
    without_rounding,
)
from dynamics.robot_files.description import Closure, Connection, Description, Follower, Part
from dynamics.robot_files.mesh_files import SUFFIXES
from dynamics.robot_files.mjcf_elements import DRAWN, MjcfElements
from dynamics.robot_files.urdf_elements import free_name
from dynamics.robot_files.xml import Element

FREE, BALL, SLIDE, HINGE = range(4)
"""``mjtJoint``."""
SITE = 6
"""``mjtObj`` if an equality connects sites; otherwise it connects bodies."""
LOSSES = "damping", "armature", "frictionloss"
SWITCHES = (
    ("damper", "dof_damping", "damping of joints is"),
    ("frictionloss", "dof_frictionloss", "friction of joints is"),
    ("constraint", "dof_frictionloss", "friction of joints is"),
    ("limit", "jnt_limited", "limits of joints are"),
    ("constraint", "jnt_limited", "limits of joints are"),
    ("spring", "jnt_stiffness", ""),
    ("spring", "jnt_stiffnesspoly", ""),
    ("damper", "dof_dampingpoly", ""),
)
"""Flags of a model, the array that each switches off, and the words for a remark; empty for no remark."""
AXES = dict(zip("xyz", np.eye(3), strict=True))
SPHERE, CAPSULE, CYLINDER, BOX, MESH = 2, 3, 5, 6, 7
"""``mjtGeom`` of the kinds that can be drawn."""
LAST_GROUP = 2
"""The last geom group that MuJoCo's viewer shows; the others are for contact."""


class CompiledModel:
    """A model's bodies and joints.

    Attributes:
        description: the robot's parts; massless parts separate the joints of a body that has several.
        sites: named points, each with the number of its part.
        remarks: what moves differently here.
        undrawn: names of bodies with geoms that cannot be drawn or are left out.
        hidden: names of bodies with invisible geoms.
        marks: the body's name, kind and size of each visible shape without mass.

    Args:
        model: the result of ``compiling.compiled``.
        body: if there are several trees, the name of a body in the one that is the robot.
    """

    def __init__(self, model: Mapping[str, Any], kept: MjcfElements, where: str, body: str | None = None) -> None:
        self._places, self._where = kept.places, where
        self._model = {name: np.array(model[name]) if "_" in name or name == "qpos0" else model[name] for name in model}
        self._root, bodies, others, trees = self._robot(body)
        self.remarks = (*self._left_out(others), *self._switched_off(kept.off), *self._remarks())
        self._parts, self._connections = dict[str, Part](), list[Connection]()
        self._offsets: dict[int, Array] = {}
        self.undrawn, self.hidden = set(kept.undrawn), set[str]()
        self.marks = set[tuple[str, str, tuple[float, ...]]]()
        self._shapes = self._shapes_of(kept)
        for each in bodies:
            self._add(each)
        parts = (*self._parts.values(),)
        followers = tuple(each for tie in kept.followers for each in self._followers(tie))
        closings = [*self._closings()]
        self.remarks = (*self.remarks, *dict.fromkeys(each for each in closings if isinstance(each, str)))
        together = tuple(each for each in closings if isinstance(each, Closure))
        loose = dict(self._floating_alone(others))
        self.description = Description(
            kept.root.get("model") or "", parts, (*self._connections,), followers, together, trees, loose
        )
        numbers, m = {name: k for k, name in enumerate(self._parts)}, self._model
        self.sites = tuple(
            Frame(name, numbers[m["body"][body]], inverse(self._offsets[body]) @ pose_of_quaternion(place, turn))
            for name, body, place, turn in zip(
                m["site"], m["site_bodyid"].tolist(), m["site_pos"], m["site_quat"], strict=True
            )
            if body in self._offsets and name and name not in numbers
        )

    def _place(self, kind: str, name: str) -> str:
        """The line and name of a body or a joint."""
        place = self._places.get((kind, name))
        return f"{'' if place is None else f'{place}, '}{kind} {brief(name)}"

    def _switched_off(self, off: Mapping[str, str]) -> Iterator[str]:
        """Remove what the file's flags disable, with remarks on losses and limits."""
        for flag, array, words in SWITCHES:
            if flag in off:
                if words and self._model[array].any():
                    yield f"{off[flag]}: {words} left out: {flag} is disabled"
                self._model[array] = np.zeros_like(self._model[array])

    def _remarks(self) -> Iterator[str]:
        m = self._model
        kinds = m["jnt_type"]
        first = m["jnt_dofadr"].astype(int)
        losing = np.any([m[f"dof_{what}"][first] for what in LOSSES], axis=0)
        has_spring = np.any(np.column_stack([m["jnt_stiffness"], m["jnt_stiffnesspoly"]]), axis=1)
        has_growing = np.any(np.column_stack([m["dof_dampingpoly"]])[first], axis=1)
        for kind, has, words in (
            ("joint", has_spring, "its spring is left out"),
            ("joint", has_growing, "the part of its damping that grows with its speed is left out"),
            ("body", m["body_gravcomp"] != 0.0, "its gravity compensation is left out"),
            ("joint", (kinds == BALL) & (m["jnt_limited"] != 0), "the cone that limits a ball joint is left out"),
            ("joint", losing & (kinds == FREE), "damping, armature and friction of a free joint are left out"),
            ("joint", losing & (kinds == BALL), "damping, armature and friction of a ball joint are its hinges', each"),
        ):
            names = [name for name, one in zip(m["jnt" if kind == "joint" else kind], has, strict=True) if one]
            if names:
                yield f"{self._place(kind, names[0])}{f' and {len(names) - 1} more' if len(names) > 1 else ''}: {words}"

        if np.any((m["geom_bodyid"] == 0) & (m["geom_contype"] != 0)):
            yield "contacts of shapes are left out: nothing stands on a floor or meets a wall"

    def _robot(self, wanted: str | None) -> tuple[int, list[int], list[int], tuple[str, ...]]:
        """The floating body, or the world if the robot is bolted to it; the robot's bodies; roots of the trees that
        are left out; and, if there are several, names of the roots that can be the robot.

        All trees bolted to the world form one robot. If the caller names none, that one or a floating tree is chosen,
        whichever has most internal degrees of freedom.
        """
        m = self._model
        names, inboard = list(m["body"]), m["body_parentid"].tolist()
        trees = {body: self._inside(body) for body in range(1, len(names)) if inboard[body] == 0}
        floating = {body for body in trees if m["body_jntnum"][body] and m["jnt_type"][m["body_jntadr"][body]] == FREE}
        robots: dict[int, list[int]] = {0: [0]}
        for body, inside in trees.items():
            robots.setdefault(body if body in floating else 0, []).extend(inside)

        def freedoms(root: int) -> int:
            return int(sum(m["body_jntnum"][body] for body in robots[root] if body != root))

        root = max(robots, key=lambda each: (freedoms(each), each != 0))
        if wanted is not None:
            if wanted not in names[1:]:
                raise ModelError(f"{self._where} has no body {brief(wanted)}; they are {choices(names[1:])}.")
            tree = next(body for body, inside in trees.items() if names.index(wanted) in inside)
            root = tree if tree in floating else 0
            robots[root] = trees[tree] if root else [0, *trees[tree]]
        others = [body for body in trees if body not in robots[root] and m["body_jntnum"][trees[body]].any()]
        able = [body for body, inside in trees.items() if m["body_jntnum"][inside].sum() > (body in floating)]
        return root, robots[root], others, tuple(names[body] for body in able) if len(able) > 1 else ()

    def _left_out(self, others: Sequence[int]) -> Iterator[str]:
        if others:
            more = (
                f" and {len(others) - 1} more move by themselves and are" if others[1:] else " moves by itself and is"
            )
            said = "dynamics.load(..., body=…) says which is the robot; robot.loose has the bodies without joints"
            yield f"{self._place('body', self._model['body'][others[0]])}{more} left out: {said}"

    def _floating_alone(self, others: Iterable[int]) -> Iterator[tuple[str, tuple[Link, Array]]]:
        """Floating trees without internal joints, each as one body about its mass centre, and its pose."""
        m = self._model
        for root in others:
            inside, poses = self._inside(root), {int(m["body_parentid"][root]): np.eye(4)}
            if m["body_jntnum"][inside].sum() != 1 or m["jnt_type"][m["body_jntadr"][root]] != FREE:
                continue
            for body in inside:
                step = pose_of_quaternion(m["body_pos"][body], m["body_quat"][body])
                poses[body] = poses[int(m["body_parentid"][body])] @ step
            parts = [self._part(body, inverse(poses[root]) @ poses[body]) for body in inside]
            whole = joined(part.body.moved(part.body_pose) for part in parts)
            back = moved_by(-whole.center_of_mass)
            shapes = tuple(replace(shape, pose=back @ shape.pose) for part in parts for shape in part.shapes)
            name = m["body"][root]
            link = Link(name, whole.mass, np.zeros(3), whole.inertia, shapes)
            yield name, (link, poses[root] @ inverse(back))

    def _inside(self, root: int) -> list[int]:
        """A body and all its descendants, parents first."""
        found = {root: None}
        for body, parent in enumerate(self._model["body_parentid"].tolist()):
            if body and parent in found:
                found[body] = None
        return list(found)

    def _add(self, body: int) -> None:
        """Add a body with its joints; its parent has already been added."""
        m, name = self._model, self._model["body"][body]
        parent = int(m["body_parentid"][body])
        joints = [] if body == self._root else list(self._joints(body))
        at_parent = self._offsets.get(parent, np.eye(4))
        offset: Array = np.eye(4)
        inboard, step = m["body"][parent], pose_of_quaternion(m["body_pos"][body], m["body_quat"][body])
        step = inverse(at_parent) @ step
        for number, (joint, anchor, zero) in enumerate(joints):
            is_last = number == len(joints) - 1
            outboard = name if is_last else free_name(f"{name}_{joint.name}", {*self._parts, *m["body"]})
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

    def _part(self, body: int, to_part: Array) -> Part:
        m, name = self._model, self._model["body"][body]
        shapes = tuple(
            Geometry(one.kind, one.size, to_part @ one.pose, one.color, one.path) for one in self._shapes.get(body, ())
        )
        owner = body
        while owner not in (0, self._root) and m["body_jntnum"][owner] == 0:
            owner = int(m["body_parentid"][owner])
        if owner == 0:  # bolted to the world: its inertia has no effect
            return Part(name, self._place("body", name), massless(), shapes=shapes)
        inertia = np.diag(m["body_inertia"][body])
        mass = MassProperties(float(m["body_mass"][body]), np.zeros(3), inertia)
        pose = to_part @ pose_of_quaternion(m["body_ipos"][body], m["body_iquat"][body])
        return Part(name, self._place("body", name), mass, pose, shapes)

    def _joints(self, body: int) -> Iterator[tuple[Joint, Array | None, float]]:
        """For each degree of freedom of a body: its joint, its axis's point in the body, and the file's displacement.

        A slide's axis keeps the position of the hinge before it: it makes no difference.
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
        damping, rotor, friction = (float(m[f"dof_{what}"][int(m["jnt_dofadr"][j])]) for what in LOSSES)
        for letter, axis in AXES.items():
            joint = Joint(f"{name}_{letter}", "revolute", axis, np.eye(4), damping=damping, rotor_inertia=rotor)
            yield replace(joint, friction=(friction, friction)), m["jnt_pos"][j], 0.0

    def _followers(self, tie: Element) -> Iterator[Follower]:
        """One follower, or several if MuJoCo replicates the joint, with a number after each name."""
        m, zeros = self._model, {"": 0.0}
        for name, at in zip(m["jnt"], m["jnt_qposadr"].tolist(), strict=True):
            zeros[name] = float(m["qpos0"][at])
        joint, leader = (tie.get(key) or "" for key in ("joint1", "joint2"))
        place, written = f"{self._where}, {tie.place}: <joint> in <equality>", tie.get("polycoef") or "0 1"
        numbers = [""] if joint in zeros else [name.removeprefix(joint) for name in zeros if name.startswith(joint)]
        pairs = [(joint + n, leader and leader + n) for n in numbers if not n or n.isdecimal()]
        pairs = [pair for pair in pairs if pair[0] and pair[1] in zeros]
        if not pairs:
            raise ModelError(
                f"{place} names {brief(joint)} and {brief(leader)}; the joints are {choices(m['jnt'])}. Correct them."
            )
        try:
            coefficients = tuple(map(float, written.split()))
        except ValueError:
            raise ModelError(f"{place} has polycoef {brief(written)}; expected up to five numbers.") from None
        for one, other in pairs:
            yield Follower(
                tie.place, one, other, coefficients if leader else coefficients[:1], zeros[one], zeros[other]
            )

    def _place_of_tie(self, name: str) -> str:
        """The place of an equality by its name, to which MuJoCo adds a number if it replicates it."""
        own = max((own for kind, own in self._places if kind == "equality" and name.startswith(own)), key=len)
        return self._places["equality", own]

    def _closings(self) -> Iterator[str | Closure]:
        """The connections of two bodies; a remark if one of them is not part of the robot."""
        m = self._model
        for k, name in enumerate(m["eq"]):
            ends, data, is_weld = (int(m["eq_obj1id"][k]), int(m["eq_obj2id"][k])), m["eq_data"][k], m["eq_type"][k]
            bodies, poses = [*ends], [moved_by(data[:3]), moved_by(data[3:6])]
            if m["eq_objtype"][k] == SITE:
                bodies = [int(m["site_bodyid"][site]) for site in ends]
                poses = [pose_of_quaternion(m["site_pos"][site], m["site_quat"][site]) for site in ends]
            elif is_weld:
                poses = [pose_of_quaternion(data[3:6], data[6:10]), moved_by(data[:3])]
            words = f"{self._place_of_tie(name)}: <{'weld' if is_weld else 'connect'}> in <equality>"
            if not self._offsets.keys() >= {*bodies} or np.any(m["body_mocapid"][bodies] >= 0):
                yield f"{words} is left out: it holds something that is not part of the robot"
                continue
            first, second = (
                (m["body"][body], inverse(self._offsets[body]) @ pose) for body, pose in zip(bodies, poses, strict=True)
            )
            said = " holds exactly here, where MuJoCo's gives way"
            yield Closure("rigid" if is_weld and data[10] > 0.0 else "point", first, second, words, said)

    def _shapes_of(self, kept: MjcfElements) -> dict[int, list[Geometry]]:
        found: dict[int, list[Geometry]] = {}
        for geom, body in enumerate(self._model["geom_bodyid"].tolist()):
            if (shape := _shape_of(self._model, geom, kept.meshes, kept.placed)) is not None:
                found.setdefault(body, []).append(shape)
                if self._model["geom_user"][geom].any():
                    self.marks.add((self._model["body"][body], shape.kind, shape.size))
            else:
                apart = self.undrawn if _is_shown(self._model, geom) else self.hidden
                apart.add(self._model["body"][body])
        return found


def _shape_of(
    model: Mapping[str, Any], geom: int, meshes: Mapping[str, str], placed: Mapping[str, tuple[Array, Array]]
) -> Geometry | None:
    """The shape of a geom, posed in its body; None if it is not shown, or of a kind that cannot be drawn."""
    kind, (a, b, c) = int(model["geom_type"][geom]), model["geom_size"][geom].tolist()
    pose = pose_of_quaternion(model["geom_pos"][geom], model["geom_quat"][geom])
    color = _color(model, geom)
    if not _is_shown(model, geom):
        return None
    if kind == SPHERE:
        return Geometry("sphere", (a,), pose, color)
    if kind in (CAPSULE, CYLINDER):
        return Geometry("capsule" if kind == CAPSULE else "cylinder", (a, 2.0 * b), pose, color)
    if kind == BOX:
        return Geometry("box", (2.0 * a, 2.0 * b, 2.0 * c), pose, color)
    mesh = int(model["geom_dataid"][geom]) if kind == MESH else -1
    path = meshes.get(model["mesh"][mesh], "") if mesh >= 0 else ""
    if path.startswith(DRAWN):
        path = path.replace(DRAWN, INSIDE, 1)
    if path == INSIDE or not (path.startswith(INSIDE) or Path(path).suffix.lower() in SUFFIXES):
        return None
    # MuJoCo has moved the mesh so that its mass centre is at its origin
    pose = pose @ inverse(pose_of_quaternion(model["mesh_pos"][mesh], model["mesh_quat"][mesh]))
    x, y, z = model["mesh_scale"][mesh].tolist()
    if (place := placed.get(model["mesh"][mesh])) is not None:
        point, back = place[0], inverse(pose_of_quaternion(np.zeros(3), place[1]))
        if not x == y == z and not np.array_equal(back, np.eye(4)):
            return None  # a mesh that is rotated and then scaled unevenly has no pose
        pose = pose @ back @ moved_by(-np.array([x, y, z]) * point)
    return Geometry("mesh", (x, y, z), pose, color, path)


def _is_shown(model: Mapping[str, Any], geom: int) -> bool:
    """Whether a viewer that can draw the geom shows it."""
    return bool(model["geom_group"][geom] <= LAST_GROUP) and _color(model, geom)[3] != 0.0


def _color(model: Mapping[str, Any], geom: int) -> tuple[float, float, float, float]:
    """Red, green, blue and opacity."""
    material = int(model["geom_matid"][geom])
    red, green, blue, alpha = (model["geom_rgba"][geom] if material < 0 else model["mat_rgba"][material]).tolist()
    return red, green, blue, alpha
