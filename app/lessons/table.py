"""One table of a lesson's file, key by key: what is not as expected is noted with its line, and reading goes on."""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from collections.abc import Collection, Mapping
from typing import Any

from app.lessons.fault import Fault, LessonError
from app.lessons.language import Expression, parsed, with_comma
from app.lessons.lesson import Prose
from app.lessons.naming import known, written
from app.lessons.prose import expressions, unpaired
from app.lessons.values import ExpressionError
from app.number_text import read_number
from app.unit_text import unit_of

MISSING = object()
MOST = 1e300
"""A number of more digits is none, be it whole or infinite."""
MOST_TOLERANCE = 1e9
ONE = "joint_inertia(1)"
UNPAIRED, CLOSE = "braces or a dollar sign stand alone", "Write {{ … }} or $…$ on one line; a dollar itself is \\$."
NOUGHT = parsed("0")
"""Stands for an expression that cannot be read."""


class Table:
    """A table as TOML gives it.

    Whoever reads it gets something to go on with for what is not as expected, "" or NaN, and uses none of it where
    there are faults: so all of them are told together.

    Args:
        first: the line of the file in which ``source`` begins.
        source: the text that it was read from, in which a key is looked for.
        faults: grows with all that is wrong here, and in the tables within.
        names: of what its step supposes, which any expression here may ask for.
    """

    def __init__(
        self, file: str, first: int, source: str, values: Mapping[str, Any], faults: list[Fault], skip: int = 0,
        names: Collection[str] = (),
    ) -> None:  # fmt: skip
        self.file, self._first, self._source, self._values = file, first, source, values
        self.faults, self._skip, self.names = faults, skip, names
        self._read: set[str] = set()

    def line_of(self, key: str) -> int:
        """Where a key stands; where the table begins if it does not."""
        place = re.compile(rf"^[ \t]*\[*[ \t]*(?:question\.)?[\"']?{re.escape(key)}(?!\w)", re.MULTILINE)
        found = [match.start() for match in place.finditer(self._source)]
        found = [at for at in found if at >= self._skip] or found
        return self._first + self._source.count("\n", 0, found[0] if found else self._skip)

    @property
    def keys(self) -> tuple[str, ...]:
        """Of all that is there."""
        return tuple(self._values)

    def words(self, key: str) -> str:
        """The text that stands there; "" where none does."""
        found = self._values.get(key)
        return found if isinstance(found, str) else ""

    def has(self, key: str) -> bool:
        """Whether a key is there."""
        return key in self._values

    def note(self, key: str, said: str, remedy: str) -> None:
        """Notes a fault at a key."""
        self.faults.append(Fault(self.file, self.line_of(key), said, remedy))

    def _get(self, key: str, default: object) -> Any:
        """What stands there, or the default; ``MISSING``, and noted, where neither is."""
        self._read.add(key)
        if key in self._values:
            return self._values[key]
        if default is MISSING:
            near = difflib.get_close_matches(key, list(self._values), 1, 0.7)
            hint = f" {near[0]} is there; is that it?" if near else ""
            self._read.update(near)  # told here
            self.note(key, f"{key} is missing.{hint}", f"Write {key} = …")
        return default

    def text(self, key: str, longest: int, default: Any = MISSING) -> str:
        """A text that is not empty; "" where there is none, or one that is too long to be read on."""
        found = self._get(key, default)
        if found is default:
            return "" if found is MISSING else str(found)
        if not isinstance(found, str) or not found.strip():
            self.note(key, f"{key} is no text.", f'Write {key} = "…"')
            return ""
        if len(found) > longest:
            self.note(key, f"{key} has {len(found)} characters.", f"Use at most {longest}.")
            return ""
        return found.strip()

    def plain(self, key: str, longest: int) -> str:
        """A text that is shown as it stands: without mathematics, and with no number to be computed."""
        found = self.text(key, longest)
        if "{{" in found or "$" in found:
            self.note(key, f"{key} has braces or a dollar sign.", "Write it in plain words: it is shown as it stands.")
        return found

    def told(self, key: str, longest: int, default: Any = MISSING) -> Prose:
        """A text in which expressions may stand, between double braces, and where it stands."""
        found = self.text(key, longest, default)
        if (at := unpaired(found)) is not None:
            self.note(key, f"{key}: {UNPAIRED}: {found[at : at + 20]!r}.", CLOSE)
        for _, source in expressions(found):
            try:
                written(source, self.names)
            except ExpressionError as error:
                self.note(key, f"between {{{{ }}}}: {error}", "Mend the expression.")
        return Prose(found, self.line_of(key))

    def unit(self, key: str) -> str:
        """A unit, "1" for none."""
        found = self.text(key, 20)
        if found and unit_of(found) is None:
            self.note(
                key, f"{key} is {found!r}, which is no unit that is known.", 'Write it as "kg m^2", or "1" for none.'
            )
        return found

    def number(self, key: str, least: float, most: float, default: Any = MISSING) -> float:
        """A number within bounds; NaN where there is none."""
        found = self._get(key, default)
        if found is MISSING:
            return math.nan
        if isinstance(found, bool) or not isinstance(found, int | float) or not -MOST < found < MOST:
            self.note(key, f"{key} is no number.", f"Write {key} = {max(least, 1):g}, say.")
            return math.nan
        if not least <= found <= most:
            self.note(key, f"{key} is {found:g}.", f"It goes from {least:g} to {most:g}.")
            return math.nan
        return float(found)

    def one_of(self, key: str, words: tuple[str, ...]) -> str:
        """One of several words; "" where none of them is there."""
        found = self.text(key, 60)
        if found and found not in words:
            self.note(key, f"{key} is {found!r}.", f"It is one of {', '.join(words)}.")
            return ""
        return found

    def meant(self, key: str, words: tuple[str, ...]) -> str:
        """The word that what stands there is likely to mean, to read on by; "" where that is none of them."""
        near = difflib.get_close_matches(str(self._values.get(key, "")), words, 1, 0.7)
        return near[0] if near else ""

    def value(self, key: str) -> Expression:
        """A value in the lessons' language; 0 where there is none."""
        found = self._expression(key)
        if found.is_comparison:
            self.note(key, f"{key}: {found.text} is a comparison, not a value.", f'Write one, as "{ONE}".')
        return found

    def _expression(self, key: str, live: Collection[str] = ()) -> Expression:
        found = self._get(key, MISSING)
        if found is MISSING:
            return NOUGHT
        if isinstance(found, bool):
            self.note(key, f"{key} is {found}.", f'Write a comparison, as "{ONE} > 0.1".')
            return NOUGHT
        try:
            return known(repr(found) if isinstance(found, int | float) else str(found), (*live, *self.names))
        except ExpressionError as error:
            self.note(key, f"{key}: {error}", "Mend the expression.")
            return NOUGHT

    def comparison(self, key: str, live: Collection[str] = ()) -> Expression:
        """A comparison in the same language, which holds or does not.

        Args:
            live: names that only the page gives a value.
        """
        found = self._expression(key, live)
        if found is not NOUGHT and not found.is_comparison:
            said = f"{key}: {found.text} is a value, not a comparison."
            self.note(key, said, f"Write one, as {found.text} > 0.")
        return found

    def tolerance(self, key: str) -> tuple[float, bool]:
        """(how far an answer may be off, whether that is a share of it): a number is in the answer's unit."""
        found = self._get(key, MISSING)
        if found is MISSING:
            return math.nan, False
        text = str(found).strip()
        share = text.removesuffix("%").strip()
        size = read_number(share)
        if isinstance(found, bool) or size is None or not 0.0 < size < MOST_TOLERANCE:
            said = with_comma(share) or f"{key} is {text[:20]!r}."
            self.note(key, said, 'Write "5 %" for a share of the answer, or "0.5" for as much in its unit.')
            return math.nan, False
        relative = text.endswith("%")
        return size / 100.0 if relative else size, relative

    def table(self, key: str) -> Table | None:
        """A table within, or None."""
        found = self._get(key, None)
        if found is None:
            return None
        if not isinstance(found, dict):
            self.note(key, f"{key} is no table.", f"Write [{key}] on a line of its own.")
            return None
        at = re.search(rf"^[ \t]*\[{re.escape(key)}\]", self._source, re.MULTILINE)
        return Table(self.file, self._first, self._source, found, self.faults, at.start() if at else 0, self.names)

    def tables(self, key: str, least: int, most: int) -> list[Table]:
        """Several tables within, in the order of the file."""
        found = self._get(key, [])
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            self.note(key, f"{key} are no tables.", f"Write [[question.{key}]] before each.")
            return []
        if not least <= len(found) <= most:
            self.note(key, f"there are {len(found)} {key}.", f"From {least} to {most} are expected.")
        heads = list(re.finditer(rf"^[ \t]*\[\[question\.{re.escape(key)}\]\]", self._source, re.MULTILINE))
        starts = [head.start() for head in heads] if len(heads) == len(found) else [self._skip] * len(found)
        return [
            Table(self.file, self._first, self._source, each, self.faults, at, self.names)
            for each, at in zip(found, starts, strict=True)
        ]

    def close(self) -> None:
        """Notes whatever nobody has asked for."""
        for key in self._values:
            if key not in self._read:
                near = difflib.get_close_matches(key, sorted(self._read), 1, 0.6)
                meant = f"Did you mean {near[0]}?" if near else f"Known here are {', '.join(sorted(self._read))}."
                self.note(key, f"there is no {key} here.", meant)


def toml(file: str, first: int, text: str) -> dict[str, Any]:
    """What a table says.

    Args:
        first: the line of the file in which it begins.

    Raises:
        LessonError: for what is no TOML.
    """
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a whole number of too many digits is no fault of TOML's
        told = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        line = first + (int(told.group(1)) - 1 if told else text.count("\n"))
        said = str(error).partition(" (at ")[0]
        at = text.split("\n")[min(line - first, text.count("\n"))]
        remedy = 'The table is TOML: key = "text" or key = 1.5 on a line of its own.'
        raise LessonError(Fault(file, line, with_comma(at.partition("=")[2].strip()) or f"{said}.", remedy)) from None
