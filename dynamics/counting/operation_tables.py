"""The papers' operation counts, term by term, and why the code's differ where they do.

Each row names the functions of the code that do its work, the paper's multiplications, additions and divisions
as functions of the number of links, and the reason for a difference. TML's Lagrange rows are MATH block 7's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

Polynomial = Callable[[int], float]


def none(n: int) -> float:
    return 0.0


class PaperRow(NamedTuple):
    """One row of a paper's table."""

    term: str
    functions: tuple[str, ...]
    multiplications: Polynomial
    additions: Polynomial
    divisions: Polynomial = none
    reason: str = ""


class PaperTable(NamedTuple):
    """A paper's table: its rows, and its own totals."""

    source: str
    rows: tuple[PaperRow, ...]
    multiplications: Polynomial
    additions: Polynomial
    divisions: Polynomial = none
    flops: Polynomial | None = None


CONSTANT_ROTATION = (
    "the paper takes the joint's rotation as given; it is made here from its constant part and the angle, "
    "12 multiplications, 6 additions, one sine and one cosine a link"
)
FREE_RATE = "of omega x z q' the paper counts the additions only; its two products by q' are made here"
NOTHING_OUTBOARD = "the last link carries nothing, so this is done for n - 1 links; the paper counts n"
SLACK = "the paper allows 15 additions on every link; "

NEWTON_EULER = PaperTable(
    "TML Table 3",
    (
        PaperRow("omega_i (3.15)", ("angular_velocity",), lambda n: 9 * n, lambda n: 7 * n),
        PaperRow("alpha_i (3.16)", ("angular_acceleration",), lambda n: 9 * n, lambda n: 9 * n, reason=FREE_RATE),
        PaperRow("A_i", ("acceleration_matrix",), lambda n: 6 * n, lambda n: 9 * n),
        PaperRow("a_i (3.17)", ("point_acceleration",), lambda n: 18 * n, lambda n: 15 * n),
        PaperRow("a_i of the mass centre (3.18)", ("center_acceleration",), lambda n: 9 * n, lambda n: 9 * n),
        PaperRow(
            "f_i (3.19)",
            ("inertial_force", "carried_force", "joint_force"),
            lambda n: 12 * (n - 1),
            lambda n: 9 * (n - 1),
            reason="the paper leaves out the last link altogether, but its m a, 3 multiplications, is what the next "
            "link carries",
        ),
        PaperRow("I_i alpha_i", ("inertia_times_acceleration",), lambda n: 9 * n, lambda n: 6 * n),
        PaperRow("omega_i x I_i omega_i", ("gyroscopic_moment",), lambda n: 15 * n, lambda n: 9 * n),
        PaperRow("m_i p_i x a_i", ("moment_of_inertial_force",), lambda n: 6 * n, lambda n: 3 * n),
        PaperRow(
            "r_i x R f_i+1",
            ("moment_of_carried_force",),
            lambda n: 6 * n,
            lambda n: 3 * n,
            reason=NOTHING_OUTBOARD,
        ),
        PaperRow("R n_i+1", ("carried_moment",), lambda n: 9 * n, lambda n: 6 * n, reason=NOTHING_OUTBOARD),
        PaperRow(
            "add n_i (3.20)",
            ("joint_moment",),
            none,
            lambda n: 15 * n,
            reason=SLACK + "five vectors are joined by four sums, 12 additions, and the last link's three by 6",
        ),
        PaperRow("R_i (1.10)", ("joint_transform",), none, none, reason=CONSTANT_ROTATION),
    ),
    lambda n: 108 * n - 12,
    lambda n: 100 * n - 9,
)

NEWTON_EULER_MODIFIED = PaperTable(
    "TML Table 4",
    (
        PaperRow("omega_i (3.15)", ("velocity_of_link",), lambda n: 9 * n, lambda n: 7 * n),
        PaperRow("alpha_i (3.16)", ("acceleration_of_link",), lambda n: 9 * n, lambda n: 9 * n, reason=FREE_RATE),
        PaperRow("A_i", ("consolidated",), lambda n: 6 * n, lambda n: 9 * n),
        PaperRow(
            "a_i (5.1)",
            ("joint_acceleration_outward", "base_acceleration_outward"),
            lambda n: 18 * (n - 1),
            lambda n: 15 * (n - 1),
            reason="the paper leaves out one link altogether, but the base's acceleration (gravity) must still be "
            "turned into the first link's axes, 9 multiplications and 6 additions",
        ),
        PaperRow("m_i a_i (5.1)", ("mass_times_acceleration",), lambda n: 12 * n, lambda n: 9 * n),
        PaperRow("f_i (5.1)", ("force_of_outboard", "force_sum"), lambda n: 9 * (n - 1), lambda n: 9 * (n - 1)),
        PaperRow("Tr{A_i K_i sigma'}", ("trace_moment",), lambda n: 6 * n, lambda n: 3 * n),
        PaperRow("m_i p_i x R a_i-1", ("moment_of_point",), lambda n: 6 * n, lambda n: 3 * n),
        PaperRow("r_i x R f_i+1", ("moment_of_pull",), lambda n: 6 * n, lambda n: 3 * n, reason=NOTHING_OUTBOARD),
        PaperRow("R n_i+1", ("moment_of_outboard",), lambda n: 9 * n, lambda n: 6 * n, reason=NOTHING_OUTBOARD),
        PaperRow(
            "add n_i (5.2)",
            ("moment_sum",),
            none,
            lambda n: 15 * n,
            reason=SLACK + "four vectors are joined by three sums, 9 additions, and the last link's two by 3",
        ),
        PaperRow("R_i (1.10)", ("displaced",), none, none, reason=CONSTANT_ROTATION),
    ),
    lambda n: 90 * n - 27,
    lambda n: 88 * n - 24,
)

