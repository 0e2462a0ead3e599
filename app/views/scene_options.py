"""What a picture of a run shows besides the bodies: quantities, trails, pushes, ghosts, and the results of a walk."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
import scenes
from app.motion.leg import leg_at
from app.motion.run import Run
from app.state import Session, walk
from app.state.kept_run import Ghost
from app.state.session import EDIT
from app.state.walk import CORRECTION, Place
from scenes import CHOICES
from scenes.close_up import CloseUp
from scenes.flight import COURSE_STEP, RODS, STEP, ends
from scenes.options import pushes
from scenes.scales import Scales

Part = tuple[str, int]  # A layer, and the index of the link or tip to which the mesh belongs
P, UPDATED, DUAL, BOTH = (
    "articulated_inertia",
    "articulated_inertia_updated",
    "dual_articulated_inertia",
    "operational_space_inertia",
)
ALPHA = ("acceleration", "angular_acceleration")
INBOARD = ("acceleration_inboard", "angular_acceleration_inboard")
"""The accelerations on the inner side of a link's joint."""
PREDICTED, CORRECTING, APPLIED = "predicted_contact_force", "corrected_contact_force", "contact_force"
OF_TIPS = (PREDICTED, CORRECTING, APPLIED)
FLYING = ("inertial_axes", "start", "mass_center", "mass_center_path", "momentum", "angular_momentum")
"""Layers that stay beside the stage that only a flying machine has."""
WALKED = (P, UPDATED, DUAL, BOTH, *ALPHA, *INBOARD, PREDICTED, CORRECTING, APPLIED, "freed", *FLYING)
"""Layers that the walk shows and hides; the others stay as the user chose them."""


@dataclass(frozen=True, eq=False)
class HalfStepPicture:
    """The picture of one half-step.

    Attributes:
        layers: the layers that it shows.
        only: mask for a layer: (links,), or (tips,) for a contact's force; layers not listed are shown whole.
        grown: each new mesh, paired with its origin.
    """

    layers: tuple[str, ...]
    only: Mapping[str, NDArray[np.bool_]]
    grown: tuple[tuple[Part, Part], ...]

    def with_own(self, chosen: Sequence[str]) -> tuple[str, ...]:
        """Its layers, and the user's layers that no step shows or hides."""
        return tuple(dict.fromkeys((*self.layers, *(name for name in chosen if name not in WALKED))))

    def links_only(self, system: dyn.System) -> dict[str, list[int]]:
        """The indices of the links in each mask: a contact's force belongs to the link at whose tip it acts."""
        tips = np.array([tip.link for tip in system.tips], int)
        links = np.arange(system.n_links)
        return {name: (tips if name in OF_TIPS else links)[whose].tolist() for name, whose in self.only.items()}


def staged(system: dyn.System, place: Place) -> HalfStepPicture:
    """The picture of a half-step of the walk.

    Inertia flows inward: each link's grows from what its outboard neighbor passed on, flat in the direction that its
    joint frees. Accelerations grow outward. At the object, predicted force and correction add up to the applied one.
    """
    places = [each for each in walk.whole_walk(system) if each.stage == place.stage]
    so_far = places[: places.index(place) + 1] if place in places else [place]
    joints = system.n_joints
    done = {each.link for each in so_far if each.half == CORRECTION or each.link >= joints}
    return STAGED[place.stage](system, place, done)


def _filter(system: dyn.System, place: Place, done: set[int]) -> HalfStepPicture:
    k, outboard = place.link, [int(j) for j in np.flatnonzero(system.inboard == place.link)]
    if place.half == CORRECTION and k < system.n_joints:
        only = {P: _links(system, {k}), UPDATED: _links(system, done)}
        return HalfStepPicture((P, UPDATED, "freed"), only, (((UPDATED, k), (P, k)),))
    only = {P: _links(system, {k}), UPDATED: _links(system, done - {k})}
    return HalfStepPicture((P, UPDATED), only, tuple(((P, k), (UPDATED, j)) for j in outboard[:1]))


def _smoother(system: dyn.System, place: Place, done: set[int]) -> HalfStepPicture:
    k, inner = place.link, int(system.inboard[place.link])
    only = dict.fromkeys(ALPHA, _links(system, done)) | dict.fromkeys(INBOARD, _links(system, {k} - roots(system)))
    pairs = zip(ALPHA, INBOARD, strict=True)
    if k not in done:  # carried across the link
        grown = tuple(((before, k), (name, inner)) for name, before in pairs if inner >= 0)
    else:
        grown = tuple(((name, k), (before, k)) for name, before in pairs if k < system.n_joints)
    return HalfStepPicture((*ALPHA, *INBOARD), only, grown)


