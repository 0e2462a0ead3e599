"""A robot file and its meshes as one text, because a page opens, stores and links a single file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import dynamics as dyn

SECONDS, PATIENCE = 20, 3
"""CPU seconds for reading all meshes, and how many times as long it may take by the clock."""
MEGABYTES = 3000
"""Limit of address space; the libraries take a third of it."""
PROCESS = Path(__file__).with_name("pack_process.py")
ARCHIVE = b"PK\x03\x04"
"""First bytes of a zip archive."""


@dataclass(frozen=True)
class PackedRobot:
    """The contents of an archive.

    Attributes:
        text: the robot file, with ``data:`` addresses of STL in place of the files of visual meshes.
        name: name of that file.
        remarks: which meshes are left out, and why.
    """

    text: bytes
    name: str
    remarks: tuple[str, ...]


def packed_robot(data: bytes, name: str) -> PackedRobot:
    """The robot in a zip archive, read by a separate process: meshes are untrusted, and some readers are slow.

    STL, OBJ, PLY, DAE and glTF are read; each mesh is decimated to some thousand triangles and loses its colors.

    Args:
        data: the archive.
        name: its name in messages.

    Raises:
        ModelError: if it is not a usable archive, holds no robot or several, or takes too long.

    Cost: a second to load the readers, then some tens of milliseconds a mesh.
    """
    command = [sys.executable, "-P", str(PROCESS), str(SECONDS), str(MEGABYTES)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    where = f"archive {name[:80]!r}"
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(
                command, input=data, capture_output=True, timeout=PATIENCE * SECONDS, cwd=folder, env=environment
            )
        except subprocess.TimeoutExpired:
            raise dyn.ModelError(
                f"{where}: its meshes were not read in {PATIENCE * SECONDS} s; give simpler ones."
            ) from None
    if done.returncode != 0:
        raise dyn.ModelError(f"{where}: reading its meshes took too much time or memory; give simpler ones.")
    found = json.loads(done.stdout)
    if "refused" in found:
        raise dyn.ModelError(f"{where}: {found['refused']}")
    return PackedRobot(found["text"].encode(), found["name"], tuple(found["remarks"]))
