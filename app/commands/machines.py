"""Which machine is meant: a packaged one by its name, or the robot of a file."""

from __future__ import annotations

import os
import warnings
from reprlib import repr as brief

import click
from click.shell_completion import CompletionItem

import dynamics as dyn
from app.wording import printable


def machine(name: str, floating: bool, tells: bool = True) -> tuple[dyn.System, dyn.State]:
    """A system and where it starts.

    Args:
        name: of an example, of a packaged robot, or the path of a URDF file or a MuJoCo model.
        floating: whether the robot's base floats.
        tells: whether remarks on its file are printed.

    Raises:
        UsageError: for what is neither a name nor a file.
        ModelError: for whatever is wrong in the file.
    """
    if name not in names() and not os.path.exists(name):
        raise click.UsageError(f"there is no machine and no file {brief(name)}; machines are {', '.join(names())}.")
    if name in dyn.examples() and not floating:
        return dyn.example(name)
    if name in dyn.examples() and name not in dyn.robot_names():
        raise click.UsageError(f"--floating: {name} stands as it stands; give the name or the file of a robot.")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # which says the robot's remarks
        robot = dyn.load(name)
    for remark in robot.remarks if tells else ():
        click.echo(f"{printable(name)}: {printable(remark)}", err=True)
    system = dyn.free_flyer(robot) if floating else dyn.single_arm(robot)
    return system, dyn.project(system, system.home())


def names() -> list[str]:
    """Of all that is packaged."""
    return sorted({*dyn.examples(), *dyn.robot_names()})


def completed(begun: str) -> list[CompletionItem]:
    """What a shell offers: names that begin so, and files."""
    return [CompletionItem(name) for name in names() if name.startswith(begun)] or [CompletionItem(begun, type="file")]
