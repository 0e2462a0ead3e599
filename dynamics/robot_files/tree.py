"""Builds a robot from its description: welded parts merged, links ordered from the tips to the base, joints locked."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from dynamics.checks import Array, brief, choices, names, number
from dynamics.errors import ModelError
from dynamics.robot.model import Frame, Joint, Link, Loop, Robot, displacements, with_moved_frames
from dynamics.robot.rigid_body import check_mass_properties, joined, massless, settled
from dynamics.robot.validity import immobile_joints
from dynamics.robot_files.description import (
    Closure,
    Connection,
    Description,
    Follower,
    LoadOptions,
    Part,
    first_remarks,
)

APART = 1e-6
"""m: a larger gap is not rounding."""
NOT_FELT = "It is left out: what is bolted to the world never moves"
Inner = Mapping[str, Connection]
"""Connections by the name of the part that each carries."""


def robot_of(
    description: Description, title: str, options: LoadOptions, remarks: tuple[str, ...], points: tuple[Frame, ...] = ()
) -> Robot:
    """The robot, before it is checked; a warning lists what was not read as the file has it.

    Args:
        title: the robot's name in messages.
        remarks: deviations from the file so far.
        points: named frames other than the parts' own, each posed in the part with the given number.
    """
    if all(each.joint is None for each in description.connections):
        raise ModelError(f"{title} has no moving joint; expected at least one revolute or prismatic joint.")
    tips = names(() if options.tip is None else options.tip, f"{title}: tip", ModelError)
    inner = {each.child: each for each in description.connections}
    in_part = {point.name: (description.parts[point.link].name, point.pose) for point in points}
    preorder = _preorder(description, inner, [in_part.get(name, (name,))[0] for name in tips], title)
    owner, pose_in_owner = _merge(inner, preorder)

    moving = [part for part in reversed(preorder) if owner[part] == part and part != preorder[0]]
    index = {link: k for k, link in enumerate([*moving, preorder[0]])}
    welded: dict[str, list[Part]] = {link: [] for link in index}
    for part in description.parts:
        welded[owner[part.name]].append(part)
    links = {link: _link(link, parts, pose_in_owner) for link, parts in welded.items()}
    robot = Robot(
        name=description.name,
        links=tuple(links[link] for link in moving),
        joints=tuple(_joint(inner[link], pose_in_owner) for link in moving),
        inboard=tuple(index[owner[inner[link].parent]] for link in moving),
        root=links[preorder[0]],
        tips=(),
        frames={
            name: Frame(name, index[owner[part]], pose_in_owner[part] @ pose)
            for name, (part, pose) in {**in_part, **{part: (part, np.eye(4)) for part in preorder}}.items()
        },
        trees=description.trees,
        loose=description.loose,
    )
    loops = (Loop(each.kind, *_ends(each, robot)) for each in description.closings)
    robot = replace(robot, loops=with_moved_frames(loops, lambda frame: frame))
    places = {part.name: part.where for part in description.parts}
    robot, corrected = _with_settled_bodies(robot, welded, title)
    robot, locked = _with_locked_joints(robot, description.followers, options, places)
    parents = {each.parent for each in description.connections}
    leaves = [name for name in places if name not in parents]
    found = _choose_tips(robot, tips, title) if tips else _default_tips(robot, leaves)
    closed = dict.fromkeys(_on_closings(description, robot))
    robot = replace(robot, tips=found, remarks=(*remarks, *closed, *corrected, *locked))
    if robot.remarks:
        warnings.warn(f"{title}: {'; '.join(robot.remarks)}.", stacklevel=5)
    return robot


def _ends(closing: Closure, robot: Robot) -> tuple[Frame, Frame]:
    parts = ((robot.frames[part], pose) for part, pose in (closing.first, closing.second))
    first, second = (replace(frame, pose=frame.pose @ pose) for frame, pose in parts)
    return first, second


def _on_closings(description: Description, robot: Robot) -> Iterator[str]:
    for each in description.closings:
        first, second = _ends(each, robot)
        apart = float(np.linalg.norm(first.pose[:3, 3] - second.pose[:3, 3]))
        is_within = first.link == second.link
        words = f"ties parts of a single body{f', {apart:.3g} m apart' if apart > APART else ''}, and is left out"
        yield f"{each.where}{' ' + words if is_within else each.words}"


def _joint(connection: Connection, pose_in_owner: Mapping[str, Array]) -> Joint:
    assert connection.joint is not None
    return replace(connection.joint, origin=pose_in_owner[connection.parent] @ connection.origin)


def _choose_tips(robot: Robot, names: Sequence[str], title: str) -> tuple[Frame, ...]:
    """The named frames as tool points."""
    for name in names:
        if robot.frames[name].link == len(robot.links):
            raise ModelError(f"{title}: tip {brief(name)} is fixed to the root and cannot move; name a moving link.")
    if len(set(names)) < len(names):
        raise ModelError(f"{title}: tip {brief(list(names))} names a link twice; name each tip once.")
    return tuple(robot.frames[name] for name in names)


def _default_tips(robot: Robot, leaves: Sequence[str]) -> tuple[Frame, ...]:
    """One tool point for each outermost moving link: its only welded leaf link if there is one, else itself."""
    ends: dict[int, list[str]] = {k: [] for k in sorted({*range(len(robot.links))} - {*robot.inboard})}
    for leaf in leaves:
        if (frame := robot.frames[leaf]).link in ends:
            ends[frame.link].append(leaf)
    return tuple(robot.frames[own[0] if len(own) == 1 else robot.links[k].name] for k, own in ends.items())


def _preorder(description: Description, inner: Inner, tips: Sequence[str], title: str) -> list[str]:
    """All parts, parents first and branch after branch; the first tip's branch comes last, so that reversed
    it comes first."""
    children: dict[str, list[str]] = {part.name: [] for part in description.parts}
    for each in description.connections:
        children[each.parent].append(each.child)
    rank = dict.fromkeys(children, -len(tips))
    for place, tip in enumerate(tips):
        if tip not in children:
            raise ModelError(f"{title} has no link {brief(tip)} for a tip; expected one of {choices(children)}.")
        part: str | None = tip
        while part is not None:
            rank[part] = max(rank[part], -place + 1)
            part = inner[part].parent if part in inner else None
    root = next(part for part in children if part not in inner)
    order, stack = [], [root]
    while stack:
        part = stack.pop()
        order.append(part)
        stack.extend(sorted(children[part], key=rank.__getitem__)[::-1])
    return order


def _merge(inner: Inner, preorder: Sequence[str]) -> tuple[dict[str, str], dict[str, Array]]:
    """For every part, the moving part (or the root) that it is welded to, and its pose in that part."""
    owner = {preorder[0]: preorder[0]}
    pose = {preorder[0]: np.eye(4)}
    for part in preorder[1:]:
        joined = inner[part]
        if joined.joint is not None:
            owner[part], pose[part] = part, np.eye(4)
        else:
            owner[part] = owner[joined.parent]
            pose[part] = pose[joined.parent] @ joined.origin
    return owner, pose


def _link(name: str, parts: Sequence[Part], pose: Mapping[str, Array]) -> Link:
    """A moving link, or the root, with everything welded to it."""
    with np.errstate(over="ignore", invalid="ignore"):
        body = joined(part.body.moved(part.body_pose).moved(pose[part.name]) for part in parts)
    shapes = (replace(shape, pose=pose[part.name] @ shape.pose) for part in parts for shape in part.shapes)
    return Link(name, body.mass, body.center_of_mass, body.inertia, tuple(shapes))


def _with_settled_bodies(
    robot: Robot, welded: Mapping[str, Sequence[Part]], title: str
) -> tuple[Robot, tuple[str, ...]]:
    """The robot with its bodies corrected where rounding allows, and a remark on each impossible number.

    An impossible moving body is refused; a bolted root's inertia has no effect: if it is impossible, it is left out.
    """
    remarks, links, root_fault = list[str](), list[Link](), ""
    for k, link in enumerate((*robot.links, robot.root)):
        body, place = link.body, _place(welded[link.name])
        try:
            body, fault = settled(body, f"{title}, {place}")
            if fault:
                remarks.append(f"{place}: {fault}")
        except ModelError as error:
            if k < len(robot.links):
                raise
            body, root_fault = massless(), str(error).removeprefix(f"{title}, ")
            remarks.append(f"{root_fault} {NOT_FELT}")
        links.append(replace(link, mass=body.mass, center_of_mass=body.center_of_mass, inertia=body.inertia))
    return replace(robot, links=tuple(links[:-1]), root=links[-1], root_fault=root_fault), first_remarks(remarks)


def _place(parts: Sequence[Part]) -> str:
    """The place of the first part that is not a possible body by itself, or else of the first part."""
    for part in parts:
        try:
            check_mass_properties(part.body, part.where)
        except ModelError:
            return part.where
    return parts[0].where


def _with_locked_joints(
    robot: Robot, followers: Sequence[Follower], options: LoadOptions, places: Mapping[str, str]
) -> tuple[Robot, tuple[str, ...]]:
    """The robot with joints locked, and a remark on each that the caller did not ask for.

    A joint that follows another linearly moves with it. If it follows along a curve, or if its leader is locked,
    missing or its own follower, it is locked at the displacement that its leader gives. ``places`` has the places of
    links in the file, by their names.
    """
    fixed = displacements(robot, options.fix)
    free = set(names(options.free, "free", ModelError))
    if unknown := sorted(free - set(robot.joint_names)):
        raise ModelError(
            f"robot {brief(robot.name)}: free names {brief(unknown[0])}; the joints are {choices(robot.joint_names)}."
        )
    robot = replace(robot, joints=tuple(_with_rotor(each, options.free, robot) for each in robot.joints))
    following, doubled = _each_once(followers, {*robot.joint_names} - free - {*fixed})
    set_free = []
    if len({*following, *fixed}) == len(robot.joints) and (leader := _first_leader(following, fixed)) is not None:
        each = following.pop(leader)
        words = f"follows {brief(each.leader)}, and nothing else leads: it moves by itself"
        set_free = [f"{each.where}: joint {brief(each.joint)} {words}"]
    coupled = {joint: _mimic(following[joint]) for joint in following if _can_follow(joint, following, fixed, robot)}
    robot = replace(robot, joints=tuple(replace(each, mimic=coupled.get(each.name)) for each in robot.joints))
    locked = {joint: _locked_at(joint, following, fixed) for joint in following if joint not in coupled}
    values = fixed | locked
    remarks = [*doubled, *set_free, *(_of_follower(following[joint], value, robot) for joint, value in locked.items())]
    if values:
        robot = robot.locked(values)
    while immobile := _immobile(robot, free):
        if len(immobile) == len(robot.joints):
            raise ModelError(
                f"robot {brief(robot.name)}: none of its joints moves any inertia. Give the links mass and inertia: "
                "robot_report proposes them from their shapes."
            )
        for still, link in ((robot.joints[k], robot.links[k]) for k in immobile):
            words = f"moves no inertia: its joint {brief(still.name)} is locked at {still.rest:g}"
            remarks.append(f"{places[link.name]}: {words}")
        idle = [robot.joints[k].name for k in immobile]
        mimics = _without_leaders(robot, idle)
        for joint in [each.name for each in robot.joints if each.mimic and each.name not in (*idle, *mimics)]:
            words = f"joint {brief(joint)} follows a joint that is locked: it moves by itself"
            remarks.append(f"{following[joint].where}: {words}")
        robot = replace(robot, joints=tuple(replace(each, mimic=mimics.get(each.name)) for each in robot.joints))
        before, robot = robot, robot.locked(idle)
        for joint in sorted({*before.joint_names} - {*robot.joint_names} - {before.joints[k].name for k in immobile}):
            remarks.append(f"{following[joint].where}: joint {brief(joint)} follows a joint that is locked")
    return robot, first_remarks(remarks)


def _with_rotor(joint: Joint, free: Mapping[str, float] | Iterable[str], robot: Robot) -> Joint:
    if not isinstance(free, Mapping) or joint.name not in free:
        return joint
    where = f"robot {brief(robot.name)}: free, joint {brief(joint.name)}"
    return replace(joint, rotor_inertia=number(free[joint.name], where, "a rotor inertia, kg m² or kg", ModelError))


def _each_once(followers: Sequence[Follower], able: Collection[str]) -> tuple[dict[str, Follower], list[str]]:
    """The leader of each joint; if it has two, the first follows the second. A remark on each that cannot follow."""
    following, left_out = dict[str, Follower](), list[str]()
    for tie in followers:
        each, passed = tie, list[str]()
        while each.joint in following and each.joint not in passed:
            passed.append(each.joint)
            each = _through(following[each.joint], each)
        leader = following[_chain(each.leader, following)[-1]].leader if each.leader in following else each.leader
        if each.joint in able and not (passed and each.joint in (*passed, leader)):
            following[each.joint] = each
        elif tie.joint in able:
            left_out.append(f"{tie.where}: joint {brief(tie.joint)} follows another already: this is left out")
    return following, left_out


def _through(first: Follower, second: Follower) -> Follower:
    """How the first leader follows the second if one joint follows both linearly; otherwise the second follower."""
    (leader, times, constant), (other, by, offset) = _mimic(first), _mimic(second)
    if times == 0.0 or any((*first.coefficients[2:], *second.coefficients[2:])):
        return second
    line = (offset - constant) / times, by / times
    return Follower(second.where, leader, other, line if other else line[:1])


def _immobile(robot: Robot, free: Collection[str]) -> list[int]:
    """The joints that move no inertia at rest, where motions begin; or in any posture, if at rest none moves any."""
    found = [k for k in immobile_joints(robot, at_rest=True) if robot.joints[k].name not in free]
    return found if len(found) < len(robot.joints) else list(immobile_joints(robot))


def _can_follow(joint: str, following: Mapping[str, Follower], fixed: Mapping[str, float], robot: Robot) -> bool:
    """Whether all its leaders exist and move, and all relations are linear."""
    chain = _chain(joint, following)
    leader = following[chain[-1]].leader
    moves = leader in robot.joint_names and leader not in following and leader not in fixed
    return moves and not any(any(following[name].coefficients[2:]) for name in chain)


def _mimic(each: Follower) -> tuple[str, float, float]:
    constant, times = (*each.coefficients, 0.0, 0.0)[:2]
    return each.leader, times, each.zero + constant - times * each.leader_zero


def _locked_at(joint: str, following: Mapping[str, Follower], fixed: Mapping[str, float]) -> float:
    """The displacement of a follower while every leader is at zero or where it is locked."""
    chain = _chain(joint, following)
    value = fixed.get(following[chain[-1]].leader, 0.0)
    for name in reversed(chain):
        each = following[name]
        value = each.zero + sum(c * (value - each.leader_zero) ** k for k, c in enumerate(each.coefficients))
    return float(value)


def _chain(joint: str, following: Mapping[str, Follower]) -> list[str]:
    """A follower, its leader and so on, up to one whose leader follows none or is already in the chain."""
    chain = [joint]
    while (leader := following[chain[-1]].leader) in following and leader not in chain:
        chain.append(leader)
    return chain


def _first_leader(following: Mapping[str, Follower], fixed: Mapping[str, float]) -> str | None:
    """If all joints follow: the first leader in a cycle, or the first follower of a joint that does not exist."""
    for joint in following:
        last = _chain(joint, following)[-1]
        leader = following[last].leader
        if leader and leader not in fixed:
            return leader if leader in following else last
    return None


def _without_leaders(robot: Robot, idle: Sequence[str]) -> dict[str, tuple[str, float, float]]:
    """The couplings if some joints do not move: the followers of such a joint follow the first of them instead."""
    name = robot.joint_names
    mimics = {name[k]: (name[leader], times, offset) for k, (leader, times, offset) in robot.couplings.items()}
    for joint in idle:
        led = {each: line for each, (leader, *line) in mimics.items() if leader == joint and each not in idle}
        heir = next((each for each, (times, _) in led.items() if times), None)
        if heir is not None:
            by, shift = led[heir]
            mimics |= {each: (heir, times / by, offset - times * shift / by) for each, (times, offset) in led.items()}
            del mimics[heir]
    return mimics


def _of_follower(each: Follower, value: float, robot: Robot) -> str:
    times = each.coefficients[1] if len(each.coefficients) > 1 else 0.0
    leads = f"follows {brief(each.leader)} (times {times:g})"
    if any(each.coefficients[2:]):
        leads = f"follows {brief(each.leader)} along a curve, and only linear relations are supported"
    if each.leader not in robot.joint_names:
        leads = f"follows {brief(each.leader)}, which is not a moving joint" if each.leader else "is held"
    return f"{each.where}: joint {brief(each.joint)} {leads}: locked at {value:g} (dynamics.load(free=…) sets it free)"
