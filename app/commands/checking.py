"""What a machine is, and whether all methods agree on it in states drawn at random."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite, pi

import dynamics as dyn
from app.commands import reviewing
from app.commands.machines import machine
from app.commands.report import Told, bar, table

TOLERANCE = 1e-9
"""Relative; what the page's own badge calls good."""
OVER = {"q": (-pi, pi), "qd": (-1.0, 1.0), "tau": (-10.0, 10.0)}
METHODS, LAWS = "agreement", "residual"


def check(name: str, floating: bool, states: int, seed: int) -> Told:
    """The model, and the worst that comes of any state: between two methods, and of the filter's own laws.

    Of a file it begins with what is wrong in it; of one that is refused there is no more.

    Raises:
        UsageError: for what is no machine.
        ModelError: for whatever is wrong in its file.
        StateError: if there is no solution in any state.
    """
    review = reviewing.reviewed(name)
    if review is not None and review["refused"]:
        return {"machine": name, "review": review, "agrees": False}
    system, state = machine(name, floating, tells=review is None)
    with bar(states, name) as shown:
        found = dyn.study(
            system, OVER, [METHODS, LAWS], states, state=state, seed=seed,
            progress=lambda done, _: shown.update(done - shown.pos),
        )  # fmt: skip
    row, difference = found.found[METHODS].largest[0]
    moment = found.moment(row)
    pair = max(dyn.agreement(moment.system, moment.state, moment.tau).rows, key=lambda one: one.relative)
    law = found.moment(found.found[LAWS].largest[0][0])
    residuals = dyn.agreement(law.system, law.state, law.tau, only=()).residuals
    residual = found.found[LAWS].maximum
    return model(name, system) | {
        "review": review,
        "methods": list(dyn.methods(system)),
        "states": states,
        "seed": seed,
        "refused": found.refused,
        "refusal": found.refusal,
        "difference": difference,
        "differ": {"methods": [pair.left, pair.right], "in": pair.quantity, "state": row, "q": moment.state.q.tolist()},
        "residual": residual,
        "law": max(residuals, key=lambda one: residuals[one]),
        "tolerance": TOLERANCE,
        "agrees": max(difference, residual) <= TOLERANCE,
    }


def model(machine: str, system: dyn.System) -> Told:
    """What it is made of."""
    links: list[Told] = [
        {"link": name, "kg": body.mass, "joint": None, "kind": "floating", "lower": None, "upper": None}
        for name, body in zip(system.link_names, system.link_models, strict=True)
    ]
    for link, name, one in zip(links, system.joint_names, system.joint_models, strict=False):
        ends = {end: value if isfinite(value) else None for end, value in (("lower", one.lower), ("upper", one.upper))}
        link |= {"joint": name, "kind": one.kind} | ends
    return {
        "machine": machine,
        "kind": system.kind,
        "arms": system.n_arms,
        "mass": float(sum(link.mass for link in system.link_models)),
        "gravity": system.gravity.tolist(),
        "object_mass": None if system.task_object is None else system.task_object.mass,
        "contacts": [contact.kind for contact in system.contacts],
        "joints": system.n_joints,
        "links": links,
    }


def in_words(report: Told) -> Iterator[str]:
    """The same for a person."""
    if report["review"] is not None:
        yield from reviewing.in_words(report["review"])
        if report["review"]["refused"]:
            return
        yield ""
    what = f"{report['machine']}: {report['kind'].replace('_', ' ')}, {report['joints']} joints"
    yield f"{what}, links of {report['mass']:.4g} kg"
    if report["object_mass"] is not None:
        yield f"an object of {report['object_mass']:.4g} kg, held: {', '.join(report['contacts']) or 'by nobody'}"
    yield ""
    yield from table([("link", "kg", "joint", "kind", "from", "to"), *map(_row, report["links"])])
    yield ""
    yield f"{report['states']} states at random (seed {report['seed']}), {len(report['methods'])} methods"
    if report["refused"]:
        yield f"{report['refused']} of them have no solution; the first: {report['refusal']}"
    left, right = report["differ"]["methods"]
    yield f"worst difference  {report['difference']:.1e}: {left} and {right}, {report['differ']['in']}"
    yield f"worst residual    {report['residual']:.1e}: {report['law']}"
    yield f"All agree to {TOLERANCE:g}." if report["agrees"] else f"They do not agree to {TOLERANCE:g}."


def _row(link: Told) -> tuple[str, ...]:
    ends = ("-" if end is None else f"{end:.4g}" for end in (link["lower"], link["upper"]))
    return link["link"], f"{link['kg']:.4g}", link["joint"] or "-", link["kind"], *ends
