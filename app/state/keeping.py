"""What is seen beside the present run: those that were kept, or the one that a broken text moves."""

from __future__ import annotations

import dataclasses

import param

from app.kept.kept_run import Ghost, Kept, described, free_letter, name_of, told_apart, why_not_kept
from app.motion.setup import Setup
from app.state.editing import Editing
from app.state.history import Choice, History


class Keeping(Editing):
    """Keeps runs beside the present one, by letters; of a letter that none has, nothing is done."""

    kept: tuple[Kept, ...] = param.ClassSelector(  # type: ignore[assignment]
        class_=tuple, default=(), doc="Runs that are kept beside the present one, in the order of their letters."
    )
    compared = param.String(
        default="", doc="Letter of the kept run that differences are told from; empty for the first."
    )
    broken: param.ClassSelector = param.ClassSelector(
        class_=Ghost, allow_None=True, doc="A run of the algorithm broken on purpose; while it is shown, others wait."
    )

    exchanged: tuple[tuple[Setup, tuple[Kept, ...]], tuple[Setup, tuple[Kept, ...]]] | None = None
    """A setup with its kept runs, and the same of what was opened in its place last."""

    def _restore(self, choice: Choice, history: History) -> None:
        """With the setup that something was opened in place of come the runs that were kept then, and the other way."""
        before = self.setup
        super()._restore(choice, history)
        if self.exchanged is None:
            return
        for here, there in (self.exchanged, self.exchanged[::-1]):
            if before is here[0] and choice.setup is there[0] and self.kept == here[1]:
                self.param.update(kept=there[1], broken=None)
                return

    @property
    def ghosts(self) -> tuple[Ghost, ...]:
        """What is seen beside the run: the broken algorithm's motion, else those of the kept runs that are shown."""
        return tuple(each for each in self.kept if each.shown) if self.broken is None else (self.broken,)

    @property
    def ghosts_compared(self) -> tuple[Ghost, ...]:
        """The same, the one that differences are told from in front."""
        return tuple(sorted(self.ghosts, key=lambda each: each.letter != self.compared))

    @property
    def ghost(self) -> Ghost | None:
        """The first of them."""
        return next(iter(self.ghosts), None)

    def keep(self) -> Kept | None:
        """Keeps the present run, to be seen beside whatever comes next; None where there is no room for it."""
        if why_not_kept(self.kept, self.run):
            return None
        letter, title = free_letter(self.kept), told_apart(described(self.setup), [each.title for each in self.kept])
        kept = Kept(self.run, title, letter, setup=self.setup)
        self.param.update(kept=tuple(sorted((*self.kept, kept), key=lambda each: each.letter)), broken=None)
        return kept

    def keep_once(self) -> str:
        """Keeps the present run, unless it is kept: then that one is shown; nothing that is kept ever goes by this.

        Returns:
            What has become of it, in words.
        """
        known = next((each for each in self.kept if each.run is self.run or each.setup == self.setup), None)
        if known is None:
            new = self.keep()
            return f"Kept as {new.letter}: {new.title}." if new else why_not_kept(self.kept, self.run)
        self.broken = None
        self.change_kept(known.letter, shown=True)
        return f"This run is kept already, as {known.letter}: {known.title}."

    @param.depends("endless", watch=True)
    def _go_on(self) -> None:
        """With an end again, those that were kept have it as well; one that has gone beyond it is begun anew."""
        super()._go_on()
        if not self.endless:
            self.kept = tuple(self._with_end(each) for each in self.kept)

    def _with_end(self, each: Kept) -> Kept:
        if each.run is self.run or each.run.ends_by(each.setup.duration):
            return each
        return dataclasses.replace(each, run=self.run if each.setup is self.setup else each.setup.run())

    def drop_kept(self, letter: str) -> None:
        """Forgets a run that was kept."""
        self.kept = tuple(each for each in self.kept if each.letter != letter)

    def change_kept(self, letter: str, title: str | None = None, shown: bool | None = None) -> None:
        """Calls a kept run something else, or shows or hides it; a name of nothing is the one that it had."""
        title, at = name_of(title or ""), self.at_letter(letter)
        if at is None:
            return
        changed = dataclasses.replace(at, title=title or at.title, shown=at.shown if shown is None else shown)
        if (changed.title, changed.shown) != (at.title, at.shown):
            self.kept = tuple(changed if each is at else each for each in self.kept)

    def open_kept(self, letter: str) -> None:
        """Makes a kept run the present one, as a step that can be undone; it stays kept."""
        at = self.at_letter(letter)
        if at is None or at.run is self.run:
            return
        before = self.choice
        if at.setup.machine is before.setup.machine:
            self._show(at.setup, at.run)
        else:
            self._open(at.setup, at.run)
        self.history = self.history.left(before)

    def at_letter(self, letter: str) -> Kept | None:
        """The run that is kept under a letter."""
        return next((each for each in self.kept if each.letter == letter), None)
