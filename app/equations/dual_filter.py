"""The dual filter of a free flyer and the combination of both filters; JR (3.3)-(3.13), (4.11)."""

from __future__ import annotations

import numpy as np

from app.equations.filter import rotor
from app.equations.named import named
from app.equations.operators import Operators
from app.equations.term import Equation, minus, plus, row, term

STAGE = "dual_filter"


def predict(o: Operators, k: int) -> tuple[Equation, ...]:
    """Across the link, outward: what is inboard of joint k, as seen while the joint is locked."""
    solution, n, inner = o.solution, o.number(k), o.inboard(k)
    m, stage = o.number(inner), solution.stages[STAGE]
    inertia = stage["dual_articulated_inertia"][inner] + o.own_inertia(inner)
    force = stage["dual_corrected_force"][inner] + solution.bias_force[inner]
    others = [j for j in o.outboard(inner) if j != k]  # the other branches of the same link
    for j in others:
        beside = o.shift(j)
        inertia = inertia + beside @ solution.stages["filter"]["articulated_inertia_updated"][j] @ beside.T
        force = force + beside @ solution.stages["filter"]["corrected_force"][j]
    more = r"+\Sigma" if others else ""
    back = o.shift_back(k)
    phi = term(rf"\phi({n},{m})", back)
    s, a = stage["dual_articulated_inertia_predicted"][k], solution.bias_acceleration[k]
    return (
        named(
            (STAGE, "dual_articulated_inertia_predicted"), n,
            rf"S^+(k)=\phi(k,k+1)\,[S(k+1)+M(k+1){more}]\,\phi^T(k,k+1)", s,
            plus(phi, term(f"[S+M{more}]({m})", inertia), term(rf"\phi^T({n},{m})", back.T)),
        ),
        named(
            (STAGE, "dual_predicted_force"), n,
            rf"z_s^+(k)=\phi(k,k+1)\,[z_s(k+1)+b(k+1){more}]-S^+(k)\,a(k)", stage["dual_predicted_force"][k],
            plus(phi, term(f"[z_s+b{more}]({m})", force)), minus(term(f"S^+({n})", s), term(f"a({n})", a)),
            source="JR (3.6)",
        ),
    )  # fmt: skip


def correct(o: Operators, k: int) -> tuple[Equation, ...]:
    """At the joint, seen from inboard; then both filters together give the link's acceleration at once."""
    stage, n, h = o.solution.stages[STAGE], o.number(k), o.axis(k)
    s, z, d = (
        stage["dual_articulated_inertia_predicted"][k],
        stage["dual_predicted_force"][k],
        stage["dual_joint_inertia"][k],
    )
    gain, innovation = stage["dual_kalman_gain"][k], stage["dual_innovation"][k]
    H, H_T, S, Z = row(f"H({n})", h), term(f"H^T({n})", h), term(f"S^+({n})", s), term(f"z_s^+({n})", z)
    D, D_inverse, G = term(f"D_s({n})", d), term(f"D_s({n})", d, inverse=True), term(f"G_s({n})", gain)
    error, nu = term(rf"\epsilon_s({n})", innovation), stage["dual_residual"][k]
    with_rotor = "+I_r(k)" if o.rotor_inertia(k) else ""
    rate = named(
        (STAGE, "joint_acceleration"), n, r"\ddot\theta(k)=\nu_s(k)-G_s^T(k)\,\alpha(k)",
        stage["joint_acceleration"][k], plus(term(rf"\nu_s({n})", nu)),
        minus(row(f"G_s^T({n})", gain), term(rf"\alpha({n})", stage["acceleration"][k])),
    )  # fmt: skip
    return (
        named(
            (STAGE, "dual_joint_inertia"), n, rf"D_s(k)=H\,S^+(k)\,H^T{with_rotor}", d, plus(H, S, H_T), *rotor(o, k)
        ),
        named((STAGE, "dual_kalman_gain"), n, r"G_s(k)=-S^+(k)\,H^T\,D_s^{-1}(k)", gain, minus(S, H_T, D_inverse)),
        named(
            (STAGE, "dual_innovation"), n, r"\epsilon_s(k)=\tau(k)+H\,z_s^+(k)", innovation,
            plus(term(rf"\tau({n})", o.measured_torque(k))), plus(H, Z),
        ),
        named(
            (STAGE, "dual_articulated_inertia"), n,
            r"S(k)=[1+G_s(k)H]\,S^+(k)=S^+(k)-G_s(k)\,D_s(k)\,G_s^T(k)", stage["dual_articulated_inertia"][k],
            plus(S), minus(G, D, row(f"G_s^T({n})", gain)),
        ),
        named(
            (STAGE, "dual_corrected_force"), n, r"z_s(k)=z_s^+(k)+G_s(k)\,\epsilon_s(k)",
            stage["dual_corrected_force"][k], plus(Z), plus(G, error),
        ),
        named((STAGE, "dual_residual"), n, r"\nu_s(k)=D_s^{-1}(k)\,\epsilon_s(k)", nu, plus(D_inverse, error)),
        *combine(o, k),
        rate,
    )  # fmt: skip


def combine(o: Operators, k: int) -> tuple[Equation, ...]:
    """P from the tip and S from the base meet at link k."""
    solution, n = o.solution, o.number(k)
    stage, filtered = solution.stages[STAGE], solution.stages["filter"]
    p, s = filtered["articulated_inertia"][k], stage["dual_articulated_inertia"][k]
    z, z_s = filtered["predicted_force"][k], stage["dual_corrected_force"][k]
    both = term(f"[P+S]({n})", stage["operational_space_inertia"][k], inverse=True)
    bracket = z + z_s - p @ solution.bias_acceleration[k]
    return (
        named(
            (STAGE, "operational_space_inertia"), n, r"\Upsilon^{-1}(k)=P(k)+S(k)", both.value,
            plus(term(f"P({n})", p)), plus(term(f"S({n})", s)),
        ),
        named(
            (STAGE, "acceleration"), n, r"\alpha(k)=-[P(k)+S(k)]^{-1}\,[z(k)+z_s(k)-P(k)\,a(k)]",
            stage["acceleration"][k], minus(both, term(f"[z+z_s-P\\,a]({n})", bracket)),
        ),
    )  # fmt: skip


def base(o: Operators, k: int) -> tuple[Equation, ...]:
    """At the base the dual filter begins: nothing is inboard of it."""
    stage, n = o.solution.stages[STAGE], o.number(k)
    return (
        named(
            (STAGE, "dual_articulated_inertia"), n, "S(n)=0", stage["dual_articulated_inertia"][k],
            plus(term("0", np.zeros((6, 6)))),
        ),
        named(
            (STAGE, "dual_corrected_force"), n, "z_s(n)=0", stage["dual_corrected_force"][k],
            plus(term("0", np.zeros(6))),
        ),
        *combine(o, k),
    )  # fmt: skip
