"""Runs the text for one moment, in a form that another program may use and optionally with a fault."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from dynamics.checks import Array
from dynamics.reading.evaluation import evaluate, hooked_sweep
from dynamics.solve.formulations import mass_matrix
from dynamics.solve.jacobian import bias_torque, coriolis_matrix, gravity_torque, jacobian
from dynamics.system.plain_kinematics import plain_kinematics, tilde
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.textbook import blackboard
from dynamics.textbook.stages import BIAS, COVARIANCE, FILTER, FORCES, OBJECT, SMOOTHER, TIPS, Part, given

WORLD = -1
HELD = "_held"
PRINTED, CORRECTED = ("z_minus", "z_R", "e_minus", "e_plus"), ("z", "z_plus", "eps", "nu")
"""Letters of the filter as printed in R87, where P⁺ a is added later, and as in JR."""
ALPHA_PLUS = "outward_smoother.prediction.alpha_plus"

QUOTIENTS = frozenset(f"inward_filter.correction.{letter}" for letter in ("nu", "e_plus"))
INERTIA = frozenset(["inward_filter.correction.P_plus"])
FORCE = frozenset(f"inward_filter.correction.{letter}" for letter in ("z_plus", "z_R"))
ACCELERATION = QUOTIENTS | {"outward_smoother.correction.theta_dd"}
"""Lines that divide by D, directly or through the gain."""


class Form(NamedTuple):
    """How an algorithm writes accelerations and forces; all eight forms are correct."""

    spatial: bool = False  # accelerations are derivatives of spatial vectors; else accelerations of the point itself
    lifted: bool = False  # gravity is an acceleration of the base; else a weight on every link
    printed: bool = False  # z omits P a, and P⁺ a is added later, as printed in R87 and by Featherstone


OURS = Form()
FORMS = tuple(Form(*(not number & bit for bit in (4, 2, 1))) for number in range(8))
"""Featherstone's form is first: if several explain equally much, it is the most common."""


class Moment(NamedTuple):
    """A system in a state, its torques and external forces."""

    system: System
    state: State
    tau: Array
    wrench: Array


Machine = Callable[[Moment, Collection[int]], Moment]  # alters joints or links with these numbers, or their loads
Transform = Callable[[Array, Array], Array]  # (E, r) -> (6, 6): motion of the inboard link to link k, link axes


@dataclass(frozen=True, eq=False)
class Fault:
    """A possible error in another program, applied to ours."""

    key: str  # its name; for a broken line of the text the name of the break
    words: str  # what is wrong, a clause
    machine: Machine | None = None  # alters the moment
    links: frozenset[int] | None = None  # the links it alters; None for all
    velocity_product: float = 1.0  # factor of the bias acceleration
    outward: float = 1.0  # factor of the bias acceleration in the outward sweep
    gyroscopic: float = 1.0  # factor of the gyroscopic force
    transform: Transform | None = None  # the wrong transformation of motions and forces
    lines: frozenset[str] = frozenset()  # lines of the text that use the wrong transformation
    undivided: frozenset[str] = frozenset()  # lines without the division by D
    breaks: frozenset[str] = frozenset()  # breaks of the text

    def fits(self, form: Form) -> bool:
        """Whether the fault exists in a form: a broken line of the text may belong to some forms only."""
        for key in self.breaks:
            sweep, letter = key.partition(".")[0], key.partition("~")[0].rpartition(".")[2]
            if sweep == "inward_filter" and letter in (CORRECTED if form.printed else PRINTED):
                return False
            if sweep == "bias" and form.spatial:
                return False
        return True

    def moment(self, right: Moment) -> Moment:
        """The moment with the fault applied."""
        everywhere = range(right.system.n_links)
        return right if self.machine is None else self.machine(right, self.links or everywhere)


NO_FAULT = Fault("", "")
_kinematics = functools.lru_cache(maxsize=4)(plain_kinematics)  # cached: most faults do not change the kinematics


