"""The papers' operation counts, term by term, and the reasons where the code's counts differ.

Each row names the functions of the code that do its work, the paper's multiplications, additions and divisions
as functions of the number of links, and the reason for a difference. TML's Lagrange rows are those of MATH block 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from numpy.polynomial import Polynomial

N = Polynomial([0, 1])
"""The number of links."""
NONE, ONE = 0 * N, N**0


class PaperRow(NamedTuple):
    """One row of a paper's table."""

    term: str
    functions: tuple[str, ...]
    multiplications: Polynomial
    additions: Polynomial
    divisions: Polynomial = NONE
    reason: str = ""


class PaperTable(NamedTuple):
    """A paper's table: its rows, and its own totals."""

    source: str
    rows: tuple[PaperRow, ...]
    multiplications: Polynomial
    additions: Polynomial
    divisions: Polynomial = NONE
    flops: Polynomial | None = None


CONSTANT_ROTATION = (
    "the paper takes the joint's rotation as given; it is made here from its constant part and the angle, "
    "12 multiplications, 6 additions, one sine and one cosine a link"
)
FREE_RATE = "of omega x z q' the paper counts the additions only; its two products by q' are made here"
NOTHING_OUTBOARD = "the last link carries nothing, so this is done for n - 1 links; the paper counts n"
BESIDE = "done beside the first link's A, which does not wait for it"
OUTWARD = ("point_acceleration", "base_acceleration_outward")
SLACK = "the paper allows 15 additions on every link; "

STEPS_AT_ONCE = PaperTable(
    "TML Table 5",
    (
        PaperRow("omega_1", ("angular_velocity",), 9 * ONE, 7 * ONE),
        PaperRow("alpha_1", ("angular_acceleration",), 9 * ONE, 9 * ONE, reason=FREE_RATE),
        PaperRow("A_1", ("acceleration_matrix",), 6 * ONE, 9 * ONE),
        PaperRow("omega_2", (), 9 * ONE, 7 * ONE, reason=BESIDE),
        PaperRow("alpha_2", (), 9 * ONE, 9 * ONE, reason=BESIDE),
        PaperRow("omega_i+2, alpha_i+2, A_i+1, a_i", OUTWARD, 18 * N, 15 * N,
                 reason="the first link's a is merely the base's acceleration in other axes, which is available "
                     "before its A; n - 1 links are left"),
        PaperRow("m_i a_i, Tr{A_i K_i sigma'}, m_i p_i x a_i-1, f_i, n_i, r_i x R f_i+1, R n_i+1",
                 ("mass_times_acceleration", "trace_moment", "moment_of_inertial_force", "carried_force", "joint_force",
                  "moment_of_carried_force", "carried_moment", "joint_moment"), 9 * N, 12 * N,
                 reason="each of the n - 1 steps back is R f_i+1 and a sum, 9 and 9; before the first of them stands "
                 "the last link's m a, 12 and 9, and after the last of them the first link's moment, 6 and 9"),
        PaperRow("R_i (1.10)", ("joint_transform",), NONE, NONE, reason=CONSTANT_ROTATION + "; all links at once"),
    ),
    27 * N + 42,
    27 * N + 41,
)  # fmt: skip
"""The longest chain of the modified form when each term has its own processor."""

ONE_LESS = "the paper repeats this N (N + 1)/2 times; below the diagonal there are N (N - 1)/2 elements"

