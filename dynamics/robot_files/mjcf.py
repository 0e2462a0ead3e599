"""MJCF to Robot: MuJoCo compiles the model, and its bodies and joints become the robot.

Its parser runs in a separate process, because it is written in C and the file is untrusted.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from os.path import relpath
from pathlib import Path, PurePosixPath
from typing import Any

from dynamics.checks import brief, names
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.robot.model import INSIDE, Robot
from dynamics.robot.validity import check_as_read
from dynamics.robot_files.description import AS_IT_IS, LoadOptions
from dynamics.robot_files.mesh_files import find_mesh
from dynamics.robot_files.mjcf_compiled import CompiledModel
from dynamics.robot_files.mjcf_elements import DRAWN, NOT_HERE, MjcfElements, settings_of
from dynamics.robot_files.tree import robot_of
from dynamics.robot_files.urdf import OTHERS
from dynamics.robot_files.xml import DEEPEST, MAXIMUM_BYTES, MOST_ELEMENTS, Element, bytes_of, read_xml

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


COMPILED = (".stl", ".obj", ".msh")
"""Meshes that MuJoCo reads."""
MOST_FILES = 50
ROBOT = "armsweep:body"
"""The name of the ``<custom>`` text that names a body of the robot, as ``load(body=)`` does."""


@public
def load_mjcf_text(text: str | bytes, name: str = "robot", tip: str | Sequence[str] | None = None) -> Robot:
    """The robot in the text of a MuJoCo model (MJCF), such as an upload; meshes are left out except those in the text.

    MuJoCo compiles it, in a separate process with limits of time and memory: pip install armsweep[mjcf]. So inferred
    inertias, defaults, units and frames are MuJoCo's own. A body with a free joint floats, as the root of the robot:
    :func:`dynamics.free_flyer`. Several joints of a body are separated by massless links; a ball joint becomes three
    hinges about x, y and z, in this order. Displacements are MuJoCo's own (``qpos``). Springs, actuators, tendons,
    contacts and keyframes are left out; the robot's ``remarks`` list what moves differently without them.

    Args:
        text: the file's content.
        name: the robot's name in messages.
        tip: the body or site, or several, whose origins are the tool points; by default the outermost bodies.

    Returns:
        The robot, ordered as by :func:`dynamics.load_urdf_text`; its ``frames`` include bodies and sites.

    Raises:
        ModelError: for any error in the file, naming the element; for anything that does not fit in a tree of hinges
            and slides; if MuJoCo is missing.

    Cost: a second, mostly for starting MuJoCo.
    """
    robot = parse_mjcf(bytes_of(text, name), name, None, LoadOptions(tip))
    check_as_read(robot)
    return robot


def parse_mjcf(data: bytes, name: str, folder: Path | None, options: LoadOptions = AS_IT_IS) -> Robot:
    """The robot as the file has it, before it is checked; without a folder neither meshes nor other files are read."""
    tip = () if options.tip is None else options.tip
    names(tip, f"robot file {brief(name)}: tip", ModelError)  # before much is computed
    return robot_of_model(*compiled_model(data, name, folder, options), options)


def compiled_model(
    data: bytes, name: str, folder: Path | None, options: LoadOptions = AS_IT_IS
) -> tuple[MjcfElements, CompiledModel]:
    """A model's elements, and MuJoCo's compiled model."""
    where = f"robot file {brief(name)}"
    root, read = _read(data, where, folder)
    body = options.body or next((each.get("data") for each in _texts(root) if each.get("name") == ROBOT), None)
    kept = _ModelReader(where, folder, options.package_dirs).kept(_named(root, name), folder)
    kept.remarks[:0] = read
    return kept, CompiledModel(compiled(*kept.text_and_places(), where, kept.inside, kept.has_files), kept, where, body)


def _texts(root: Element) -> Iterator[Element]:
    return (text for custom in root.all("custom") for text in custom.all("text"))


class _ModelReader:
    """Reads a model and those from which it attaches parts, each with paths relative to its own file."""

    def __init__(self, where: str, folder: Path | None, package_dirs: Sequence[str | Path]) -> None:
        self._where, self._folder, self._package_dirs, self._count = where, folder, package_dirs, 0

    def kept(self, root: Element, folder: Path | None, outer: MjcfElements | None = None) -> MjcfElements:
        """The elements of a model with its file in ``folder``."""
        settings = settings_of(root)
        below = settings.get("meshdir") or settings.get("assetdir") or ""

        def mesh_file(reference: str) -> tuple[str | None, str]:
            if reference.startswith((INSIDE, DRAWN)):
                return reference, ""
            if settings.get("strippath") == "true":
                reference = PurePosixPath(reference.replace("\\", "/")).name
            path, reason = find_mesh(
                reference if "://" in reference else str(Path(below) / reference), folder, self._package_dirs, COMPILED
            )
            return None if path is None else str(path), reason

        def model_file(model: Element, outer: MjcfElements) -> MjcfElements:
            place = f"{self._where}, {model.place}: <model>"
            if self._folder is None or folder is None:
                raise ModelError(f"{place} takes parts from another file, {NOT_HERE}")
            self._count += 1
            if self._count > MOST_FILES:
                raise ModelError(f"{place}: more than {MOST_FILES} models are attached. Leave some out.")
            path, data = _read_part(folder, model, self._where)
            part, read = _read(data, self._where, path.parent, Path(relpath(path, self._folder)).as_posix())
            inner = self.kept(_named(part, path.name), path.parent, outer)
            inner.remarks[:0] = read
            return inner

        return MjcfElements(root, self._where, mesh_file, model_file, outer)


def robot_of_model(kept: MjcfElements, model: CompiledModel, options: LoadOptions = AS_IT_IS) -> Robot:
    """The robot in MuJoCo's compiled model."""
    title = f"robot {brief(model.description.name)}"
    return robot_of(model.description, title, options, (*kept.losses, *model.remarks), model.sites)


