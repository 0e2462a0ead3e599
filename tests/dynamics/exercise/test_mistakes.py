"""The usual mistakes, typed in, and what each is called."""

import itertools
from functools import cache

import numpy as np

import dynamics as dyn
from dynamics.exercise import attempt
from dynamics.reading import Reading

IN, OUT, DUAL = "inward_filter.prediction.", "outward_smoother.", "dual_filter."
AT, HELD, BIAS = "inward_filter.correction.", "contact_forces.", "bias.prediction."
OF_PRESET = {IN: "puma560", BIAS: "puma560", AT: "puma560", OUT: "free_flyer", DUAL: "free_flyer",
             "both_filters.": "free_flyer", HELD: "two_arms_and_box", "contact_prediction.": "two_arms_and_box",
             "costate_covariance.": "two_arms_and_box"}  # fmt: skip
CARRIED = "sum(phi(k, j) @ P_plus[j] @ phi(k, j).T for j in outboard(k))"
FORCES = "sum(phi(k, j) @ z_plus[j] for j in outboard(k))"
MISTAKES = [
    # Transpose
    (AT + "D", "H.T @ P @ H + I_r", "transposed", "H"),
    (AT + "G", "H @ P / D", "transposed", "P[k] @ H[k].T is right"),
    (OUT + "correction.theta_dd", "nu - G @ alpha_plus", "transposed", "G.T is right"),
    (OUT + "correction.alpha", "alpha_plus + H @ theta_dd + a", "transposed", "H.T is right"),
    (HELD + "gain", "C.T @ least(Omega, C @ solve(M_C, A))", "transposed", "solve(M_C, A).T is right"),
    # phi against its transpose, and its direction
    (IN + "P", "sum(phi(k, j) @ P_plus[j] @ phi(k, j) for j in outboard(k)) + M", "phi", "phi(k, j).T is right"),
    (OUT + "prediction.alpha_plus", "phi(i, k) @ alpha[i]", "phi", "phi(i, k).T is right"),
    (OUT + "prediction.alpha_plus", "phi(k, i).T @ alpha[i]", "direction", "phi(i, k) is right"),
    (IN + "P", "sum(phi(j, k) @ P_plus[j] @ phi(j, k).T for j in outboard(k)) + M", "direction", "phi(j, k)"),
    # Sign
    (AT + "eps", "tau - tau_loss + H @ z", "negated", "H[k] @ z[k]"),
    (HELD + "x_new", "x_FREE - gain @ (b_C - y) + rho", "negated", "gain"),
    (DUAL + "correction.G_s", "S_plus @ H.T / D_s", "negated", "S_plus"),
    # Order of prediction and correction
    (AT + "D", "H @ P_plus @ H.T + I_r", "order", "P_plus stands where P belongs"),
    (IN + "P", "sum(phi(k, j) @ P[j] @ phi(k, j).T for j in outboard(k)) + M", "order", "P[j] stands where P_plus[j]"),
    # Gravity and bias, rotor, friction: what is zero at rest, or for some arms
    (IN + "z", FORCES + " + P @ a", "bias", "due to velocity and weight: b[k]"),
    (IN + "z", FORCES + " + b", "bias", "due to velocity: P[k] @ a[k]"),
    ("both_filters.combination.alpha_k", "-solve(P + S, z + z_s)", "bias", "P[k] @ a[k]"),
    ("contact_prediction.prediction.lam_FREE", "phi_0[c].T @ alpha[k]", "bias", "a_0[c]"),
    (AT + "D", "H @ P @ H.T", "dropped", "rotor"),
    (AT + "eps", "tau - H @ z", "dropped", "friction"),
    (IN + "P", CARRIED, "dropped", "M[k]"),
    (DUAL + "prediction.S_plus", "phi(k, i) @ (S[i] + M[i]) @ phi(k, i).T", "dropped", "other branches"),
    # Factors
    (AT + "G", "P @ H.T", "omitted", "D[k]"),
    (AT + "P_plus", "P - G @ H @ P @ P", "repeated", "P[k]"),
    (AT + "G", "P @ H.T @ D", "multiplied", "D[k]"),
    # Inverse
    (OUT + "base.alpha", "-P @ z", "inverted", "P[k]"),
    (HELD + "Omega", "C @ (Lam_0 + A.T @ M_C @ A) @ C.T", "inverted", "M_C"),
    (AT + "P_plus", "P @ (I - G @ H)", "swapped", "P @ (I - G @ H) stands where (I - G @ H) @ P belongs"),
    # The whole line, both sides of a matrix, a term within a sum
    (AT + "eps", "H @ z - tau + tau_loss", "negated", "tau[k] - tau_loss[k] - H[k] @ z[k]"),
    (IN + "P", "sum(phi(k, j) @ P_plus[j] @ phi(k, j).T + M for j in outboard(k))", "within", "M[k] belongs after it"),
    # The gain written out, Joseph's form
    (AT + "z_plus", "z + H.T @ eps / D", "omitted", "P"),
    (AT + "G", "P @ H.T / (H @ P @ H.T)", "dropped", "I_r"),
    (AT + "P_plus", "(I - G @ H) @ P @ (I - G @ H).T", "dropped", "G @ I_r @ G.T"),
    # The gain for the axis, the axis for the gain
    (OUT + "correction.theta_dd", "nu - H @ alpha_plus", "letter", "H[k] stands where G[k].T belongs"),
    (OUT + "correction.alpha", "a + alpha_plus + G @ theta_dd", "letter", "G[k] stands where H[k].T belongs"),
    # Letters and links
    (AT + "D", "H @ M @ H.T + I_r", "letter", "M[k] stands where P[k] belongs"),
    (OUT + "correction.theta_dd", "eps - G.T @ alpha_plus", "letter", "nu"),
    (OUT + "prediction.alpha_plus", "phi(i, k).T @ alpha", "index", "alpha[i] belongs"),
    # What stands in one line for what another one computes, with a term left out
    (AT + "z_plus", "z + G @ (tau - H @ z)", "dropped", "tau_loss"),
    # What is solved for, the other way round
    (OUT + "base.alpha", "-solve(z, P)", "swapped", "solve(z, P) stands where solve(P, z) belongs"),
    (BIAS + "w", "stack(o, m * g)", "bias", "m[k] * tilde(p[k]) @ g"),
]  # fmt: skip


