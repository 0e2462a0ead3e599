"""A lecture: an editable list of moments of the page, visited one by one, with undo; and its file."""

from __future__ import annotations

import base64
import binascii
import dataclasses
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import param

from app.files.session_file import (
    LARGEST,
    Machines,
    camera_of,
    entries,
    file_entry,
    files_of,
    found_of,
    parsed,
    shown_by,
    text_of,
    texts_in,
)
from app.messages import in_words
from app.motion.errors import ERRORS
from app.motion.robot_file import OwnFile
from app.state import Session
from app.state.address import query_of_setup
from app.state.arrangement import FORMS, INSTRUMENTS, PINS
from app.state.kept_run import LETTERS, described, name_of, told_apart
from app.state.machine_loader import RefusedError, Target

NAME = "Lecture"  # of the list's tab
FORMAT, VERSION = "armsweep lecture", 1
MOST, MOST_PAST = 60, 50  # moments of a lecture, and undo steps
LONGEST_NOTE = 2000  # characters of a note
PICTURE, JPEG = "data:image/jpeg;base64,", b"\xff\xd8\xff"
LARGEST_PICTURE = 80_000  # characters of a picture; the browser's own have a third of that
FULL = f"{MOST} moments are kept, the maximum. Remove one of them, or save this lecture and begin another."
FIRST = "This is the first moment of the lecture."
LAST = "This is the last moment of the lecture."
NONE = "No moment is kept yet: K keeps the present one."

Texts = Mapping[str, tuple[bytes, str]]  # text and name of each robot file, by its fingerprint


@dataclass(frozen=True)
class Moment:
    """What the page showed, with a title and a note, and pictures of it."""

    number: int  # identifies it, wherever it is in the list
    title: str
    shown: Mapping[str, Any] = field(repr=False)  # ``moment`` and ``kept`` as in a session file
    note: str = ""
    picture: str = field(default="", repr=False)  # a JPEG of the world; empty where there is none
    figure: str = field(default="", repr=False)  # a JPEG of the largest plot beside it

    @property
    def query(self) -> dict[str, str]:
        return dict(self.shown["moment"])

    @property
    def camera(self) -> str:
        return camera_of(self.shown["moment"])

    def is_shown(self, query: Mapping[str, str]) -> bool:
        """Whether a page with these parameters shows it, ignoring the camera and which instruments are open."""
        other = {"camera", "tab", "beside"}
        return all(self.query.get(name) == query.get(name) for name in {*self.query, *query} - other)


def picture_of(text: object) -> str:
    """A picture in the form that the page's own script writes; empty for anything else."""
    if not isinstance(text, str) or len(text) > LARGEST_PICTURE or not text.startswith(PICTURE):
        return ""
    try:
        data = base64.b64decode(text.removeprefix(PICTURE), validate=True)
    except (binascii.Error, ValueError):
        return ""
    return text if data.startswith(JPEG) else ""


def title_of(text: object) -> str:
    return name_of(text) if isinstance(text, str) else ""


def note_of(text: object) -> str:
    """A note: printable lines; possibly empty."""
    if not isinstance(text, str):
        return ""
    lines = text[: 2 * LONGEST_NOTE].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join("".join(c for c in line if c.isprintable()).rstrip() for line in lines)[:LONGEST_NOTE].strip()


