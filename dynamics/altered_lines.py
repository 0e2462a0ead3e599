"""The lines of the filter and smoother as data: how each is written, and what its terms do when they are altered."""

from __future__ import annotations

from dataclasses import dataclass

LEVER = "lever"
"""Name of the term that is the lever in phi: without it phi is 1, turned around it is the inverse of phi."""


@dataclass(frozen=True)
class Term:
    """One term of a line.

    Attributes:
        name: how an ``Alteration`` refers to it.
        word: what it is, for a menu.
        expect: what breaks without it, and why.
        fails: key of the identity that shows it (``identities``) wherever the term is there at all.
        absent: where the term is zero, so that nothing fails; empty if it is always there.
        power: whether it is a power, whose exponent the factor multiplies.
    """

    name: str
    word: str
    expect: str
    fails: str
    absent: str = ""
    power: bool = False


@dataclass(frozen=True)
class Part:
    """A piece of the written line; a factor on one of ``terms`` alters it. ``sign`` is written before it."""

    latex: str
    terms: tuple[str, ...] = ()
    sign: str = ""


@dataclass(frozen=True)
class Line:
    """One equation.

    Attributes:
        stage, quantity: what it computes, a key of ``registry`` but for a(k), b(k) and a floating base's alpha.
        left, parts: LaTeX.
        equation: paper and number.
        title: in words.
    """

    stage: str
    quantity: str
    title: str
    equation: str
    left: str
    parts: tuple[Part, ...]
    terms: tuple[Term, ...]


SLIDES = "joints that do not slide have none"
MOVES = "zero while nothing turns"

