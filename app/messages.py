"""Messages of the page: their kinds, and safe limits for text written by others."""

from __future__ import annotations

import re
from enum import Enum

LONGEST_TOLD = 600
"""Largest number of characters shown of an error."""


def printable(line: str) -> str:
    """Replaces characters that a terminal or a one-line comment would obey: names and events may be a stranger's."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in line)


def one_line(text: str) -> str:
    """The printable part of a text, in one line, with single spaces."""
    return " ".join("".join(letter for letter in text if letter.isprintable() or letter.isspace()).split())


def file_stem(*words: str) -> str:
    """A file name without extension from these words: lower-case letters, digits and underscores."""
    parts = (re.sub(r"([^a-z0-9.]|(?<!\d)\.|\.(?!\d))+", "_", each[:60].lower()).strip("_") for each in words)
    return "_".join(part for part in parts if part)


class Kind(Enum):
    """The kind of a message: its severity and heading."""

    FAILURE = "error", "That did not work; what was running goes on"
    FILE_IN_PART = "warning", "Only part of this file is opened"
    FILE_WANTED = "info", "This link needs a file"
    LINK_IN_PART = "warning", "This link is followed as far as possible"
    RUN_ENDED = "warning", "The run ends early"


class Message(str):
    """A text with its kind of message; plain strings are failures."""

    kind: Kind

    def __new__(cls, kind: Kind, words: str) -> Message:
        message = super().__new__(cls, words)
        message.kind = kind
        return message


def kind_of(words: str) -> Kind:
    """The kind of a message."""
    return words.kind if isinstance(words, Message) else Kind.FAILURE


def in_words(fault: BaseException) -> str:
    """An error's message, or its class name if it has none."""
    words = str(fault) or type(fault).__name__
    return words if len(words) <= LONGEST_TOLD else f"{words[:LONGEST_TOLD]} …"
