"""How a command ends: with a status that scripts can read, and, where it fails, with one line and no traceback."""

from __future__ import annotations

import io
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

FAILED, SIGNALLED = 1, 128
"""Wrong use is 2, as everywhere; what a signal ends has its number besides."""
INTERRUPTED = SIGNALLED + signal.SIGINT
ENDING = [getattr(signal, name) for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]
"""A connection that is lost, and a machine that shuts down: what is being written is taken away then, too."""
STOPPED = "stopped."
COMPILER = ("numba", "llvmlite")
"""Whose own code loses an interruption, or makes an error of another kind of it."""


class Commands(click.Group):
    """Commands whose answer, if it is a number, is their exit status."""

    def main(self, *args: Any, **others: Any) -> NoReturn:
        try:
            with _interruptible(), _ending_well():
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
        except OSError as error:  # of the output, say, which goes to a file on a disk that is full
            status = _said(f"the system refuses: {error.strerror or error}.", FAILED)
            sys.stdout = io.StringIO()  # else Python tries once more when it ends
        sys.exit(status)


@contextmanager
def _ending_well() -> Iterator[None]:
    """What ends a process at once ends it as an error does, so that files are whole or not at all."""
    is_ours = threading.current_thread() is threading.main_thread()
    ours = [one for one in ENDING if is_ours and signal.getsignal(one) is signal.SIG_DFL]
    for one in ours:
        signal.signal(one, _ended)
    try:
        yield
    finally:
        for one in ours:
            signal.signal(one, signal.SIG_DFL)


def end_at_once() -> None:
    """From here on these signals are answered as by the system: for what writes no file, and listens itself."""
    for one in ENDING:
        if signal.getsignal(one) is _ended:
            signal.signal(one, signal.SIG_DFL)


def _ended(number: int, frame: FrameType | None) -> None:
    del frame
    sys.exit(SIGNALLED + number)


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
