"""A convention in words, and who is known to write so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dynamics.beside.held import SUFFIX
from dynamics.beside.matching import Convention
from dynamics.beside.quantities import QUANTITIES
from dynamics.beside.views import OURS, Frame
from dynamics.faults.alteration import Form

SPATIAL = Form(spatial=True, lifted=True, printed=True)
LIBRARIES: Mapping[str, tuple[Frame, Form]] = {
    "Featherstone's book, spatial_v2 and RBDL": (Frame("angular first", "link axes", "joint"), SPATIAL),
    "Pinocchio (local)": (Frame("linear first", "link axes", "joint"), SPATIAL),
    "Pinocchio (world)": (Frame("linear first", "inertial axes", "world origin"), SPATIAL),
    "MuJoCo": (Frame("angular first", "inertial axes", "mass centre of the tree"), SPATIAL),
    "Drake": (OURS, Form(printed=True)),
    "Rodriguez, Jain and Kreutz, as Armsweep does": (OURS, Form()),
    "Rodriguez, Jain and Kreutz in link axes": (Frame("angular first", "link axes", "joint"), Form()),
}
FRAMED = ("motion", "force", "inertia", "body", "mobility", "gain", "axis")
ACCELERATED = ("a", "b", "z", "z_alone", "z_plus", "eps", "nu", "alpha")
WITH_P_A = ("z", "z_alone", "eps", "nu")
PLACES = {
    "joint": "at the joint",
    "mass centre": "at the link's mass centre",
    "world origin": "at the world's origin",
    "mass centre of the tree": "at the mass centre of the whole tree",
}


def in_words(convention: Convention, quantities: Iterable[str]) -> str:
    """What of a convention shows in some quantities."""
    kept = [QUANTITIES[quantity] for quantity in quantities]
    letters, kinds = {each.letter.removesuffix(SUFFIX) for each in kept}, {each.kind for each in kept}
    said = []
    if kinds & set(FRAMED):
        frame = convention.frame
        said.append(f"{frame.order}, in {frame.axes}, {PLACES[frame.point]}")
    if letters & set(ACCELERATED):
        spatial, lifted, _ = convention.form
        said.append("accelerations of spatial vectors" if spatial else "accelerations of the point itself")
        said.append("gravity as an acceleration of the base" if lifted else "gravity as a weight on each link")
    if letters & set(WITH_P_A):
        alone = "z without P a, ε with it" if "z_alone" in letters else "z with P a in it"
        said.append("z without P a" if convention.form.printed else alone)
    if "force" in kinds and convention.sign < 0:
        said.append("forces with the other sign")
    said.append(f"links {convention.numbering.words}")
    return "; ".join(said)


def known(convention: Convention, quantities: Iterable[str]) -> tuple[str, ...]:
    """The libraries that write these quantities so."""
    quantities = tuple(quantities)
    if not {QUANTITIES[quantity].kind for quantity in quantities} & set(FRAMED):
        return ()
    own = in_words(convention, quantities)
    return tuple(
        name
        for name, (frame, form) in LIBRARIES.items()
        if in_words(convention._replace(frame=frame, form=form, sign=1), quantities) == own
    )
