"""What somebody hands in: arrays by name, each with everything that its name and shape let it be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dynamics.beside.free_rows import FreeRows, ancestors, ways
from dynamics.beside.held import ContactWay, ObjectWay, contact_ways, object_ways
from dynamics.beside.quantities import NAMES, QUANTITIES, WHILE_HELD
from dynamics.beside.read_file import read_arrays
from dynamics.checks import Array, brief, choices, numbers, real_array
from dynamics.errors import StateError
from dynamics.system.state import State
from dynamics.system.system import System

Theirs = Mapping[str, Any] | str | Path | Callable[[Array, Array, Array], Mapping[str, Any]]
MOST_NAMES = 100
OF_JOINTS = ("joint", "gain", "axis")
ALONE = "predicted_force_alone"
"""It is told from z in another form by the innovation alone."""
PACKED = {21: ("rows", "columns")}
BODIES = {
    10: (
        "xx yy zz xy xz yz, m p, m", "m, m p, xx xy yy xz yz zz", "m, m p, xx yy zz xy xz yz",
        "m, m p, xx xy xz yy yz zz",
    ),
    6: ("xx yy zz xy xz yz", "xx xy yy xz yz zz", "xx xy xz yy yz zz"),
}  # fmt: skip


class Candidate(NamedTuple):
    """One thing that an array may be.

    Attributes:
        quantity: which.
        array: a link or joint in each row, in their order; of a mass matrix whatever was given.
        packing: of a symmetric matrix, how its numbers stand; of a mass matrix likewise.
        rows: of a mass matrix or of accelerations, how those of what floats are written; how what is at contacts is, or
            of the object.
    """

    quantity: str
    array: Array
    packing: str = ""
    rows: FreeRows | ContactWay | ObjectWay | None = None


Items = Mapping[str, tuple[Candidate, ...]]
ELSEWHERE: Mapping[str, str] = {
    "efc_force": "MuJoCo's efc_force are numbers along the rows of all its constraints (efc_J), and no forces at "
    "contacts: hand in what mj_contactForce gives as contact_forces, a row of [force; moment] for each contact.",
    "qfrc_constraint": "MuJoCo's qfrc_constraint are torques at the joints by all its constraints, and no forces at "
    "contacts: hand in contact_forces, a row of [force; moment] for each contact.",
}
"""What a library has under a name, and we have nothing beside."""


def handed_in(system: System, state: State, tau: Array, theirs: Theirs) -> Items:
    """Every array with what it may be.

    Raises:
        StateError: for what is no mapping of arrays, a file that cannot be read, a name that nobody uses, a shape that
            the quantity has in no convention, or a number that is not finite.
    """
    if isinstance(theirs, str | Path):
        given: Any = read_arrays(theirs)
    elif callable(theirs):
        given = answered(theirs, (state.q.copy(), state.qd.copy(), tau.copy()), "q, q' and tau")
    else:
        given = theirs
    if not isinstance(given, Mapping) or not given or len(given) > MOST_NAMES:
        raise StateError(f"theirs is {brief(given)}; expected arrays by their names, 1 to {MOST_NAMES}.")
    found = {name: _candidates(system, name, value) for name, value in given.items()}
    if any(each.quantity == "innovation" for several in found.values() for each in several):
        return found
    return {name: tuple(each for each in several if each.quantity != ALONE) or several
            for name, several in found.items()}  # fmt: skip


def has_few_digits(items: Items) -> bool:
    """Whether no number of theirs has more digits than single precision has, or than ten, or nine decimals."""
    given = np.concatenate([several[0].array.ravel() for several in items.values()])
    with np.errstate(over="ignore"):
        single = given.astype(np.float32)
    return any(np.array_equal(given, few) for few in (single, given.round(9), [float(f"{x:.10g}") for x in given]))


def answered(theirs: Callable[..., Any], given: tuple[Any, ...], what: str) -> Any:
    """What a function says of what it is given; its own errors are its own, not that it takes something else.

    Raises:
        StateError: for one that does not take it.
    """
    try:
        return theirs(*given)
    except TypeError as error:
        if error.__traceback__ is not None and error.__traceback__.tb_next is not None:  # within it
            raise
        raise StateError(
            f"theirs is {brief(theirs)}; expected a function of {what}: {brief(str(error))[1:-1]}."
        ) from None


def _candidates(system: System, name: Any, value: Any) -> tuple[Candidate, ...]:
    if isinstance(name, str) and name in ELSEWHERE:
        raise StateError(f"theirs: {ELSEWHERE[name]}")
    if not isinstance(name, str) or name not in NAMES:
        raise StateError(f"theirs: nothing is called {brief(name)}; known are {choices(QUANTITIES)} and their letters.")
    array = real_array(value, "numbers", name)
    array = numbers(array, array.shape, name)
    found: list[Candidate] = []
    for quantity in NAMES[name]:
        found += _of(system, quantity, array)
    if not found:
        wanted = " or ".join(QUANTITIES[quantity].words for quantity in NAMES[name])
        raise StateError(
            f"{name}: shape {array.shape} is no {wanted} of {system.n_links} links and {system.n_joints} joints."
        )
    return tuple(found)


def _of(system: System, quantity: str, array: Array) -> list[Candidate]:
    kind = QUANTITIES[quantity].kind
    if quantity in WHILE_HELD and not system.is_held:
        return []
    if kind in ("contact", "object"):
        return _at_contacts(system, quantity, array)
    if kind == "rates":
        is_one = system.is_floating and array.shape == (system.n_joints + 6 * system.n_bases,)
        return [Candidate(quantity, array, rows=way) for way in ways(system, array.size)] if is_one else []
    if kind == "matrix":
        return [Candidate(quantity, array, *each) for each in _matrix_ways(system, array)]
    count = system.n_joints if kind in OF_JOINTS else system.n_links
    found = []
    for rows in _laid_out(array, count):
        for inner, packing in _rows(kind, rows):
            found.append(Candidate(quantity, inner, packing))
    return found


def _at_contacts(system: System, quantity: str, array: Array) -> list[Candidate]:
    """Of contacts, one after the other, or of the object."""
    count = len(system.contacts)
    if quantity == "object_acceleration":
        return [Candidate(quantity, array.reshape(1, 6), rows=way) for way in object_ways()] if array.size == 6 else []
    if quantity == "contact_force":
        sizes = [size for size in (6, 3) if array.size == size * count]
        return [
            Candidate(quantity, array.reshape(count, size), rows=way)
            for size in sizes
            for way in contact_ways(quantity, size)
        ]
    shapes = {(6 * count, 6 * count): (count, 6, 6 * count), (count, 6, 6): (count, 6, 6)}
    if array.shape not in shapes:
        return []
    rows = array.reshape(shapes[array.shape])
    return [Candidate(quantity, rows, rows=way) for way in contact_ways(quantity, 6)]


def _laid_out(array: Array, count: int) -> list[Array]:
    """With links along the first axis, the world's entry left out, each way that the shape allows."""
    found = []
    for axis in dict.fromkeys((0, array.ndim - 1)) if array.ndim else ():
        moved = np.moveaxis(array, axis, 0)
        if len(moved) == count:
            found.append(moved)
        elif len(moved) == count + 1:
            found += [moved[1:], moved[:-1]]
    return found


