"""The identities of every stage, link by link, computed without the recursion that they check.

And those of textbook results on which no motion depends: R87's printed form, and R88 (9.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from dynamics.check import identity_residuals
from dynamics.check.identity_residuals import Evidence, length, relative
from dynamics.checks import Array, brief
from dynamics.errors import ModelError
from dynamics.public import public_as_computed
from dynamics.reading.reading import Reading
from dynamics.record import Record
from dynamics.solve.forward_dynamics import FILTER_SMOOTHER, Forces, external_wrench
from dynamics.system.solution import Solution

HOLDS = 1e-8
"""The largest relative residual at which an identity holds: far above rounding, far below any term."""
OUTWARD = ("smoother", "smoother_final")


@dataclass(frozen=True)
class Identity(Record):
    """One statement.

    Attributes:
        key: its name in code.
        title: in words.
        latex: as an equation.
        source: paper and equation, or the law.
    """

    key: str
    title: str
    latex: str
    source: str


IDENTITIES: Mapping[str, Identity] = MappingProxyType(
    {
        identity.key: identity
        for identity in (
            Identity("finite", "Every number is finite", r"|x|<\infty", "no division by zero"),
            Identity("symmetric", "P is symmetric", "P=P^T", "R87 (37)"),
            Identity("positive", "P is never negative", r"P\succeq 0", "R87 (37)"),
            Identity("joint_inertia", "D is P seen along the axis", "D=HPH^T+I_r", "R87 (38)"),
            Identity("gain", "The gain reproduces the joint", "HG=1-I_r/D", "R87 (39)"),
            Identity("updated", "A free joint passes on what its rotor holds", "HP^+=(I_r/D)\\,HP", "R87 (43)"),
            Identity("articulated", "P is the inertia of the free bodies outboard", r"P=r-F\mathcal{M}^{-1}F^T",
                     "mass matrix"),
            Identity("predicted_force", "z is the force on a link that accelerates by a(k) alone",
                     r"z=x\;(\alpha=a)", "mass matrix"),
            Identity("corrected_force", "z⁺ is the force if the inboard body does not accelerate",
                     r"z^+=x\;(\alpha^+=0)", "mass matrix"),
            Identity("locked", "ν is the acceleration if the inboard body has none", r"\nu=\ddot\theta\;(\alpha^+=0)",
                     "mass matrix"),
            Identity("kinematics", "Links accelerate as their joints do", r"\alpha=J\ddot q+\dot J\dot q", "Jacobians"),
            Identity("newton_joint", "Equation of motion of each joint", r"\mathcal{M}\ddot q+h=\tau+J^Tf",
                     "mass matrix"),
            Identity("base_balance", "Momentum: no force holds the base", r"\dot h=F_{\mathrm{ext}}", "mass matrix"),
            Identity("mobility", "Λ is the inverse operational-space inertia", r"\Lambda=J\mathcal{M}^{-1}J^T",
                     "mass matrix"),
            Identity("newton", "Newton and Euler for each link", r"x-\sum\phi x=M\alpha+b", "R87 (4)"),
            Identity("torque", "Each joint carries its torque", r"Hx=\tau-\tau_{loss}-I_r\ddot\theta", "R87 (20)"),
            Identity("omega", "Ω answers a unit force", r"\Omega=J\mathcal{M}^{-1}J^T", "mass matrix"),
            Identity("corrector", "Predictor and corrector give the force", r"x=x_F+\mathcal{G}[b-Ax_F]+\rho",
                     "R88 (9.1)"),
            Identity("contacts_close", "Tips and object stay together", r"C(\lambda-A^T\alpha_C-\eta)=0",
                     "R88 (4.3), Result 8.3"),
            Identity("object_balance", "Newton and Euler for the object", r"M\alpha_C+b=Ax", "R88 (4.1), (4.4)"),
            Identity("correction", "δz is what free joints pass on", r"\delta z=\phi x-F\mathcal{M}^{-1}H\phi x",
                     "mass matrix"),
            Identity("estimates_difference", "P + S inverts Λ", r"(P+S)\Lambda=1", "JR (4.11)"),
            Identity("both_filters", "Two filters give the smoother's α", r"\alpha=-(P+S)^{-1}(z+z_s-Pa)", "JR (3.12)"),
            Identity("agreement", "Same acceleration as all equations solved at once", r"\ddot q=\ddot q_{KKT}", "KKT"),
            Identity("energy", "Energy changes by the power that goes in", r"\dot E=P_{\mathrm{in}}", "first law"),
        )
    }
)  # fmt: skip

AT_STAGE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "filter": (
            "finite", "symmetric", "positive", "joint_inertia", "gain", "updated", "articulated", "predicted_force",
            "corrected_force", "locked",
        ),
        "smoother": ("kinematics", "newton_joint", "base_balance", "mobility", "newton", "torque"),
        "contact": ("omega", "corrector", "object_balance"),
        "filter_correction": ("correction",),
        "dual_filter": ("estimates_difference", "both_filters"),
        "smoother_final": ("kinematics", "newton_joint", "base_balance", "newton", "torque", "contacts_close"),
    }
)  # fmt: skip
OF_THE_WHOLE = ("agreement", "energy")

OF_THE_TEXT: Mapping[str, Identity] = MappingProxyType(
    {
        identity.key: identity
        for identity in (
            Identity("printed_force", "R87's predicted force lacks P a", "z^-+Pa=z", "R87 (36)"),
            Identity("printed_innovation", "R87's innovation lacks H P a", r"e^--HPa=\epsilon", "R87 (40)"),
            Identity("printed_corrected_force", "Both forms correct to the same force", "z_R^+=z^+", "R87 (41)"),
            Identity("printed_residual", "Its residual lacks G' a", r"e^+-G^Ta=\nu", "R87 (42)"),
            Identity("object_corrector", "Predictor and corrector give the object's acceleration",
                     r"\alpha_C=\alpha_b+\mathcal{G}^T[\bar\lambda-A^T\alpha_b]", "R88 (9.2)"),
        )
    }
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Check(Record):
    """How far one identity is from holding.

    Attributes:
        identity: the statement, in words and as an equation.
        stage: the stage whose arrays it checks; the last one for the whole motion.
        residual: relative, one entry per row: a link, a joint, a contact, or the whole machine.
        links: the link of each row, -1 for the whole machine.
    """

    identity: Identity
    stage: str
    residual: Array
    links: NDArray[np.int64]

    @property
    def worst(self) -> float:
        """The largest residual; infinite if one is not a number."""
        return float(self.residual.max(initial=0.0))

    @property
    def holds(self) -> bool:
        """Whether every residual is at most 1e-8, that is, rounding."""
        return self.worst <= HOLDS

    @property
    def worst_link(self) -> int:
        """The link with the largest residual; -1 if that belongs to no link."""
        return int(self.links[int(np.argmax(self.residual))]) if self.residual.size else -1

    @property
    def first_link(self) -> int:
        """The first link that fails, in the direction of the stage's sweep; the worst link if the identity holds."""
        failing = np.flatnonzero(~(self.residual <= HOLDS))
        if not failing.size:
            return self.worst_link
        return int(self.links[failing[-1 if self.stage in OUTWARD else 0]])


