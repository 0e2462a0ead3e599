"""The inward filter's two half-steps; R87 (36)-(43), JR Algorithm 2."""

from __future__ import annotations

import numpy as np

from app.equations.named import named
from app.equations.operators import Operators
from app.equations.term import Equation, Product, minus, plus, row, term

PREDICT_INERTIA = r"P(k)=M(k)+\phi(k,k-1)\,P^+(k-1)\,\phi^T(k,k-1)"
PREDICT_FORCE = r"z(k)=b(k)+\phi(k,k-1)\,z^+(k-1)+P(k)\,a(k)"


def predict(o: Operators, k: int) -> tuple[Equation, ...]:
    """Across the link: what its outboard neighbors pass on, and the link's own."""
    stage, solution, n = o.solution.stages["filter"], o.solution, o.number(k)
    inertia: list[Product] = [plus(term(f"M({n})", o.own_inertia(k)))]
    force: list[Product] = [plus(term(f"b({n})", solution.bias_force[k]))]
    for j in o.outboard(k):
        m, phi = o.number(j), o.shift(j)
        shift = term(rf"\phi({n},{m})", phi)
        updated = term(f"P^+({m})", stage["articulated_inertia_updated"][j])
        inertia.append(plus(shift, updated, term(rf"\phi^T({n},{m})", phi.T)))
        force.append(plus(shift, term(f"z^+({m})", stage["corrected_force"][j])))
    p = stage["articulated_inertia"][k]
    force.append(plus(term(f"P({n})", p), term(f"a({n})", solution.bias_acceleration[k])))
    return (
        named(("filter", "articulated_inertia"), n, PREDICT_INERTIA, p, *inertia),
        named(("filter", "predicted_force"), n, PREDICT_FORCE, stage["predicted_force"][k], *force),
    )


def rotor(o: Operators, k: int) -> tuple[Product, ...]:
    """The rotor's inertia in D, where the joint has one."""
    inertia = o.rotor_inertia(k)
    return (plus(term(rf"I_r({o.number(k)})", inertia)),) if inertia else ()


def correct(o: Operators, k: int) -> tuple[Equation, ...]:
    """At the joint: the torque is measured, and force and inertia are corrected by what it tells."""
    stage, n = o.solution.stages["filter"], o.number(k)
    p, z, d = stage["articulated_inertia"][k], stage["predicted_force"][k], stage["joint_inertia"][k]
    gain, innovation = stage["kalman_gain"][k], stage["innovation"][k]
    h = o.axis(k)
    H, H_T = row(f"H({n})", h), term(f"H^T({n})", h)
    P, Z, G = term(f"P({n})", p), term(f"z({n})", z), term(f"G({n})", gain)
    D, D_inverse = term(f"D({n})", d), term(f"D({n})", d, inverse=True)
    error = term(rf"\epsilon({n})", innovation)
    with_rotor = "+I_r(k)" if o.rotor_inertia(k) else ""
    return (
        named(("filter", "joint_inertia"), n, rf"D(k)=H\,P(k)\,H^T{with_rotor}", d, plus(H, P, H_T), *rotor(o, k)),
        named(("filter", "kalman_gain"), n, r"G(k)=P(k)\,H^T\,D^{-1}(k)", gain, plus(P, H_T, D_inverse)),
        named(
            ("filter", "innovation"), n, r"\epsilon(k)=\tau(k)-H\,z(k)", innovation,
            plus(term(rf"\tau({n})", o.measured_torque(k))), minus(H, Z),
        ),
        named(
            ("filter", "corrected_force"), n, r"z^+(k)=z(k)+G(k)\,\epsilon(k)", stage["corrected_force"][k],
            plus(Z), plus(G, error),
        ),
        named(
            ("filter", "articulated_inertia_updated"), n, r"P^+(k)=[1-G(k)H]\,P(k)=P(k)-G(k)\,D(k)\,G^T(k)",
            stage["articulated_inertia_updated"][k], plus(P), minus(G, D, row(f"G^T({n})", gain)),
        ),
        named(
            ("filter", "residual"), n, r"\nu(k)=D^{-1}(k)\,\epsilon(k)", stage["residual"][k], plus(D_inverse, error)
        ),
    )  # fmt: skip


def joint_rows(o: Operators, k: int) -> np.ndarray:
    """1 - G H of joint k, (6, 6): what passes the joint."""
    return np.eye(6) - np.outer(o.solution.stages["filter"]["kalman_gain"][k], o.axis(k))
