"""The contact stage as predictor and corrector; R88 (8.2)-(8.3), (9.1)-(9.2)."""

from __future__ import annotations

import numpy as np

from app.equations.named import named, unnamed
from app.equations.operators import Operators
from app.equations.term import Equation, Product, minus, plus, term
from dynamics.system.registry import ACCELERATION, AT_CONTACT, AT_OBJECT, FORCE

STAGE = "contact"
PRIOR = r"x_{FREE}=\mathcal{P}\,\bar\lambda,\quad\mathcal{P}=\Lambda^{-1}(0)"
CUTOFF = 1e-10
"""Relative size below which a direction of Lambda(0) counts as one in which the arm cannot answer."""


def prior(o: Operators, arm: int) -> np.ndarray:
    """C' [C Lambda(0) C']^+ C of one arm's contacts, (contacts, 6, contacts, 6): how its tips resist."""
    solution, contacts = o.solution, o.system.contacts
    own = [i for i, contact in enumerate(contacts) if contact.arm == arm]
    mine = np.flatnonzero(np.isin(o.owner, own))
    rows, owner = o.directions[mine], o.owner[mine]
    on_object = np.array([o.on_object(i) @ row for i, row in zip(owner, rows, strict=True)])
    stage = solution.stages[STAGE]
    covariance = stage["omega"][np.ix_(mine, mine)] - on_object @ np.linalg.solve(o.object_inertia(), on_object.T)
    for i in own:  # within a contact without the subtraction, which costs digits
        at = np.flatnonzero(owner == i)
        mobility = stage["tip_costate_covariance"][contacts[i].tip]
        covariance[np.ix_(at, at)] = rows[at] @ mobility @ rows[at].T
    inverse = np.linalg.pinv(covariance, rcond=CUTOFF, hermitian=True)
    spread = np.zeros((len(own), 6, len(mine)))
    for m, i in enumerate(owner):
        spread[own.index(i), :, m] = rows[m]
    return np.einsum("iam,mn,jbn->iajb", spread, inverse, spread)


def predict(o: Operators, i: int) -> tuple[Equation, ...]:
    """What the arm tells of contact ``i``: how its tip would accelerate, and the force that would stop it."""
    solution, contact = o.solution, o.system.contacts[i]
    stage, smoothed = solution.stages[STAGE], solution.stages["smoother"]
    k, n, tip = contact.link, o.number(contact.link), contact.tip
    phi, omega = o.contact_shift(i), solution.link_velocity[contact.link, :3]
    swing = np.concatenate([np.zeros(3), np.cross(omega, np.cross(omega, o.contact_lever(i)))])
    shift_T = term(rf"\phi^T({n},0)", phi.T)
    own = [j for j, other in enumerate(o.system.contacts) if other.arm == contact.arm]
    resistance = prior(o, contact.arm)[own.index(i)]
    relative = stage["free_tip_acceleration"] - stage["contact_bias_acceleration"]
    forces = [
        plus(
            term(r"\mathcal{P}" + _indices(own, i, j, o), resistance[:, at]),
            term(rf"\bar\lambda_{{{o.system.contacts[j].tip + 1}}}", relative[o.system.contacts[j].tip]),
        )
        for at, j in enumerate(own)
    ]
    return (
        named(
            (STAGE, "free_tip_acceleration"), n, r"\lambda_{FREE}(0)=\phi^T(1,0)\,\alpha(1)+a(0)",
            stage["free_tip_acceleration"][tip],
            plus(shift_T, term(rf"\alpha({n})", smoothed["acceleration"][k])), plus(term("a(0)", swing)),
        ),
        named(
            (STAGE, "tip_costate_covariance"), n, r"\Lambda(0)=\phi^T(1,0)\,\Lambda(1)\,\phi(1,0)",
            stage["tip_costate_covariance"][tip],
            plus(shift_T, term(rf"\Lambda({n})", smoothed["costate_covariance"][k]), term(rf"\phi({n},0)", phi)),
        ),
        unnamed(
            r"\bar\lambda", r"\bar\lambda=\lambda_{FREE}(0)-\eta", relative[tip],
            plus(term(r"\lambda_{FREE}(0)", stage["free_tip_acceleration"][tip])),
            minus(term(r"\eta", stage["contact_bias_acceleration"][tip])),
            source="R88 (8.2)", unit=ACCELERATION, frame=AT_CONTACT,
        ),
        named(
            (STAGE, "predicted_contact_force"), n, PRIOR,
            stage["predicted_contact_force"][tip], *forces,
        ),
    )  # fmt: skip