class Run:
    """The results of the text for one moment; inertial axes, at O_k, links as the system numbers them.

    Each sweep runs when one of its letters is requested, at 0.1 ms per link for the filter, 0.5 ms for everything;
    ``contact_forces`` (contacts, 6), if given, act from the object on the arms.
    """

    def __init__(
        self, right: Moment, form: Form = OURS, fault: Fault = NO_FAULT, contact_forces: Array | None = None
    ) -> None:
        self.form, self._right, self._fault = form, right, fault
        self.system, self.state, tau, wrench = fault.moment(right)
        self.moved = _kinematics(self.system, self.state)
        self.velocity_factor = fault.gyroscopic if fault.gyroscopic == fault.velocity_product else 1.0
        self.jacobian = functools.cache(functools.partial(jacobian, self.system, self.state))
        self._given = given(self.system, self.state, self.moved, tau, wrench)
        if contact_forces is not None:
            self._given["f"] = np.array(self._given["f"])
            for c, k in enumerate(self._given["holding"]):
                self._given["f"][k] -= self._given["phi_0"][c] @ contact_forces[c][:, None]

    def letter(self, letter: str) -> Array:
        """A quantity by its letter, vectors as rows: (links or joints, ...); with ``_held``, under contact forces."""
        if letter == "pose":
            return self.moved.pose
        if letter.endswith(HELD):
            return self._held.letter(letter.removesuffix(HELD))
        with np.errstate(all="ignore"):
            sweep = next((each for each, letters in SWEEPS.items() if letter in letters), "filtered")
            return np.asarray(getattr(self, sweep)[letter])

    @cached_property
    def carried(self) -> Array:
        """(links, 6, 6): phi', which propagates a motion from the inboard link to each link."""
        phi = self._given["phi"]
        return np.array([phi(int(i), k).T for k, i in enumerate(self.system.inboard)])

    @cached_property
    def accelerations_of_points(self) -> Array:
        """(links, 6): accelerations of O_k, with gravity as a weight."""
        return np.asarray(self.letter("alpha") + self._form_offset[:-1])

    @cached_property
    def _form_offset(self) -> Array:
        """(links + 1, 6): accelerations of points minus those in this form; the world's row is last."""
        offset, V = np.zeros((self.system.n_links + 1, 6)), self.moved.velocity
        if self.form.spatial:
            offset[:-1, 3:] = np.cross(V[:, :3], V[:, 3:])
        if self.form.lifted:
            offset[:, 3:] += self.system.gravity
        return offset

    @cached_property
    def _bias(self) -> tuple[Array, Array]:
        """(links, 6, 1) each: the contributions of velocity and weight to accelerations and forces, in this form."""
        a, w, b = self._run(BIAS, {}).values()
        offset = self._form_offset[..., None]
        fixed = -self._given["f"] - (0.0 if self.form.lifted else w)
        b = fixed + self._fault.gyroscopic * (b + self._given["M"] @ offset[:-1] - fixed)
        a = a - offset[:-1] + self.carried @ offset[self.system.inboard]
        a[self.system.n_joints :] = 0.0  # a floating base has no joint
        return self._fault.velocity_product * a, b

    @cached_property
    def filtered(self) -> dict[str, Array]:
        n, (a, b) = self.system.n_joints, self._bias
        swept = self._run(FILTER, {"a": a, "b": b})
        z, z_plus, eps, nu = (swept[letter] for letter in (PRINTED if self.form.printed else CORRECTED))
        P, P_plus, D, G = (swept[name] for name in ("P", "P_plus", "D", "G"))
        vectors = {"a": a, "b": b, "z": z, "z_plus": z_plus, "G": G, "H": self._given["H"].transpose(0, 2, 1)}
        vectors["z_alone"] = z if self.form.printed else z - P @ a
        numbers = {"D": D, "D_inverse": 1.0 / D, "eps": eps, "nu": nu}
        is_root = self.system.inboard[:, None, None] == WORLD  # an algorithm that updates in place stops there
        return {
            "V": self.moved.velocity, "M": self._given["M"], "P": P, "P_plus": P_plus, "tau_bar": swept["tau_bar"],
            "P_kept": np.where(is_root, P, P_plus), "U": (G * D)[..., 0],
            **{letter: value[..., 0] for letter, value in vectors.items()},
            **{letter: value.reshape(n) for letter, value in numbers.items()},
        }  # fmt: skip

    @cached_property
    def smoothed(self) -> dict[str, Array]:
        """By the text, with a world that may accelerate against gravity; as printed, alpha_plus includes the bias."""
        a, filtered = self._fault.outward * self._bias[0], self.filtered
        world = -self._form_offset[WORLD][:, None]

        def carry(key: str, published: Callable[[], Any], scope: dict[str, Any]) -> Any:
            scope["alpha"][WORLD] = world
            return published() + (a[scope["k"]] if self.form.printed else 0.0)

        own = {letter: filtered[letter][..., None] for letter in ("z", "G")}
        own |= {"nu": filtered["nu"][:, None, None], "P": filtered["P"]}
        own["a"] = np.zeros_like(a) if self.form.printed else a
        swept = self._run(SMOOTHER, own, frozenset([ALPHA_PLUS]), carry)
        return {"theta_dd": swept["theta_dd"].reshape(-1), "alpha": swept["alpha"][:-1, :, 0]}

    @cached_property
    def mobility(self) -> dict[str, Array]:
        own = {"P": self.filtered["P"], "D": self.filtered["D"][:, None, None], "tau_bar": self.filtered["tau_bar"]}
        return {"Lam": self._run(COVARIANCE, own)["Lam"][:-1]}

    @cached_property
    def contact(self) -> dict[str, Array]:
        """R88 Section 8, in accelerations of points, with gravity as a weight."""
        own = {"alpha": self.accelerations_of_points[..., None], "Lam": self.mobility["Lam"]}
        own["tau_bar"] = self.filtered["tau_bar"]
        found = evaluate((OBJECT, TIPS, FORCES), self._given | own, frozenset()).letters
        return {"x_0": found["x_0"].reshape(-1, 6), "alpha_C": found["alpha_C"].reshape(1, 6), "Lam_0": found["Lam_0"]}

    @cached_property
    def _held(self) -> Run:
        return Run(self._right, self.form, self._fault, self.letter("x_0"))

    @cached_property
    def joint_space(self) -> dict[str, Array]:
        """Columns as ``System.pack`` orders velocities."""
        matrix = mass_matrix(self.system, self.state)
        return {"M_q": matrix, "M_q_inverse": blackboard.solve(matrix, np.eye(len(matrix)))}

    @cached_property
    def bias_terms(self) -> dict[str, Array]:
        """Torques for zero acceleration, by the Newton-Euler sweeps in this form, so that its faults show."""
        system, n, (a, b), nle = self.system, self.system.n_joints, self._bias, bias_torque(self.system, self.state)
        acceleration = -self._form_offset
        for k in range(n - 1, -1, -1):
            acceleration[k] = self.carried[k] @ acceleration[system.inboard[k]] + a[k, :, 0]
        force = (self._given["M"] @ acceleration[:-1, :, None] + b + self._given["f"])[..., 0]
        for k in range(n):
            nle[k] = self._given["H"][k, 0] @ force[k]
            if system.inboard[k] != WORLD:
                force[system.inboard[k]] += self.carried[k].T @ force[k]
        nle[n : n + 6 * system.n_bases] = force[n:].ravel()
        g, C = gravity_torque(system, self.state), coriolis_matrix(system, self.state)
        return {"g_q": g, "g_down": -g, "nle": nle, "Cv": nle - g, "C_q": C}

    def _run(
        self,
        part: Part,
        own: Mapping[str, Any],
        asked: frozenset[str] = frozenset(),
        carry: Callable[[str, Callable[[], Any], dict[str, Any]], Any] = lambda key, published, scope: published(),
    ) -> dict[str, Any]:
        """The letters that a sweep of the text computes with the fault; ``carry`` evaluates the lines ``asked``."""
        letters, right = self._given | dict(own), self._given["phi"]
        wrong, undivided = self._fault.lines, self._fault.undivided
        is_wrong = False

        def phi(to: int, start: int) -> Array:
            return np.asarray(self._wrong_transition(to, start) if is_wrong else right(to, start))

        def hook(key: str, published: Callable[[], Any], scope: dict[str, Any]) -> Any:
            nonlocal is_wrong
            is_wrong = key in wrong
            value = carry(key, published, scope) if key in asked else published()
            is_wrong = False
            if key in undivided:  # a quotient, or a line that contains the gain
                k, G, D = scope["k"], scope["G"], (scope if "D" in scope else self.filtered)["D"]
                kept, G[k] = G[k].copy(), G[k] * D[k]
                value = published() * (D[k] if key in QUOTIENTS else 1.0)
                G[k] = kept
            return value

        sweep = hooked_sweep(part, self._fault.breaks, asked | wrong | undivided, hook)
        letters["phi"] = phi
        found = sweep.function(**{name: letters[name] for name in sweep.parameters})
        return dict(zip(sweep.results, found, strict=True))

    def _wrong_transition(self, i: int, k: int) -> Array:
        """The fault's transformation, converted from link axes to inertial axes, as phi(i, k)."""
        assert self._fault.transform is not None
        pose = self.moved.pose
        outer, own = (pose[i, :3, :3] if i != WORLD else np.eye(3)), pose[k, :3, :3]
        matrix = self._fault.transform(own.T @ outer, outer.T @ self.moved.lever[k])
        return np.asarray((np.kron(np.eye(2), own) @ matrix @ np.kron(np.eye(2), outer.T)).T)


SWEEPS: Mapping[str, tuple[str, ...]] = {
    "smoothed": ("theta_dd", "alpha"),
    "mobility": ("Lam",),
    "contact": ("x_0", "alpha_C", "Lam_0"),
    "joint_space": ("M_q", "M_q_inverse"),
    "bias_terms": ("g_q", "g_down", "nle", "Cv", "C_q"),
}  # the letters that each part of a run computes; all others belong to the filter


def transform(E: Array, r: Array) -> Array:
    """X = [[E, 0], [-E r~, E]]: from a motion at the inboard joint in its axes to one at O_k in link k's axes."""
    matrix = np.kron(np.eye(2), E)
    matrix[3:, :3] = -E @ tilde(r)
    return np.asarray(matrix, dtype=np.float64)
