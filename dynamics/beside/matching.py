"""How far what was handed in is from ours, link by link, in each convention."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from dynamics.beside.free_rows import (
    FreeRows,
    accelerations_shown,
    by_bodies,
    places,
    rates_by_bodies,
    theirs_to_ours,
)
from dynamics.beside.handed_in import OF_JOINTS, Candidate, Items, full_matrix
from dynamics.beside.held import (
    ContactWay,
    ObjectWay,
    contact_forces_shown,
    force_transforms,
    mobility_shown,
    object_shown,
)
from dynamics.beside.numbering import Numbering
from dynamics.beside.quantities import QUANTITIES, Kept
from dynamics.beside.rerun import Run
from dynamics.beside.views import FRAMES, Frame, View
from dynamics.checks import Array
from dynamics.faults.alteration import FORMS, Form
from dynamics.system.plain_kinematics import PlainKinematics
from dynamics.system.system import System

FREE = ("joint", "matrix", "pose", "contact", "object", "rates")
"""Kinds that no frame turns."""
FLOOR = 1e-3
"""Of a quantity's largest number: a link where it is smaller than that is measured by this."""
NOTHING = 1e-12
"""What is less is rounding, of what may be zero: forces, velocities and accelerations; an inertia is what it is."""
AT_REST = (
    "innovation", "residual", "joint_acceleration", "modified_innovation", "modified_residual",
    "final_joint_acceleration", "joint_and_base_acceleration", "contact_force", "object_acceleration",
)  # fmt: skip


def is_free(kept: Kept, form: Form) -> bool:
    """Whether a quantity is the same in every frame; innovations are not where accelerations are those of points."""
    return kept.kind in FREE and (form.spatial or not kept.turns_with_form)


class Convention(NamedTuple):
    """How one array is written.

    Attributes:
        frame: of its spatial vectors.
        form: of its accelerations and forces.
        numbering: of its links and joints.
        sign: -1 where forces have the other.
    """

    frame: Frame
    form: Form
    numbering: Numbering
    sign: int


class Match(NamedTuple):
    """An array in a convention.

    Attributes:
        candidate: what it is taken to be.
        gaps: for each of our links, or joints, how far it is from ours, relative.
    """

    candidate: Candidate
    gaps: Array

    def share(self, tolerance: float) -> float:
        """Of the links, how many agree."""
        return float(np.count_nonzero(self.gaps <= tolerance) / len(self.gaps))

    @property
    def nearness(self) -> float:
        """Less is nearer: what is apart, less the share that is the same but for rounding."""
        return float(np.minimum(self.gaps, 1.0).sum() / len(self.gaps)) - self.share(1e-6)


