"""The answer: where theirs and ours part, by how much, in which convention, and what it comes of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dynamics.checks import Array
from dynamics.record import Record
from dynamics.system.state import State
from dynamics.system.system import System

DIGITS = 1e-8
"""Where less than so much is rounding, and nothing more, nobody needs to be told."""


@dataclass(frozen=True, eq=False)
class ComparedStage(Record):
    """One array beside ours.

    Attributes:
        name: under which it was handed in.
        quantity: what it is taken to be, as the registry calls it where it knows it.
        words: the same in plain words.
        symbol: its letter.
        stage: the sweep that leaves it.
        convention: how it is written, where that is not as the others are, and how rows of what floats are; else empty.
        differences: (links,) or (joints,), the largest at each of ours, relative to the size of what stands there.
        first_link: the first that parts, in the order of its sweep; -1 where none does.
    """

    name: str
    quantity: str
    words: str
    symbol: str
    stage: str
    convention: str
    differences: Array
    first_link: int

    @property
    def worst(self) -> float:
        """The largest of the differences."""
        return float(self.differences.max(initial=0.0))

    @property
    def agrees(self) -> bool:
        """Whether it is ours, everywhere."""
        return self.first_link < 0


@dataclass(frozen=True, eq=False)
class Cause(Record):
    """Something that, altered in ours, gives theirs.

    Attributes:
        key: its name; of what is broken in the textbook the break's, for ``read_textbook(breaks=...)``.
        words: what is wrong.
        difference: what remains between ours, altered so, and theirs: the largest relative difference.
    """

    key: str
    words: str
    difference: float


@dataclass(frozen=True, eq=False)
class Comparison(Record):
    """Somebody's numbers beside ours; ``str`` says it in words.

    Attributes:
        system: whose moment it is.
        state: of it.
        tau: (joints,), N m or N.
        tolerance: below which a relative difference is rounding.
        convention: in which most of theirs is written.
        libraries: who writes so, of those known by name.
        ambiguous: conventions that explain what was handed in as well, this one included; empty where it is one.
        stages: every array, in the order of the algorithm.
        first: the number of the stage where the two part first; -1 where they do not.
        first_link: the link where they do, of contacts the one that holds, the number of links for the object; -1.
        causes: what was found to give theirs; more than one where what was handed in cannot tell them apart.
        converted: each array in our own convention, by the name of the quantity, where its numbers say all.
        left_out: what theirs lacks and ours has, such as friction: all else is told of ours without it; else empty.
    """

    system: System
    state: State
    tau: Array
    tolerance: float
    convention: str
    libraries: tuple[str, ...]
    ambiguous: tuple[str, ...]
    stages: tuple[ComparedStage, ...]
    first: int
    first_link: int
    causes: tuple[Cause, ...]
    converted: Mapping[str, Array]
    left_out: str = ""

    @property
    def agrees(self) -> bool:
        """Whether everything does."""
        return self.first < 0 and not self.left_out

    @property
    def first_stage(self) -> ComparedStage | None:
        """The stage where the two part first, None where they do not."""
        return None if self.first < 0 else self.stages[self.first]

    def __str__(self) -> str:
        return "\n".join([*self.convention_in_words, *self.difference_in_words, "", *self._table()])

    @property
    def convention_in_words(self) -> tuple[str, ...]:
        """How theirs is written, in sentences."""
        said = [f"Your convention: {self.convention}."]
        if self.libraries:
            said.append(f"It is that of {'; '.join(self.libraries)}.")
        if self.ambiguous:
            said.append("What you gave can be read otherwise as well:")
            said += [f"  - {each}" for each in self.ambiguous if each != self.convention]
        said += [f"{stage.name} is written so: {stage.convention}." for stage in self.stages if stage.convention]
        if self.tolerance > DIGITS:
            said.append(f"What differs by less than {self.tolerance:.0e} of its size is taken for rounding.")
        return tuple(said)

    @property
    def difference_in_words(self) -> tuple[str, ...]:
        """Where the two part first, and what that comes of, in sentences; or that they do not."""
        stage, said = self.first_stage, list[str]()
        if self.left_out:
            said.append(f"Yours leaves out {self.left_out}, which ours has; what follows is of ours without it.")
        if stage is None:
            return (
                *said,
                f"It agrees with ours everywhere, to {max(each.worst for each in self.stages):.0e}.",
            )
        names = self.system.link_names
        link = "the object"
        if self.first_link < len(names):
            link = f"link {self.first_link + 1} ({names[self.first_link]})"
        said.append(
            f"The two part first at {stage.words} {stage.symbol}, {link}, in the stage {stage.stage}: "
            f"by {stage.differences[self.first_link]:.1e} of its size."
        )
        if not self.causes:
            said += self._without_a_cause()
        elif len(self.causes) == 1:
            cause = self.causes[0]
            said.append(f"What is wrong: {cause.words}. Ours, altered so, is yours to {cause.difference:.0e}.")
        else:
            said.append("Each of these, done to ours, gives yours; what you gave cannot tell them apart:")
            said += [f"  - {cause.words} (to {cause.difference:.0e})" for cause in self.causes]
        return tuple(said)

    def _without_a_cause(self) -> list[str]:
        """What is known all the same, and what would tell more."""
        said = "Nothing that we know how to do wrong gives your numbers"
        linkwise = [each for each in self.stages if each.stage != "contact"]  # of others, links without one are zero
        if any(each.agrees for each in self.stages) or any(
            each.differences.min(initial=1.0) <= self.tolerance for each in linkwise
        ):
            return [f"{said}; what comes before this place agrees."]
        found = [
            f"{said}, and none of them agrees. Hand in what comes before as well (IA, pA, D, u): the first is told."
        ]
        joints = self.system.joint_models
        has = [
            words
            for words, there in (
                ("friction", any(any(joint.friction) for joint in joints)),
                ("damping", any(joint.damping for joint in joints)),
                ("rotor inertia", any(joint.rotor_inertia for joint in joints)),
            )
            if there and not self.left_out
        ]
        return [*found, *([f"This machine has {', '.join(has)}: has yours?"] if has else [])]

    def _table(self) -> list[str]:
        width = max(len(stage.name) for stage in self.stages)
        return [
            f"{stage.name:>{width}}  {stage.words}: "
            + ("agrees" if stage.agrees else f"differs, worst {stage.worst:.1e}")
            for stage in self.stages
        ]
