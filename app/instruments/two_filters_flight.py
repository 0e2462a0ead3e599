"""What stays while a machine flies, since its run began, and how its body turns all the same."""

from __future__ import annotations

import html
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import dynamics as dyn
from app.equations.formula import formula
from app.equations.sheet import Figures
from app.instruments.two_filters_sheet import side_by_side_html
from app.motion.run import Run
from scenes import palette
from scenes.flight import ROUNDING

Array = NDArray[np.float64]
STILL = 1e-9
"""rad or m by which joints that stand still may be off."""


@dataclass(frozen=True)
class Kept:
    """A vector that stays, then and now.

    Attributes:
        apart: how far it is from what it was, relative to its size; where it was zero, to what the bodies could have.
        is_zero: whether it was only rounding beside that.
    """

    before: Array
    now: Array
    apart: float
    is_zero: bool


class Flight:
    """A free flyer between two instants of its run.

    Args:
        before, now: both moments; ``seconds`` apart.
        pushed: whether anything but gravity has acted from outside in between.
    """

    def __init__(self, before: dyn.Solution, now: dyn.Solution, seconds: float, pushed: bool) -> None:
        self.system, self.seconds, self.pushed = now.system, seconds, pushed
        first, last = dyn.center_of_mass(before.system, before.state), dyn.center_of_mass(now.system, now.state)
        most = np.sqrt(2.0 * last.mass * max(before.kinetic_energy, now.kinetic_energy))
        reach = np.linalg.norm(now.link_pose[:, :3, 3] - last.position, axis=1).max()
        fallen = last.mass * last.gravity * seconds
        self.linear = kept(first.linear_momentum + fallen, last.linear_momentum, float(most))
        self.angular = kept(first.angular_momentum, last.angular_momentum, float(most * reach))
        self.path, self.center = first.coast([seconds])[0], last.position
        self.off_path = float(np.linalg.norm(self.center - self.path))
        turn = now.link_pose[-1, :3, :3] @ before.link_pose[-1, :3, :3].T
        self.turned = float(np.degrees(Rotation.from_matrix(turn).magnitude()))
        self.joints_moved = bool(np.abs(now.state.qd).max(initial=0.0) > STILL) or bool(
            np.abs(now.state.q - before.state.q).max(initial=0.0) > STILL
        )
        self.omega = now.link_velocity[-1, :3]
        self.by_joints = dyn.velocity_without_momentum(now.system, now.state)[:3]

    @property
    def falls(self) -> bool:
        """Whether gravity pulls."""
        return bool(np.any(self.system.gravity))


def kept(before: Array, now: Array, most: float) -> Kept:
    """A vector then and now; ``most`` is how large bodies of that mass and speed could have it."""
    is_zero = float(np.linalg.norm(before)) <= ROUNDING * most
    size = most if is_zero else float(np.linalg.norm(before))
    gap = float(np.linalg.norm(now - before))
    return Kept(before, now, gap / size if size > 0.0 else 0.0, is_zero)


def is_pushed(run: Run, time: float) -> bool:
    """Whether anything but gravity has acted from outside since the run's oldest instant."""
    acting = [each.leg.forces for each in run.legs if each.start < time]
    return any(forces is not None and bool(np.any(forces)) for forces in acting)


def why(flight: Flight) -> str:
    """Why the body has turned, in words."""
    arms = "arms" if len(flight.system.tips) > 1 else "arm"
    if flight.pushed:
        return "something has pushed it from outside meanwhile, so that momentum need not stay."
    if flight.angular.is_zero:
        stayed = "angular momentum was zero and stayed zero."
        return f"because its {arms} moved: {stayed}" if flight.joints_moved else stayed
    if flight.joints_moved:
        return f"because it tumbles and its {arms} moved; momentum stayed."
    return "because it tumbles; its joints stand still, and momentum stayed."


def flight_html(flight: Flight, since: float, theme: palette.Theme, figures: Figures) -> str:
    """How far the body has turned, and what has stayed, as numbers of then and now.

    Args:
        since: s of the run, when it began.
    """
    figures.put(flight.turned)
    turned = f"<span data-digits='3'>{figures.one()}</span>"
    figures.put(since)
    start = figures.one()
    body = html.escape(flight.system.link_names[-1])
    linear, angular = _gap(flight, flight.linear, figures), _gap(flight, flight.angular, figures)
    figures.put(flight.off_path)
    off = f"off by <span data-digits='1'>{figures.one()}</span> m"
    when = ("at the start", "now")
    told = (
        ("p", "momentum", "linear momentum, N s", linear, when, (flight.linear.before, flight.linear.now)),
        ("h", "angular_momentum", "angular momentum about the mass centre, N m s", angular, when,
         (flight.angular.before, flight.angular.now)),
        ("C", "mass_center", f"mass centre, m, on its {'parabola' if flight.falls else 'straight path'}", off,
         ("the path", "where it is"), (flight.path, flight.center)),
        (r"\omega", "angular_velocity", f"how {body} turns now, rad/s", "", ("in all", "by momentum", "by its joints"),
         (flight.omega, flight.omega - flight.by_joints, flight.by_joints)),
    )  # fmt: skip
    sections = ""
    for letter, name, words, gap, titles, values in told:
        columns = [(title, value[:, None]) for title, value in zip(titles, values, strict=True)]
        title = f"{formula(letter)} {words}"
        sections += side_by_side_html(name, title, gap, palette.quantity(name, theme), columns, figures)
    fallen = "<p class='note'>What gravity has added since is in the first column.</p>" if flight.falls else ""
    return (
        f"<h3>What stays in flight</h3><p class='turned'><b>The body, {body}, has turned by {turned}°</b> since "
        f"{start} s, {why(flight)}</p>{fallen}{sections}"
    )


def _gap(flight: Flight, vector: Kept, figures: Figures) -> str:
    """How far a vector is from what it was; after a push nobody expects it to stay."""
    figures.put(vector.apart)
    size = f"<span data-digits='1'>{figures.one()}</span>"
    if flight.pushed:
        return f"pushed since: another by {size}"
    return f"the same, {'zero, ' if vector.is_zero else ''}to {size}"
