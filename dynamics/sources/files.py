"""Reading a robot's file from disk, in any supported language."""

from __future__ import annotations

from pathlib import Path

from dynamics.checks import brief
from dynamics.descriptions.description import LoadOptions
from dynamics.descriptions.urdf import parse_urdf
from dynamics.descriptions.xml import MAXIMUM_BYTES, first_tag
from dynamics.errors import ModelError
from dynamics.mjcf.mjcf import parse_mjcf
from dynamics.robot.model import Robot
from dynamics.robot.validity import check_as_read


def load_file(path: Path, options: LoadOptions) -> Robot:
    """The robot in a URDF file or a MuJoCo model, with its meshes; checked."""
    data = read_file(path)
    parse = parse_mjcf if first_tag(data) == "mujoco" else parse_urdf
    robot = parse(data, path.name, path.parent, options)
    check_as_read(robot)
    return robot


def read_file(path: Path) -> bytes:
    """A file's content, read only up to the size limit.

    Raises:
        ModelError: if it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return file.read(MAXIMUM_BYTES + 1)
    except (OSError, ValueError) as error:
        raise ModelError(
            f"robot file {brief(str(path))} cannot be read: {_reason(error)}. Give an existing file."
        ) from None


def _reason(error: OSError | ValueError) -> str:
    """Why a file cannot be read, without its name, which may be very long."""
    return (error.strerror or type(error).__name__) if isinstance(error, OSError) else str(error)
