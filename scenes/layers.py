"""What a scene can show beside the machines: one entry per quantity, with its owning stage and how it is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import dynamics as dyn

Block = Literal["translational", "rotational"]
Group = Literal["ellipsoids", "arrows", "contacts", "flight", "marks"]
SMOOTHERS = ("smoother_final", "smoother", "dual_filter")


@dataclass(frozen=True)
class Layer:
    """One quantity of every link, contact or body, shown and hidden as a whole.

    Attributes:
        name: unique; a registry name where the registry has one.
        group: how it is drawn.
        form: the shape that distinguishes it from its neighbors without color.
        symbol: as plain text.
        quantity: registry name of the array; empty for what no stage holds.
        stages: the stages that may own the array; the first is shown first.
        part: the half of the six-vector that a link's arrow shows.
        units: units of its scale for the translational and the rotational block; empty for a mark.
        names: what the estimator and the mechanic call it, if the registry has no entry.
        hue: the palette's name for its color, where that is not its quantity's.
    """

    name: str
    group: Group
    form: str
    symbol: str
    quantity: str = ""
    stages: tuple[str, ...] = ()
    part: Literal["linear", "angular"] = "linear"
    units: tuple[str, str] = ("", "")
    names: tuple[str, str] = ("", "")
    hue: str = ""

    @property
    def color(self) -> str:
        """The palette's name for its color."""
        return self.hue or self.quantity or self.name

    def unit(self, block: Block) -> str:
        """Unit of its scale; empty for a mark, which has no scale."""
        return self.units[block == "rotational"]


START = "start"
"""The layer that shows a base's own bodies, see-through, where the motion began."""
MASS = ("√kg", "√kg m")
MOBILITY = ("/√kg", "/(√kg m)")


ELLIPSOIDS = (
    Layer("articulated_inertia", "ellipsoids", "ball", "P(k)", "articulated_inertia", ("filter",), units=MASS),
    Layer(
        "articulated_inertia_updated", "ellipsoids", "rings", "P⁺(k)", "articulated_inertia_updated", ("filter",),
        units=MASS,
    ),
    Layer(
        "spatial_inertia", "ellipsoids", "facets", "M(k)", "", ("filter",), units=MASS,
        names=("process noise covariance", "inertia of link k alone"),
    ),
    Layer(
        "dual_articulated_inertia", "ellipsoids", "belt", "S(k)", "dual_articulated_inertia", ("dual_filter",),
        units=MASS,
    ),
    Layer(
        "operational_space_inertia", "ellipsoids", "parallels", "P(k)+S(k)", "operational_space_inertia",
        ("dual_filter", "smoother"), units=MASS,
        names=("covariance of the two estimates' difference", "operational-space inertia of link k"),
    ),
    Layer(
        "costate_covariance", "ellipsoids", "meridians", "Λ(k)", "costate_covariance", ("smoother",), units=MOBILITY
    ),
    Layer(
        "smoothed_force_covariance", "ellipsoids", "edges", "P−PΛP(k)", "", ("smoother",), units=MASS,
        names=("smoothed state covariance", "inertia that no torque reveals, R87 (65)"),
    ),
    Layer(
        "contact_influence_sweep", "ellipsoids", "spiral", "ψΩ⁻¹ψ′(k)", "", ("contact",), units=MASS,
        names=("covariance of the contact forces, carried inward", "R88's S(k): inertia Ω⁻¹ that the contacts feel"),
    ),
)  # fmt: skip

ARROWS = (
    Layer("predicted_force", "arrows", "arrow", "z(k)", "predicted_force", ("filter",), units=("N", "N")),
    Layer("predicted_moment", "arrows", "double", "z(k)", "predicted_force", ("filter",), "angular", ("N m", "N m")),
    Layer("force", "arrows", "arrow", "x(k)", "force", SMOOTHERS, units=("N", "N")),
    Layer("moment", "arrows", "double", "x(k)", "force", SMOOTHERS, "angular", ("N m", "N m")),
    Layer("acceleration", "arrows", "arrow", "α(k)", "acceleration", SMOOTHERS, units=("m/s²", "m/s²")),
    Layer(
        "angular_acceleration", "arrows", "coiled", "α(k)", "acceleration", SMOOTHERS, "angular", ("rad/s²", "rad/s²"),
        hue="angular_acceleration",
    ),
    Layer(
        "acceleration_inboard", "arrows", "dashed", "α⁺(k)", "acceleration_inboard", SMOOTHERS[:2],
        units=("m/s²", "m/s²"),
    ),
    Layer(
        "angular_acceleration_inboard", "arrows", "broken", "α⁺(k)", "acceleration_inboard", SMOOTHERS[:2], "angular",
        ("rad/s²", "rad/s²"), hue="angular_acceleration",
    ),
    Layer(
        "velocity", "arrows", "arrow", "V(k)", units=("m/s", "m/s"),
        names=("known input", "velocity of link k"),
    ),
    Layer(
        "angular_velocity", "arrows", "double", "V(k)", part="angular", units=("rad/s", "rad/s"),
        names=("known input", "angular velocity of link k"),
    ),
)  # fmt: skip