LAGRANGE = PaperTable(
    "TML Table 2 and appendix",
    (
        PaperRow("T_j^q (1.15)", ("chained_transform",), lambda n: 32 * n * (n - 1), lambda n: 24 * n * (n - 1)),
        PaperRow("dT", ("first_derivative",), lambda n: 32 * n * (n - 1), lambda n: 24 * n * (n - 1)),
        PaperRow(
            "d2T",
            ("second_derivative",),
            lambda n: 32 * n * (n * n - 1) / 3,
            lambda n: 8 * n * (n * n - 1),
        ),
        PaperRow(
            "kinetic terms (2.9)-(2.10)",
            ("kinetic_matrix",),
            lambda n: sum(8.5 * q * (q + 1) + 64 for q in range(1, n + 1)),
            lambda n: sum(16 * q * (q - 1) + 32 for q in range(1, n + 1)),
            reason="the paper leaves out the 16 q products of dT by the joint accelerations. Additions on link q, "
            "here: 16 (q - 1) to sum dT, 8 (q - 1)(q + 2) to sum d2T over the pairs j <= k, q (q - 1)/2 to double "
            "unequal pairs, 16 to join both and 48 in the product by J; the paper sums all q^2 pairs and counts "
            "fewer for the rest",
        ),
        PaperRow("traces", ("inertial_torque",), lambda n: 8 * n * (n + 1), lambda n: 8 * n * n + 7 * n),
        PaperRow("gravity (2.8)", ("gravity_torque",), lambda n: 2 * n * n + 2 * n, lambda n: 2 * n * n + n),
        PaperRow("torque (2.11)", ("torque_of",), none, none, reason="one addition a joint joins gravity to the rest"),
        PaperRow("T_i (1.13)", ("joint_transform",), none, none, reason=CONSTANT_ROTATION),
    ),
    lambda n: (27 * n**3 + 165 * n**2) / 2 + 5 * n,
    lambda n: (40 * n**3 - 64 * n) / 3 + 58 * n**2,
)

PLANAR_FILTER = PaperTable(
    "R87 Table II",
    (
        PaperRow("state propagation", ("state_propagation",), lambda n: n, lambda n: n),
        PaperRow("inertia propagation", ("inertia_propagation",), lambda n: 3 * n, lambda n: 4 * n),
        PaperRow("gain", ("gain",), none, none, lambda n: 2 * n),
        PaperRow("innovations", ("innovation",), none, lambda n: n),
        PaperRow("residuals", ("residual",), none, none, lambda n: n),
        PaperRow("state update", ("state_update",), lambda n: 6 * n, lambda n: 5 * n),
        PaperRow("inertia update", ("inertia_update",), lambda n: 9 * n, lambda n: 10 * n),
        PaperRow("costate propagation", ("costate_propagation",), lambda n: n, lambda n: n),
        PaperRow("joint acceleration", ("joint_acceleration",), lambda n: 2 * n, lambda n: 3 * n),
        PaperRow("costate update", ("costate_in_link_axes", "costate_update"), lambda n: 4 * n, lambda n: 3 * n),
    ),
    lambda n: 26 * n,
    lambda n: 28 * n,
    lambda n: 3 * n,
    flops=lambda n: 27 * n,
)

ONE_LESS = "the paper repeats this N (N + 1)/2 times; below the diagonal there are N (N - 1)/2 elements"
PLANAR_BATCH = PaperTable(
    "R87 Table III, with N^3/3 + N^2 flops to factor and solve",
    (
        PaperRow("mass", ("composite_mass",), none, lambda n: n),
        PaperRow("mass centre", ("mass_center",), lambda n: n, lambda n: 2 * n),
        PaperRow("rotational inertia", ("rotational_inertia",), lambda n: 3 * n, lambda n: 3 * n),
        PaperRow("state propagation", ("state_propagation",), lambda n: n * (n + 1) / 2, lambda n: n * (n + 1) / 2,
                 reason=ONE_LESS),
        PaperRow("state update", ("state_update",), lambda n: 2 * n * (n + 1), lambda n: n * (n + 1),
                 reason=ONE_LESS),
        PaperRow("mass centre turned", ("turned",), none, none,
                 reason="the mass centre must be turned into the next link's axes, which the paper leaves out"),
        PaperRow("factors", ("factored",), lambda n: n**3 / 6, lambda n: n**3 / 6,
                 reason="N^3/3 operations, taken as half multiplications and half additions, are the leading term"),
        PaperRow("solution", ("solved",), lambda n: n * n, lambda n: n * n,
                 reason="two triangular systems; the divisions by D stand apart"),
    ),
    lambda n: n**3 / 6 + 3.5 * n * n + 6.5 * n,
    lambda n: n**3 / 6 + 2.5 * n * n + 7.5 * n,
    flops=lambda n: n**3 / 3 + n * n + 2 * n * (n + 5),
)  # fmt: skip

TABLES: Mapping[str, PaperTable] = {
    "newton_euler": NEWTON_EULER,
    "newton_euler_modified": NEWTON_EULER_MODIFIED,
    "lagrange": LAGRANGE,
    "planar_filter": PLANAR_FILTER,
    "planar_batch": PLANAR_BATCH,
}