class Matcher:
    """What was handed in, against runs of ours."""

    def __init__(self, system: System, items: Items, order: Sequence[Numbering], run_of: Callable[[Form], Run]) -> None:
        self.system, self.items, self.order = system, items, tuple(order)
        self._run_of = run_of
        self._views: dict[tuple[Form, Frame], View] = {}
        self._gaps: dict[tuple[object, ...], Array] = {}
        self._transforms: dict[ContactWay, tuple[PlainKinematics, Array]] = {}

    def against(self, run_of: Callable[[Form], Run]) -> Matcher:
        """The same for other runs."""
        found = Matcher(self.system, self.items, self.order, run_of)
        found._transforms = self._transforms
        return found

    def narrowed(self, certain: Mapping[str, str]) -> Matcher:
        """The same where some arrays are one quantity and no other; with P a in it or not is one."""

        def may_be(name: str, quantity: str) -> bool:
            return QUANTITIES[quantity].words == QUANTITIES[certain.get(name, quantity)].words

        items = {
            name: tuple(each for each in several if may_be(name, each.quantity)) for name, several in self.items.items()
        }
        return Matcher(self.system, items, self.order, self._run_of)

    def view(self, form: Form, frame: Frame) -> View:
        """Ours as a convention has it."""
        if (form, frame) not in self._views:
            self._views[form, frame] = View(self.system, self._run_of(form), frame)
        return self._views[form, frame]

    def match(self, name: str, convention: Convention) -> Match:
        """The best of what an array may be, in a convention."""
        found = [Match(each, self.gaps(name, at, convention)) for at, each in enumerate(self.items[name])]
        return found[0] if len(found) == 1 else min(found, key=lambda match: match.nearness)

    def gaps(self, name: str, at: int, convention: Convention) -> Array:
        """Of one candidate: relative differences by our links."""
        candidate = self.items[name][at]
        kept = QUANTITIES[candidate.quantity]
        frame, form, sign = self._written(kept, convention)
        key = (name, at, frame, form, convention.numbering.words, sign)
        if key not in self._gaps:
            may_rest = kept.kind in ("force", "motion") or candidate.quantity in AT_REST
            nothing = NOTHING if may_rest else 0.0
            theirs, ours = self.theirs(candidate, convention.numbering), self.ours(candidate, convention)
            gaps = relative(theirs, ours, nothing)
            self._gaps[key] = self._by_bodies(candidate, gaps)
        return self._gaps[key]

    def _written(self, kept: Kept, convention: Convention) -> tuple[Frame, Form, int]:
        """What of a convention a quantity feels."""
        return (
            FRAMES[0] if is_free(kept, convention.form) else convention.frame,
            convention.form if kept.turns_with_form else FORMS[0],
            convention.sign if kept.kind == "force" else 1,
        )

    def ours(self, candidate: Candidate, convention: Convention) -> Array:
        """What we have for an array, as it is written, by our links."""
        kept = QUANTITIES[candidate.quantity]
        frame, form, sign = self._written(kept, convention)
        if kept.kind in ("contact", "object"):
            return self._at_contacts(candidate)
        if kept.kind == "rates":
            assert isinstance(candidate.rows, FreeRows)
            return accelerations_shown(self.system, self.run(FORMS[0]), candidate.rows)
        if kept.kind == "matrix":
            turn = self._turn(candidate)
            return turn.T @ self.run(form).letters[kept.letter][: len(turn), : len(turn)] @ turn
        return np.asarray(sign * self.view(form, frame).shown(candidate.quantity, candidate.packing))

    def _by_bodies(self, candidate: Candidate, gaps: Array) -> Array:
        """Gaps of rows, or of contacts, by links; the object's last."""
        rows, links = candidate.rows, self.system.n_links
        if QUANTITIES[candidate.quantity].kind == "rates":
            return gaps
        if isinstance(rows, FreeRows):
            return by_bodies(self.system, gaps)
        if rows is None:
            return gaps
        found = np.zeros(links + 1)
        at = [links] if isinstance(rows, ObjectWay) else [contact.link for contact in self.system.contacts]
        np.maximum.at(found, at, gaps)
        return found

    def _at_contacts(self, candidate: Candidate) -> Array:
        """Ours of contacts or of the object, as a candidate is written."""
        run, way, system = self.run(FORMS[0]), candidate.rows, self.system
        if isinstance(way, ObjectWay):
            return object_shown(run.letters["alpha_C"], system, run.state, way)
        assert isinstance(way, ContactWay)
        transforms = self._force_transforms(run, way)
        if candidate.quantity == "contact_force":
            return contact_forces_shown(run.letters["x_0"], transforms, candidate.array.shape[1])
        whole = candidate.array.shape[2] != 6 or len(transforms) == 1
        return mobility_shown(run.letters["Lam_0"], transforms, whole=whole)

    def _force_transforms(self, run: Run, way: ContactWay) -> Array:
        """Kept for runs in which everything is where it was in the last."""
        kept = self._transforms.get(way)
        if kept is None or kept[0] is not run.moved:
            kept = self._transforms[way] = run.moved, force_transforms(self.system, run.state, run.moved, way)
        return kept[1]

    def _turn(self, candidate: Candidate) -> Array:
        """What a matrix in joint space is multiplied by, from both sides, to be written as theirs is."""
        if not isinstance(candidate.rows, FreeRows):
            return np.eye(self.system.n_joints)
        run = self.run(FORMS[0])
        turn = theirs_to_ours(self.system, run.state, run.moved, candidate.rows)
        return np.asarray(np.linalg.inv(turn).T if candidate.quantity == "mass_matrix_inverse" else turn)

    def turned_back(self, candidate: Candidate, theirs: Array) -> Array:
        """A matrix of theirs, by our rows, in our axes."""
        back = np.linalg.inv(self._turn(candidate))
        return np.asarray(back.T @ theirs @ back)

    def run(self, form: Form) -> Run:
        """Ours in a form."""
        return self._run_of(form)

    def theirs(self, candidate: Candidate, numbering: Numbering) -> Array:
        """An array by our links."""
        kind = QUANTITIES[candidate.quantity].kind
        if kind == "matrix":
            thing = candidate.rows.thing if isinstance(candidate.rows, FreeRows) else ""
            return full_matrix(candidate, places(self.system, numbering, thing), self.system)
        if kind in ("contact", "object"):
            return candidate.array
        if kind == "rates":
            return rates_by_bodies(self.system, candidate.array, places(self.system, numbering))
        found = np.empty_like(candidate.array)
        found[list(numbering.joints if kind in OF_JOINTS else numbering.links)] = candidate.array
        return found


def relative(theirs: Array, ours: Array, nothing: float) -> Array:
    """(links,): the largest difference of each, by the size of what stands there; of ``nothing`` none is counted."""
    n = len(ours)
    one, other = theirs.reshape(n, -1), ours.reshape(n, -1)
    size = np.maximum(np.abs(one).max(axis=1), np.abs(other).max(axis=1))
    size = np.maximum(size, FLOOR * np.abs(other).max(initial=0.0))
    with np.errstate(all="ignore"):
        gaps = np.abs(one - other).max(axis=1) / size
    return np.where(size <= nothing, 0.0, np.where(np.isfinite(gaps), gaps, 1.0))
