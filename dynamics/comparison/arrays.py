"""Arrays of another program: the quantities they may be, their names and shapes, and the files that hold them.

No code in a file is run, and its size is checked before it is unpacked.
"""

from __future__ import annotations

import csv
import io
import math
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from itertools import product, zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import numpy as np

from dynamics.checks import Array, brief, choices, numbers, real_array
from dynamics.errors import StateError
from dynamics.public import public
from dynamics.system.system import System

Theirs = Mapping[str, Any] | str | Path
MOST_BYTES = 20_000_000  # limit for a file, packed and unpacked
MOST_NUMBERS, MOST_ARRAYS = 250_000, 100  # per file; more cannot belong to one moment, and would take seconds to read
Kind = Literal[
    "pose", "motion", "force", "inertia", "mobility", "tips", "gain", "axis", "joint", "matrix", "rates", "torque",
    "jacobian",
]  # fmt: skip
# Kinds that depend on the frame of spatial vectors; kinds with one entry per joint; kinds with a column per velocity.
FRAMED = ("motion", "force", "inertia", "mobility", "tips", "gain", "axis", "jacobian")
PER_JOINT = ("joint", "gain", "axis")
HALVES = {"angular_jacobian": slice(3), "linear_jacobian": slice(3, 6)}  # rows of six, angular first; others have all
JOINT_SPACE = ("matrix", "rates", "torque", "jacobian")
SHAPES = {"joint": (), "pose": (4, 4), "motion": (6,), "force": (6,), "gain": (6,), "axis": (6,)}  # others: (6, 6)
OUTWARD = ("kinematics", "smoother", "costate covariance", "smoother_final")  # stages that go from the base to the tips
ACCELERATION = "qdd θ̈ theta_dd ddq qacc QDDot vdot q_dd"
LINK_ACCELERATION = "alpha α a A a_gf oa_gf oa cacc A_WB"


class Quantity(NamedTuple):
    """A quantity that can be compared."""

    letter: str  # its letter in a run of the text; with ``_held``, under the contact forces
    stage: str  # which sweep computes it
    kind: Kind  # how it changes with the convention
    words: str  # what it is
    symbol: str  # its letter in plain text
    names: str  # what libraries and papers call it
    has_forms: bool = False  # whether it depends on how accelerations and forces are written (``Form``)


