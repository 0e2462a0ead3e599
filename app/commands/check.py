"""The parts of a machine, faults in its file, and whether all methods agree on it in random states."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from math import isfinite, pi

import dynamics as dyn
from app.commands.report import Report, bar, table
from app.commands.runs import machine

TOLERANCE, HOLDS = 1e-9, 1e-8
"""Relative, as on the page: between two methods, and for an identity that a stage must satisfy."""
STATES, JOINTS = 20, 600
"""Default number of drawn states; fewer if they would have more than this number of joints together."""
RANGES = {"q": (-pi, pi), "qd": (-1.0, 1.0), "tau": (-10.0, 10.0)}
AGREEMENT, IDENTITY = "agreement", "identity"
WEIGHTS = "wrong", "doubtful", "note"  # the order in which findings are printed


def check(name: str, floating: bool, states: int | None, seed: int) -> Report:
    """The review of a file, the machine, and the largest difference and residual of all states.

    A reviewed file is always reported; ``unsolved`` says why its machine could not be checked.

    Raises:
        UsageError: for a name that is not a machine.
        ModelError: for an error in a file that cannot be reviewed.
        SingularConfigurationError, StateError: if a machine without a file has no state, or none with a solution.
    """
    review = reviewed(name) if os.path.isfile(name) else None
    if review is not None and review["refused"]:
        return {"machine": name, "review": review, "unsolved": None, "agrees": False}
    try:
        return compared(name, floating, states, seed, review)
    except (dyn.ModelError, dyn.SingularConfigurationError, dyn.StateError) as error:
        if review is None:
            raise
        return {"machine": name, "review": review, "unsolved": str(error), "agrees": False}


def compared(name: str, floating: bool, states: int | None, seed: int, review: Report | None) -> Report:
    """The machine, of a reviewed file or without one, and how well all methods agree on it."""
    system, state = machine(name, floating, remarks=review is None)
    if states is None:
        states = max(1, min(STATES, JOINTS // max(system.n_joints, 1)))
    with bar(name) as advance:
        found = dyn.study(system, RANGES, [AGREEMENT, IDENTITY], states, state=state, seed=seed, progress=advance)
    row, difference = found.found[AGREEMENT].largest[0]
    moment, worst = found.moment(row), found.moment(found.found[IDENTITY].largest[0][0])
    pair = max(dyn.agreement(moment.system, moment.state, moment.tau).rows, key=lambda one: one.relative)
    checks = dyn.identities(dyn.forward_dynamics(worst.system, worst.state, worst.tau))
    residual = found.found[IDENTITY].maximum
    return model(name, system) | {
        "review": review,
        "unsolved": None,
        "methods": list(dyn.methods(system)),
        "states": states,
        "seed": seed,
        "refused": found.refused,
        "refusal": found.refusal,
        "difference": difference,
        "differ": {"methods": [pair.left, pair.right], "in": pair.quantity, "state": row, "q": moment.state.q.tolist()},
        "residual": residual,
        "law": max(checks, key=lambda one: one.worst).identity.title,
        "tolerance": TOLERANCE,
        "agrees": difference <= TOLERANCE and residual <= HOLDS,
    }


def model(name: str, system: dyn.System) -> Report:
    """The links, joints, object and contacts of a machine."""
    links: list[Report] = [
        {"link": link, "kg": body.mass, "joint": None, "kind": "floating", "lower": None, "upper": None}
        for link, body in zip(system.link_names, system.link_models, strict=True)
    ]
    for link, joint, one in zip(links, system.joint_names, system.joint_models, strict=False):
        ends = {end: value if isfinite(value) else None for end, value in (("lower", one.lower), ("upper", one.upper))}
        link |= {"joint": joint, "kind": one.kind} | ends
    return {
        "machine": name,
        "kind": system.kind,
        "arms": system.n_arms,
        "mass": float(sum(link.mass for link in system.link_models)),
        "gravity": system.gravity.tolist(),
        "object_mass": None if system.task_object is None else system.task_object.mass,
        "contacts": [contact.kind for contact in system.contacts],
        "joints": system.n_joints,
        "links": links,
    }


def reviewed(path: str) -> Report:
    """The findings in a robot's file.

    Raises:
        ModelError: for a file that cannot be read.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # they repeat the findings
        report = dyn.robot_report(path)
    keys = ("kind", "weight", "file", "line", "where", "words", "remedy", "text")
    return {
        "file": path,
        "language": report.language,
        "refused": report.refusal,
        "merged": [list(pair) for pair in report.merged],
        "findings": [
            {key: getattr(one, key) for key in keys} | {"changes": list(one.changes)} for one in report.findings
        ],
    }


def in_words(report: Report) -> Iterator[str]:
    if report["review"] is not None:
        yield from _review(report["review"])
        if report["review"]["refused"]:
            return
        if report["unsolved"] is not None:
            yield f"  unsolved  {report['unsolved']}"
            return
        yield ""
    what = f"{report['machine']}: {report['kind'].replace('_', ' ')}, {report['joints']} joints"
    yield f"{what}, links of {report['mass']:.4g} kg"
    if report["object_mass"] is not None:
        yield f"an object of {report['object_mass']:.4g} kg, held: {', '.join(report['contacts']) or 'by nothing'}"
    yield ""
    yield from table([("link", "kg", "joint", "kind", "from", "to"), *map(_link, report["links"])])
    yield ""
    yield f"{report['states']} states at random (seed {report['seed']}), {len(report['methods'])} methods"
    if report["refused"]:
        yield f"{report['refused']} of them have no solution; the first: {report['refusal']}"
    left, right = report["differ"]["methods"]
    yield f"worst difference  {report['difference']:.1e}: {left} and {right}, {report['differ']['in']}"
    yield f"worst residual    {report['residual']:.1e}: {report['law']}"
    yield f"All agree to {TOLERANCE:g}." if report["agrees"] else f"They do not agree to {TOLERANCE:g}."


def _link(link: Report) -> tuple[str, ...]:
    ends = ("-" if end is None else f"{end:.4g}" for end in (link["lower"], link["upper"]))
    return link["link"], f"{link['kg']:.4g}", link["joint"] or "-", link["kind"], *ends


def _review(review: Report) -> Iterator[str]:
    count = len(review["findings"])
    yield f"{review['file']}: {review['language']}, {count or 'no'} finding{'s' * (count != 1)}"
    for one in sorted(review["findings"], key=lambda one: WEIGHTS.index(one["weight"])):
        yield f"  {one['weight']:<8}  {one['text']}"
        yield from (f"{'':<12}{line}" for line in one["changes"])
    if review["merged"]:
        yield f"  merged    {', '.join(f'{link} into {into}' for link, into in review['merged'])}"
    if review["refused"]:
        yield f"  refused   {review['refused']}"
