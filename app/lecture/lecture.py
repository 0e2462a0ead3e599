"""The moments of a lecture, in their order, and what is done with them; each change can be taken back."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import param

from app.kept.names import described, told_apart
from app.lecture.known_runs import KnownRuns
from app.lecture.moment import FULL, MOST, Moment, note_of, title_of
from app.motion.own_file import OwnFile
from app.saved.read import Machines, found_of
from app.saved.written import files_of, shown_by
from app.state import Session
from app.state.arrangement import FORMS, PINS
from app.state.opening import Found

MOST_PAST = 50
"""Changes that can be taken back."""
FIRST = "This is the first moment of the lecture."
LAST = "This is the last moment of the lecture."
NONE = "No moment is kept yet: K keeps the present one."
Texts = Mapping[str, tuple[bytes, str]]
"""Text and name of each robot file, by its fingerprint."""
Past = tuple[str, tuple[Moment, ...], Texts]


class Lecture(param.Parameterized):
    """What a lecturer has prepared; every list of moments is replaced, never changed.

    Args:
        name: under which the instrument stands on the rail.

    Attributes:
        instrument: that name.
    """

    moments: tuple[Moment, ...] = param.ClassSelector(class_=tuple, default=(), doc="In order.")  # type: ignore[assignment]
    at = param.Integer(default=0, doc="Number of the moment that was gone to last; 0 for none.")
    seen = param.Integer(default=0, doc="Number of the moment that the page shows, or showed last; 0 for none.")
    word = param.String(default="", doc="What has just become of the moments, in words.")
    kept = param.Parameter(doc="The moment that has just been kept, for whoever can take its picture.")
    shown = param.Parameter(doc="The moment that is shown since now, for whoever turns the camera.")

    def __init__(self, session: Session, name: str) -> None:
        super().__init__()
        self._session, self.instrument = session, name
        self._texts: Texts = {}
        self._machines = Machines({})
        self._past: tuple[Past, ...] = ()
        self._last = 0
        self.runs = KnownRuns()

    # ---- what there is ----

    def of(self, number: object) -> Moment | None:
        """The moment of a number."""
        return next((each for each in self.moments if each.number == number), None)

    @property
    def present(self) -> Moment | None:
        """The one that was gone to last, if it is still there."""
        return self.of(self.at)

    def place(self, number: int) -> int:
        """Which of them it is, from 1 on; 0 for one that is not there."""
        return next((k for k, each in enumerate(self.moments, 1) if each.number == number), 0)

    @property
    def caption(self) -> tuple[str, str]:
        """What a class reads of the moment that is shown: its place with its title, and its note; empty for none."""
        moment = self.of(self.seen)
        if moment is None:
            return "", ""
        return f"{self.place(moment.number)} of {len(self.moments)} · {moment.title}", moment.note

    @property
    def texts(self) -> Texts:
        """Text and name of each robot file that a moment may need, by its fingerprint."""
        return self._texts

    @property
    def files(self) -> list[tuple[bytes, str]]:
        """The robot files of which moments are."""
        used = {each.get("file", "") for moment in self.moments for each in _setups(moment)}
        return [file for digest, file in self._texts.items() if digest in used]

    @property
    def undone(self) -> str:
        """What undo would take back, in words; empty where there is nothing."""
        return self._past[-1][0] if self._past else ""

    # ---- what is done with them ----

    def keep(self) -> Moment | None:
        """Keeps what is shown now, behind the moment that was gone to last; or says why there is no room."""
        session = self._session
        if len(self.moments) >= MOST:
            session.message = FULL
            return None
        new = Moment(self._number(), self._title(), shown_by(session))
        texts = {OwnFile.of(*file).digest: file for file in files_of(session)}
        at = self.place(self.at) or len(self.moments)
        self._change(f"keeping “{new.title}”", (*self.moments[:at], new, *self.moments[at:]), {**self._texts, **texts})
        self._remember()
        self.param.update(at=new.number, seen=new.number, kept=new, word=f"Kept as moment {at + 1}: {new.title}.")
        return new

    def keep_now(self) -> None:
        """The same, for a key."""
        self.keep()

    def change(self, number: int, title: str | None = None, note: str | None = None) -> None:
        """Calls a moment something else, or notes something else with it; a title of nothing is the one it had."""
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
            self._put(f"{what} of “{before.title}”", after)
            self.word = ""

    def picture(self, number: int, camera: str, picture: str, figure: str = "") -> None:
        """What only a browser knows of a moment that was just kept; no change of its own."""
        before = self.of(number)
        if before is not None and not before.picture and not before.camera:
            after = before.seen(camera, picture, figure)
            self.moments = tuple(after if each is before else each for each in self.moments)

    def move(self, number: int, by: int) -> None:
        """Moves a moment among the others, as far as there are any."""
        at = self.place(number)
        to = min(max(at + by, 1), len(self.moments))
        if not at or to == at:
            return
        moment, others = self.moments[at - 1], [each for each in self.moments if each.number != number]
        others.insert(to - 1, moment)
        self._change(f"moving “{moment.title}”", tuple(others))
        self.word = f"“{moment.title}” is now moment {to} of {len(others)}."

    def drop(self, number: int) -> None:
        """Removes a moment; undo brings it back."""
        moment = self.of(number)
        if moment is not None:
            self._change(f"removing “{moment.title}”", tuple(each for each in self.moments if each is not moment))
            self.word = f"“{moment.title}” is removed."

    def replace(self, moments: tuple[Moment, ...], texts: Texts, word: str) -> None:
        """Opens another lecture; undo brings this one back, but not what it was before: files may be large."""
        numbered = tuple(dataclasses.replace(each, number=self._number()) for each in moments)
        self._past = ()
        self._change("opening another lecture", numbered, texts)
        self.param.update(at=0, seen=0, word=word)

    def begin_with(self, moments: tuple[Moment, ...], texts: Texts, place: int) -> None:
        """Goes on with what the browser kept over a reload; what was kept since stands behind, as far as it fits.

        Args:
            place: of the moment that was gone to last, from 1 on; 0 for none.
        """
        numbered = tuple(dataclasses.replace(each, number=self._number()) for each in moments)
        at = numbered[place - 1].number if 0 < place <= len(numbered) else 0
        if len(numbered) + len(self.moments) > MOST:
            self._session.message = FULL
        self._past = tuple((what, (*numbered, *since)[:MOST], {**texts, **own}) for what, since, own in self._past)
        self._files({**texts, **self._texts})
        at = self.at or at
        self.param.update(moments=(*numbered, *self.moments)[:MOST], at=at, seen=at)

    def undo(self) -> None:
        """Takes back the last change of the moments."""
        if self._past:
            *past, (what, moments, texts) = self._past
            self._past = tuple(past)
            self._files(texts)
            self.param.update(moments=self._with_pictures(moments), word=f"Taken back: {what}.")

    def _with_pictures(self, moments: tuple[Moment, ...]) -> tuple[Moment, ...]:
        """A picture comes a little after its moment: one that has come since is not lost."""
        known = {each.number: each for each in self.moments if each.picture}
        return tuple(
            each if each.picture or each.number not in known
            else dataclasses.replace(known[each.number], title=each.title, note=each.note)
            for each in moments
        )  # fmt: skip

    # ---- going to one ----

    def step(self, by: int) -> None:
        """On to the next moment or back to the one before; at either end it says so."""
        if not self.moments:
            self.say(NONE)
            return
        at = self.place(self.at)
        to = at + by if at else 1
        if not 1 <= to <= len(self.moments):
            self.say(FIRST if to < 1 else LAST)
            return
        self.go(self.moments[to - 1].number)

    def go(self, number: int) -> None:
        """Shows a moment exactly as it was kept, as a step that can be undone; its run at once where that is known."""
        moment = self.of(number)
        if moment is None:
            return
        session, machines, texts = self._session, self._machines, self._texts
        self.at, present = number, session.run
        beside = self._beside(moment)

        def read() -> tuple[Found, Mapping[str, bytes]]:
            found, is_known = self.runs.instead(exactly(found_of(moment.shown, session, machines), session), present)
            found = found if is_known else found.tried()
            return dataclasses.replace(found, other={**found.other, **beside}), {
                digest: text for digest, (text, _) in texts.items()
            }

        def tell(words: str) -> None:
            if words:
                self.word = f"Moment {self.place(number)}, “{moment.title}”, is not shown. {words}"
                return
            self._remember()
            self.param.update(word="", seen=number, shown=moment)
            self.param.trigger("shown")

        session.opening.moment(read, tell)

    def _beside(self, moment: Moment) -> dict[str, Any]:
        """Whoever steps through the list keeps it: it stands beside what the moment shows."""
        session, query = self._session, moment.query
        is_open = self.instrument in (session.tab, session.beside)
        return {"beside": self.instrument} if is_open and query.get("tab", "") != self.instrument else {}

    # ---- within ----

    def say(self, words: str) -> None:
        """Says it, also where that was the last word already."""
        self.word = ""
        self.word = words

    def _remember(self) -> None:
        """The runs that are shown now need not be computed again."""
        session = self._session
        for setup, run in ((session.setup, session.run), *((each.setup, each.run) for each in session.kept)):
            self.runs.remember(setup, run)

    def _number(self) -> int:
        self._last += 1
        return self._last

    def _title(self) -> str:
        session = self._session
        what = (session.lesson and session.taught) or described(session.setup)
        title = title_of(f"{what}, {session.time:.2f} s")
        return told_apart(title, [each.title for each in self.moments])

    def _files(self, texts: Texts) -> None:
        if texts != self._texts:
            self._texts, self._machines = texts, Machines(texts)

    def _put(self, what: str, after: Moment) -> None:
        self._change(what, tuple(after if each.number == after.number else each for each in self.moments))

    def _change(self, what: str, moments: tuple[Moment, ...], texts: Texts | None = None) -> None:
        self._past = (*self._past[-MOST_PAST + 1 :], (what, self.moments, self._texts))
        self._files(self._texts if texts is None else texts)
        self.moments = moments


def exactly(found: Found, session: Session) -> Found:
    """What a moment does not say is as a page opens with it, not as it happens to be."""
    plain = {name: session.param[name].default for name in (*FORMS, *PINS.values(), "breaks", "shadow")}
    return dataclasses.replace(found, other={**plain, **found.other})


def _setups(moment: Moment) -> list[Mapping[str, str]]:
    return [moment.query, *(each["setup"] for each in moment.shown.get("kept", ()))]
