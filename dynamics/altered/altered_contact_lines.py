"""The lines of the contact stage and of the filter's correction, R88 (8.2)-(8.4), (9.2)."""

from __future__ import annotations

from dynamics.altered.altered_line import LEVER, MOVES, Line, Part, Term

CONTACT_LINES: tuple[Line, ...] = (
    Line(
        "contact", "measured_object_force", "Bias force of the object", "R88 (8.3)", "b(C)",
        (
            Part(r"\begin{bmatrix}\omega\times I_C\,\omega\\0\end{bmatrix}", ("gyroscopic",)),
            Part(r"\begin{bmatrix}0\\mg\end{bmatrix}", ("weight",), "-"),
            Part(r"\begin{bmatrix}T\\F\end{bmatrix}_{\mathrm{ext}}", ("external",), "-"),
        ),
        (
            Term("gyroscopic", "gyroscopic moment",
                 "Nothing at rest. A tumbling object is held too weakly.",
                 "object_balance", "zero while the object does not turn, or turns alike about each axis"),
            Term("weight", "weight",
                 "The arms lift an object that weighs nothing.",
                 "object_balance", "zero without gravity"),
            Term("external", "external force",
                 "A push on the object is not felt.",
                 "object_balance", "zero while nothing pushes"),
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
            Term("carried", "acceleration of the last link",
                 "The contact does not know what the arm wants.",
                 "contacts_close"),
            Term(LEVER, "lever in φ",
                 "The tip is taken to sit at the last joint.",
                 "contacts_close", "zero for a contact at the joint itself"),
            Term("bias", "bias acceleration a(0)",
                 "Nothing at rest. In motion arm and object part slowly.",
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
            Term("centripetal", "centripetal acceleration",
                 "Nothing at rest. On a turning object the contact points drift off their circles.",
                 "contacts_close", "zero while the object does not turn"),
            Term("slip", "turning of the contact's axes",
                 "Only where a contact lets the tip turn or slip.",
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
            Term("carried", "mobility of the last link",
                 "The arms are taken to be immovable: they push on the object with whatever its own inertia "
                 "asks.",
                 "omega"),
            Term(LEVER, "lever in φ",
                 "The tip is taken to sit at the last joint.",
                 "omega", "zero for a contact at the joint itself"),
        ),
    ),
    Line(
        "contact", "omega", "Innovations covariance of the contacts", "R88 (8.3)", r"\Omega",
        (
            Part(r"C\,\Lambda(0)\,C^T", ("arms",)),
            Part(r"C A^T M^{-1}(C)\,A\,C^T", ("object",), "+"),
        ),
        (
            Term("arms", "mobility of the arms",
                 "As if arms could not give way at all.",
                 "omega"),
            Term("object", "mobility of the object",
                 "As if the object could not move: forces of a wall.",
                 "omega"),
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
            Term("arms", "what the arms want",
                 "Contact forces that answer the object alone.",
                 "contacts_close"),
            Term("object", "what the object wants",
                 "The object's own fall is forgotten: the contacts come apart.",
                 "contacts_close", "zero for an object at rest without gravity"),
        ),
    ),
    Line(
        "contact", "object_acceleration", "Object's acceleration", "R88 (9.2)", r"\alpha(C)",
        (
            Part(r"M^{-1}(C)\,A\,x(0)", ("forces",)),
            Part(r"M^{-1}(C)\,b(C)", ("bias",), "-"),
        ),
        (
            Term("forces", "contact forces",
                 "The object falls as if nobody held it.",
                 "object_balance"),
            Term("bias", "bias force",
                 "The object forgets its own weight.",
                 "object_balance", "zero for an object at rest without gravity"),
        ),
    ),
)  # fmt: skip

CORRECTION_LINES: tuple[Line, ...] = (
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
            Term("carried", "contact force from outboard",
                 "The arm moves as if it held nothing, and the object as if it were held.",
                 "correction"),
            Term(LEVER, "lever in φ",
                 "The contact force pushes on every joint without a lever.",
                 "correction"),
            Term("reduced", "correction GH in τ̄",
                 "Free joints pass the force on as if they were locked.",
                 "correction"),
        ),
    ),
    Line(
        "filter_correction", "modified_innovation", "Corrected innovation", "R88 (8.4)", r"\epsilon(k)-H\delta z(k)",
        (
            Part(r"\epsilon(k)", ("kept",)),
            Part(r"H\,\delta z(k)", ("removed",), "-"),
        ),
        (
            Term("kept", "innovation of the free arm",
                 "Only the contact force moves the joints, no torque and no weight.",
                 "newton_joint", "zero where the innovation is zero"),
            Term("removed", "torque of the contact force",
                 "Joints do not feel what the tip holds.",
                 "newton_joint"),
        ),
    ),
)  # fmt: skip