def _rows(kind: str, rows: Array) -> list[tuple[Array, str]]:
    shape, count = rows.shape[1:], len(rows)
    size = int(np.prod(shape))
    if kind == "joint":
        return [(rows.reshape(count), "")] if size == 1 else []
    if kind == "pose":
        return [(rows, "")] if shape == (4, 4) else []
    if kind in ("motion", "force", "gain", "axis"):
        return [(rows.reshape(count, 6), "")] if size == 6 and max(shape) == 6 else []
    if size == 36:
        return [(rows.reshape(count, 6, 6), "")]
    if len(shape) != 1:
        return []
    packings = PACKED.get(size, ()) + (BODIES.get(size, ()) if kind == "body" else ())
    return [(rows, packing) for packing in packings]


def _matrix_ways(system: System, array: Array) -> list[tuple[str, FreeRows | None]]:
    """How the numbers of a mass matrix may stand, of joints alone, of what floats as well, of the object as well."""
    n = system.n_joints
    free = n + 6 * system.n_bases
    found: list[tuple[str, FreeRows | None]] = []
    for count in dict.fromkeys((free, free + 6 * (system.task_object is not None))):
        rows: list[FreeRows | None] = list(ways(system, count)) or [None]
        found += product(_matrix_packings(system, array, count), rows)
    return found


def _matrix_packings(system: System, array: Array, count: int) -> tuple[str, ...]:
    if array.shape == (count, count):
        return "", "upper", "lower"
    if array.ndim != 1:
        return ()
    everything = list(range(count))
    moving = sum(len(each) for each in ancestors(system, everything))
    rows = ("upper rows", "lower rows") if array.size == count * (count + 1) // 2 else ()
    return rows + (("ancestors", "ancestors inward") if array.size == moving else ())


def full_matrix(candidate: Candidate, places: Sequence[int], system: System) -> Array:
    """A mass matrix with all its numbers, in our order; ``places`` are our rows for each of theirs."""
    n, array = len(places), candidate.array
    theirs = np.zeros((n, n))
    match candidate.packing:
        case "":
            theirs = array
        case "upper" | "lower":
            half = np.triu(array) if candidate.packing == "upper" else np.tril(array)
            theirs = half + half.T - np.diag(np.diag(half))
        case "upper rows" | "lower rows":
            corner = np.triu_indices(n) if candidate.packing == "upper rows" else np.tril_indices(n)
            theirs[corner] = theirs.T[corner] = array
        case _:
            at = 0
            for j, way in enumerate(ancestors(system, places)):
                for i in way if candidate.packing == "ancestors" else way[::-1]:
                    theirs[i, j] = theirs[j, i] = array[at]
                    at += 1
    ours = np.zeros((n, n))
    ours[np.ix_(places, places)] = theirs
    return ours
