"""Which joints of a file follow others, and which are locked: by the caller, or for lack of a leader or of inertia."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from dynamics.checks import brief, choices, names, number
from dynamics.descriptions.description import Follower, LoadOptions, first_remarks
from dynamics.errors import ModelError
from dynamics.robot.model import Joint, Robot, displacements
from dynamics.robot.validity import immobile_joints


def with_locked_joints(
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
    locked = {joint: _displacement(joint, following, fixed) for joint in following if joint not in coupled}
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
        for each, link in ((robot.joints[k], robot.links[k]) for k in immobile):
            words = f"moves no inertia: its joint {brief(each.name)} is locked at {each.rest:g}"
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


def _displacement(joint: str, following: Mapping[str, Follower], fixed: Mapping[str, float]) -> float:
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