QUANTITIES: Mapping[str, Quantity] = MappingProxyType({
    "link_pose": Quantity("pose", "kinematics", "pose", "pose of the link", "pose", "T oMi X_WB"),
    "joint_axis": Quantity("H", "kinematics", "axis", "joint axis", "H", "H S cdof"),
    "link_velocity": Quantity("V", "kinematics", "motion", "velocity of the link", "V", "V v ov cvel velocity"),
    "link_inertia": Quantity("M", "kinematics", "inertia", "inertia of the link", "M",
                             "M M_k I inertia oinertias M_B"),
    "jacobian": Quantity("J", "kinematics", "jacobian", "Jacobian", "J", "J jac Jac J_tip"),
    "linear_jacobian": Quantity("J", "kinematics", "jacobian", "linear half of the Jacobian", "J_v",
                                "jacp Jp J_p Jv J_v"),
    "angular_jacobian": Quantity("J", "kinematics", "jacobian", "angular half of the Jacobian", "J_ω",
                                 "jacr Jr J_r Jw J_w"),
    "bias_acceleration": Quantity("a", "kinematics", "motion", "bias acceleration", "a", "a c bias a_bias", True),
    "bias_force": Quantity("b", "kinematics", "force", "bias force", "b", "b", True),
    "articulated_inertia": Quantity("P", "filter", "inertia", "articulated inertia", "P", "P IA I_A Yaba oYaba P_B"),
    "predicted_force": Quantity("z", "filter", "force", "predicted force", "z", "z pA p_A", True),
    "predicted_force_alone": Quantity("z_alone", "filter", "force", "predicted force", "z", "z pA p_A", True),
    "joint_inertia": Quantity("D", "filter", "joint", "joint inertia", "D", "D d"),
    "joint_inertia_inverse": Quantity("D_inverse", "filter", "joint", "inverse of the joint inertia", "1/D",
                                      "Dinv D_inv"),
    "unscaled_gain": Quantity("U", "filter", "gain", "gain times D", "U = P Hᵀ", "U"),
    "kalman_gain": Quantity("G", "filter", "gain", "Kalman gain", "G", "G K UDinv g_PB"),
    "innovation": Quantity("eps", "filter", "joint", "innovation", "ε", "eps ε epsilon u e", True),
    "residual": Quantity("nu", "filter", "joint", "residual", "ν", "nu ν", True),
    "corrected_force": Quantity("z_plus", "filter", "force", "corrected force", "z⁺", "z_plus z⁺ z+ pa p_a", True),
    "articulated_inertia_updated": Quantity("P_plus", "filter", "inertia", "updated articulated inertia", "P⁺",
                                            "P_plus P⁺ P+ Ia I_a Yaba oYaba Pplus_PB"),
    "articulated_inertia_in_place": Quantity("P_kept", "filter", "inertia", "articulated inertia, updated in place",
                                             "P or P⁺", "Yaba oYaba IA"),
    "joint_acceleration": Quantity("theta_dd", "smoother", "joint", "joint acceleration", "θ̈", ACCELERATION),
    "acceleration": Quantity("alpha", "smoother", "motion", "acceleration of the link", "α", LINK_ACCELERATION, True),
    "joint_and_base_acceleration": Quantity("alpha", "smoother", "rates", "acceleration of the joints and of the base",
                                            "θ̈ and α", ACCELERATION),
    "costate_covariance": Quantity("Lam", "costate covariance", "mobility", "mobility of the link", "Λ",
                                   "Lam Lambda Λ"),
    "tip_costate_covariance": Quantity("Lam_0", "contact", "tips", "mobility of the tips", "Λ(0)",
                                       "Lam_0 Lambda_0 Λ0 Λ(0)"),
    "contact_force": Quantity("x_0", "contact", "force", "contact force", "x(0)",
                              "x_0 x(0) x0 f lambda_c contact_forces"),
    "object_acceleration": Quantity("alpha_C", "contact", "motion", "acceleration of the object", "α(C)",
                                    "alpha_C α(C) a_C", True),
    "predicted_force_with_contact": Quantity("z_held", "filter_correction", "force",
                                             "predicted force under the contact forces", "z′", "z pA p_A", True),
    "modified_innovation": Quantity("eps_held", "filter_correction", "joint", "innovation under the contact forces",
                                    "ε′", "eps ε epsilon u e", True),
    "modified_residual": Quantity("nu_held", "filter_correction", "joint", "residual under the contact forces", "ν′",
                                  "nu ν", True),
    "corrected_force_with_contact": Quantity("z_plus_held", "filter_correction", "force",
                                             "corrected force under the contact forces", "z⁺′",
                                             "z_plus z⁺ z+ pa p_a", True),
    "final_joint_acceleration": Quantity("theta_dd_held", "smoother_final", "joint",
                                         "joint acceleration under the contact forces", "θ̈",
                                         f"{ACCELERATION} joint_acceleration"),
    "final_acceleration": Quantity("alpha_held", "smoother_final", "motion",
                                   "acceleration of the link under the contact forces", "α",
                                   f"{LINK_ACCELERATION} acceleration", True),
    "mass_matrix": Quantity("M_q", "mass matrix", "matrix", "mass matrix", "M", "M H qM mass B"),
    "mass_matrix_inverse": Quantity("M_q_inverse", "mass matrix", "matrix", "inverse of the mass matrix", "M⁻¹",
                                    "Minv M_inv M⁻¹"),
    "gravity_torque": Quantity("g_q", "bias torque", "torque", "torque against gravity", "g", "g gravity"),
    "gravity_force": Quantity("g_down", "bias torque", "torque", "torque of gravity itself", "-g", "tau_g"),
    "coriolis_matrix": Quantity("C_q", "bias torque", "matrix", "Coriolis matrix", "C", "C"),
    "coriolis_product": Quantity("C_q", "bias torque", "matrix", "Coriolis matrix of another choice, whose C q̇, and so "
                                 "the motion, is the same; with ours Ṁ − 2C is skew", "C", ""),
    "coriolis_torque": Quantity("Cv", "bias torque", "torque", "Coriolis torque", "C q̇", "Cv coriolis"),
    "bias_torque": Quantity("nle", "bias torque", "torque", "bias torque", "C q̇ + g", "nle qfrc_bias"),
})  # fmt: skip
"""All quantities in the order in which the algorithm computes them, also at one link.

``predicted_force_alone`` is z - P a; then P a is in the innovation, as in KDL and Bullet.
"""
ALONE, PRODUCT = "predicted_force_alone", "coriolis_product"
SHORT = ("M", "C", "g", "nle", "J", "qdd", "IA", "G", "D")
ORDER: Mapping[str, int] = MappingProxyType({name: at for at, name in enumerate(QUANTITIES)})
STAGES = tuple(dict.fromkeys(each.stage for each in QUANTITIES.values()))
HOLDING = ("contact", "filter_correction", "smoother_final")  # stages of arms that hold an object
NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType({
    name: tuple(quantity for quantity, each in QUANTITIES.items() if name in (quantity, *each.names.split()))
    for name in dict.fromkeys([*QUANTITIES, *(name for each in QUANTITIES.values() for name in each.names.split())])
})  # fmt: skip
"""The quantities that each name may mean; several if libraries differ, or overwrite one quantity with another."""