def read_model(data: bytes, where: str, folder: Path | None) -> Element:
    """The ``<mujoco>`` element of a model, with all included files if there is a folder to read them from."""
    return _read(data, where, folder)[0]


def _read(data: bytes, where: str, folder: Path | None, file: str = "") -> tuple[Element, tuple[str, ...]]:
    root, read = read_xml(data, where, file)
    if root.tag != "mujoco":
        advice = OTHERS.get(root.tag, "Give an MJCF file.")
        raise ModelError(f"{where} starts with <{brief(root.tag)[1:-1]}>; expected <mujoco>. {advice}")
    whole, others = (root, ()) if folder is None else _with_included(root, folder, where)
    return whole, (*read, *others)


def _named(root: Element, name: str) -> Element:
    """The model with a name."""
    own = root.get("model") or Path(name).stem
    return Element(root.tag, {"model": own}, root.line, root.inner)


def _with_included(root: Element, folder: Path, where: str) -> tuple[Element, tuple[str, ...]]:
    """The model with everything it includes, each element with its file; and remarks on how these were read."""
    including = _IncludeReader(folder.resolve(), where)
    return including.expanded(root), (*including.remarks,)


def _read_part(folder: Path, element: Element, where: str) -> tuple[Path, bytes]:
    """The file that an element names, and its content."""
    named = element.get("file") or ""
    try:
        path = (folder / named).resolve()
        with path.open("rb") as file:
            return path, file.read(MAXIMUM_BYTES + 1)
    except (OSError, ValueError):
        place = f"{where}, {element.place}: <{element.tag}> of {brief(named)}"
        raise ModelError(f"{place} cannot be read. Give an existing file.") from None


class _IncludeReader:
    def __init__(self, folder: Path, where: str) -> None:
        self._folder, self._where = folder, where
        self._known, self._elements = set[Path](), 0
        self.remarks = list[str]()

    def expanded(self, element: Element, depth: int = 0) -> Element:
        self._elements += 1
        if depth > DEEPEST:
            raise ModelError(f"{self._where}: with what it includes, {DEEPEST} elements are nested.")
        if self._elements > MOST_ELEMENTS:
            raise ModelError(f"{self._where} includes more than {MOST_ELEMENTS} elements; expected one robot.")
        inner = list(self._inner(element.inner, depth + 1))
        return Element(element.tag, element.attributes, element.line, inner, element.file)

    def _inner(self, elements: Iterable[Element], depth: int) -> Iterator[Element]:
        for child in elements:
            if child.tag == "include":
                if depth > DEEPEST:
                    raise ModelError(f"{self._where}, {child.place}: too many files include one another here.")
                yield from self._inner(self._included(child), depth + 1)
            else:
                yield self.expanded(child, depth)

    def _included(self, include: Element) -> list[Element]:
        folder = self._folder
        if include.file and not (folder / (include.get("file") or "")).is_file():
            folder = (folder / include.file).parent  # the folder of the including file
        path, data = _read_part(folder, include, self._where)
        if path in self._known or len(self._known) == MOST_FILES:
            place = f"{self._where}, {include.place}: <include> of {brief(include.get('file'))}"
            raise ModelError(f"{place}: a file is included twice, or more than {MOST_FILES} are. Leave that out.")
        self._known.add(path)
        part, read = read_xml(data, self._where, Path(relpath(path, self._folder)).as_posix())
        self.remarks += read
        return part.inner
