"""Output and end of a command: a report, or a one-line error without traceback, and a status for scripts."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
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


@contextmanager
def bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on the error output of a terminal, and nothing elsewhere: called with how much of what is done."""
    with click.progressbar(length=1, label=label, file=sys.stderr, hidden=not sys.stderr.isatty()) as shown:

        def advance(done: int, count: int) -> None:
            shown.length = count
            shown.update(done - shown.pos)

        yield advance


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
            import dynamics as dyn  # already imported if one of its errors was raised

            if not isinstance(error, dyn.ModelError | dyn.StateError | dyn.SingularConfigurationError):
                raise
            status = _failure(str(error), FAILED)
        except OSError as error:  # for example on a full disk
            status = _failure(f"the operating system refuses: {error.strerror or error}.", FAILED)
            sys.stdout = io.StringIO()  # or Python tries again to write it at exit
        sys.exit(status)


def _failure(words: str, status: int) -> int:
    aside(f"armsweep: {' '.join(words.split())}")
    return status


@contextmanager
def _signals() -> Iterator[None]:
    """Turn signals that end a process into an exception, so that a partially written file is removed."""
    before = {one: signal.signal(one, _stop) for one in SIGNALS if signal.getsignal(one) is not signal.SIG_IGN}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _stop(number: int, frame: FrameType | None) -> None:
    """Raise the exception; exit at once while numba compiles, which would catch it but writes only complete files."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] in COMPILER:
            os.write(2, f"\narmsweep: {STOPPED}\n".encode())
            os._exit(SIGNALLED + number)
        frame = frame.f_back
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(SIGNALLED + number)