def reading_for(key: str) -> Reading:
    return reading_of(next(preset for start, preset in OF_PRESET.items() if key.startswith(start)))


@cache
def reading_of(preset: str) -> Reading:
    system, state = dyn.example(preset)
    moving = {"qd": np.linspace(-0.5, 0.7, system.n_joints)}
    given = {name: getattr(state, name) for name in ("base_pose", "object_pose") if getattr(state, name) is not None}
    return dyn.read_textbook(system, system.state(q=state.q, **moving, **given), np.ones(system.n_joints))


def test_usual_mistakes_and_notation_of_other_languages_are_named() -> None:
    for key, typed, kind, words in MISTAKES:
        found = attempt(reading_for(key), key, typed)
        assert found.verdict in ("wrong", "refused", "misfit", "elsewhere"), (key, typed)
        assert {mistake.kind for mistake in found.mistakes} == {kind}, (key, typed, found.mistakes)
        assert any(words in mistake.words for mistake in found.mistakes), (key, typed, found.mistakes)
        assert all(mistake.why for mistake in found.mistakes)
    for key, typed, kinds in TWO:
        found = attempt(reading_for(key), key, typed)
        assert [mistake.kind for mistake in found.mistakes] == kinds, (key, typed)
    for typed, words in ELSEWHERE:
        found = attempt(reading_for(AT), AT + "D", typed)
        assert found.verdict == "refused", typed
        assert words in found.words, (typed, found.words)
        assert found.start < found.end <= len(typed), typed