class Rows(NamedTuple):
    """How the six rows of a floating body are written in joint space."""

    order: str  # which half comes first
    axes: str  # axes of the angular half
    linear_axes: str  # axes of the linear half; Pinocchio has both in body axes, MuJoCo this half in inertial axes
    payload: str  # where the object's rows are; empty if it has none

    @property
    def words(self) -> str:
        """The convention as a phrase."""
        axes = f"in {self.axes}"
        if self.linear_axes != self.axes:
            axes = f"the linear half in {self.linear_axes}, the angular one in {self.axes}"
        return f"rows of floating bodies {self.order}, {axes}{self.payload and f', the object {self.payload}'}"


ORDERS = ("angular first", "linear first")
INERTIAL, BODY = "inertial axes", "body axes"


def rows_of_bodies(things: tuple[str, ...]) -> Iterator[Rows]:
    """Every way of writing the rows that is tried."""
    for payload, order, axes, linear_axes in product(things, ORDERS[::-1], (BODY, INERTIAL), (BODY, INERTIAL)):
        yield Rows(order, axes, linear_axes, payload)


class Candidate(NamedTuple):
    """One quantity that an array may be."""

    quantity: str
    array: Array  # one row per link, joint or contact, in the other program's order; in joint space as it was given
    rows: Rows | None = None  # how the rows of floating bodies are written
    of: str | int | None = None  # a Jacobian's tip or link

    @property
    def words(self) -> list[str]:
        """The details that the common convention does not cover."""
        of = f"of tip {self.of + 1}" if isinstance(self.of, int) else f"of link {self.of}" if self.of else ""
        return [words for words in (of, self.rows.words if self.rows else "") if words]


Items = Mapping[str, tuple[Candidate, ...]]


def arrays_of(theirs: Theirs) -> dict[str, Array]:
    """The given arrays, or those in the file, as arrays of finite numbers."""
    given: Any = read_arrays(theirs) if isinstance(theirs, str | Path) else theirs
    if not isinstance(given, Mapping) or not given or len(given) > MOST_ARRAYS:
        raise StateError(f"theirs is {brief(given)}; expected arrays by their names, 1 to {MOST_ARRAYS}.")
    found = {}
    for name, value in given.items():
        if not isinstance(name, str) or name not in NAMES:
            torque = "; torques at zero acceleration are called nle" if name in ("tau", "rnea", "id") else ""
            raise StateError(
                f"theirs: nothing is called {brief(name)}{torque}; known are {choices([*SHORT, *QUANTITIES])}."
            )
        array = real_array(value, "numbers", name)
        found[name] = numbers(array, array.shape, name)
    return found


