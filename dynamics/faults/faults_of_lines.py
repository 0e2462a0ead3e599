"""Faults of a line that are more than a part of it left out: right sides that somebody may have written instead."""

from __future__ import annotations

from collections.abc import Callable

from dynamics.faults.alteration import ALPHA_PLUS, Alteration, Form, any_form, spatial

FILTERED, ACROSS = "inward_filter.correction", "inward_filter.prediction"
SMOOTHED = "outward_smoother.correction"


def _printed(form: Form) -> bool:
    return form.printed


def _corrected(form: Form) -> bool:
    return not form.printed


def _fault(words: str, fits: Callable[[Form], bool] = any_form, **lines: str) -> Alteration:
    return Alteration(words, words, lines={KEYS[letter]: source for letter, source in lines.items()}, fits=fits)


KEYS = {
    "V": "V", "a": "a", "b": "b", "w": "w",
    "P": f"{ACROSS}.P", "z": f"{ACROSS}.z", "z_minus": f"{ACROSS}.z_minus",
    "D": f"{FILTERED}.D", "G": f"{FILTERED}.G", "P_plus": f"{FILTERED}.P_plus",
    "z_plus": f"{FILTERED}.z_plus", "z_R": f"{FILTERED}.z_R",
    "nu": f"{FILTERED}.nu", "e_plus": f"{FILTERED}.e_plus",
    "alpha_plus": ALPHA_PLUS, "theta_dd": f"{SMOOTHED}.theta_dd", "alpha": f"{SMOOTHED}.alpha",
}  # fmt: skip
OUTER = "for j in list(outboard(k))"

