"""The second filter of held arms: the contact force, carried inward; R88 (8.4)."""

from __future__ import annotations

import numpy as np

from app.equations.filter import joint_rows
from app.equations.named import named, unnamed
from app.equations.operators import Operators
from app.equations.term import Equation, minus, plus, row, term
from dynamics.system.registry import JOINT

STAGE = "filter_correction"


def predict(o: Operators, k: int) -> tuple[Equation, ...]:
    """Across the link: what passes the outboard joints of the contact force, or the contact force itself."""
    solution, n = o.solution, o.number(k)
    correction = solution.stages[STAGE]["force_correction"]
    right = [
        plus(
            term(rf"\phi({n},0)", o.contact_shift(i)),
            term(rf"x_{{{contact.tip + 1}}}(0)", solution.stages["contact"]["contact_force"][contact.tip]),
        )
        for i, contact in enumerate(o.system.contacts)
        if contact.link == k
    ]
    touched = bool(right)
    for j in o.outboard(k):
        m = o.number(j)
        right.append(
            plus(
                term(rf"\phi({n},{m})", o.shift(j)),
                term(f"[1-GH]({m})", joint_rows(o, j)),
                term(rf"\delta z({m})", correction[j]),
            )
        )
    latex = r"\delta z(k)=\phi(k,0)\,x(0)" if touched else r"\delta z(k)=\phi(k,k-1)\,[1-G(k-1)H(k-1)]\,\delta z(k-1)"
    if not right:
        right, latex = [plus(term("0", np.zeros(6)))], r"\delta z(k)=0"
    return (named((STAGE, "force_correction"), n, latex, correction[k], *right),)


def correct(o: Operators, k: int) -> tuple[Equation, ...]:
    """At the joint: the innovation, with the contact force in it."""
    stages, n, h = o.solution.stages, o.number(k), o.axis(k)
    changed, d = stages[STAGE]["modified_innovation"][k], stages["filter"]["joint_inertia"][k]
    error = term(rf"\epsilon^{{\prime}}({n})", changed)
    measured = named(
        (STAGE, "modified_innovation"), n, r"\epsilon^{\prime}(k)=\epsilon(k)-H\,\delta z(k)", changed,
        plus(term(rf"\epsilon({n})", stages["filter"]["innovation"][k])),
        minus(row(f"H({n})", h), term(rf"\delta z({n})", stages[STAGE]["force_correction"][k])),
    )  # fmt: skip
    weighted = unnamed(
        rf"\nu^{{\prime}}({n})", r"\nu^{\prime}(k)=D^{-1}(k)\,\epsilon^{\prime}(k)", changed / d,
        plus(term(f"D({n})", d, inverse=True), error), source="R88 (8.4)", unit="rad/s^2 or m/s^2", frame=JOINT,
    )  # fmt: skip
    return measured, weighted
