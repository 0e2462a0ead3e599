"""Another formulation at one moment: its half-steps in the order of their calls, their lines, and its result."""

from __future__ import annotations

import copyreg
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import Array, brief, choices, is_index, numbers
from dynamics.checks import names as each_of
from dynamics.errors import ModelError, StateError
from dynamics.public import public, public_as_computed
from dynamics.reading.breaks import keys_in
from dynamics.reading.evaluation import Evaluation, Visit, evaluate
from dynamics.reading.lines import Line, lines_of
from dynamics.reading.reading import LineReading, read_line
from dynamics.reading.typeset import IndexNames, for_formulation
from dynamics.record import Record
from dynamics.system.joint_vectors import JointValues, joint_vector
from dynamics.system.plain_kinematics import Forces, external_wrench, plain_kinematics
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.textbook.contents import Arrival, formulation_for, formulations_of, given_to
from dynamics.textbook.letters import quantity_in, symbols_of


@dataclass(frozen=True)
class FormulationStep(Record):
    """One half-step, as it was called.

    Attributes:
        text: its module, which is the formulation, or one that several share.
        sweep: its function in that text.
        block: the half-step within it; empty if the sweep is a single step.
        link: its link; -1 for none.
        joint: the joint whose column or derivative it computes; -1 if that is the link's own or there is none.
        contact: its contact; -1 for none.
    """

    text: str
    sweep: str
    block: str
    link: int
    joint: int
    contact: int


@dataclass(frozen=True, eq=False)
class FormulationReading(Record):
    """A formulation, evaluated for one state.

    Attributes:
        name: of the formulation.
        system: the evaluated system.
        state: its state.
        steps: in the order in which they ran.
        arrives: ``torque`` or ``joint_acceleration``.
        answer: (joints,), its result: N m or N, or rad/s^2 or m/s^2, tip to base, arm after arm.
        given: the torques, accelerations and external forces passed to it, and the object's acceleration.
        trace: every letter of every sweep.
        breaks: the keys of what is broken in it.
    """

    name: str
    system: System
    state: State
    steps: tuple[FormulationStep, ...]
    arrives: Arrival
    answer: Array
    given: tuple[Array, Array, Array, Array]
    trace: Evaluation
    breaks: frozenset[str] = frozenset()

    def letter(self, name: str) -> Any:
        """A given of the text, or its last computed value, by letter.

        Args:
            name: the letter as the text writes it, e.g. ``theta_dd``.

        Returns:
            for all links (links, rows, columns), or one matrix; in the unit of its quantity.

        Raises:
            ModelError: for a letter that the formulation does not have.

        Cost: none.
        """
        if not isinstance(name, str) or name not in self.trace.letters:
            raise ModelError(f"{self.name} has no letter {brief(name)}; it has {choices(sorted(self.trace.letters))}.")
        return self.trace.letters[name]

    def lines(self, at: int) -> tuple[LineReading, ...]:
        """The lines that a step has computed, in the order of the text.

        Args:
            at: the step's number in ``steps``, from 0.

        Returns:
            one entry per line, with its numbers.

        Raises:
            StateError: for a step that does not exist.
            ModelError: for a line in which two breaks contradict each other; ``read_formulation`` refuses them before.

        Cost: some 0.2 ms a line.
        """
        if not is_index(at, len(self.steps)):
            raise StateError(f"there is no step {brief(at)}; this formulation has steps 0 to {len(self.steps) - 1}.")
        visit = self.trace.visits[at]
        return tuple(
            self._line(visit, line)
            for line in lines_of(visit.part.text)
            if (line.function, line.block) == (visit.part.function, visit.block)
        )

    def _line(self, visit: Visit, line: Line) -> LineReading:
        text, symbols = visit.part.text, symbols_of(visit.part.text)
        equation = line.source.partition("  # ")[2]
        return read_line(
            line,
            keys_in(text, self.breaks),
            for_formulation(self.system, line),
            IndexNames(self.system, visit.indices, symbols=symbols),
            self.trace.scopes[visit.part],
            stage=text,
            equation=equation,
            quantity_name=symbols[line.letter].quantity,
            quantity=replace(quantity_in(text, line.letter), equation=equation),
            rows=(),
        )