FILTER = (
    Line(
        "filter", "bias_acceleration", "Bias acceleration", "JR (2.2)", "a(k)",
        (
            Part(r"\begin{bmatrix}\omega^+\times h\dot\theta\\0\end{bmatrix}", ("turning",)),
            Part(r"\begin{bmatrix}0\\ \omega^+\times(\omega^+\times l)\end{bmatrix}", ("centripetal",), "+"),
            Part(r"\begin{bmatrix}0\\2\,\omega^+\times h\dot\theta\end{bmatrix}", ("coriolis",), "+"),
        ),
        (
            Term("turning", "turning of the joint axis", "The axis is carried around by the links inboard; without this "
                 "the accelerations no longer fit the rates, and energy leaks.", "kinematics",
                 "zero unless a turning joint rides on a turning link"),
            Term("centripetal", "centripetal acceleration of the joint", "A joint carried on a circle accelerates towards "
                 "its middle. Forgotten, fast arms feel too little pull.", "kinematics", MOVES),
            Term("coriolis", "Coriolis acceleration of a sliding joint", "A slider that runs out on a turning link is "
                 "thrown sideways.", "kinematics", SLIDES),
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
            Term("gyroscopic", "gyroscopic moment", "Nothing at rest. In motion Euler's equation fails link by link, and "
                 "energy is not kept.", "newton", MOVES),
            Term("centrifugal", "centrifugal force of the mass centre", "Nothing at rest. In motion every link that turns "
                 "is pulled too little.", "newton", MOVES),
            Term("weight", "weight", "The arm floats. Everything inside the algorithm still fits together: only Newton's "
                 "law for each link can tell.", "newton", "zero without gravity"),
            Term("external", "external force", "A push is not felt.", "newton", "zero while nothing pushes"),
        ),
    ),
    Line(
        "filter", "articulated_inertia", "Predict the inertia", "R87 (37)", "P(k)",
        (
            Part(r"\phi", ("carried", LEVER)),
            Part(r"P^+(k{-}1)", ("carried",)),
            Part(r"\phi^T", ("carried", LEVER)),
            Part("M(k)", ("own",), "+"),
        ),
        (
            Term("carried", "inertia from outboard", "Each link believes that it carries nothing. The tip link is still "
                 "right; its inboard neighbor is the first to be wrong.", "articulated",
                 "a single link has nothing outboard"),
            Term(LEVER, "lever in φ", "The outboard inertia arrives as if it sat at the joint itself: no lever arm, too "
                 "little inertia about the axis.", "articulated", "a single link has nothing outboard"),
            Term("own", "own inertia M(k)", "No inertia anywhere: D = 0, and the gain divides by zero.", "articulated"),
        ),
    ),
    Line(
        "filter", "joint_inertia", "Inertia about the joint", "R87 (38)", "D(k)",
        (Part(r"H P H^T", ("observed",)), Part("I_r", ("rotor",), "+")),
        (
            Term("observed", "articulated inertia about the axis", "Only the rotor is left; where there is none the gain "
                 "divides by zero.", "joint_inertia"),
            Term("rotor", "rotor inertia", "To an estimator it is measurement noise. Without it the joint is too light: "
                 "H x no longer is the torque.", "joint_inertia", "zero for joints without a rotor"),
        ),
    ),
    Line(
        "filter", "kalman_gain", "Kalman gain", "R87 (39)", "G(k)",
        (Part(r"P H^T", ("product",)), Part("D^{-1}", ("product", "inverse"))),
        (
            Term("product", "the whole gain", "Without a gain no joint gives way: a chain of welded links. P⁺ keeps its "
                 "inertia along the axis.", "gain"),
            Term("inverse", "division by D", "The gain has the wrong size and unit: H G is D instead of 1.", "gain",
                 power=True),
        ),
    ),
    Line(
        "filter", "predicted_force", "Predict the force", "R87 (36), JR (2.13)", "z(k)",
        (
            Part(r"\phi", ("carried", LEVER)),
            Part(r"z^+(k{-}1)", ("carried",)),
            Part("b(k)", ("bias",), "+"),
            Part("P(k)\\,a(k)", ("acceleration",), "+"),
        ),
        (
            Term("carried", "force from outboard", "Each joint holds its own link alone, whatever hangs on it.", "locked",
                 "a single link has nothing outboard"),
            Term(LEVER, "lever in φ", "Forces from outboard arrive without their moment about this joint.", "locked",
                 "a single link has nothing outboard"),
            Term("bias", "bias force b(k)", "No gravity and no gyroscopic moment; at rest and without gravity nothing "
                 "changes.", "locked", "zero at rest without gravity"),
            Term("acceleration", "bias acceleration P a", "Nothing at rest. In motion the inertia does not feel that its "
                 "frame is carried around.", "locked", MOVES),
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
            Term("torque", "motor torque", "The motors are not heard; every identity of inertia still holds.", "locked",
                 "zero where no motor acts"),
            Term("losses", "damping and friction", "The joint runs too easily.", "locked",
                 "zero for joints at rest or without losses"),
            Term("predicted", "predicted torque H z", "The torque is taken at face value: the weight that it must hold is "
                 "forgotten.", "locked", "zero at rest without gravity"),
        ),
    ),
    Line(
        "filter", "corrected_force", "Correct the force", "R87 (41)", "z^+(k)",
        (Part("z(k)", ("kept",)), Part(r"G\,\epsilon(k)", ("correction",), "+")),
        (
            Term("kept", "predicted force", "What hangs outboard is forgotten at each joint; only the correction goes on.",
                 "corrected_force", "zero at rest without gravity"),
            Term("correction", "correction by the innovation", "The joint's torque corrects nothing: H z⁺ is not τ. This "
                 "is a filter that does not listen.", "corrected_force", "zero where the innovation is zero"),
        ),
    ),
    Line(
        "filter", "articulated_inertia_updated", "Correct the inertia", "R87 (43)", "P^+(k)",
        (Part("P", ("kept",)), Part("G H P", ("removed",), "-")),
        (
            Term("kept", "predicted inertia", "Only −GHP goes on: an inertia that is negative.", "updated"),
            Term("removed", "what the free joint takes away", "H P⁺ is not zero: the joint is locked as far as inertia "
                 "goes, and P grows to the composite inertia of welded links.", "updated"),
        ),
    ),
    Line(
        "filter", "residual", "Residual", "R87 (42)", r"\nu(k)",
        (Part("D^{-1}", ("whole", "inverse")), Part(r"\epsilon(k)", ("whole",))),
        (
            Term("whole", "the whole residual", "The smoother starts from nothing; every joint only follows its inboard "
                 "neighbor.", "locked", "zero where the innovation is zero"),
            Term("inverse", "division by D", "Torques taken for accelerations: wrong by the factor D.", "locked",
                 "zero where the innovation is zero", power=True),
        ),
    ),
)  # fmt: skip