def _contact(system: dyn.System, place: Place, done: set[int]) -> HalfStepPicture:
    first = [each for each in walk.whole_walk(system) if each.stage == "contact" and each.half != CORRECTION]
    known = {each.link for each in first[: first.index(place) + 1]} if place in first else {each.link for each in first}
    tips = {PREDICTED: _tips(system, known), CORRECTING: _tips(system, done), APPLIED: _tips(system, done)}
    own = [contact.tip for contact in system.contacts if contact.link == place.link and place.half == CORRECTION]
    grown = tuple(((APPLIED, tip), (PREDICTED, tip)) for tip in own)
    return HalfStepPicture((APPLIED, PREDICTED, CORRECTING), tips, grown)


def _carried(system: dyn.System, place: Place, done: set[int]) -> HalfStepPicture:
    return HalfStepPicture((APPLIED,), {}, ())


def _dual(system: dyn.System, place: Place, done: set[int]) -> HalfStepPicture:
    k, inner = place.link, int(system.inboard[place.link])
    both = {k} if k in done else set()
    grown: list[tuple[Part, Part]] = [((DUAL, k), (DUAL, inner))] if inner >= 0 else []
    return HalfStepPicture(
        (DUAL, BOTH, *FLYING),
        {DUAL: _links(system, done), BOTH: _links(system, both)},
        (*grown, ((BOTH, k), (DUAL, k))) if k in done else (),
    )


STAGED: Mapping[str, Callable[[dyn.System, Place, set[int]], HalfStepPicture]] = {
    "filter": _filter,
    "smoother": _smoother,
    "contact": _contact,
    "filter_correction": _carried,
    "smoother_final": _smoother,
    "dual_filter": _dual,
}


def roots(system: dyn.System) -> set[int]:
    """Bodies that no joint carries."""
    return set(range(system.n_joints, system.n_links))


def _links(system: dyn.System, links: set[int]) -> NDArray[np.bool_]:
    return np.isin(np.arange(system.n_links), list(links))


def _tips(system: dyn.System, links: set[int]) -> NDArray[np.bool_]:
    return np.array([tip.link in links for tip in system.tips], bool)


Array = NDArray[np.float64]

POINTED = ("axes", "frames")  # Layers shown for the cursor's link alone, unless the user has chosen to see all of them


def pointed(session: Session) -> tuple[str, ...]:
    """The layers shown for the cursor's link alone, while *Edit* is open."""
    edits = EDIT in (session.tab, session.beside)
    return tuple(name for name in POINTED if name not in session.layers) if edits else ()


def pushes_of(session: Session, solution: dyn.Solution, time: float) -> tuple[scenes.Push, ...]:
    """The present push; else each force recorded at ``time``, s, at the point of its line of action nearest to O_k."""
    if session.point_force is not None:
        return (
            scenes.Push(np.asarray(session.point_force.point, float), np.asarray(session.point_force.force, float)),
        )
    wrench = session.run.pushes_at(time)
    return () if wrench is None else pushes(wrench, solution)


class Raster:
    """Points at fixed times, so that a line lies still while its end moves; each point is computed once.

    Args:
        step: s between two points.
        at: computes a point at a time, s, of a run.
    """

    def __init__(self, step: float, at: Callable[[Run, float], Array]) -> None:
        self._step, self._at = step, at
        self._run: Run | None = None
        self._points: dict[int, Array] = {}

    def until(self, run: Run, time: float) -> list[Array]:
        """The last points, oldest first."""
        if run is not self._run:
            self._run, self._points = run, {}
        last = int(np.floor(time / self._step + 1e-9))
        window = range(max(last - RODS + 1, 0), last + 1)
        self._points = {
            k: self._points[k] if k in self._points else self._at(run, min(k * self._step, run.end)) for k in window
        }
        return list(self._points.values())


class PastPaths:
    """Paths that end at the cursor's instant.

    Cost: the kinematics of one state for each new point, of ``RODS`` states after a jump; for the mass centre, a
    solution each.
    """

    def __init__(self) -> None:
        self._bodies, self._middles = Raster(STEP, bodies_at), Raster(COURSE_STEP, middle_at)

    def paths(self, run: Run, time: float, solution: dyn.Solution) -> Array:
        """(tips and object, samples, 3) world, oldest first and the instant of ``solution`` last."""
        return np.stack([*self._bodies.until(run, time), ends(solution.tip_pose, solution.state)], axis=1)

    def course(self, run: Run, time: float, solution: dyn.Solution) -> Array:
        """(samples, 3) world, path of the mass centre of all bodies, in the same order."""
        return np.stack([*self._middles.until(run, time), dyn.center_of_mass(solution.system, solution.state).position])


def bodies_at(run: Run, time: float) -> Array:
    leg = leg_at(run.legs, time)
    recording, own = leg.recording, leg.own(time)
    state = recording.state_at(own)
    return ends(dyn.forward_kinematics(recording.system_at(own), state).tip_pose, state)


def middle_at(run: Run, time: float) -> Array:
    solution = run.solution_at(time)
    return dyn.center_of_mass(solution.system, solution.state).position


