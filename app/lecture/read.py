"""The file of a lecture, read as what anybody may have written: a moment at a time, and shown whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from app.kept.kept_run import LETTERS
from app.lecture.lecture import Texts
from app.lecture.moment import LARGEST_PICTURE, LONGEST_NOTE, MOST, Moment, note_of, picture_of, title_of
from app.lecture.written import FORMAT, VERSION
from app.motion.errors import ERRORS
from app.saved.read import Machines, entries, found_of, parsed, text_of, texts_in
from app.state import Session
from app.state.opening import RefusedError
from app.wording import in_words


class Reading:
    """Reads a file piece by piece; nothing of it is shown before all of it is well.

    Args:
        session: of which only what can be chosen at all is asked.

    Attributes:
        moments: as far as they are read.
        texts: text and name of each robot file, by its fingerprint.
    """

    def __init__(self, data: bytes, session: Session) -> None:
        self._data, self._session = data, session
        self.moments: tuple[Moment, ...] = ()
        self.texts: Texts = {}

    def pieces(self) -> Iterator[None]:
        """The work, a moment a piece.

        Raises:
            RefusedError: for what cannot be, with the moment that it is of.
        """
        whole = parsed(self._data, FORMAT, VERSION)
        found = entries(whole, "moments", MOST)
        if not found:
            raise RefusedError("it holds no moment.")
        self.texts = texts_in(whole, MOST * (len(LETTERS) + 1))
        machines = Machines(self.texts)
        yield
        for number, entry in enumerate(found, 1):
            try:
                found_of(entry, self._session, machines)
                self.moments = (*self.moments, _moment(number, entry))
            except (RefusedError, *ERRORS) as error:
                raise RefusedError(f"of moment {number}, {in_words(error)}") from None
            yield


def _moment(number: int, entry: dict[str, Any]) -> Moment:
    note, pictures = text_of(entry, "note"), [text_of(entry, name) for name in ("picture", "figure")]
    if len(note) > LONGEST_NOTE:
        raise RefusedError(f"the note has {len(note)} characters; expected up to {LONGEST_NOTE}.")
    if any(picture and not picture_of(picture) for picture in pictures):
        raise RefusedError(f"the picture is no JPEG of up to {LARGEST_PICTURE} characters.")
    title = title_of(text_of(entry, "title"))
    if not title:
        raise RefusedError("the title is empty; expected a line of text.")
    return Moment(number, title, _shown(entry), note_of(note), *pictures)


def _shown(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """What ``found_of`` has read, and no more."""
    kept = [
        {"letter": each["letter"], "name": text_of(each, "name"), "shown": each.get("shown") is not False,
         "setup": each["setup"]}
        for each in entries(entry, "kept", len(LETTERS))
    ]  # fmt: skip
    shown = {"moment": entry["moment"], "kept": kept}
    try:
        json.dumps(shown, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise RefusedError("there is half a letter in it; expected text.") from None
    return shown