def smoother(stage: str, paper: str, force: str) -> tuple[Line, ...]:
    """The lines of a smoother; the same before the contact stage and after it."""
    return (
        Line(
            stage, "base_acceleration", "Floating base", "JR Algorithm 3", r"\alpha(n)",
            (Part(rf"P^{{-1}}(n)\,{force}", ("answer",), "-"),),
            (
                Term("answer", "answer of the base", "The base stands still as if it were bolted down, or recoils the "
                     "wrong way: momentum is not kept.", "base_balance", "only a floating base has it"),
            ),
        ),
        Line(
            stage, "acceleration_inboard", "Carry the acceleration", f"{paper} (45)", r"\alpha^+(k)",
            (Part(r"\phi^T", ("carried", LEVER)), Part(r"\alpha(k{+}1)", ("carried",))),
            (
                Term("carried", "acceleration from inboard", "Each link accelerates as if its inboard neighbor stood still. "
                     "The link next to the base is right.", "kinematics", "a single link has nothing inboard"),
                Term(LEVER, "lever in φ", "A turning link no longer swings its outer joint.", "kinematics",
                     "a single link has nothing inboard"),
            ),
        ),
        Line(
            stage, "joint_acceleration", "Joint acceleration", f"{paper} (46)", r"\ddot\theta(k)",
            (Part(r"\nu(k)", ("weighted",)), Part(r"G^T\alpha^+(k)", ("pull",), "-")),
            (
                Term("weighted", "residual", "No torque and no weight moves a joint.", "newton_joint",
                     "zero where the residual is zero"),
                Term("pull", "what the moving joint frame takes away", "A filter without a smoother: each joint is right "
                     "only while all inboard are locked.", "newton_joint", "a single link has nothing inboard"),
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
                Term("kept", "acceleration of the joint's inner side", "Links forget that they are carried.", "kinematics",
                     "a single link has nothing inboard"),
                Term("along", "own joint's acceleration", "The joint accelerates and its link does not.", "kinematics"),
                Term("bias", "bias acceleration a(k)", "Nothing at rest; in motion centripetal and Coriolis parts are "
                     "missing.", "kinematics", MOVES),
            ),
        ),
        Line(
            stage, "force", "Smoothed force", "R87 (34)", "x(k)",
            (
                Part(force.replace("n", "k"), ("predicted",)),
                Part(r"P\,a", ("bias",), "-"),
                Part(r"P\,\alpha", ("inertial",), "+"),
            ),
            (
                Term("predicted", "predicted force", "The motion is right; the forces in the joints are not: H x is not τ.",
                     "newton", "zero at rest without gravity"),
                Term("bias", "bias acceleration P a", "The motion is right; the forces in the joints are not.", "newton",
                     MOVES),
                Term("inertial", "inertial force P α", "The motion is right; the forces in the joints are those of links "
                     "that do not accelerate.", "newton"),
            ),
        ),
    )  # fmt: skip