INSTANT = 1e-9  # Tolerance in s for equal instants
KNOWN_EVERY = 0.5  # Seconds of further progress of a broken motion after which its pictures are made again


def look_at(
    session: Session,
    past: PastPaths,
    solution: dyn.Solution,
    time: float,
    layers: Collection[str] | None = None,
    walked: HalfStepPicture | None = None,
    close_up: CloseUp | None = None,
) -> scenes.Look:
    """The look of an instant, s, of the session's run, whose ``solution`` is given.

    Args:
        past: earlier positions of the bodies; fast for successive instants.
        layers: the layers that are on; by default the session's.
        walked: what the walk shows at this step, if it chooses.
        close_up: the scale of an inertia that is shown alone.
    """
    cursor, on = session.cursor, session.layers if layers is None else layers
    here = np.arange(solution.system.n_links) == cursor.link
    links = {"arm": solution.system.arm_of_link == cursor.arm, "link": here}.get(session.around)
    return scenes.Look(
        block=session.block,
        links=links if walked is None else None,
        only=dict.fromkeys(pointed(session), here) | ({} if walked is None else dict(walked.only)),
        stage=cursor.stage,
        link=cursor.link,
        close_up=close_up,
        paths=past.paths(session.run, time, solution) if "trails" in on else None,
        course=past.course(session.run, time, solution) if "mass_center_path" in on else None,
        pushes=pushes_of(session, solution, time) if "push" in on else (),
        influence=answers(solution, session.torqued_here) if "influence" in on else None,
        ghosts=tuple(shade(ghost, time) for ghost in session.ghosts),
    )


def answers(solution: dyn.Solution, joint: int) -> Array:
    """(links, 2, 3): each link's mass centre, m, and its acceleration due to a unit torque or force at a joint."""
    system, poses = solution.system, solution.link_pose
    link = dyn.influence(system, solution.state).link_acceleration[:, :, joint]
    lever = np.array([pose[:3, :3] @ body.center_of_mass for pose, body in zip(poses, system.link_models, strict=True)])
    return np.stack([poses[:, :3, 3] + lever, link[:, 3:] + np.cross(link[:, :3], lever)], axis=1)


def shade(ghost: Ghost, time: float) -> scenes.Shade:
    """The poses of a ghost's bodies at an instant, s; empty before it is followed or beyond its computed end."""
    run = ghost.run
    if not max(run.begin, ghost.since) - INSTANT <= time <= run.end + INSTANT:
        return scenes.Shade(np.empty((0, 4, 4)), None, ghost.letter)
    state = run.state_at(time)
    return scenes.Shade(dyn.forward_kinematics(run.system_at(time), state).pose, state.object_pose, ghost.letter)


def known_of(ghost: Ghost) -> float:
    """Changes when a ghost has been computed further, and its pictures must be made again."""
    run = ghost.run
    if run.complete:
        return run.end
    return 0.0 if ghost.letter else (run.end - ghost.since) // KNOWN_EVERY


INSTANTS = 40  # Number of evenly spaced instants at which a run is inspected
SCALED_EVERY = 1.0  # Seconds of further progress of a run after which its scale is chosen again


class WalkScale:
    """Remembers the largest acceleration of each kind in one run, as computed by one stage."""

    def __init__(self) -> None:
        self._of: tuple[object, ...] = ()
        self._largest: dict[str, float] = {}

    def fit(self, scales: Scales, run: Run, stage: str, layers: tuple[str, ...]) -> None:
        """Scales the layers of both accelerations, including those in ``layers``, to the run's largest.

        Cost: some tens of solutions if the run or the stage has changed.
        """
        wanted = (run, counted(run), stage)
        if wanted != self._of:
            times = np.linspace(run.begin, run.end, INSTANTS + 1).tolist()
            self._of, self._largest = wanted, largest(run.solutions_at(times), stage)
        for unit, value in self._largest.items():
            drawn = (name for name in layers if CHOICES[name].unit("translational") == unit)
            scales.fit(unit, value, frozenset(drawn))


def counted(run: Run) -> float:
    """The time in s up to which a scale considers an unfinished run, so that not every new piece changes the scale."""
    return run.end if run.complete else run.end // SCALED_EVERY


def largest(solutions: list[dyn.Solution | None], stage: str) -> dict[str, float]:
    """Unit -> length of its longest arrow over all of these instants."""
    found: dict[str, float] = {}
    for name in (*ALPHA, *INBOARD):
        layer = CHOICES[name]
        half = slice(3, 6) if layer.part == "linear" else slice(0, 3)
        known = (each.stages[stage][layer.quantity] for each in solutions if each is not None and stage in each.stages)
        lengths = [float(np.nanmax(np.linalg.norm(six[:, half], axis=1), initial=0.0)) for six in known]
        most = max((length for length in lengths if np.isfinite(length)), default=0.0)
        unit = layer.unit("translational")
        found[unit] = max(found.get(unit, 0.0), most)
    return found
