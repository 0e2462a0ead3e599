"""A session as a file: the button and its dialog, and what a file from an untrusted source may contain.

A file is bounded, checked field by field, and refused in words.
"""

from __future__ import annotations

import base64
import binascii
import dataclasses
import html
import json
import re
import reprlib
import zlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import panel as pn
import panel_material_ui as pmui

from app.clipboard import COPYING
from app.component import Component
from app.files.kept_files import LARGEST as LARGEST_ROBOT
from app.files.kept_files import FileButton, received
from app.messages import Kind, Message, file_stem, in_words
from app.motion.errors import ERRORS
from app.motion.presets import FILE
from app.motion.robot_file import LONGEST_NAME, OwnFile
from app.motion.setup import Machine, machine_of_file
from app.number_text import beside_numbers
from app.state import Session
from app.state.address import asked, parse_setup, query_of, query_of_setup
from app.state.kept_run import LETTERS, KeptRun, described, name_of, why_not_kept
from app.state.machine_loader import RefusedError, Target
from app.views.components import STYLE, Button
from app.views.notice import Notifier

MOST_PARTS = 100_000  # Most lists and tables, nested or side by side: the page's own files have some dozens
CAMERA = re.compile(r"-?[0-9]{1,4}\.[0-9]{1,4}( -?[0-9]{1,4}\.[0-9]{1,4}){5}")
"""Position and target, m, as ``camera.js`` describes them."""
MOST_PARAMETERS, LONGEST_KEY, LONGEST_MOMENT = 60, 40, 1_000_000
"""Limits: parameters of a setup or a moment, characters of a parameter's name, and of all parameters together."""


def found_in(data: bytes, session: Session) -> tuple[Target, dict[str, bytes]]:
    """What a session file shows, its run begun; and the texts of its robots by their fingerprints."""
    whole = parsed(data, FORMAT, VERSION)
    texts = texts_in(whole, len(LETTERS) + 1)
    return found_of(whole, session, Machines(texts)).tried(), {digest: text for digest, (text, _) in texts.items()}


class Machines:
    """The machines of robot files, given as text and name by their fingerprints, each read once."""

    def __init__(self, texts: Mapping[str, tuple[bytes, str]]) -> None:
        self._texts = texts
        self._read: dict[str, Machine] = {}

    def of(self, query: Mapping[str, str]) -> Machine | None:
        """The machine of the file that a setup needs; None for a packaged one."""
        if query.get("preset") != FILE:
            return None
        digest = query.get("file", "")
        if digest not in self._texts:
            raise RefusedError(f"the robot file {reprlib.repr(query.get('name', ''))} is not in it.")
        if digest not in self._read:
            self._read[digest] = machine_of_file(*self._texts[digest])
        return self._read[digest]


def found_of(whole: Mapping[str, Any], session: Session, machines: Machines) -> Target:
    """What ``moment`` and ``kept`` of a file ask for, the run begun."""
    moment = _parameters(whole, "moment")
    found = asked(moment, session, machines.of(moment), LONGEST_MOMENT)
    kept: list[KeptRun] = []
    for entry in entries(whole, "kept", len(LETTERS)):
        letter = _letter(entry, kept)
        try:
            query = _parameters(entry, "setup")
            setup, _ = parse_setup(query, machines.of(query))
            run = setup.run()
        except (RefusedError, *ERRORS) as error:
            raise RefusedError(f"of the kept run {letter}, {in_words(error)}") from None
        if words := why_not_kept(kept, run):
            raise RefusedError(words)
        name = name_of(text_of(entry, "name")) or described(setup)
        kept.append(KeptRun(run, name, letter, setup=setup, shown=entry.get("shown") is not False))
    by_letter = tuple(sorted(kept, key=lambda each: each.letter))
    other = {**found.other, "message": Message(Kind.FILE_IN_PART, found.other["message"]), "kept": by_letter}
    return dataclasses.replace(found, other={**other, "broken": None})


def camera_of(moment: Mapping[str, str]) -> str:
    """The camera of a moment; empty if it does not have the form that a browser writes."""
    camera = moment.get("camera", "")
    return camera if CAMERA.fullmatch(camera) else ""


