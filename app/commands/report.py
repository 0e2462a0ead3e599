"""Output and end of a command: a report, or a one-line error without traceback, and a status for scripts."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn

import click

from app.messages import printable

Report = dict[str, Any]
FAILED, SIGNALLED = 1, 128  # exit statuses: wrong use is 2, as usual; a signal's number is added to the last
SIGNALS = [getattr(signal, name) for name in ("SIGHUP", "SIGINT", "SIGTERM") if hasattr(signal, name)]
STOPPED = "stopped."
COMPILER = ("numba", "llvmlite")  # packages that catch any exception, also that of an interrupt


def print_report(report: Report, as_json: bool, words: Callable[[Report], Iterable[str]]) -> None:
    """Print a report, for a script or for a person."""
    lines = [json.dumps(report, indent=1, allow_nan=False)] if as_json else map(printable, words(report))
    click.echo("\n".join(lines))


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines with aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def bar(length: int, label: str) -> Any:
    """A progress bar on the error output of a terminal, and nothing elsewhere."""
    return click.progressbar(length=length, label=label, file=sys.stderr, hidden=not sys.stderr.isatty())


def aside(line: str) -> None:
    """Print a line on the error output, which no script parses."""
    click.echo(printable(line), err=True)


class Commands(click.Group):
    """Commands that return their exit status, or None on success."""

    def main(self, *args: Any, **others: Any) -> NoReturn:
        """Run a command and exit with its status."""
        try:
            with _signals():
                status = super().main(*args, **others | {"standalone_mode": False}) or 0
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            status = error.exit_code
        except click.ClickException as error:
            status = _failure(error.format_message(), error.exit_code)
        except click.Abort:
            status = _failure(STOPPED, SIGNALLED + signal.SIGINT)
        except ValueError as error:
            if not _is_of_the_mechanics(error):
                raise
            status = _failure(str(error), FAILED)
        except OSError as error:  # for example on a full disk
            status = _failure(f"the operating system refuses: {error.strerror or error}.", FAILED)
            sys.stdout = io.StringIO()  # or Python tries again to write it at exit
        sys.exit(status)


def _failure(words: str, status: int) -> int:
    aside(f"armsweep: {' '.join(words.split())}")
    return status


def _is_of_the_mechanics(error: ValueError) -> bool:
    import dynamics as dyn  # already imported if one of its errors was raised

    return isinstance(error, dyn.ModelError | dyn.StateError | dyn.SingularConfigurationError)


@contextmanager
def _signals() -> Iterator[None]:
    """Turn signals that end a process into an exception, so that a partially written file is removed."""
    if threading.current_thread() is threading.main_thread():
        for one in SIGNALS:
            if signal.getsignal(one) is _default(one):
                signal.signal(one, _stop)
    try:
        yield
    finally:
        restore_signals()


def restore_signals() -> None:
    """Restore the default signal handlers, for a command that installs its own."""
    for one in SIGNALS:
        if signal.getsignal(one) is _stop:
            signal.signal(one, _default(one))


def _default(number: int) -> Any:
    return signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL


def _stop(number: int, frame: FrameType | None) -> None:
    """Raise the exception; exit at once while numba compiles, which would catch it but writes only complete files."""
    at = frame
    while at is not None:
        if str(at.f_globals.get("__name__")).partition(".")[0] in COMPILER:
            os.write(2, f"\narmsweep: {STOPPED}\n".encode())
            os._exit(SIGNALLED + number)
        at = at.f_back
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(SIGNALLED + number)