TWO = [
    (AT + "eps", "H @ z - tau", ["negated", "dropped"]),
    (AT + "eps", "tau + H @ z", ["negated", "dropped"]),
    (IN + "z", "sum(phi(k, j) @ z[j] for j in outboard(k)) + b", ["order", "bias"]),
]
ELSEWHERE = [
    ("H @ P @ H' + I_r", "typed as .T, here H.T"), ("I_r[k] + H[k] P[k] H[k]'", "typed as .T, here H[k].T"),
    ("H @ P @ H^T + I_r", "typed as .T, here H.T"), ("H @ P @ H**T + I_r", "typed as .T, here H.T"),
    ("H @ P @ H^{T} + I_r", "typed as .T, here H.T"), ("H P H.T + I_r", "no sign between H and P"),
    ("H @ P H.T", "no sign between P and H"), ("2 I_r", "no sign between 2 and I_r"),
    ("H (P @ H.T)", "its index goes in brackets"), ("H @ P @ H.T + 1,5*I_r", "decimal point: 1.5"),
    ("0,5 * I_r", "decimal point: 0.5"), ("H.dot(P)", "typed as @"),
    ("H @ P @ H.T() + I_r", "not a function"), ("D = H P H' + I_r", "H.T"), ("H @ P @ HT + I_r", "a transpose as .T"),
    ("H @ (P @ H.T)' + I_r", "here (…).T"),
    ("H(P)H.T", "no sign between H(P) and"),
    ("H @ P @ H’", "typed as .T"), ("H @ P @ H⊤", "typed as .T"), ("H @ P @ H.T' + I_r", "here H.T,"),
    ("sum(phi(k, j)' @ z[j] for j in outboard(k))", "here phi(k, j).T"), ("I_r @ D^-1", "typed as inv(D)"),
    ("I_r * D**(-1)", "typed as inv(D)"), ("H @ P @ (1,5*H.T)", "decimal point: 1.5"), ("inv(1,5 * I_r)", "point: 1.5"),
    ("(H @ P) (H.T)", "typed as @"), ("sum(1,5 * z[j] for j in outboard(k))", "decimal point: 1.5"),
]  # fmt: skip
IN_TWO_WAYS = [
    (AT + "eps", "tau_loss[k]", ("tau - H @ z", "-H[k] @ z[k] + tau[k]")),
    (AT + "eps", "sign of tau_loss[k]", ("tau + tau_loss - H @ z", "tau - (H @ z - tau_loss)")),
    (AT + "eps", "sign of tau[k] - tau_loss[k] - H[k]", ("H @ z - tau + tau_loss", "tau_loss - (tau - H @ z)")),
    (OUT + "prediction.alpha_plus", "phi(i, k).T is right", ("phi(i, k) @ alpha[i]", "(alpha[i].T @ phi(i, k).T).T")),
    (IN + "P", "left out: M[k]", (CARRIED, CARRIED.replace("j", "c"))),
    (IN + "P", "M[k] belongs after", (
        "sum(M + phi(k, c) @ P_plus[c] @ phi(k, c).T for c in outboard(k))",
        "sum(phi(k, j) @ (P_plus[j] @ phi(k, j).T) + M[k] for j in outboard(k))")),
    (AT + "P_plus", "Order of the factors", ("P @ (I - G @ H)", "P - P @ (G @ H)")),
    (AT + "P_plus", "A term is left out", ("(I - G @ H) @ P @ (I - G @ H).T", "(I - G @ H) @ P @ (I - H.T @ G.T)")),
    (OUT + "correction.theta_dd", "H[k] stands where G[k].T", ("nu - H @ alpha_plus", "-(alpha_plus.T @ H.T) + nu")),
    (AT + "z_plus", "H[k].T stands where G[k]", ("z + H.T @ eps", "eps * H.T + z")),
]  # fmt: skip


def test_the_mistake_that_a_line_means_is_named_however_it_is_spelled() -> None:
    """Each spelling on one of three machines in turn: a chain, two arms in contact, and a tree in flight."""
    presets = itertools.cycle(("puma560", "two_arms_and_box", "free_flyer"))
    for key, words, spellings in IN_TWO_WAYS:
        for typed, preset in zip(spellings, presets, strict=False):
            found = attempt(reading_of(preset), key, typed)
            assert found.verdict in ("wrong", "refused", "elsewhere"), (key, typed, preset)
            assert any(words in mistake.words for mistake in found.mistakes), (key, typed, preset, found.mistakes)
    for typed in ("(I + G_s @ H) @ S_plus @ (I + G_s @ H).T", "(I + G_s @ H) @ S_plus @ (I + H.T @ G_s.T)"):
        (mistake,) = attempt(reading_of("free_flyer"), DUAL + "correction.S", typed).mistakes
        assert mistake.words == "A term is left out that is zero on this machine.", "which has no rotor"


def test_what_is_named_and_what_not() -> None:
    """A mistake once, wherever it stands; no letter that was not typed; nothing where no usual mistake explains it."""
    (mistake,) = attempt(reading_for(OUT), OUT + "force.x", "P @ alpha").mistakes
    assert mistake.kind == "dropped"
    assert mistake.words == "A term is left out: z[k] - P[k] @ a[k]."
    (mistake,) = attempt(reading_for(BIAS), BIAS + "w", "stack(tilde(p) @ g, g)").mistakes
    assert mistake.words == "A factor is left out: m[k]."
    # Nothing is carried by what is zero: p stands nowhere in this line, nor does a in the other.
    for key, typed in ((BIAS + "w", "stack(o, m * g)"), (OUT + "base.alpha", "Z")):
        found = attempt(reading_for(key), key, typed)
        assert found.verdict == "wrong"
        assert "letter" not in {mistake.kind for mistake in found.mistakes}
    for typed in ("D @ D / eps", "P @ P @ P", "tilde(l) @ m"):
        found = attempt(reading_for(AT), AT + "nu", typed)
        assert found.verdict != "right", typed
        assert found.mistakes == (), typed