def parsed(data: bytes, form: str, newest: int) -> dict[str, Any]:
    """A file as a table, whose ``format`` is ``form``, ``armsweep …``, in a version up to the newest."""
    what = f"the file of a {form.removeprefix('armsweep ')}"
    if len(data) > LARGEST or data.count(b"[") + data.count(b"{") > MOST_PARTS:
        raise RefusedError(f"it is larger than {what}.")
    try:
        whole = json.loads(data.decode("utf-8-sig"), parse_constant=int)  # which refuses NaN and Infinity
    except (ValueError, RecursionError):
        raise RefusedError(f"it is not {what}, or it is damaged.") from None
    if not isinstance(whole, dict) or whole.get("format") != form:
        raise RefusedError(f"it is not {what}.")
    version = whole.get("version")
    if type(version) is not int or version < 1:
        raise RefusedError(f"its version is {reprlib.repr(version)}; expected a whole number from 1 to {newest}.")
    if version > newest:
        raise RefusedError(f"its version is {reprlib.repr(version)}, and this page knows those up to {newest}.")
    return whole


def entries(whole: Mapping[str, Any], name: str, most: int) -> list[dict[str, Any]]:
    """A list of tables; empty if it is missing."""
    found = whole.get(name, [])
    if not isinstance(found, list) or len(found) > most or not all(isinstance(each, dict) for each in found):
        raise RefusedError(f"{name} is not a list of up to {most} entries.")
    return found


def text_of(entry: Mapping[str, Any], name: str) -> str:
    text = entry.get(name, "")
    if not isinstance(text, str):
        raise RefusedError(f"{name} is {reprlib.repr(text)}; expected a text.")
    return text


def _letter(entry: Mapping[str, Any], kept: list[KeptRun]) -> str:
    letter = text_of(entry, "letter")
    if len(letter) != 1 or letter not in LETTERS or letter in {each.letter for each in kept}:
        raise RefusedError(f"the letter of a kept run is {reprlib.repr(letter)}; expected each of {LETTERS} once.")
    return letter


def _parameters(entry: Mapping[str, Any], name: str) -> dict[str, str]:
    found = entry.get(name)
    if not isinstance(found, dict) or len(found) > MOST_PARAMETERS:
        raise RefusedError(f"{name} is not a table of up to {MOST_PARAMETERS} parameters.")
    for key, value in found.items():
        if len(key) > LONGEST_KEY or not isinstance(value, str):
            raise RefusedError(f"{name}: {reprlib.repr(key)} is {reprlib.repr(value)}; expected a text.")
    if sum(map(len, found.values())) > LONGEST_MOMENT:
        raise RefusedError(f"{name} is longer than {LONGEST_MOMENT} characters.")
    if "preset" not in found:
        raise RefusedError(f"{name} names no preset.")
    return found


def texts_in(whole: Mapping[str, Any], most: int) -> dict[str, tuple[bytes, str]]:
    """The text and the name of each robot file, by its fingerprint."""
    found = {}
    for entry in entries(whole, "files", most):
        try:
            data = base64.b64decode(text_of(entry, "base64"), validate=True) or text_of(entry, "text").encode()
        except (binascii.Error, ValueError):
            raise RefusedError("the text of a robot file cannot be read.") from None
        if not 0 < len(data) <= LARGEST_ROBOT:
            raise RefusedError(f"a robot file in it has {len(data)} bytes; expected 1 to {LARGEST_ROBOT}.")
        digest = OwnFile.of(data, "").digest
        named = OwnFile.named(text_of(entry, "name"), digest)
        assert named is not None
        found[digest] = (data, named.name[:LONGEST_NAME])
    return found


FORMAT, VERSION = "armsweep session", 1

LARGEST = 8 * 1024 * 1024  # Most bytes of a file


def written(session: Session) -> str:
    files = [file_entry(*file) for file in files_of(session)]
    text = json.dumps(
        {"format": FORMAT, "version": VERSION, **shown_by(session), "files": files}, ensure_ascii=False, indent=1
    )
    if len(text.encode()) > LARGEST:
        raise RefusedError(
            f"the file would be larger than {LARGEST >> 20} MB. Remove a kept run of another robot file first."
        )
    return text


