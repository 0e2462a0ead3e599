"""The lines of the outward smoother, R87 (44)-(47), and of its covariance, (67)-(68)."""

from __future__ import annotations

from dynamics.altered.altered_line import LEVER, MOVES, SINGLE_IN, UNMOVED, Line, Part, Term


def smoother_lines(stage: str, paper: str, force: str) -> tuple[Line, ...]:
    """The lines of a smoother; the same before the contact stage and after it.

    Args:
        force: LaTeX of the predicted force that it starts from.
    """
    return (
        Line(
            stage, "base_acceleration", "Floating base", "JR Algorithm 3", r"\alpha(n)",
            (
                Part(rf"P^{{-1}}(n)\,{force}(n)", ("answer",), "-"),
            ),
            (
                Term("answer", "answer of the base",
                     "The base stands still as if it were bolted down, or recoils the wrong way: momentum is "
                     "not kept.",
                     "base_balance", "only a floating base has it"),
            ),
        ),
        Line(
            stage, "acceleration_inboard", "Carry the acceleration", f"{paper} (45)", r"\alpha^+(k)",
            (
                Part(r"\phi^T", ("carried", LEVER)),
                Part(r"\alpha(k{+}1)", ("carried",)),
            ),
            (
                Term("carried", "acceleration from inboard",
                     "Each link accelerates as if its inboard neighbor stood still. The link next to the base "
                     "is right.",
                     "kinematics", SINGLE_IN),
                Term(LEVER, "lever in φ",
                     "A turning link no longer swings its outer joint.",
                     "kinematics", SINGLE_IN),
            ),
        ),
        Line(
            stage, "joint_acceleration", "Joint acceleration", f"{paper} (46)", r"\ddot\theta(k)",
            (
                Part(r"\nu(k)", ("weighted",)),
                Part(r"G^T\alpha^+(k)", ("pull",), "-"),
            ),
            (
                Term("weighted", "residual",
                     "No torque and no weight moves a joint.",
                     "newton_joint", "zero where the residual is zero"),
                Term("pull", "what the moving joint frame takes away",
                     "A filter without a smoother: each joint is right only while all inboard are locked.",
                     "newton_joint", SINGLE_IN),
            ),
        ),
        Line(
            stage, "acceleration", "Link acceleration", f"{paper} (47)", r"\alpha(k)",
            (
                Part(r"\alpha^+(k)", ("kept",)),
                Part(r"H^T\ddot\theta(k)", ("along",), "+"),
                Part("a(k)", ("bias",), "+"),
            ),
            (
                Term("kept", "acceleration of the joint's inner side",
                     "Links forget that they are carried.",
                     "kinematics", SINGLE_IN),
                Term("along", "own joint's acceleration",
                     "The joint accelerates and its link does not.",
                     "kinematics"),
                Term("bias", "bias acceleration a(k)",
                     "Nothing at rest; in motion centripetal and Coriolis parts are missing.",
                     "kinematics", MOVES),
            ),
        ),
        Line(
            stage, "force", "Smoothed force", "R87 (34)", "x(k)",
            (
                Part(rf"{force}(k)", ("predicted",)),
                Part(r"P\,a", ("bias",), "-"),
                Part(r"P\,\alpha", ("inertial",), "+"),
            ),
            (
                Term("predicted", "predicted force",
                     "The motion is right; the forces in the joints are not: H x is not τ.",
                     "newton", UNMOVED),
                Term("bias", "bias acceleration P a",
                     "The motion is right; the forces in the joints are not.",
                     "newton", MOVES),
                Term("inertial", "inertial force P α",
                     "The motion is right; the forces in the joints are those of links that do not accelerate.",
                     "newton"),
            ),
        ),
    )  # fmt: skip


COVARIANCE_LINES: tuple[Line, ...] = (
    Line(
        "smoother", "costate_covariance", "Co-state covariance", "R87 (67)–(68)", r"\Lambda(k)",
        (
            Part(r"\bar\tau^T\phi^T", ("carried", LEVER)),
            Part(r"\Lambda(k{+}1)", ("carried",)),
            Part(r"\phi\,\bar\tau", ("carried", LEVER)),
            Part("H^T", ("own",), "+"),
            Part("D^{-1}", ("own", "inverse")),
            Part("H", ("own",)),
            Part(r"\bar\tau = 1", (), r",\;"),
            Part("G H", ("reduced",), "-"),
        ),
        (
            Term("carried", "mobility from inboard",
                 "Each link is as free as its own joint lets it be and no more.",
                 "mobility", SINGLE_IN),
            Term(LEVER, "lever in φ",
                 "A turn inboard moves nothing further out.",
                 "mobility", SINGLE_IN),
            Term("reduced", "correction GH in τ̄",
                 "Mobility is counted twice along the axis.",
                 "mobility", SINGLE_IN),
            Term("own", "own joint's mobility",
                 "No joint adds any mobility: Λ stays zero, and no object can be accelerated by such an arm.",
                 "mobility"),
            Term("inverse", "division by D",
                 "The mobility has the size of an inertia.",
                 "mobility", power=True),
        ),
    ),
)  # fmt: skip
