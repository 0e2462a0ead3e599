"""The consequences of a break, in words: a sentence of its own where that helps, and a rule for all others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from dynamics.reading.breaks import Break, Kind
from dynamics.system.registry import Quantity


@dataclass(frozen=True)
class Prose:
    """Text about one part of a line.

    Attributes:
        expect: what breaks without it, and why.
        fails: key of the identity that reveals it wherever the part is present; empty if none is named.
        absent: where the part is zero, so that nothing fails; empty if it is always present.
    """

    expect: str
    fails: str = ""
    absent: str = ""


# Where a part is zero, so that nothing fails without it.
MOVES = "zero while nothing turns"
SINGLE_OUT = "a single link has nothing outboard"
SINGLE_IN = "a single link has nothing inboard"
NO_LEVER = "no effect without a lever to a joint outboard"
UNCARRIED = "zero while no joint moves on a turning link, or off its axis"
QUIET_OUT = "zero where no force comes from outboard"
QUIET_IN = "zero where nothing inboard accelerates"
UNMOVED = "zero where no force is predicted"
PRINCIPAL = "zero where each link turns about a principal axis, or not at all"
UNFORCED = "zero where the innovation is zero"

PROSE: Mapping[str, Prose] = MappingProxyType(
    {
        "bias.prediction.a~stack.upper.W_plus-turn": Prose(
            "The axis is carried around by the links inboard; without this the accelerations no longer fit the rates, "
            "and energy is not conserved.",
            "kinematics", "zero unless a joint turns on a link that turns about another axis"),
        "bias.prediction.a~stack.lower.W_plus-W_plus-l": Prose(
            "A joint carried on a circle accelerates towards the centre. Without this, fast arms feel too little pull.",
            "kinematics", UNCARRIED),
        "bias.prediction.a~stack.lower.2-W_plus-slide": Prose(
            "A slider that runs out on a turning link is thrown sideways.", "kinematics",
            "zero where no joint slides on a turning link"),
        "bias.prediction.a~stack.lower.2-W_plus-slide.2": Prose(
            "One half of the Coriolis acceleration comes from the link's turning, the other from the slider's own "
            "path: each counts once.", "kinematics", "zero where no joint slides on a turning link"),
        "bias.prediction.b~stack.upper.W-J-omega": Prose(
            "No effect at rest. In motion Euler's equation fails link by link; energy is conserved all the same, "
            "since this moment does no work.", "newton", PRINCIPAL),
        "bias.prediction.b~stack.lower.m-W-W-p": Prose(
            "No effect at rest. In motion a link that turns beside its mass centre is pulled too weakly.",
            "newton", MOVES),
        "bias.prediction.b~w": Prose(
            "The arm is weightless. Inertias and gains are right; every bias force is wrong.", "newton",
            "zero without gravity"),
        "bias.prediction.b~f": Prose("A push has no effect.", "newton", "zero while nothing pushes a link"),
        "inward_filter.prediction.P~phi-P_plus-phi": Prose(
            "Each link believes that it carries nothing. The tip link is still right; its inboard neighbor is the "
            "first to be wrong.", "articulated", SINGLE_OUT),
        "inward_filter.prediction.P~phi-P_plus-phi.phi": Prose(
            "The outboard inertia arrives as if its forces acted at the joint itself: no lever arm, a wrong inertia "
            "about the axis.", "articulated", NO_LEVER),
        "inward_filter.prediction.P~phi-P_plus-phi.phi_2": Prose(
            "The outboard inertia responds to a motion of its own joint, not of this one: no lever arm, and P is not "
            "symmetric.", "articulated", NO_LEVER),
        "inward_filter.prediction.P~M": Prose(
            "No link has any inertia: D is the rotor's alone; where there is none the gain divides by zero.",
            "articulated"),
        "inward_filter.correction.D~H-P-H": Prose(
            "Only the rotor is left; where there is none the gain divides by zero.", "joint_inertia"),
        "inward_filter.correction.D~I_r": Prose(
            "To an estimator the rotor is measurement noise. Without it the joint is too light: no torque is spent on "
            "the rotor.", "joint_inertia", "zero for joints without a rotor"),
        "inward_filter.correction.G~P-H-D": Prose(
            "Without a gain no inertia gives way: the links feel as if welded. P⁺ keeps its inertia along the axis.",
            "gain"),
        "inward_filter.correction.G~P-H-D.D": Prose(
            "The gain has the wrong size and unit: H G is an inertia instead of a number.", "gain"),
        "inward_filter.prediction.z~phi-z_plus": Prose(
            "Each joint holds its own link alone, whatever hangs on it.", "predicted_force", QUIET_OUT),
        "inward_filter.prediction.z~phi-z_plus.phi": Prose(
            "Forces from outboard arrive without their moment about this joint.", "predicted_force",
            "zero where no force from outboard has a lever"),
        "inward_filter.prediction.z~b": Prose(
            "No gravity, no push and no gyroscopic moment; at rest, without gravity or push, nothing changes.",
            "predicted_force", "zero while no link turns, weighs or is pushed"),
        "inward_filter.prediction.z~P-a": Prose(
            "No effect at rest. In motion the inertia does not feel that its frame is carried around.",
            "predicted_force", UNCARRIED),
        "inward_filter.correction.eps~tau": Prose(
            "The motors have no effect; every identity of inertia still holds.", "locked", "zero where no motor acts"),
        "inward_filter.correction.eps~tau_loss": Prose(
            "The joint moves too easily.", "locked", "zero for joints at rest or without losses"),
        "inward_filter.correction.eps~H-z": Prose(
            "The torque is taken at face value: what it must hold is forgotten.",
            "locked", "zero where no joint feels a load"),
        "inward_filter.correction.z_plus~z": Prose(
            "What hangs outboard is forgotten at each joint; only the correction is passed on.",
            "corrected_force", UNMOVED),
        "inward_filter.correction.z_plus~G-eps": Prose(
            "The joint's torque corrects nothing: H z⁺ stays H z. The filter ignores its measurement.",
            "corrected_force", UNFORCED),
        "inward_filter.correction.P_plus~P": Prose("Only −GHP is passed on: at the tip a negative inertia.", "updated"),
        "inward_filter.correction.P_plus~G-H-P": Prose(
            "H P⁺ stays H P: the joint is locked as far as inertia goes, and P grows to the composite inertia of "
            "welded links.", "updated"),
        "inward_filter.correction.nu~eps-D": Prose(
            "Every joint only follows its inboard neighbor.", "locked", UNFORCED),
        "inward_filter.correction.nu~eps-D.D": Prose(
            "Torques are taken for accelerations: wrong by the factor D.", "locked", UNFORCED),
        "outward_smoother.base.alpha~P-z": Prose(
            "The base coasts as if no joint pulled at it: momentum is not conserved.",
            "base_balance", UNMOVED),
        "outward_smoother.prediction.alpha_plus~phi-alpha": Prose(
            "Each link accelerates as if its inboard neighbor did not. A link without one that accelerates is right.",
            "kinematics", QUIET_IN),
        "outward_smoother.prediction.alpha_plus~phi-alpha.phi": Prose(
            "A turning link no longer swings its outer joint.",
            "kinematics", "zero where no inboard link has angular acceleration"),
        "outward_smoother.correction.theta_dd~nu": Prose(
            "Joints only follow what is inboard.", "newton_joint", "zero where the residual is zero"),
        "outward_smoother.correction.theta_dd~G-alpha_plus": Prose(
            "A filter without a smoother: right where the body inboard does not accelerate.", "newton_joint",
            "zero where nothing inboard drives a joint"),
        "outward_smoother.correction.alpha~alpha_plus": Prose(
            "Links forget that they are carried.", "kinematics", QUIET_IN),
        "outward_smoother.correction.alpha~H-theta_dd": Prose(
            "The joint accelerates and its link does not follow it.", "kinematics"),
        "outward_smoother.correction.alpha~a": Prose(
            "No effect at rest; in motion centripetal and Coriolis parts are missing.", "kinematics", UNCARRIED),
        "outward_smoother.force.x~z": Prose(
            "The motion is right; the forces in the joints are not.", "newton", UNMOVED),
        "outward_smoother.force.x~P-a": Prose(
            "The motion is right; the forces in the joints are not.", "newton", UNCARRIED),
        "outward_smoother.force.x~P-alpha": Prose(
            "The motion is right; each joint's force is as if its own link did not accelerate.", "newton"),
        "costate_covariance.correction.Lam~tau_bar-Lam_plus-tau_bar": Prose(
            "Each link is only as free as its own joint lets it be.", "mobility", SINGLE_IN),
        "costate_covariance.prediction.Lam_plus~phi-Lam-phi.phi": Prose(
            "A turn inboard moves nothing further outboard.", "mobility", "zero where nothing inboard can turn"),
        "costate_covariance.correction.Lam~H-H-D": Prose(
            "No joint adds any mobility: bolted arms seem unable to give way, and an object goes where free tips "
            "go.", "mobility"),
        "costate_covariance.correction.Lam~H-H-D.D": Prose("Each joint adds one, whatever it turns.", "mobility"),
        "object_bias.b_C~stack.upper.W_C-J_C-omega_C": Prose(
            "No effect at rest. A tumbling object is held by the wrong moments.", "object_balance",
            "zero where the object turns about a principal axis, or not at all"),
        "object_bias.b_C~w_C": Prose(
            "The arms lift an object that weighs nothing.", "object_balance", "zero without gravity"),
        "object_bias.b_C~f_C": Prose(
            "A push on the object has no effect.", "object_balance", "zero while nothing pushes the object"),
        "contact_prediction.prediction.lam_FREE~phi_0-alpha": Prose(
            "The contact ignores the arm's own acceleration.", "contacts_close"),
        "contact_prediction.prediction.lam_FREE~phi_0-alpha.phi_0": Prose(
            "The tip is taken to sit at the last joint.",
            "contacts_close", "zero where the contact's lever, or the link's angular acceleration, is zero"),
        "contact_prediction.prediction.lam_FREE~a_0": Prose(
            "No effect at rest. In motion arm and object slowly come apart.", "contacts_close", MOVES),
        "contact_prediction.prediction.eta~stack.lower.W_C-W_C-r": Prose(
            "No effect at rest. On a turning object the contact points drift off their circles.", "contacts_close",
            "zero while the object does not turn"),
        "contact_prediction.prediction.Lam_0~phi_0-Lam-phi_0": Prose(
            "The arms are taken to be immovable: they push on the object with whatever force its own inertia "
            "requires.", "omega"),
        "contact_forces.Omega~C-bracket-C.bracket.Lam_0": Prose(
            "The arms are treated as if they could not give way at all.", "omega"),
        "contact_forces.Omega~C-bracket-C.bracket.A-M_C-A": Prose(
            "The forces are those on an infinitely heavy object, which carries the tips along; they push this object "
            "away.", "omega"),
        "contact_forces.F~Omega-C-bracket.bracket.lam_bar": Prose(
            "The contact forces respond to the object alone.", "contacts_close"),
        "contact_forces.F~Omega-C-bracket.bracket.A-M_C-b_C": Prose(
            "What the object does by itself is forgotten: the contacts come apart.", "contacts_close",
            "zero unless the object weighs, is pushed or tumbles"),
        "contact_forces.alpha_C~M_C-bracket.bracket.A-x_0": Prose(
            "The object goes on as if nobody held it.", "object_balance"),
        "contact_forces.alpha_C~M_C-bracket.bracket.b_C": Prose(
            "The object forgets its weight, spin and pushes.",
            "object_balance", "zero unless the object weighs, is pushed or tumbles"),
        "filter_correction.prediction.dz~phi-tau_bar-dz": Prose(
            "Only the link that holds feels the contact force; all links inboard of it move as if they held nothing.",
            "correction"),
        "filter_correction.prediction.dz~phi-tau_bar-dz.phi": Prose(
            "The contact force has its lever at the link that holds, but none further inboard.", "correction"),
        "filter_correction.prediction.dz~phi-tau_bar-dz.tau_bar": Prose(
            "Free joints pass the force on as if they were locked.", "correction"),
        "filter_correction.prediction.dz~q": Prose(
            "The arm moves as if it held nothing, and the object as if it were held.", "correction"),
        "filter_correction.correction.eps_new~eps": Prose(
            "Only the contact force moves the joints, no torque and no weight.", "newton_joint", UNFORCED),
        "filter_correction.correction.eps_new~H-dz": Prose("Joints do not feel what the tip holds.", "newton_joint"),
        "dual_filter.prediction.S_plus~phi-bracket-phi.bracket.S": Prose(
            "Each joint sees only the one link inboard of it, with its other branches, and nothing beyond.",
            "estimates_difference", "zero where all joints are on the base"),
        "dual_filter.prediction.S_plus~phi-bracket-phi.bracket.M": Prose(
            "Nothing inboard has any mass except other branches and rotors; without these D_s = 0, and the dual gain "
            "divides by zero.", "estimates_difference"),
        "both_filters.combination.alpha_k~bracket-bracket.bracket_2.z": Prose(
            "The base pushes and nothing outboard responds.", "both_filters", UNMOVED),
        "both_filters.combination.alpha_k~bracket-bracket.bracket_2.z_s": Prose(
            "The forces from inboard are forgotten; its inertia still resists.", "both_filters", UNMOVED),
    }
)  # fmt: skip
"""By the line's key and the part's name: the consequence of leaving out a term or a factor."""
LEFT_OUT = ("drop", "omit")

RULES: Mapping[Kind, str] = MappingProxyType(
    {
        "drop": "A part of the {name} is missing; whatever is computed from it is wrong, too.",
        "negate": "A part of the {name} has the wrong sign: where the sum first goes wrong, its error is twice that "
        "without the part.",
        "omit": "The {name} has the wrong size, or refers to another point or axis.",
        "untranspose": "Forces go inward by one matrix and motions outward by its transpose: here one uses the "
        "other's matrix, and the {name} is wrong wherever there is a lever.",
        "multiply": "The line multiplies where it should divide: the {name} has the wrong unit.",
    }
)


def prose_of(each: Break, computed: Quantity) -> Prose:
    """The text about a break of a line that computes a quantity."""
    own = PROSE.get(f"{each.line}~{each.part}")
    if own is not None and each.kind in LEFT_OUT:
        return own
    rule = RULES[each.kind].format(name=computed.mechanics_name)
    return Prose(rule) if own is None else replace(own, expect=rule)
