"""What of a setup means the same of another machine: the world, what drives the joints, how each tip holds on."""

from __future__ import annotations

import dataclasses

from app.assembly.build import Build
from app.motion.built_machine import build_of
from app.motion.grips import passing, way_of
from app.motion.interventions import Gripped
from app.motion.setup import Machine, Setup


def gravity_there(setup: Setup, made: Machine) -> tuple[float, ...] | None:
    """What pulls in this setup; None where ``made`` has it of its own."""
    pull = tuple(setup.machine.system.gravity.tolist()) if setup.gravity is None else setup.gravity
    return None if pull == tuple(made.system.gravity.tolist()) else pull


def drive_there(setup: Setup, made: Machine) -> str:
    """What drives the joints in this setup; empty where ``made`` has it of its own, or cannot be driven so."""
    drive = setup.driven.name
    return "" if drive == made.preset.actuation or made.refusals[drive] else drive


def grips_there(before: Machine, made: Machine, *chosen: Gripped) -> tuple[Gripped, ...]:
    """How each tip holds on, as ``before`` has it or as was chosen last, where ``made`` has it otherwise."""
    ways, own = ({one.tip: _way(passing(one)) for one in each.system.contacts} for each in (before, made))
    ways |= {one.tip: one.kind for one in chosen}
    return tuple(Gripped(0.0, tip, way) for tip, way in ways.items() if own.get(tip, way) != way)


def _way(digits: str) -> str:
    return way_of([digit == "1" for digit in digits])


def put_together(setup: Setup, wanted: Build, made: Machine) -> Setup:
    """The setup of a machine that was put together; where its arms only stand elsewhere, with all that was chosen.

    But for a posture and what happened in the run: these were of where the arms stood.
    """
    before = build_of(setup.machine)
    if before is None or dataclasses.replace(before, bases=None) != dataclasses.replace(wanted, bases=None):
        return Setup(made)
    chosen = [one for one in setup.interventions if isinstance(one, Gripped)]
    return dataclasses.replace(
        setup,
        machine=made,
        posture=None,
        interventions=grips_there(setup.machine, made, *chosen),
        gravity=gravity_there(setup, made),
        drive=drive_there(setup, made),
    )