class Lecture(param.Parameterized):
    """A lecturer's moments, replaced by each change; ``texts`` are the robot files that they may need."""

    moments: tuple[Moment, ...] = param.ClassSelector(class_=tuple, default=(), doc="In order.")  # type: ignore[assignment]
    at = param.Integer(default=0, doc="Number of the moment last visited; 0 for none.")
    seen = param.Integer(default=0, doc="Number of the moment that the page shows, or showed last; 0 for none.")
    word = param.String(default="", doc="What has just happened to the moments, in words.")
    kept = param.Parameter(doc="The moment that has just been kept, for whoever can take its picture.")
    shown = param.Parameter(doc="The moment that has just been shown, for whoever turns the camera.")

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.texts: Texts = {}
        self._past: tuple[tuple[str, tuple[Moment, ...]], ...] = ()
        self._last = 0
        self._last_instrument = "" if session.tab == NAME else session.tab  # beside this list
        session.param.watch(self._follow_tab, "tab")

    def _follow_tab(self, event: param.parameterized.Event) -> None:
        self._last_instrument = self._last_instrument if event.new == NAME else event.new

    def of(self, number: object) -> Moment | None:
        return next((each for each in self.moments if each.number == number), None)

    def place(self, number: int) -> int:
        """Its position in the list, from 1 on; 0 if it is not there."""
        return next((k for k, each in enumerate(self.moments, 1) if each.number == number), 0)

    @property
    def caption(self) -> tuple[str, str]:
        """The shown moment's caption for a class: its position and title, and its note; empty if none is shown."""
        moment = self.of(self.seen)
        if moment is None:
            return "", ""
        return f"{self.place(moment.number)} of {len(self.moments)} · {moment.title}", moment.note

    @property
    def files(self) -> Texts:
        setups = (
            setup for each in self.moments for setup in (each.query, *(kept["setup"] for kept in each.shown["kept"]))
        )
        used = {setup.get("file", "") for setup in setups}
        return {digest: file for digest, file in self.texts.items() if digest in used}

    @property
    def undone(self) -> str:
        return self._past[-1][0] if self._past else ""

    def keep(self) -> Moment | None:
        """Keeps what is shown now, after the moment last visited; or says why there is no room."""
        session = self._session
        if len(self.moments) >= MOST:
            session.message = FULL
            return None
        shown = self._shown_now()
        what = ": ".join(filter(None, (shown["moment"].get("tab"), described(session.setup))))
        what = (session.lesson and session.taught) or what
        title = told_apart(title_of(f"{what}, {session.time:.2f} s"), [each.title for each in self.moments])
        new = Moment(self._number(), title, shown)
        self.texts = {**self.texts, **{OwnFile.of(*file).digest: file for file in files_of(session)}}
        at = self.place(self.at) or len(self.moments)
        self._change(f"keeping “{title}”", (*self.moments[:at], new, *self.moments[at:]))
        self.param.update(at=new.number, seen=new.number, kept=new, word=f"Kept as moment {at + 1}: {title}.")
        return new

    def _shown_now(self) -> Mapping[str, Any]:
        """What the session shows, with the previous instrument instead of this list, which a class does not need."""
        shown = shown_by(self._session)
        moment = dict(shown["moment"])
        if moment.get("tab") == NAME:
            moment["tab"] = moment.pop("beside", "") or self._last_instrument
            if not moment["tab"]:
                del moment["tab"]
        return {**shown, "moment": moment}

    def change(self, number: int, title: str | None = None, note: str | None = None) -> None:
        before = self.of(number)
        if before is None:
            return
        after = dataclasses.replace(
            before,
            title=before.title if title is None else title_of(title) or before.title,
            note=before.note if note is None else note_of(note),
        )
        if after != before:
            what = "the title" if after.title != before.title else "the note"
            self._change(f"{what} of “{before.title}”", self._with(after))
            self.word = ""

    def picture(self, number: int, camera: str, picture: str, figure: str = "") -> None:
        """Adds a browser's data, if our page may have written it, to a moment that was just kept; no undo step."""
        before = self.of(number)
        if before is None or before.picture or before.camera:
            return
        moment = {**before.query, "camera": camera}
        if not camera_of(moment):
            del moment["camera"]
        shown = {**before.shown, "moment": moment}
        after = dataclasses.replace(before, shown=shown, picture=picture_of(picture), figure=picture_of(figure))
        self.moments = self._with(after)

    def move(self, number: int, by: int) -> None:
        at = self.place(number)
        to = min(max(at + by, 1), len(self.moments))
        if at and to != at:
            others = list(self.moments)
            moment = others.pop(at - 1)
            others.insert(to - 1, moment)
            self._change(f"moving “{moment.title}”", tuple(others))
            self.word = f"“{moment.title}” is now moment {to} of {len(others)}."

    def drop(self, number: int) -> None:
        moment = self.of(number)
        if moment is not None:
            self._change(f"removing “{moment.title}”", tuple(each for each in self.moments if each is not moment))
            self.word = f"“{moment.title}” is removed."

    def replace(self, moments: tuple[Moment, ...], texts: Texts, word: str) -> None:
        """Opens another lecture; undo restores this one, but not its own history, as files may be large."""
        self._past, self.texts = (), {**self.files, **texts}
        self._change("opening another lecture", self._numbered(moments))
        self.param.update(at=0, seen=0, word=word)

    def begin_with(self, moments: tuple[Moment, ...], texts: Texts, place: int) -> None:
        """Restores what the browser kept over a reload, before what is kept since; ``place`` was visited last."""
        before = self._numbered(moments)
        if len(before) + len(self.moments) > MOST:
            self._session.message = FULL
        self._past = tuple((what, (*before, *since)[:MOST]) for what, since in self._past)
        self.texts = {**texts, **self.texts}
        at = self.at or (before[place - 1].number if 0 < place <= len(before) else 0)
        self.param.update(moments=(*before, *self.moments)[:MOST], at=at, seen=at)

    def undo(self) -> None:
        """Undoes the last change of the moments; pictures that have arrived since are kept."""
        if not self._past:
            return
        *past, (what, moments) = self._past
        self._past = tuple(past)
        seen = {each.number: each for each in self.moments if each.picture}
        moments = tuple(
            each if each.picture or each.number not in seen
            else dataclasses.replace(seen[each.number], title=each.title, note=each.note)
            for each in moments
        )  # fmt: skip
        self.param.update(moments=moments, word=f"Taken back: {what}.")

    def step(self, by: int) -> None:
        """Goes to the next or previous moment; reports when it is at an end of the list."""
        at = self.place(self.at)
        to = at + by if at else 1
        if not self.moments:
            self.say(NONE)
        elif not 1 <= to <= len(self.moments):
            self.say(FIRST if to < 1 else LAST)
        else:
            self.go(self.moments[to - 1].number)

    def go(self, number: int) -> None:
        """Shows a moment exactly as it was kept, as a step that can be undone."""
        moment = self.of(number)
        if moment is None:
            return
        session, machines, texts = self._session, Machines(self.texts), self.texts
        self.at = number
        setup, run = session.setup, session.run
        is_open = NAME in (session.tab, session.beside) and moment.query.get("tab") != NAME
        beside = {"beside": NAME} if is_open else {}  # the list stays open while the user steps through it

        def read() -> tuple[Target, Mapping[str, bytes]]:
            found = exactly(found_of(moment.shown, session, machines), session)
            has_end = not run.endless and run.begin == 0.0 and run.duration <= setup.duration
            if has_end and not found.other.get("endless") and query_of_setup(found.setup) == query_of_setup(setup):
                found = dataclasses.replace(found, setup=setup, run=run)  # the page continues with it
            else:
                found = found.tried()
            other = {**found.other, **beside}
            return dataclasses.replace(found, other=other), {digest: text for digest, (text, _) in texts.items()}

        def report(words: str) -> None:
            if words:
                self.word = f"Moment {self.place(number)}, “{moment.title}”, is not shown. {words}"
                return
            self.param.update(word="", seen=number, shown=moment)
            self.param.trigger("shown")

        session.opening.saved(read, report, is_moment=True)

    def say(self, words: str) -> None:
        """Shows a message, also if it repeats the previous one."""
        self.word = ""
        self.word = words

    def _number(self) -> int:
        self._last += 1
        return self._last

    def _with(self, after: Moment) -> tuple[Moment, ...]:
        return tuple(after if each.number == after.number else each for each in self.moments)

    def _numbered(self, moments: tuple[Moment, ...]) -> tuple[Moment, ...]:
        return tuple(dataclasses.replace(each, number=self._number()) for each in moments)

    def _change(self, what: str, moments: tuple[Moment, ...]) -> None:
        self._past = (*self._past[-MOST_PAST + 1 :], (what, self.moments))
        self.moments = moments


