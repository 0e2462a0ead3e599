"""The lines of the inward filter, R87 (35)-(43)."""

from __future__ import annotations

from dynamics.altered.altered_line import LEVER, MOVES, SINGLE_OUT, UNMOVED, Line, Part, Term

FILTER_LINES: tuple[Line, ...] = (
    Line(
        "filter", "bias_acceleration", "Bias acceleration", "JR (2.2)", "a(k)",
        (
            Part(r"\begin{bmatrix}\omega^+\times h\dot\theta\\0\end{bmatrix}", ("turning",)),
            Part(r"\begin{bmatrix}0\\ \omega^+\times(\omega^+\times l)\end{bmatrix}", ("centripetal",), "+"),
            Part(r"\begin{bmatrix}0\\2\,\omega^+\times h\dot\theta\end{bmatrix}", ("coriolis",), "+"),
        ),
        (
            Term("turning", "turning of the joint axis",
                 "The axis is carried around by the links inboard; without this the accelerations no longer "
                 "fit the rates, and energy leaks.",
                 "kinematics", "zero unless a turning joint rides on a turning link"),
            Term("centripetal", "centripetal acceleration of the joint",
                 "A joint carried on a circle accelerates towards its middle. Forgotten, fast arms feel too "
                 "little pull.",
                 "kinematics", MOVES),
            Term("coriolis", "Coriolis acceleration of a sliding joint",
                 "A slider that runs out on a turning link is thrown sideways.",
                 "kinematics", "joints that do not slide have none"),
        ),
    ),
    Line(
        "filter", "bias_force", "Bias force", "R87 (7)", "b(k)",
        (
            Part(r"\begin{bmatrix}\omega\times J\omega\\0\end{bmatrix}", ("gyroscopic",)),
            Part(r"\begin{bmatrix}0\\m\,\omega\times(\omega\times p)\end{bmatrix}", ("centrifugal",), "+"),
            Part(r"\begin{bmatrix}p\times mg\\mg\end{bmatrix}", ("weight",), "-"),
            Part(r"\begin{bmatrix}T\\F\end{bmatrix}_{\mathrm{ext}}", ("external",), "-"),
        ),
        (
            Term("gyroscopic", "gyroscopic moment",
                 "Nothing at rest. In motion Euler's equation fails link by link, and energy is not kept.",
                 "newton", MOVES),
            Term("centrifugal", "centrifugal force of the mass centre",
                 "Nothing at rest. In motion every link that turns is pulled too little.",
                 "newton", MOVES),
            Term("weight", "weight",
                 "The arm floats. Everything inside the algorithm still fits together: only Newton's law for "
                 "each link can tell.",
                 "newton", "zero without gravity"),
            Term("external", "external force",
                 "A push is not felt.",
                 "newton", "zero while nothing pushes"),
        ),
    ),
    Line(
        "filter", "articulated_inertia", "Predict the inertia", "R87 (37)", "P(k)",
        (
            Part(r"\phi", ("carried", LEVER)),
            Part("P^+(k{-}1)", ("carried",)),
            Part(r"\phi^T", ("carried", LEVER)),
            Part("M(k)", ("own",), "+"),
        ),
        (
            Term("carried", "inertia from outboard",
                 "Each link believes that it carries nothing. The tip link is still right; its inboard "
                 "neighbor is the first to be wrong.",
                 "articulated", SINGLE_OUT),
            Term(LEVER, "lever in φ",
                 "The outboard inertia arrives as if it sat at the joint itself: no lever arm, too little "
                 "inertia about the axis.",
                 "articulated", SINGLE_OUT),
            Term("own", "own inertia M(k)",
                 "No inertia anywhere: D = 0, and the gain divides by zero.",
                 "articulated"),
        ),
    ),
    Line(
        "filter", "joint_inertia", "Inertia about the joint", "R87 (38)", "D(k)",
        (
            Part("H P H^T", ("observed",)),
            Part("I_r", ("rotor",), "+"),
        ),
        (
            Term("observed", "articulated inertia about the axis",
                 "Only the rotor is left; where there is none the gain divides by zero.",
                 "joint_inertia"),
            Term("rotor", "rotor inertia",
                 "To an estimator it is measurement noise. Without it the joint is too light: H x no longer is "
                 "the torque.",
                 "joint_inertia", "zero for joints without a rotor"),
        ),
    ),
    Line(
        "filter", "kalman_gain", "Kalman gain", "R87 (39)", "G(k)",
        (
            Part("P H^T", ("product",)),
            Part("D^{-1}", ("product", "inverse")),
        ),
        (
            Term("product", "the whole gain",
                 "Without a gain no joint gives way: a chain of welded links. P⁺ keeps its inertia along the "
                 "axis.",
                 "gain"),
            Term("inverse", "division by D",
                 "The gain has the wrong size and unit: H G is D instead of 1.",
                 "gain", power=True),
        ),
    ),
    Line(
        "filter", "predicted_force", "Predict the force", "R87 (36), JR (2.13)", "z(k)",
        (
            Part(r"\phi", ("carried", LEVER)),
            Part("z^+(k{-}1)", ("carried",)),
            Part("b(k)", ("bias",), "+"),
            Part(r"P(k)\,a(k)", ("acceleration",), "+"),
        ),
        (
            Term("carried", "force from outboard",
                 "Each joint holds its own link alone, whatever hangs on it.",
                 "predicted_force", SINGLE_OUT),
            Term(LEVER, "lever in φ",
                 "Forces from outboard arrive without their moment about this joint.",
                 "predicted_force", SINGLE_OUT),
            Term("bias", "bias force b(k)",
                 "No gravity and no gyroscopic moment; at rest and without gravity nothing changes.",
                 "predicted_force", UNMOVED),
            Term("acceleration", "bias acceleration P a",
                 "Nothing at rest. In motion the inertia does not feel that its frame is carried around.",
                 "predicted_force", MOVES),
        ),
    ),
    Line(
        "filter", "innovation", "Innovation", "R87 (40)", r"\epsilon(k)",
        (
            Part(r"\tau(k)", ("torque",)),
            Part(r"d(\dot\theta)", ("losses",), "-"),
            Part("H z(k)", ("predicted",), "-"),
        ),
        (
            Term("torque", "motor torque",
                 "The motors are not heard; every identity of inertia still holds.",
                 "locked", "zero where no motor acts"),
            Term("losses", "damping and friction",
                 "The joint runs too easily.",
                 "locked", "zero for joints at rest or without losses"),
            Term("predicted", "predicted torque H z",
                 "The torque is taken at face value: the weight that it must hold is forgotten.",
                 "locked", UNMOVED),
        ),
    ),
    Line(
        "filter", "corrected_force", "Correct the force", "R87 (41)", "z^+(k)",
        (
            Part("z(k)", ("kept",)),
            Part(r"G\,\epsilon(k)", ("correction",), "+"),
        ),
        (
            Term("kept", "predicted force",
                 "What hangs outboard is forgotten at each joint; only the correction goes on.",
                 "corrected_force", UNMOVED),
            Term("correction", "correction by the innovation",
                 "The joint's torque corrects nothing: H z⁺ is not τ. This is a filter that does not listen.",
                 "corrected_force", "zero where the innovation is zero"),
        ),
    ),
    Line(
        "filter", "articulated_inertia_updated", "Correct the inertia", "R87 (43)", "P^+(k)",
        (
            Part("P", ("kept",)),
            Part("G H P", ("removed",), "-"),
        ),
        (
            Term("kept", "predicted inertia",
                 "Only −GHP goes on: an inertia that is negative.",
                 "updated"),
            Term("removed", "what the free joint takes away",
                 "H P⁺ is not zero: the joint is locked as far as inertia goes, and P grows to the composite "
                 "inertia of welded links.",
                 "updated"),
        ),
    ),
    Line(
        "filter", "residual", "Residual", "R87 (42)", r"\nu(k)",
        (
            Part("D^{-1}", ("whole", "inverse")),
            Part(r"\epsilon(k)", ("whole",)),
        ),
        (
            Term("whole", "the whole residual",
                 "The smoother starts from nothing; every joint only follows its inboard neighbor.",
                 "locked", "zero where the innovation is zero"),
            Term("inverse", "division by D",
                 "Torques taken for accelerations: wrong by the factor D.",
                 "locked", "zero where the innovation is zero", power=True),
        ),
    ),
)  # fmt: skip
