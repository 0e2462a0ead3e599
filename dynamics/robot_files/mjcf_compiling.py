"""MuJoCo's parser in a separate process, because it is written in C and the file is untrusted."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dynamics.errors import ModelError

SECONDS = 10
"""The longest wait for a model."""
COMPUTED, COMPUTED_WITH_FILES = 5, 2 * SECONDS
"""CPU time in seconds over all threads: for a model given as text, and for one with mesh files."""
MEGABYTES, MEGABYTES_WITH_FILES = 700, 8000
"""Limits of the address space; the libraries take 300."""
LONGEST = 300
"""Characters of MuJoCo's message that are shown."""
MISSING = (
    "MuJoCo, whose parser reads such a file, is not installed here. Install it (pip install armsweep[mjcf]), or give "
    "the robot as URDF."
)
LINE = re.compile(r"(?<=, )line ([0-9]{1,9})\b")
"""A line number in MuJoCo's messages."""
PROCESS = Path(__file__).with_name("mjcf_process.py")


def compiled(
    text: str, places: Sequence[str], where: str, files: Mapping[str, str], has_files: bool
) -> Mapping[str, Any]:
    """The compiled model: the arrays and names that ``mjcf_process`` returns.

    Args:
        places: the name of each of its lines in messages.
        files: the files that come with it, in base64.
        has_files: whether it names meshes on this machine.
    """
    if find_spec("mujoco") is None:
        raise ModelError(f"{where}: {MISSING}")
    computed, megabytes = (COMPUTED_WITH_FILES, MEGABYTES_WITH_FILES) if has_files else (COMPUTED, MEGABYTES)
    # -P: this folder has modules with the names of standard-library modules
    command = [sys.executable, "-P", str(PROCESS), str(computed), str(megabytes)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with tempfile.TemporaryDirectory() as folder:  # MuJoCo writes its log to the working directory
        try:
            done = subprocess.run(
                command,
                input=json.dumps({"text": text, "files": files}).encode(),
                capture_output=True,
                timeout=SECONDS,
                cwd=folder,
                env=environment,
            )
        except subprocess.TimeoutExpired:
            raise ModelError(f"{where}: MuJoCo has not read it in {SECONDS} s. Give a simpler model.") from None
    if done.returncode != 0:
        raise ModelError(f"{where}: MuJoCo's parser stopped: out of time or memory, or it crashed. Correct the model.")
    found: Mapping[str, Any] = json.loads(done.stdout)
    if "refused" in found:
        said = LINE.sub(lambda line: _place(int(line[1]), places), found["refused"][:LONGEST])
        words = "".join(letter if letter.isprintable() else " " for letter in said)
        raise ModelError(f"{where}: MuJoCo refuses it: {words.removeprefix('Error: ')}")
    return found


def _place(line: int, places: Sequence[str]) -> str:
    return places[line - 1] if 0 < line <= len(places) else f"line {line}"
