"""Tables of what must be refused: every row is tried, and a row that fails is named."""

import re
import warnings
from collections.abc import Callable, Mapping

import dynamics as dyn


def refused(act: Callable[..., object], *given: object) -> str:
    """The message of the ModelError or StateError that ``act(*given)`` raises; empty if it raises nothing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            act(*given)
    except (dyn.ModelError, dyn.StateError) as error:
        return str(error)
    return ""


def assert_all_refused(rows: Mapping[str, tuple[Callable[[], object], str]]) -> None:
    """Each row is an action and a pattern of the message that it must raise."""
    said = {name: refused(act) for name, (act, _) in rows.items()}
    failed = {name: said[name] for name, (_, pattern) in rows.items() if not re.search(pattern, said[name] or "\0")}
    assert not failed, failed