@public
def readable_formulations(system: System) -> tuple[str, ...]:
    """The formulations that ``read_formulation`` reads for a machine.

    TML's, Appel's, the composite bodies and R87's inverse dynamics are for arms that are bolted down and hold nothing;
    R87's printed form may float; ``constrained`` serves every machine, ``group_inverse`` arms that hold an object.

    Args:
        system: any.

    Returns:
        their names.

    Cost: none.
    """
    return formulations_of(system)


@public_as_computed
def read_formulation(
    system: System,
    state: State,
    name: str,
    tau: JointValues | None = None,
    joint_acceleration: JointValues | None = None,
    external_forces: Forces = None,
    object_acceleration: ArrayLike | None = None,
    breaks: Iterable[str] = (),
) -> FormulationReading:
    """Evaluates another formulation from its readable text, line by line: TML, JZ and R87 VII in plain NumPy.

    Its result is that of ``inverse_dynamics``, ``forward_dynamics`` or ``group_inverse``, by a text of its own:
    Newton and Euler TML (3.3)-(3.13), modified (5.1)-(5.2), Lagrange (2.7)-(2.11), strobing Section 7, Appel JZ
    (4)-(22), composite bodies and two sweeps R87 (16)-(32), the filter as R87 (35)-(47) prints it, multipliers JZ
    (33)-(39), and torques for a held object JZ (40)-(42).

    Args:
        system: a system that the formulation serves, see ``readable_formulations``.
        state: of this system.
        name: of the formulation.
        tau: (joints,) motor torques in N m or forces in N, tip to base, arm after arm; default zero. Ignored by
            formulations that compute torques. If joints follow others: ``forward_dynamics(...).tau``, as these texts
            have no couplings.
        joint_acceleration: (joints,) rad/s^2 or m/s^2, desired or given; default zero. Ignored by formulations that
            compute accelerations.
        external_forces: ``{link name or "object": [moment; force]}`` in inertial axes, at the link's joint or the
            object's mass centre.
        object_acceleration: (6,) rad/s^2 and m/s^2 at the mass centre, inertial axes, desired of a held object;
            default zero. Only ``group_inverse`` uses it.
        breaks: keys of breaks in the formulation (from ``formulation_lines``), any number; those of another text have
            no effect. A broken formulation returns what it computes, infinite or not.

    Returns:
        its steps in the order in which they ran, the lines of each, and its result.

    Raises:
        ModelError: for an unknown formulation, or one that does not serve this machine; for a break that no text
            has, or two that contradict each other.
        StateError: for wrong shapes, or numbers that are not finite.

    Cost: some 20 us a step; the number of steps is linear, quadratic (strobing, composite bodies) or cubic (Lagrange).
    """
    own = formulation_for(system, name)
    torque, acceleration = (
        joint_vector(system, given, word) for given, word in ((tau, "tau"), (joint_acceleration, "joint_acceleration"))
    )
    system.pack(state)  # refuses the state of another system
    moved, wrench = plain_kinematics(system, state), external_wrench(system, external_forces)
    payload = numbers(np.zeros(6) if object_acceleration is None else object_acceleration, (6,), "object_acceleration")
    letters = given_to(name, system, state, moved, torque, acceleration, wrench, payload)
    parts = own.parts_for(system)
    asked = frozenset(each_of(breaks, "breaks", ModelError))
    keys = frozenset[str]().union(*(keys_in(text, asked) for text in {part.text for part in parts}))
    trace = evaluate(parts, letters, keys, is_traced=True)
    answer = trace.letters["v_dd" if own.closing and system.is_held else own.letter].ravel()[: system.n_joints]
    if not keys and not np.isfinite(answer).all():
        raise StateError(f"{own.arrives.replace('_', ' ')} is not finite: velocities or forces are too large.")
    steps = tuple(_step(visit) for visit in trace.visits)
    return FormulationReading(name, system, state, steps, own.arrives, answer.copy(),
                              (torque, acceleration, wrench, payload), trace, keys)  # fmt: skip


def _step(visit: Visit) -> FormulationStep:
    at: Mapping[str, int] = MappingProxyType({"k": -1, "j": -1, "c": -1, **visit.indices})
    link, joint = (at["k"], at["j"]) if "k" in visit.indices else (at["j"], -1)
    return FormulationStep(visit.part.text, visit.part.function, visit.block, link, joint, at["c"])


def _asked(reading: FormulationReading) -> tuple[Any, ...]:
    """A pickle stores the arguments only: the letters include functions."""
    return read_formulation, (reading.system, reading.state, reading.name, *reading.given, reading.breaks)


copyreg.pickle(FormulationReading, _asked)