def shown_by(session: Session) -> dict[str, Any]:
    """The session's current state, with its kept runs; robots' own texts are named, not included."""
    return {
        "moment": query_of(session, whole=True),
        "kept": [
            {"letter": each.letter, "name": each.title, "shown": each.shown, "setup": query_of_setup(each.setup)}
            for each in session.kept
        ],
    }


def files_of(session: Session) -> list[tuple[bytes, str]]:
    """The text and the name of each of the user's own robot files that it uses, each once."""
    machines = [session.setup.machine, *(each.setup.machine for each in session.kept)]
    found = {machine.file.digest: machine for machine in machines if machine.file is not None}
    return [(zlib.decompress(machine.source), machine.file.name) for machine in found.values() if machine.file]


def file_entry(data: bytes, name: str) -> Mapping[str, str]:
    try:
        return {"name": name, "text": data.decode()}
    except UnicodeDecodeError:
        return {"name": name, "base64": base64.b64encode(data).decode()}


LABEL = "Open a session file"
TOO_LARGE = f"This file is larger than the {LARGEST >> 20} MB that a session may have."
EMPTY = "This file is empty; a session is expected."
ABOUT = (
    "<p>A session file holds what a link says, whatever happened in the run, the robot's own file, and the kept runs, "
    "which are computed again.</p>"
)


class Saver(Component):
    """Lets the browser save a text as a file."""

    _esm = beside_numbers(COPYING, Path(__file__).with_name("session_file.js"))

    def __init__(self) -> None:
        super().__init__(width=0, height=0, margin=0)

    def save(self, name: str, text: str) -> None:
        self._send_msg({"name": name, "text": text})

    def look(self, camera: str) -> None:
        """Sets the 3D view's camera as in a file; the page's own view if empty."""
        self._send_msg({"look": camera})


class SessionFile(Notifier):
    """Saves and opens session files through ``browser``, a component on the page, and reports the result."""

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session, self.browser = session, Saver()
        self.button = Button(
            "Session as a file: save or open", lambda: self.dialog.param.update(open=True), icon="save"
        )
        self._save = pmui.Button(label="Save this session", icon="download", sizing_mode="stretch_width", margin=(4, 0))
        self._open = FileButton(
            self._refuse, LARGEST, TOO_LARGE, EMPTY, label=LABEL, uploaded_label=LABEL, icon="upload_file",
            sizing_mode="stretch_width", margin=(4, 0),
        )  # fmt: skip
        self._word = pn.pane.HTML(
            "", stylesheets=[STYLE, ":host { overflow-wrap: anywhere; }"], sizing_mode="stretch_width", margin=(4, 0)
        )
        about = pn.pane.HTML(ABOUT, stylesheets=[STYLE], sizing_mode="stretch_width", margin=0)
        self.dialog = pmui.Dialog(
            pn.Column(about, self._save, self._open, self._word, width=270),
            title="Session as a file", close_on_click=True, show_close_button=True,
        )  # fmt: skip
        self._save.on_click(lambda _: self.save())
        self._open.hear(self.take)

    def save(self) -> None:
        try:
            text = written(self._session)
        except RefusedError as refusal:
            self._report(f"Not saved: {refusal}")
            return
        name = file_stem(self._session.title) or "session"
        self.browser.save(f"{name}.armsweep.json", text)
        self._report(f"Saved as {name}.armsweep.json.")

    def take(self, data: object, name: str) -> None:
        """Opens a file sent by a browser, with all limits of an upload; or says why not."""
        session = self._session
        sent = received(session, data, LARGEST, TOO_LARGE, self._refuse)
        if sent is None:
            return
        self._report("Reading …")
        session.opening.saved(partial(found_in, sent, session), partial(self._done, name, sent))

    def _done(self, name: str, data: bytes, words: str) -> None:
        """All of it is shown, or ``words`` say why it is not."""
        if words:
            self._report(words)
            return
        self.dialog.open = False
        self._report("")
        self.browser.look(camera_of(parsed(data, FORMAT, VERSION)["moment"]))
        title = html.escape(name[-80:]) or "The session"
        self._notice.say(f"{title} is open. Undo leads back to what was shown before.")

    def _refuse(self, words: str) -> None:
        self._session.message = words
        self._report(words)

    def _report(self, words: str) -> None:
        self._word.object = f"<span role='status'>{html.escape(words)}</span>" if words else ""