COVARIANCE = (
    Line(
        "smoother", "costate_covariance", "Co-state covariance", "R87 (67)–(68)", r"\Lambda(k)",
        (
            Part(r"\bar\tau^T\phi^T", ("carried", LEVER)),
            Part(r"\Lambda(k{+}1)", ("carried",)),
            Part(r"\phi\,\bar\tau", ("carried", LEVER)),
            Part(r"H^T", ("own",), "+"),
            Part(r"D^{-1}", ("own", "inverse")),
            Part("H", ("own",)),
            Part(r"\bar\tau = 1", (), r",\;"),
            Part("G H", ("reduced",), "-"),
        ),
        (
            Term("carried", "mobility from inboard", "Each link is as free as its own joint lets it be and no more.",
                 "mobility", "a single link has nothing inboard"),
            Term(LEVER, "lever in φ", "A turn inboard moves nothing further out.", "mobility",
                 "a single link has nothing inboard"),
            Term("reduced", "correction GH in τ̄", "Mobility is counted twice along the axis.", "mobility",
                 "a single link has nothing inboard"),
            Term("own", "own joint's mobility", "No joint adds any mobility: Λ stays zero, and no object can be "
                 "accelerated by such an arm.", "mobility"),
            Term("inverse", "division by D", "The mobility has the size of an inertia.", "mobility", power=True),
        ),
    ),
)  # fmt: skip

CONTACT = (
    Line(
        "contact", "measured_object_force", "Bias force of the object", "R88 (8.3)", "b(C)",
        (
            Part(r"\begin{bmatrix}\omega\times I_C\,\omega\\0\end{bmatrix}", ("gyroscopic",)),
            Part(r"\begin{bmatrix}0\\mg\end{bmatrix}", ("weight",), "-"),
            Part(r"\begin{bmatrix}T\\F\end{bmatrix}_{\mathrm{ext}}", ("external",), "-"),
        ),
        (
            Term("gyroscopic", "gyroscopic moment", "Nothing at rest. A tumbling object is held too weakly.",
                 "object_balance", "zero while the object does not turn, or turns alike about each axis"),
            Term("weight", "weight", "The arms lift an object that weighs nothing.", "object_balance",
                 "zero without gravity"),
            Term("external", "external force", "A push on the object is not felt.", "object_balance",
                 "zero while nothing pushes"),
        ),
    ),
    Line(
        "contact", "free_tip_acceleration", "Tip acceleration, object absent", "R88 (8.2)", r"\lambda_{FREE}(0)",
        (
            Part(r"\phi^T", ("carried", LEVER)),
            Part(r"\alpha(1)", ("carried",)),
            Part("a(0)", ("bias",), "+"),
        ),
        (
            Term("carried", "acceleration of the last link", "The contact does not know what the arm wants.",
                 "contacts_close"),
            Term(LEVER, "lever in φ", "The tip is taken to sit at the last joint.", "contacts_close",
                 "zero for a contact at the joint itself"),
            Term("bias", "bias acceleration a(0)", "Nothing at rest. In motion arm and object part slowly.",
                 "contacts_close", MOVES),
        ),
    ),
    Line(
        "contact", "contact_bias_acceleration", "Bias of the object's contact point", "R88 (8.2)", r"\eta",
        (
            Part(r"\begin{bmatrix}0\\ \omega_C\times(\omega_C\times r)\end{bmatrix}", ("centripetal",)),
            Part(r"\eta_{\mathrm{slip}}", ("slip",), "+"),
        ),
        (
            Term("centripetal", "centripetal acceleration", "Nothing at rest. On a turning object the contact points "
                 "drift off their circles.", "contacts_close", "zero while the object does not turn"),
            Term("slip", "turning of the contact's axes", "Only where a contact lets the tip turn or slip.",
                 "contacts_close", "rigid contacts have none"),
        ),
    ),
    Line(
        "contact", "tip_costate_covariance", "Mobility at the contact", "R88 (8.2)", r"\Lambda(0)",
        (
            Part(r"\phi^T", ("carried", LEVER)),
            Part(r"\Lambda(1)", ("carried",)),
            Part(r"\phi", ("carried", LEVER)),
        ),
        (
            Term("carried", "mobility of the last link", "The arms are taken to be immovable: they push on the object with "
                 "whatever its own inertia asks.", "omega"),
            Term(LEVER, "lever in φ", "The tip is taken to sit at the last joint.", "omega",
                 "zero for a contact at the joint itself"),
        ),
    ),
    Line(
        "contact", "omega", "Innovations covariance of the contacts", "R88 (8.3)", r"\Omega",
        (
            Part(r"C\,\Lambda(0)\,C^T", ("arms",)),
            Part(r"C A^T M^{-1}(C)\,A\,C^T", ("object",), "+"),
        ),
        (
            Term("arms", "mobility of the arms", "As if arms could not give way at all.", "omega"),
            Term("object", "mobility of the object", "As if the object could not move: forces of a wall.", "omega"),
        ),
    ),
    Line(
        "contact", "contact_force", "Contact force", "R88 (8.3)", r"\Omega f",
        (
            Part(r"C\,\lambda_{FREE}(0)", ("arms",)),
            Part(r"C\eta", (), "-"),
            Part(r"C A^T M^{-1}(C)\,b(C)", ("object",), "+"),
        ),
        (
            Term("arms", "what the arms want", "Contact forces that answer the object alone.", "contacts_close"),
            Term("object", "what the object wants", "The object's own fall is forgotten: the contacts come apart.",
                 "contacts_close", "zero for an object at rest without gravity"),
        ),
    ),
    Line(
        "contact", "object_acceleration", "Object's acceleration", "R88 (9.2)", r"\alpha(C)",
        (Part(r"M^{-1}(C)\,A\,x(0)", ("forces",)), Part(r"M^{-1}(C)\,b(C)", ("bias",), "-")),
        (
            Term("forces", "contact forces", "The object falls as if nobody held it.", "object_balance"),
            Term("bias", "bias force", "The object forgets its own weight.", "object_balance",
                 "zero for an object at rest without gravity"),
        ),
    ),
)  # fmt: skip