TABLES: Mapping[str, PaperTable] = {
    "newton_euler": PaperTable(
        "TML Table 3",
        (
            PaperRow("omega_i (3.15)", ("angular_velocity",), 9 * N, 7 * N),
            PaperRow("alpha_i (3.16)", ("angular_acceleration",), 9 * N, 9 * N, reason=FREE_RATE),
            PaperRow("A_i", ("acceleration_matrix",), 6 * N, 9 * N),
            PaperRow("a_i (3.17)", ("point_acceleration",), 18 * N, 15 * N),
            PaperRow("a_i of the mass centre (3.18)", ("center_acceleration",), 9 * N, 9 * N),
            PaperRow("f_i (3.19)", ("inertial_force", "carried_force", "joint_force"), 12 * (N - 1), 9 * (N - 1),
                     reason="the paper leaves out the last link altogether, but its m a, 3 multiplications, is what "
                     "the next link carries"),
            PaperRow("I_i alpha_i", ("inertia_times_acceleration",), 9 * N, 6 * N),
            PaperRow("omega_i x I_i omega_i", ("gyroscopic_moment",), 15 * N, 9 * N),
            PaperRow("m_i p_i x a_i", ("moment_of_inertial_force",), 6 * N, 3 * N),
            PaperRow("r_i x R f_i+1", ("moment_of_carried_force",), 6 * N, 3 * N, reason=NOTHING_OUTBOARD),
            PaperRow("R n_i+1", ("carried_moment",), 9 * N, 6 * N, reason=NOTHING_OUTBOARD),
            PaperRow("add n_i (3.20)", ("joint_moment",), NONE, 15 * N,
                     reason=SLACK + "five vectors are joined by four sums, 12 additions, and the last link's three "
                     "by 6"),
            PaperRow("R_i (1.10)", ("joint_transform",), NONE, NONE, reason=CONSTANT_ROTATION),
        ),
        108 * N - 12,
        100 * N - 9,
    ),
    "newton_euler_modified": PaperTable(
        "TML Table 4",
        (
            PaperRow("omega_i (3.15)", ("angular_velocity",), 9 * N, 7 * N),
            PaperRow("alpha_i (3.16)", ("angular_acceleration",), 9 * N, 9 * N, reason=FREE_RATE),
            PaperRow("A_i", ("acceleration_matrix",), 6 * N, 9 * N),
            PaperRow("a_i (5.1)", OUTWARD, 18 * (N - 1), 15 * (N - 1),
                     reason="the paper leaves out one link altogether, but the base's acceleration (gravity) must "
                     "still be turned into the first link's axes, 9 multiplications and 6 additions"),
            PaperRow("m_i a_i (5.1)", ("mass_times_acceleration",), 12 * N, 9 * N),
            PaperRow("f_i (5.1)", ("carried_force", "joint_force"), 9 * (N - 1), 9 * (N - 1)),
            PaperRow("Tr{A_i K_i sigma'}", ("trace_moment",), 6 * N, 3 * N),
            PaperRow("m_i p_i x R a_i-1", ("moment_of_inertial_force",), 6 * N, 3 * N),
            PaperRow("r_i x R f_i+1", ("moment_of_carried_force",), 6 * N, 3 * N, reason=NOTHING_OUTBOARD),
            PaperRow("R n_i+1", ("carried_moment",), 9 * N, 6 * N, reason=NOTHING_OUTBOARD),
            PaperRow("add n_i (5.2)", ("joint_moment",), NONE, 15 * N,
                     reason=SLACK + "four vectors are joined by three sums, 9 additions, and the last link's two by 3"),
            PaperRow("R_i (1.10)", ("joint_transform",), NONE, NONE, reason=CONSTANT_ROTATION),
        ),
        90 * N - 27,
        88 * N - 24,
    ),
    "lagrange": PaperTable(
        "TML Table 2 and appendix",
        (
            PaperRow("T_j^q (1.15)", ("chained_transform",), 32 * N * (N - 1), 24 * N * (N - 1)),
            PaperRow("dT", ("first_derivative",), 32 * N * (N - 1), 24 * N * (N - 1)),
            PaperRow("d2T", ("second_derivative",), 32 * N * (N**2 - 1) / 3, 8 * N * (N**2 - 1)),
            # On link q: 17 q (q + 1) / 2 + 64 multiplications, 16 q (q - 1) + 32 additions.
            PaperRow("kinetic terms (2.9)-(2.10)", ("kinetic_matrix",),
                     17 * N * (N + 1) * (N + 2) / 6 + 64 * N, 16 * (N - 1) * N * (N + 1) / 3 + 32 * N,
                     reason="the paper leaves out the 16 q products of dT by the joint accelerations. Additions on "
                     "link q, here: 16 (q - 1) to sum dT, 8 (q - 1)(q + 2) to sum d2T over the pairs j <= k, "
                     "q (q - 1)/2 to double unequal pairs, 16 to join both and 48 in the product by J; the paper "
                     "sums all q^2 pairs and counts fewer for the rest"),
            PaperRow("traces", ("inertial_torque",), 8 * N * (N + 1), 8 * N**2 + 7 * N),
            PaperRow("gravity (2.8)", ("gravity_torque",), 2 * N**2 + 2 * N, 2 * N**2 + N),
            PaperRow("torque (2.11)", ("torque_of",), NONE, NONE,
                     reason="one addition a joint joins gravity to the rest"),
            PaperRow("T_i (1.13)", ("joint_transform",), NONE, NONE, reason=CONSTANT_ROTATION),
        ),
        (27 * N**3 + 165 * N**2) / 2 + 5 * N,
        (40 * N**3 - 64 * N) / 3 + 58 * N**2,
    ),
    "planar_filter": PaperTable(
        "R87 Table II",
        (
            PaperRow("state propagation", ("state_propagation",), N, N),
            PaperRow("inertia propagation", ("inertia_propagation",), 3 * N, 4 * N),
            PaperRow("gain", ("gain",), NONE, NONE, 2 * N),
            PaperRow("innovations", ("innovation",), NONE, N),
            PaperRow("residuals", ("residual",), NONE, NONE, N),
            PaperRow("state update", ("state_update",), 6 * N, 5 * N),
            PaperRow("inertia update", ("inertia_update",), 9 * N, 10 * N),
            PaperRow("costate propagation", ("costate_propagation",), N, N),
            PaperRow("joint acceleration", ("joint_acceleration",), 2 * N, 3 * N),
            PaperRow("costate update", ("costate_in_link_axes", "costate_update"), 4 * N, 3 * N),
        ),
        26 * N,
        28 * N,
        3 * N,
        flops=27 * N,
    ),
    "planar_batch": PaperTable(
        "R87 Table III, with N^3/3 operations to factor and N^2 flops to solve",
        (
            PaperRow("mass", ("composite_mass",), NONE, N),
            PaperRow("mass centre", ("mass_center",), N, 2 * N),
            PaperRow("rotational inertia", ("rotational_inertia",), 3 * N, 3 * N),
            PaperRow("state propagation", ("state_propagation",), N * (N + 1) / 2, N * (N + 1) / 2, reason=ONE_LESS),
            PaperRow("state update", ("turned_state",), 2 * N * (N + 1), N * (N + 1), reason=ONE_LESS),
            PaperRow("mass centre turned", ("turned",), NONE, NONE,
                     reason="the mass centre must be turned into the next link's axes, which the paper leaves out"),
            PaperRow("factors", ("factored",), N**3 / 6, N**3 / 6,
                     reason="N^3/3 operations, taken as half multiplications and half additions, are the leading term"),
            PaperRow("solution", ("solved",), N**2, N**2,
                     reason="two triangular systems; the divisions by D stand apart"),
        ),
        N**3 / 6 + 3.5 * N**2 + 6.5 * N,
        N**3 / 6 + 2.5 * N**2 + 7.5 * N,
        flops=N**3 / 3 + N**2 + 2 * N * (N + 5),
    ),
}  # fmt: skip