@public_as_computed
def identities(solution: Solution, external_forces: Forces = None) -> tuple[Check, ...]:
    """Every identity that the stages of a solution must satisfy, in the order of the stages.

    R87 (4), (20) and (37)-(43), R88 (4.1), (4.3), (4.4), (9.1), Result 8.3 and JR (3.12), (4.11), link by
    link, compared with mass matrices, Jacobians and the laws of Newton and Euler. Poses and velocities come from the
    plain kinematics, so an error in the sweeps' own kinematics shows too.

    Args:
        solution: from ``forward_dynamics`` by ``filter_smoother``.
        external_forces: those used for the solution, N m and N, inertial axes.

    Returns:
        One ``Check`` for each statement and stage; residuals are relative and dimensionless.

    Raises:
        ModelError: for a solution by another method, which has no stages.
        StateError: for external forces of the wrong shape, or on an unknown link.

    Cost: cubic in the joints for each link.
    """
    last = "smoother_final" if solution.system.is_held else "smoother"
    if last not in solution.stages:
        raise ModelError(
            f"identities need stages, which the method {brief(solution.method)} does not return; solve with "
            f"{brief(FILTER_SMOOTHER)}."
        )
    evidence = Evidence(solution, external_wrench(solution.system, external_forces))
    asked = [(stage, key) for stage in solution.stages for key in AT_STAGE[stage]]
    checks = []
    with np.errstate(all="ignore"):  # infinite numbers from a broken algorithm count as residuals, without warnings
        for stage, key in asked + [(last, key) for key in OF_THE_WHOLE]:
            found = getattr(identity_residuals, key)(evidence, stage)
            if found is not None:
                checks.append(_checked(IDENTITIES[key], stage, *found))
    return tuple(checks)


def _checked(identity: Identity, stage: str, residual: Array, links: NDArray[np.int64]) -> Check:
    """A check; a residual that is not a number becomes infinite."""
    return Check(identity, stage, np.where(np.isfinite(residual), np.abs(residual), np.inf), links)


@public_as_computed
def text_identities(reading: Reading) -> tuple[Check, ...]:
    """The identities of a reading beyond ``identities`` of its solution, for quantities on which no motion depends.

    R87 (36), (40)-(42), whose form keeps the bias acceleration out of the prediction, compared with JR (2.13); R88
    (9.2), compared with the acceleration of the whole closed chain.

    Args:
        reading: from ``read_textbook``, intact or with a break.

    Returns:
        One ``Check`` for each statement; residuals are relative and dimensionless.

    Cost: linear in the links.
    """
    with np.errstate(all="ignore"):  # a broken text may overflow
        return tuple(_of_the_text(reading))


def _of_the_text(reading: Reading) -> Iterator[Check]:
    def letters(names: str) -> Iterator[Array]:
        return (np.asarray(reading.letter(name))[:n] for name in names.split())

    n, links = reading.system.n_joints, np.arange(reading.system.n_joints)
    H, P, G, a, z, z_minus, z_plus, z_R = letters("H P G a z z_minus z_plus z_R")
    eps, e_minus, nu, e_plus = letters("eps e_minus nu e_plus")
    taken = H @ P @ a
    for key, gap, parts in (
        ("printed_force", z_minus + P @ a - z, (z_minus, P @ a)),
        ("printed_innovation", e_minus - taken - eps, (e_minus, taken, H @ z)),
        ("printed_corrected_force", z_R - z_plus, (z_R, z_plus, z)),
        ("printed_residual", e_plus - np.swapaxes(G, 1, 2) @ a - nu, (e_plus, a, nu)),
    ):
        yield _checked(OF_THE_TEXT[key], "filter", relative(length(gap), _size(parts)), links)
    if reading.system.is_held:
        found, payload, falling = (np.asarray(reading.letter(name)) for name in ("alpha_new", "alpha_C", "alpha_b"))
        gap = np.array([np.abs(found - payload).max()])
        size = _size((payload, falling))
        yield _checked(OF_THE_TEXT["object_corrector"], "contact", relative(gap, size), np.array([-1]))


def _size(parts: tuple[Array, ...]) -> float:
    """The size of the result if nothing cancelled."""
    return float(sum(np.abs(part).max(initial=0.0) for part in parts))