CORRECTION = (
    Line(
        "filter_correction", "force_correction", "Carry the contact force inward", "R88 (8.4)", r"\delta z(k)",
        (
            Part(r"\phi", ("carried", LEVER)),
            Part(r"\bar\tau\,\delta z(k{-}1)", ("carried",)),
            Part(r"\delta z(0)=x(0)", (), r",\;"),
            Part(r"\bar\tau = 1", (), r",\;"),
            Part("G H", ("reduced",), "-"),
        ),
        (
            Term("carried", "contact force from outboard", "The arm moves as if it held nothing, and the object as if it "
                 "were held.", "correction"),
            Term(LEVER, "lever in φ", "The contact force pushes on every joint without a lever.", "correction"),
            Term("reduced", "correction GH in τ̄", "Free joints pass the force on as if they were locked.", "correction"),
        ),
    ),
    Line(
        "filter_correction", "modified_innovation", "Corrected innovation", "R88 (8.4)", r"\epsilon(k)-H\delta z(k)",
        (Part(r"\epsilon(k)", ("kept",)), Part(r"H\,\delta z(k)", ("removed",), "-")),
        (
            Term("kept", "innovation of the free arm", "Only the contact force moves the joints, no torque and no weight.",
                 "newton_joint", "zero where the innovation is zero"),
            Term("removed", "torque of the contact force", "Joints do not feel what the tip holds.", "newton_joint"),
        ),
    ),
)  # fmt: skip

LINES: tuple[Line, ...] = (
    *FILTER,
    *smoother("smoother", "R87", "z(n)"),
    *COVARIANCE,
    *CONTACT,
    *CORRECTION,
    *smoother("smoother_final", "R88 (8.5), R87", r"(z+\delta z)(n)"),
)
