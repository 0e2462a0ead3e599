"""How a command ends: with a status that scripts can read, and, where it fails, with one line and no traceback."""

from __future__ import annotations

import sys
from typing import Any, NoReturn

import click

from app.wording import printable

FAILED, INTERRUPTED = 1, 130
"""Wrong use is 2, as everywhere."""


class Commands(click.Group):
    """Commands whose answer, if it is a number, is their exit status."""

    def main(self, *args: Any, **others: Any) -> NoReturn:
        try:
            status = super().main(*args, **others | {"standalone_mode": False}) or 0
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            status = error.exit_code
        except click.ClickException as error:
            status = _said(error.format_message(), error.exit_code)
        except click.Abort:
            status = _said("stopped.", INTERRUPTED)
        except ValueError as error:
            if not _is_in_words(error):
                raise
            status = _said(str(error), FAILED)
        sys.exit(status)


def _said(words: str, status: int) -> int:
    click.echo(f"armsweep: {printable(' '.join(words.split()))}", err=True)
    return status


def _is_in_words(error: ValueError) -> bool:
    """Whether the mechanics has refused something; its errors are loaded by then."""
    import dynamics as dyn

    return isinstance(error, dyn.ModelError | dyn.StateError | dyn.SingularConfigurationError)
