"""Checks of textbook results on which no motion depends: R87's printed form, and R88 (9.2)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from dynamics.check.identities import Check, Identity, with_numbers
from dynamics.check.identity_residuals import length, relative
from dynamics.checks import Array
from dynamics.public import public_as_computed
from dynamics.reading.reading import Reading

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
        checks = _printed(reading)
        if reading.system.is_held:
            checks.append(_object_corrector(reading))
    return tuple(checks)


def _printed(reading: Reading) -> list[Check]:
    n = reading.system.n_joints
    H, P, G, a = (np.asarray(reading.letter(name))[:n] for name in ("H", "P", "G", "a"))
    z, z_minus, z_plus, z_R = (np.asarray(reading.letter(name))[:n] for name in ("z", "z_minus", "z_plus", "z_R"))
    eps, e_minus, nu, e_plus = (np.asarray(reading.letter(name))[:n] for name in ("eps", "e_minus", "nu", "e_plus"))
    taken = H @ P @ a
    pairs = (
        ("printed_force", z_minus + P @ a - z, (z_minus, P @ a)),
        ("printed_innovation", e_minus - taken - eps, (e_minus, taken, H @ z)),
        ("printed_corrected_force", z_R - z_plus, (z_R, z_plus, z)),
        ("printed_residual", e_plus - np.swapaxes(G, 1, 2) @ a - nu, (e_plus, a, nu)),
    )
    links = np.arange(n)
    return [_made(key, "filter", length(gap), _size(parts), links) for key, gap, parts in pairs]


def _object_corrector(reading: Reading) -> Check:
    found, payload, falling = (np.asarray(reading.letter(name)) for name in ("alpha_new", "alpha_C", "alpha_b"))
    gap = np.array([np.abs(found - payload).max()])
    return _made("object_corrector", "contact", gap, _size((payload, falling)), np.array([-1]))


def _size(parts: tuple[Array, ...]) -> float:
    """The size of the result if nothing cancelled."""
    return float(sum(np.abs(part).max(initial=0.0) for part in parts))


def _made(key: str, stage: str, gap: Array, size: float, links: np.ndarray) -> Check:
    return with_numbers(OF_THE_TEXT[key], stage, relative(gap, size), links)