def exactly(found: Target, session: Session) -> Target:
    """What a moment does not contain is set to the page's defaults, not left as it is."""
    plain = {name: session.param[name].default for name in (*FORMS, *INSTRUMENTS, *PINS.values(), "breaks", "shadow")}
    return dataclasses.replace(found, other={**plain, **found.other})


def written(lecture: Lecture) -> str:
    """JSON: each moment as in a session file, each robot's text once; RefusedError if it is too large."""
    moments = [
        {"title": each.title, "note": each.note, "picture": each.picture, "figure": each.figure, **each.shown}
        for each in lecture.moments
    ]
    files = [file_entry(*file) for file in lecture.files.values()]
    whole = {"format": FORMAT, "version": VERSION, "moments": moments, "files": files}
    text = json.dumps(whole, ensure_ascii=False, indent=1)
    if len(text.encode()) > LARGEST:
        raise RefusedError(
            f"the file would be larger than {LARGEST >> 20} MB. Remove moments of large robot files first."
        )
    return text


def read_lecture(data: bytes, session: Session) -> Iterator[tuple[tuple[Moment, ...], Texts] | None]:
    """Reads an untrusted file, a moment per step; finally yields all moments and robot files.

    Raises:
        RefusedError: for invalid content, naming the moment.
    """
    whole = parsed(data, FORMAT, VERSION)
    found = entries(whole, "moments", MOST)
    if not found:
        raise RefusedError("it holds no moment.")
    texts = texts_in(whole, MOST * (len(LETTERS) + 1))
    machines, moments = Machines(texts), list[Moment]()
    for number, entry in enumerate(found, 1):
        yield None
        try:
            found_of(entry, session, machines)
            moments.append(_moment(number, entry))
        except (RefusedError, *ERRORS) as error:
            raise RefusedError(f"of moment {number}, {in_words(error)}") from None
    yield tuple(moments), texts


def _moment(number: int, entry: dict[str, Any]) -> Moment:
    """The moment of an entry that ``found_of`` has accepted, without anything else."""
    title, note = title_of(text_of(entry, "title")), text_of(entry, "note")
    pictures = [text_of(entry, name) for name in ("picture", "figure")]
    if not title:
        raise RefusedError("the title is empty; expected a line of text.")
    if len(note) > LONGEST_NOTE:
        raise RefusedError(f"the note has {len(note)} characters; expected up to {LONGEST_NOTE}.")
    if any(picture and not picture_of(picture) for picture in pictures):
        raise RefusedError(f"the picture is not a JPEG of up to {LARGEST_PICTURE} characters.")
    kept = [
        {"letter": each["letter"], "name": text_of(each, "name"), "shown": each.get("shown") is not False,
         "setup": each["setup"]}
        for each in entries(entry, "kept", len(LETTERS))
    ]  # fmt: skip
    shown = {"moment": entry["moment"], "kept": kept}
    try:
        json.dumps(shown, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise RefusedError("it contains half a character; expected text.") from None
    return Moment(number, title, shown, note_of(note), *pictures)
