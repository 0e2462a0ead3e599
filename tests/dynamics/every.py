"""One statement for many cases in one test: a failure names the case that it fails for."""

import functools
from collections.abc import Callable, Iterable
from typing import Any


def every(cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Run a test for each case in turn; a case that is a tuple is several arguments."""
    rows = list(cases)

    def decorate(test: Callable[..., None]) -> Callable[[], None]:
        @functools.wraps(test)
        def run() -> None:
            for row in rows:
                try:
                    test(*row) if isinstance(row, tuple) else test(row)
                except BaseException as error:
                    error.add_note(f"case: {row}")
                    raise

        del run.__wrapped__  # whose arguments are no fixtures
        return run

    return decorate
