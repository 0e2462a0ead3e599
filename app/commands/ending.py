"""How a command ends: with a status that scripts can read, and, where it fails, with one line and no traceback."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

import click

from app.wording import printable

FAILED, INTERRUPTED = 1, 130
"""Wrong use is 2, as everywhere."""
STOPPED = "stopped."
COMPILER = ("numba", "llvmlite")
"""Whose own code loses an interruption, or makes an error of another kind of it."""


class Commands(click.Group):
    """Commands whose answer, if it is a number, is their exit status."""

    def main(self, *args: Any, **others: Any) -> NoReturn:
        try:
            with _interruptible():
                status = super().main(*args, **others | {"standalone_mode": False}) or 0
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            status = error.exit_code
        except click.ClickException as error:
            status = _said(error.format_message(), error.exit_code)
        except click.Abort:
            status = _said(STOPPED, INTERRUPTED)
        except ValueError as error:
            if not _is_in_words(error):
                raise
            status = _said(str(error), FAILED)
        sys.exit(status)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C is heard at once also while something is compiled, which takes a minute at the very first."""
    is_ours = threading.current_thread() is threading.main_thread()
    if not is_ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield  # somebody else says what answers it, or that nothing does
        return
    signal.signal(signal.SIGINT, _interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _interrupted(number: int, frame: FrameType | None) -> None:
    """What is compiled writes no file but whole ones, so that it may end where it is."""
    at = frame
    while at is not None:
        if str(at.f_globals.get("__name__")).partition(".")[0] in COMPILER:
            os.write(2, f"\narmsweep: {STOPPED}\n".encode())
            os._exit(INTERRUPTED)
        at = at.f_back
    signal.default_int_handler(number, frame)


def _said(words: str, status: int) -> int:
    click.echo(f"armsweep: {printable(' '.join(words.split()))}", err=True)
    return status


def _is_in_words(error: ValueError) -> bool:
    """Whether the mechanics has refused something; its errors are loaded by then."""
    import dynamics as dyn

    return isinstance(error, dyn.ModelError | dyn.StateError | dyn.SingularConfigurationError)