CONTACTS = (
    Layer("contact_force", "contacts", "arrow", "x(0)", "contact_force", ("contact",), units=("N", "N")),
    Layer(
        "predicted_contact_force", "contacts", "dashed", "x_FREE", "predicted_contact_force", ("contact",),
        units=("N", "N"),
    ),
    Layer(
        "corrected_contact_force", "contacts", "beaded", "𝒢[b−A x_FREE]", "", ("contact",), units=("N", "N"),
        names=("correction by the gain", "applied less predicted contact force"),
    ),
)  # fmt: skip

WAYS = (
    Layer(
        "transmitted_directions", "contacts", "plates", "C", hue="contact_force",
        names=("measured directions", "what a contact transmits: plates, forces; wheels, moments"),
    ),
    Layer(
        "free_directions", "contacts", "loose", "C⊥", hue="acceleration",
        names=("unmeasured directions", "what a contact leaves free: two heads, it slides; a bent arrow, it turns"),
    ),
    Layer(
        "hidden_forces", "contacts", "stacked", "N", hue="innovation",
        names=("unobservable directions", "arm against arm: forces that no motion reveals; two heads, moments"),
    ),
)  # fmt: skip

FLIGHT = (
    Layer(
        "momentum", "flight", "arrow", "p", units=("N s", "N s"),
        names=("what is conserved", "momentum of all bodies"),
    ),
    Layer(
        "angular_momentum", "flight", "ringed", "h", units=("N m s", "N m s"),
        names=("what is conserved", "angular momentum of all bodies, about their mass centre"),
    ),
    Layer("mass_center", "flight", "target", "C", names=("mean of the masses", "mass centre of all bodies")),
    Layer(
        "mass_center_path", "flight", "course", "C(t)",
        names=("past and prediction", "path of the mass centre, to come: dashed, if nothing pushes"),
    ),
    Layer("inertial_axes", "flight", "triad", "XYZ", names=("coordinates", "inertial axes: cone X, cube Y, ball Z")),
    Layer(
        START, "flight", "shade", "t = 0", names=("known start", "the base as it stood at the start"),
        hue="inertial_axes",
    ),
)  # fmt: skip

MARKS = (
    Layer(
        "freed", "marks", "turn", "P→P⁺", "", ("filter",),
        names=("the update where the cursor stands", "what the joint sets free, while the motion stands still"),
    ),
    Layer("push", "marks", "arrow", "F", units=("N", "N"), names=("known input", "external force, a push")),
    Layer(
        "influence", "marks", "beaded", "δα(k)", units=("m/s² per N m", "m/s² per N m"), hue="torque",
        names=("answer to one input alone", "acceleration of a mass centre by 1 N m, or 1 N, at one joint"),
    ),
    Layer("axes", "marks", "rod", "H(k)", names=("measured direction", "joint axis")),
    Layer("frames", "marks", "triad", "xyz", names=("coordinates", "link frame: cone x, cube y, ball z")),
    Layer("mass_centres", "marks", "target", "p(k)", names=("where the noise enters", "mass centre of link k")),
    Layer("trails", "marks", "trail", "O₀(t)", names=("past output", "path of tips and object")),
)  # fmt: skip

CHOICES: Mapping[str, Layer] = MappingProxyType(
    {layer.name: layer for layer in (*CONTACTS, *WAYS, *FLIGHT, *ELLIPSOIDS, *ARROWS, *MARKS)}
)
"""Every layer that can be shown and hidden, by name."""

AUTOMATIC = ("ground", "links", "object", "ghost")
"""Layers without a switch: the machines, and the bodies of other runs."""

LAYERS = (*AUTOMATIC, *CHOICES)


def layers_of(system: dyn.System) -> tuple[Layer, ...]:
    """The layers in which a system has something to show."""
    absent = set() if system.kind == "free_flyer" else {"dual_articulated_inertia"}
    if system.task_object is None:
        absent |= {layer.name for layer in (*CONTACTS, *WAYS)}
    if not system.is_floating:
        absent |= {layer.name for layer in FLIGHT}
    if system.is_floating:
        absent |= {"influence"}
    if system.is_floating or system.task_object is None:
        absent |= {"contact_influence_sweep"}
    return tuple(layer for layer in CHOICES.values() if layer.name not in absent)


def symbol(layer: Layer, system: dyn.System) -> str:
    """Its symbol in that system: arms that are bolted down have no S(k), but they do have the inverse of Λ(k)."""
    if layer.name == "operational_space_inertia" and system.kind != "free_flyer":
        return "Λ⁻¹(k)"
    return layer.symbol


def owner(layer: Layer, solution: dyn.Solution, stage: str = "") -> str | None:
    """The stage whose array is drawn: the cursor's if it has one, else the last stage of the method."""
    order = (stage, *layer.stages) if stage in layer.stages else layer.stages
    name = layer.quantity
    found = next((s for s in order if name in solution.stages.get(s, {})), None)
    if found is None:  # inertia of a link alone, a correction, or an inverse: not an array of a stage
        found = next((s for s in layer.stages if s in solution.stages), None)
    return found
