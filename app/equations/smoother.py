"""The outward smoother's two half-steps, and its co-state covariance; R87 (45)-(47), (67)-(68), R88 (8.5)."""

from __future__ import annotations

import numpy as np

from app.equations.filter import joint_rows
from app.equations.named import named, unnamed
from app.equations.operators import Operators
from app.equations.term import Equation, minus, plus, row, term
from dynamics.system.registry import AT_JOINT, MOBILITY

LAMBDA_INBOARD = r"\Lambda^+(k)=\phi^T(k+1,k)\,\Lambda(k+1)\,\phi(k+1,k)"
FREE_FORCE = r"x(k)=z(k)+P(k)\,\alpha(k)-P(k)\,a(k)"
FORCE_WITH_CONTACT = r"x(k)=z(k)+\delta z(k)+P(k)\,\alpha(k)-P(k)\,a(k)"
LAMBDA = r"\Lambda(k)=[1-GH]^T\,\Lambda^+(k)\,[1-GH]+H^T\,D^{-1}(k)\,H"


def _inner(o: Operators, stage: str, name: str, k: int) -> np.ndarray:
    """A quantity of the inboard neighbor; the world's is zero."""
    array, inner = o.solution.stages[stage][name], o.inboard(k)
    return array[inner] if inner >= 0 else np.zeros(array.shape[1:])


def predict(o: Operators, k: int, stage: str) -> tuple[Equation, ...]:
    """Across the link inboard: how the joint's inner side accelerates."""
    n, m, phi = o.number(k), o.number_inboard(k), o.shift(k)
    found = [
        named(
            (stage, "acceleration_inboard"), n, r"\alpha^+(k)=\phi^T(k+1,k)\,\alpha(k+1)",
            o.solution.stages[stage]["acceleration_inboard"][k],
            plus(term(rf"\phi^T({m},{n})", phi.T), term(rf"\alpha({m})", _inner(o, stage, "acceleration", k))),
        )
    ]  # fmt: skip
    if "costate_covariance" in o.solution.stages[stage]:
        covariance = _inner(o, stage, "costate_covariance", k)
        found.append(
            unnamed(
                rf"\Lambda^+({n})", LAMBDA_INBOARD, phi.T @ covariance @ phi,
                plus(
                    term(rf"\phi^T({m},{n})", phi.T),
                    term(rf"\Lambda({m})", covariance),
                    term(rf"\phi({m},{n})", phi),
                ),
                source="R87 (67)", unit=MOBILITY, frame=AT_JOINT,
            )
        )  # fmt: skip
    return tuple(found)


def correct(o: Operators, k: int, stage: str) -> tuple[Equation, ...]:
    """At the joint: its acceleration, and with it the link's."""
    solution, n = o.solution, o.number(k)
    filtered, motion = solution.stages["filter"], solution.stages[stage]
    gain, d, h = filtered["kalman_gain"][k], filtered["joint_inertia"][k], o.axis(k)
    inner, rate = motion["acceleration_inboard"][k], motion["joint_acceleration"][k]
    prime = r"^{\prime}" if stage == "smoother_final" else ""
    nu = filtered["residual"][k] if not prime else solution.stages["filter_correction"]["modified_innovation"][k] / d
    found = [
        named(
            (stage, "joint_acceleration"), n, rf"\ddot\theta(k)=\nu{prime}(k)-G^T(k)\,\alpha^+(k)", rate,
            plus(term(rf"\nu{prime}({n})", nu)), minus(row(f"G^T({n})", gain), term(rf"\alpha^+({n})", inner)),
        ),
        named(
            (stage, "acceleration"), n, r"\alpha(k)=\alpha^+(k)+H^T\,\ddot\theta(k)+a(k)", motion["acceleration"][k],
            plus(term(rf"\alpha^+({n})", inner)),
            plus(term(f"H^T({n})", h), term(rf"\ddot\theta({n})", rate)),
            plus(term(f"a({n})", solution.bias_acceleration[k])),
        ),
    ]  # fmt: skip
    if "costate_covariance" in motion:
        phi, passes = o.shift(k), joint_rows(o, k)
        before = phi.T @ _inner(o, stage, "costate_covariance", k) @ phi
        found.append(
            named(
                (stage, "costate_covariance"), n, LAMBDA, motion["costate_covariance"][k],
                plus(
                    term(f"[1-GH]^T({n})", passes.T), term(rf"\Lambda^+({n})", before), term(f"[1-GH]({n})", passes)
                ),
                plus(term(f"H^T({n})", h), term(f"D({n})", d, inverse=True), row(f"H({n})", h)),
                source="R87 (68)",
            )
        )  # fmt: skip
    return (*found, *_force(o, k, stage))


def _force(o: Operators, k: int, stage: str) -> tuple[Equation, ...]:
    """The force that the inboard neighbor exerts: what the two sweeps together estimate. Of the last stage alone."""
    motion, n = o.solution.stages[stage], o.number(k)
    if "force" not in motion:
        return ()
    filtered, final = o.solution.stages["filter"], stage == "smoother_final"
    correction = plus(
        term(rf"\delta z({n})", o.solution.stages["filter_correction"]["force_correction"][k] if final else np.zeros(6))
    )
    p, a = term(f"P({n})", filtered["articulated_inertia"][k]), term(f"a({n})", o.solution.bias_acceleration[k])
    return (
        named(
            (stage, "force"), n, FORCE_WITH_CONTACT if final else FREE_FORCE,
            motion["force"][k], plus(term(f"z({n})", filtered["predicted_force"][k])), *([correction] if final else []),
            plus(p, term(rf"\alpha({n})", motion["acceleration"][k])), minus(p, a), source="R87 (34)",
        ),
    )  # fmt: skip


def base(o: Operators, k: int, stage: str) -> tuple[Equation, ...]:
    """At a base that floats the smoother begins: nothing but its own inertia holds it."""
    solution, n, final = o.solution, o.number(k), stage == "smoother_final"
    filtered, motion = solution.stages["filter"], solution.stages[stage]
    P_inverse = term(f"P({n})", filtered["articulated_inertia"][k], inverse=True)
    right = [minus(P_inverse, term(f"z({n})", filtered["predicted_force"][k]))]
    if final:
        correction = solution.stages["filter_correction"]["force_correction"][k]
        right.append(minus(P_inverse, term(rf"\delta z({n})", correction)))
    latex = r"\alpha(n)=-P^{-1}(n)\,[z(n)+\delta z(n)]" if final else r"\alpha(n)=-P^{-1}(n)\,z(n)"
    found = [named((stage, "acceleration"), n, latex, motion["acceleration"][k], *right, source="JR Algorithm 3")]
    if "costate_covariance" in motion:
        found.append(
            named(
                (stage, "costate_covariance"), n, r"\Lambda(n)=P^{-1}(n)", motion["costate_covariance"][k],
                plus(P_inverse), source="R87 (68)",
            )
        )  # fmt: skip
    return tuple(found)
