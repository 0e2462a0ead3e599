"""What the page tells: what kind of news it is, and of what somebody else has worded no more than one reads."""

from __future__ import annotations

import re
from enum import Enum

LONGEST_TOLD = 600
"""Characters of what an error says."""


def printable(line: str) -> str:
    """What a terminal, or a comment of one line, shows and does not obey: names and events may be a stranger's."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in line)


def one_line(text: str) -> str:
    """What of somebody's words can be printed, in one line, with single blanks."""
    return " ".join("".join(letter for letter in text if letter.isprintable() or letter.isspace()).split())


def file_stem(*words: str) -> str:
    """The name of a file, without its ending, of what it is about: small letters, numbers and underscores."""
    parts = (re.sub(r"([^a-z0-9.]|(?<!\d)\.|\.(?!\d))+", "_", each[:60].lower()).strip("_") for each in words)
    return "_".join(part for part in parts if part)


class Kind(Enum):
    """Of a message: how grave it is, and what stands over it."""

    FAILURE = "error", "That did not work; what was running goes on"
    FILE_IN_PART = "warning", "This file is opened, but not all of it"
    FILE_WANTED = "info", "This link needs a file"
    LINK_IN_PART = "warning", "This link is followed as far as the machine can"
    RUN_ENDED = "warning", "The run ends early"


class Message(str):
    """Words with the kind of news that they are; plain words tell of a failure."""

    kind: Kind

    def __new__(cls, kind: Kind, words: str) -> Message:
        message = super().__new__(cls, words)
        message.kind = kind
        return message


def kind_of(words: str) -> Kind:
    """What kind of news some words are."""
    return words.kind if isinstance(words, Message) else Kind.FAILURE


def in_words(fault: BaseException) -> str:
    """What an error says of itself, or else its name."""
    words = str(fault) or type(fault).__name__
    return words if len(words) <= LONGEST_TOLD else f"{words[:LONGEST_TOLD]} …"
