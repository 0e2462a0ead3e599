"""Runs that are computed already: whoever comes back to a moment of one does not wait for it again."""

from __future__ import annotations

import dataclasses
import json
from collections import OrderedDict

from app.kept.kept_run import Kept, size_of
from app.motion.run import Run
from app.motion.setup import Setup
from app.state.opening import Found
from app.state.setup_text import query_of_setup

MOST_BYTES = 32_000_000
"""What they may take together; the one that was of use longest ago is the first to go."""


class KnownRuns:
    """By what was chosen, as a link says it."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[Setup, Run]] = OrderedDict()

    def remember(self, setup: Setup, run: Run) -> None:
        """One more; it may still be in the making."""
        key = _key(setup)
        self._known[key] = setup, run
        self._known.move_to_end(key)
        while len(self._known) > 1 and sum(size_of(run) for _, run in self._known.values()) > MOST_BYTES:
            self._known.popitem(last=False)

    def instead(self, found: Found, present: Run | None = None) -> tuple[Found, bool]:
        """What was found with the runs that are known whole, and whether its own is one of them.

        Args:
            present: the run that is shown, which is as good as a whole one: the page goes on with it.
        """
        kept = tuple(self._kept(each) for each in found.other.get("kept", ()))
        shown = dataclasses.replace(found, other={**found.other, "kept": kept})
        known = self._whole(found.setup, present)
        if known is None or found.other.get("endless"):
            return shown, False
        setup, run = known
        return dataclasses.replace(shown, setup=setup, run=run), True

    def _kept(self, each: Kept) -> Kept:
        known = self._whole(each.setup)
        return each if known is None else dataclasses.replace(each, setup=known[0], run=known[1])

    def _whole(self, setup: Setup, present: Run | None = None) -> tuple[Setup, Run] | None:
        """A run from its start to the end that its setup gives it; one that went on without an end is none."""
        found = self._known.get(_key(setup))
        if found is None:
            return None
        run = found[1]
        has_end = not run.endless and run.begin == 0.0 and run.duration <= found[0].duration
        return found if has_end and (run.complete or run is present) else None


def _key(setup: Setup) -> str:
    return json.dumps(query_of_setup(setup), sort_keys=True)