LINE_FAULTS = [
    # What velocities add.
    _fault("the velocity leaves out the joint's own rate", spatial, V="phi(i, k).T @ V[i]"),
    _fault("the velocity leaves out the inboard link's", spatial, V="H[k].T @ rate[k]"),
    _fault("the joint's rate has the other sign in the velocity", spatial, V="phi(i, k).T @ V[i] - H[k].T @ rate[k]"),
    _fault("the velocity product v × Sq̇ is left out", spatial, a="0.0 * V[k]"),
    _fault("the velocity product v × Sq̇ has the other sign", spatial, a="-crm(V[k]) @ H[k].T @ rate[k]"),
    _fault("the velocity product v × Sq̇ is counted twice", spatial, a="2 * crm(V[k]) @ H[k].T @ rate[k]"),
    _fault("the velocity product v × Sq̇ uses the cross product of forces", spatial,
           a="crf(V[k]) @ H[k].T @ rate[k]"),
    _fault("the velocity product v × Sq̇ uses the joint's own velocity", spatial,
           a="crm(H[k].T @ rate[k]) @ H[k].T @ rate[k]"),
    _fault("the velocity product has the turning part alone", spatial,
           a="np.vstack([(crm(V[k]) @ H[k].T @ rate[k])[:3], o])"),
    _fault("the gyroscopic term v ×* Iv is left out", spatial, b="-f[k]"),
    _fault("the gyroscopic term v ×* Iv has the other sign", spatial, b="-crf(V[k]) @ M[k] @ V[k] - f[k]"),
    _fault("the gyroscopic term v ×* Iv uses the cross product of motions", spatial,
           b="crm(V[k]) @ M[k] @ V[k] - f[k]"),
    _fault("the gyroscopic term v ×* Iv is counted twice", spatial, b="2 * crf(V[k]) @ M[k] @ V[k] - f[k]"),
    _fault("the gyroscopic term v ×* Iv leaves out the linear velocity in the cross product", spatial,
           b="crf(np.vstack([V[k][:3], o])) @ M[k] @ V[k] - f[k]"),
    _fault("the gyroscopic term is ω × Jω alone", spatial,
           b="np.vstack([tilde(V[k][:3]) @ J[k] @ V[k][:3], o]) - f[k]"),
    _fault("the gyroscopic term is ω × Iω alone, of the inertia about the mass centre", spatial,
           b="np.vstack([tilde(V[k][:3]) @ (J[k] + m[k] * tilde(p[k]) @ tilde(p[k])) @ V[k][:3], o]) - f[k]"),
    _fault("the gyroscopic term is left out but for its force", spatial,
           b="np.vstack([o, (crf(V[k]) @ M[k] @ V[k])[3:]]) - f[k]"),
    _fault("the gyroscopic term is left out but for its moment", spatial,
           b="np.vstack([(crf(V[k]) @ M[k] @ V[k])[:3], o]) - f[k]"),
    _fault("the gyroscopic term leaves out the inertia", spatial, b="crf(V[k]) @ V[k] - f[k]"),
    _fault("gravity is both a weight and an acceleration of the base", lambda form: form.spatial and form.lifted,
           b="crf(V[k]) @ M[k] @ V[k] - f[k] - M[k] @ g"),
    # The filter.
    _fault("D is made of the link's own inertia M instead of P", D="H[k] @ M[k] @ H[k].T + I_r[k]"),
    _fault("the gain is made of the link's own inertia M instead of P", G="M[k] @ H[k].T / D[k]"),
    _fault("D and the gain are made of the link's own inertia M instead of P",
           D="H[k] @ M[k] @ H[k].T + I_r[k]", G="M[k] @ H[k].T / D[k]"),
    _fault("U, and with it D and the correction of P, is made of the link's own inertia M instead of P",
           D="H[k] @ M[k] @ H[k].T + I_r[k]", G="M[k] @ H[k].T / D[k]", P_plus="P[k] - G[k] @ G[k].T * D[k]"),
    _fault("the correction of P is not divided by D", P_plus="P[k] - P[k] @ H[k].T @ H[k] @ P[k]"),
    _fault("the correction of P forgets the rotor: it divides by D without it",
           P_plus="P[k] - P[k] @ H[k].T @ H[k] @ P[k] / (D[k] - I_r[k])"),
    _fault("the inboard link is given P before its correction",
           P=f"sum(phi(k, j) @ P[j] @ phi(k, j).T {OUTER}) + M[k]"),
    _fault("of several outboard links only the last one's inertia is kept",
           P=f"sum(phi(k, j) @ P_plus[j] @ phi(k, j).T {OUTER}[:1]) + M[k]"),
    _fault("of several outboard links only the first one's inertia is kept",
           P=f"sum(phi(k, j) @ P_plus[j] @ phi(k, j).T {OUTER}[-1:]) + M[k]"),
    _fault("the outboard inertia takes the place of the link's own",
           P=f"sum(phi(k, j) @ P_plus[j] @ phi(k, j).T {OUTER}) if outboard(k) else M[k]"),
    _fault("the inboard link is given z before its correction", _printed,
           z_minus=f"sum(phi(k, j) @ z_minus[j] {OUTER}) + b[k]"),
    _fault("the inboard link is given z before its correction", _corrected,
           z=f"sum(phi(k, j) @ z[j] {OUTER}) + b[k] + P[k] @ a[k]"),
    _fault("the outboard force takes the place of the link's own", _printed,
           z_minus=f"sum(phi(k, j) @ z_R[j] {OUTER}) if outboard(k) else b[k]"),
    _fault("the outboard force takes the place of the link's own", _corrected,
           z=f"(sum(phi(k, j) @ z_plus[j] {OUTER}) if outboard(k) else b[k]) + P[k] @ a[k]"),
    _fault("of several outboard links only the last one's force is kept",
           z=f"sum(phi(k, j) @ z_plus[j] {OUTER}[:1]) + b[k] + P[k] @ a[k]",
           z_minus=f"sum(phi(k, j) @ z_R[j] {OUTER}[:1]) + b[k]"),
    _fault("of several outboard links only the first one's force is kept",
           z=f"sum(phi(k, j) @ z_plus[j] {OUTER}[-1:]) + b[k] + P[k] @ a[k]",
           z_minus=f"sum(phi(k, j) @ z_R[j] {OUTER}[-1:]) + b[k]"),
    _fault("the corrected force has P a instead of P⁺ a: the bias is taken before the joint, not after it", _printed,
           z_R="z_minus[k] + G[k] @ e_minus[k] + P[k] @ a[k]"),
    _fault("the bias P⁺ a is counted twice", _printed, z_R="z_minus[k] + G[k] @ e_minus[k] + 2 * P_plus[k] @ a[k]"),
    _fault("the bias P a is counted twice", _corrected,
           z=f"sum(phi(k, j) @ z_plus[j] {OUTER}) + b[k] + 2 * P[k] @ a[k]"),
    _fault("the corrected force is not divided by D", z_plus="z[k] + G[k] @ eps[k] * D[k]",
           z_R="z_minus[k] + G[k] @ e_minus[k] * D[k] + P_plus[k] @ a[k]"),
    # The smoother.
    _fault("the joint acceleration is not divided by D", theta_dd="D[k] * (nu[k] - G[k].T @ alpha_plus[k])"),
    _fault("the joint acceleration's second term is not divided by D",
           theta_dd="nu[k] - D[k] * G[k].T @ alpha_plus[k]"),
    _fault("the joint acceleration leaves out the bias acceleration", _printed,
           theta_dd="nu[k] - G[k].T @ (alpha_plus[k] - c[k])"),
    _fault("the joint acceleration takes the bias acceleration a second time", _corrected,
           theta_dd="nu[k] - G[k].T @ (alpha_plus[k] + c[k])"),
    _fault("the acceleration leaves out the bias acceleration, the joint's and the link's", _printed,
           alpha_plus="phi(i, k).T @ alpha[i] + 0 * c[k]"),
    _fault("the bias acceleration is counted twice on the way out", _printed,
           alpha_plus="phi(i, k).T @ alpha[i] + 2 * c[k]"),
    _fault("the bias acceleration has the other sign on the way out", _printed,
           alpha_plus="phi(i, k).T @ alpha[i] - c[k]"),
    _fault("the inboard acceleration is left out", _printed, alpha_plus="c[k]"),
]  # fmt: skip