def _indices(own: list[int], i: int, j: int, o: Operators) -> str:
    contacts = o.system.contacts
    return "" if len(own) == 1 else f"_{{{contacts[i].tip + 1}{contacts[j].tip + 1}}}"


def remainder(o: Operators) -> np.ndarray:
    """(l,): what x_FREE leaves open where an arm cannot answer, given to the object through Omega; else zero."""
    stage, contacts = o.solution.stages[STAGE], o.system.contacts
    relative = stage["free_tip_acceleration"] - stage["contact_bias_acceleration"]
    tips = np.array([contact.tip for contact in contacts])
    wanted = np.einsum("mj,mj->m", o.directions, relative[tips[o.owner]])
    free, lost = stage["predicted_contact_force"], stage["indeterminate_directions"].shape[1]
    on_object = np.array([o.on_object(i) @ row for i, row in zip(o.owner, o.directions, strict=True)])
    # Omega less the object's share is Lambda(0) in the transmitted directions; C C' = 1 for each contact.
    f = np.einsum("mj,mj->m", o.directions, free[tips[o.owner]])
    arms = stage["omega"] - on_object @ np.linalg.solve(o.object_inertia(), on_object.T)
    values, vectors = np.linalg.eigh(stage["omega"])
    kept, values = vectors[:, lost:], values[lost:]
    return np.asarray(kept @ ((kept.T @ (wanted - arms @ f)) / values))


def correct(o: Operators, i: int) -> tuple[Equation, ...]:
    """What the object tells: the force that it needs against the one that was predicted, shared by the gain."""
    solution, contacts, tip = o.solution, o.system.contacts, o.system.contacts[i].tip
    stage = solution.stages[STAGE]
    free, final, n = stage["predicted_contact_force"], stage["contact_force"], o.number(contacts[i].link)
    predicted, measured = stage["predicted_object_force"], stage["measured_object_force"]
    gain = stage["contact_kalman_gain"].reshape(-1, 6, 6)[tip]
    error = measured - predicted
    right = [
        plus(term(rf"x_{{FREE,{tip + 1}}}", free[tip])),
        plus(term(rf"\mathcal{{G}}_{{{tip + 1}}}", gain), term(r"\tilde y", error)),
    ]
    corrected = stage["corrected_contact_force"][tip]
    rest = o.directions[o.owner == i].T @ remainder(o)[o.owner == i]
    open_to_object = np.abs(rest).max() > 1e-9 * (1.0 + np.abs(corrected).max())
    if open_to_object:
        right.append(plus(term(r"\rho", rest)))
    with_rest = r"+\rho" if open_to_object else ""
    inverse = term("M(C)", o.object_inertia(), inverse=True)

    def sum_on_object(symbol: str, forces: np.ndarray) -> list[Product]:
        return [
            plus(term(rf"A_{{{c.tip + 1}}}\,{symbol % (c.tip + 1)}", o.on_object(j) @ forces[c.tip]))
            for j, c in enumerate(contacts)
        ]

    total = np.sum([o.on_object(j) @ final[c.tip] for j, c in enumerate(contacts)], axis=0)
    return (
        named(
            (STAGE, "predicted_object_force"), n, r"A\,x_{FREE}=\sum_i A_i\,x_{FREE,i}", predicted,
            *sum_on_object("x_{FREE,%d}", free),
        ),
        unnamed(
            r"\tilde y", r"\tilde y=b(C)-A\,x_{FREE}", error, plus(term("b(C)", measured)),
            minus(term(r"A\,x_{FREE}", predicted)), source="R88 (9.1)", unit=FORCE, frame=AT_OBJECT,
        ),
        named(
            (STAGE, "corrected_contact_force"), n,
            rf"x(0)=x_{{FREE}}+\mathcal{{G}}\,[b(C)-A\,x_{{FREE}}]{with_rest}", corrected, *right,
        ),
        unnamed(
            "A\\,x(0)", r"A\,x(0)=\sum_i A_i\,x_i(0)", total, *sum_on_object("x_{%d}(0)", final),
            source="R88 (8.3)", unit=FORCE, frame=AT_OBJECT,
        ),
        named(
            (STAGE, "object_acceleration"), n, r"\alpha(C)=M^{-1}(C)\,[A\,x(0)-b(C)]", stage["object_acceleration"],
            plus(inverse, term("[A\\,x(0)-b(C)]", total - measured)), source="R88 (8.3)",
        ),
    )  # fmt: skip