def candidates(system: System, arrays: Mapping[str, Array]) -> Items:
    """The candidates of each array by name and shape; ``StateError`` for a shape that no convention has."""
    found = {name: of_quantities(system, NAMES[name], array) for name, array in arrays.items()}
    for name in found:
        if not found[name]:
            wanted = " or ".join(QUANTITIES[quantity].words for quantity in NAMES[name])
            raise StateError(
                f"{name}: shape {arrays[name].shape} fits no {wanted} of {system.n_links} links and "
                f"{system.n_joints} joints."
            )
    if not any(each.quantity == "innovation" for several in found.values() for each in several):
        # without an innovation, z - P a cannot be distinguished from z in another form
        found = {
            name: tuple(each for each in several if each.quantity != ALONE) or several
            for name, several in found.items()
        }
    return found


def of_quantities(system: System, quantities: Iterable[str], array: Array) -> tuple[Candidate, ...]:
    """The candidates of an array among some quantities, by its shape."""
    return tuple(each for quantity in quantities for each in _of_quantity(system, quantity, array))


def _of_quantity(system: System, quantity: str, array: Array) -> Iterator[Candidate]:
    kind, n, contacts = QUANTITIES[quantity].kind, system.n_joints, len(system.contacts)
    if QUANTITIES[quantity].stage in HOLDING and not system.is_held:
        return
    if kind in JOINT_SPACE:
        yield from _in_joint_space(system, quantity, array)
    elif quantity == "object_acceleration":
        if array.size == 6:
            yield Candidate(quantity, array.reshape(1, 6))
    elif quantity == "contact_force":
        if array.size in (6 * contacts, 3 * contacts):
            yield Candidate(quantity, array.reshape(contacts, -1))
    elif kind == "tips":
        if array.shape in ((6 * contacts, 6 * contacts), (contacts, 6, 6)):
            yield Candidate(quantity, array.reshape(contacts, 6, -1))
    else:
        count, shape = n if kind in PER_JOINT else system.n_links, SHAPES.get(kind, (6, 6))
        for by_link in _by_link(array, count):
            if by_link.size == count * math.prod(shape):
                yield Candidate(quantity, by_link.reshape(count, *shape))


def _in_joint_space(system: System, quantity: str, array: Array) -> Iterator[Candidate]:
    """With columns for joints only, for floating bases too, or for the object too; a triangle is made symmetric."""
    kind, n, count = QUANTITIES[quantity].kind, system.n_joints, array.shape[-1] if array.ndim else 0
    own, has_object = n + 6 * system.n_bases, system.task_object is not None and kind != "rates"
    sizes: dict[int, tuple[str, ...]] = {own: ("",)} | ({own + 6: ("last", "first")} if has_object else {})
    shape = {"matrix": (count, count), "jacobian": (3 if quantity in HALVES else 6, count)}.get(kind, (count,))
    if count not in sizes or array.shape != shape or (kind == "rates" and count == n):
        return
    if quantity.startswith("mass_matrix") and not (np.tril(array, -1).any() and np.triu(array, 1).any()):
        array = array + array.T - np.diag(np.diag(array))
    several = rows_of_bodies(sizes[count]) if count > n else [None]
    places = [*range(system.n_tips), *system.link_names] if kind == "jacobian" else [None]
    yield from (Candidate(quantity, array, rows, of) for of, rows in product(places, several))


def _by_link(array: Array, count: int) -> Iterator[Array]:
    """The array with links along the first axis and without the world's entry, in every way that its shape allows."""
    for axis in dict.fromkeys((0, array.ndim - 1)) if array.ndim else ():
        moved = np.moveaxis(array, axis, 0)
        if len(moved) == count:
            yield moved
        elif len(moved) == count + 1:
            yield moved[1:]
            yield moved[:-1]


@public
def read_arrays(path: str | Path, data: bytes | None = None) -> dict[str, Any]:
    """Arrays by name from a file, for ``compare``; no code in it is run.

    Args:
        path: of an NPZ or CSV file, distinguished by extension. A CSV file has a line for each link or row, the name
            followed by the numbers; or columns with names in the first line, several columns under one name.
        data: the file's contents, if already loaded; then nothing is read, and the path is only its name.

    Returns:
        The arrays by their names in the file.

    Raises:
        StateError: for a file that cannot be read, is too large, holds objects, or has another extension.

    Cost: reads the file, at most 20 MB.
    """
    if not isinstance(path, str | Path):
        raise StateError(f"path is {brief(path)}; expected that of a file.")
    if data is not None and not isinstance(data, bytes):
        raise StateError(f"data is {brief(data)}; expected bytes.")
    where, readers = brief(str(path)), {".npz": _npz, ".csv": _csv}
    reader = readers.get(Path(path).suffix.lower())
    if reader is None:
        raise StateError(f"{where}: expected a file that ends in {', '.join(readers)}.")
    try:
        if data is None:
            with Path(path).open("rb") as file:
                data = file.read(MOST_BYTES + 1)
        _must_be_few(where, size=len(data))
        found = reader(data, where)
        sizes = [8 * value.size for value in found.values() if isinstance(value, np.ndarray)]
        _must_be_few(where, size=sum(sizes), arrays=len(found))
        return found
    except StateError:
        raise
    except Exception as error:  # any error while parsing untrusted bytes is the file's fault
        raise StateError(f"{where} cannot be read: {type(error).__name__}, {brief(str(error))[1:-1]}.") from None


def _must_be_few(where: str, size: int = 0, numbers: int = 0, arrays: int = 0) -> None:
    if size > MOST_BYTES or numbers > MOST_NUMBERS or arrays > MOST_ARRAYS:
        raise StateError(
            f"{where} has, or unpacks to, more than {MOST_BYTES} bytes, {MOST_NUMBERS} numbers or {MOST_ARRAYS} "
            "arrays; leave only those of one moment."
        )


def _npz(data: bytes, where: str) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        sizes = [entry.file_size for entry in packed.infolist()]
    _must_be_few(where, size=sum(sizes), arrays=len(sizes))  # no more than the directory declares is ever unpacked
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


def _csv(data: bytes, where: str) -> dict[str, Any]:
    delimiter = ";" if b";" in data and b"," not in data else ","
    _must_be_few(where, numbers=data.count(delimiter.encode()) + data.count(b"\n"))
    lines = csv.reader(io.StringIO(data.decode("utf-8-sig")), delimiter=delimiter)
    rows = [[cell.strip() for cell in line] for line in lines if any(cell.strip() for cell in line)]
    if len(rows) > 1 and all(_is_number(row[0]) for row in rows[1:]):  # names above columns
        _must_be_few(where, numbers=len(rows) * max(map(len, rows)))  # including padding of short columns
        columns = _by_name([list(column) for column in zip_longest(*rows, fillvalue="")], where)
        return {name: np.array(each[0] if len(each) == 1 else each).T for name, each in columns.items()}
    named = _by_name(rows, where)
    return {name: np.squeeze(np.array(each)) if len(each[0]) == 1 else np.array(each) for name, each in named.items()}


def _by_name(rows: list[list[str]], where: str) -> dict[str, list[list[float]]]:
    """Rows that begin with a name, grouped by name."""
    found: dict[str, list[list[float]]] = {}
    for name, *cells in rows:
        found.setdefault(name, []).append([float(cell) for cell in cells if cell])
    for name, each in found.items():
        if len({len(numbers) for numbers in each}) > 1:
            raise StateError(
                f"{where}: rows of {brief(name)} have {len(each[0])} numbers and others; expected equally many."
            )
    return found


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
