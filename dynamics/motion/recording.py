"""What a run leaves behind: enough to rebuild the complete solution of any instant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamics.checks import is_among, number, real_array
from dynamics.errors import StateError
from dynamics.files.media import write_film, write_gltf, write_html
from dynamics.files.recording_file import RecordWriter, write_recording
from dynamics.files.table import Table, data_frame, data_set, heads_of, plot_lines, write_table
from dynamics.motion.energy_balance import energy_balance
from dynamics.motion.hermite import interpolate
from dynamics.motion.stages_over_time import about_stage, stage_over_time
from dynamics.posture.closure import close_packed
from dynamics.record import Record, frozen, in_a_line
from dynamics.solve.forward_dynamics import filter_solutions, forward_dynamics
from dynamics.system.joint_vectors import Order, by_joint, joint_index
from dynamics.system.solution import Solution, require_joints
from dynamics.system.state import State
from dynamics.system.system import System

Array = NDArray[np.float64]
RECORDED = "q", "qd", "qdd", "tau"


@dataclass(frozen=True, eq=False)
class Segment(Record):
    """A stretch of a run in which the system and the external forces do not change.

    Attributes:
        times: (samples,) s.
        x, v, acceleration: (samples, ...) packed as ``System.pack`` says.
        tau: (samples, joints).
        drift: (samples, 2), the worst position gap (rad, or of the machine's length) and velocity gap (of its speed)
            of the closure before it was projected away.
        wrench: (links + 1, 6) external forces; (samples, links + 1, 6) where a function gave them.
        every_step: whether the samples are all the steps that were taken.
    """

    system: System
    times: Array
    x: Array
    v: Array
    acceleration: Array
    tau: Array
    drift: Array
    wrench: Array
    every_step: bool = True

    def sample_at(self, t: float) -> int | None:
        """The index of the sample at time t, or None between two."""
        after = int(np.searchsorted(self.times, t))
        for k in (after - 1, after):
            if 0 <= k < len(self.times) and abs(self.times[k] - t) <= 1e-9 * max(1.0, abs(t)):
                return k
        return None

    def place(self, t: float) -> tuple[int, float]:
        """The sample at or before time t, and how far t is on the way to the next: 0 at the sample itself, below 1."""
        k = self.sample_at(t)
        if k is not None:
            return k, 0.0
        k = min(max(int(np.searchsorted(self.times, t)) - 1, 0), len(self.times) - 2)
        return k, float((t - self.times[k]) / (self.times[k + 1] - self.times[k]))

    def wrench_at(self, t: float) -> Array:
        """(links + 1, 6) external forces at time t, between samples on a line."""
        if self.wrench.ndim == 2:
            return self.wrench
        k, u = self.place(t)
        return (1.0 - u) * self.wrench[k] + u * self.wrench[k + 1] if u else self.wrench[k]


@dataclass(frozen=True, eq=False)
class Recording(Record):
    """The timeline of a run.

    Attributes:
        segments: at an event one segment ends and the next begins, at the same time.
        events: (time, what happened) in order; of each joint limit, when it was met first.
        stopped: why the run ended early, or None.
    """

    segments: tuple[Segment, ...]
    events: tuple[tuple[float, str], ...] = ()
    stopped: str | None = None

    def __repr__(self) -> str:
        joints, stopped = self.segments[-1].system.n_joints, [f"stopped: {self.stopped}"] * bool(self.stopped)
        parts = [f"{len(self.t)} samples to {self.duration:g} s", f"{joints} joints", f"{len(self.events)} events"]
        return in_a_line("Recording", parts + stopped)

    @cached_property
    def t(self) -> Array:
        """(samples,) s, ascending; an event's time occurs twice, before and after."""
        return _whole(self.segments, "times")

    @property
    def q(self) -> Array:
        """(samples, joints), rad or m, tip to base, arm after arm; ``by_joint("q")`` has them by name."""
        return self.x[:, : self._n_joints]

    @property
    def qd(self) -> Array:
        """(samples, joints) rates, rad/s or m/s, tip to base."""
        return self.v[:, : self._n_joints]

    @property
    def qdd(self) -> Array:
        """(samples, joints) accelerations, rad/s^2 or m/s^2, tip to base."""
        return self.acceleration[:, : self._n_joints]

    @property
    def _n_joints(self) -> int:
        return self.segments[0].system.n_joints

    @cached_property
    def x(self) -> Array:
        """(samples, configuration) packed configurations, m, rad and unit quaternions, inertial axes."""
        return _whole(self.segments, "x")

    @cached_property
    def v(self) -> Array:
        """(samples, velocity) packed velocities, rad/s and m/s, inertial axes."""
        return _whole(self.segments, "v")

    @cached_property
    def acceleration(self) -> Array:
        """(samples, velocity) packed accelerations, rad/s^2 and m/s^2, inertial axes."""
        return _whole(self.segments, "acceleration")

    @cached_property
    def tau(self) -> Array:
        """(samples, joints) motor torques, N m or N, tip to base."""
        return _whole(self.segments, "tau")

    @cached_property
    def drift(self) -> Array:
        """(samples, 2), the closure's worst gap before it was projected away.

        In position in rad or shares of the machine's length (the longest way from a root to a tip), in velocity in
        shares of its speed: numbers that hang on no unit.
        """
        return _whole(self.segments, "drift")

    @cached_property
    def unexplained_energy(self) -> Array:
        """(samples,) J, kinetic and potential energy less the work of motors, losses and pushes since a segment began.

        What joints take or give at their stops is left out. Cost: about a microsecond a sample, once.
        """
        return self._energy[0]

    @property
    def doubtful_from(self) -> float | None:
        """The time, s, from which more is unexplained than a hundredth of a segment's largest kinetic energy, or None.

        What the samples leave open of the work is allowed besides. A step that is too long for a motion shows here:
        near a singular closure, or under gains that are too stiff for it. Cost: as ``unexplained_energy``.
        """
        return self._energy[1]

    @cached_property
    def _energy(self) -> tuple[Array, float | None]:
        errors, doubtful = [], []
        for s in self.segments:
            error, allowed = energy_balance(s.system, s.times, s.x, s.v, s.acceleration, s.tau, s.wrench, s.every_step)
            errors.append(error)
            doubtful += s.times[~(np.abs(error) <= allowed)].tolist()
        return frozen(np.concatenate(errors)), min(doubtful, default=None)

    @property
    def duration(self) -> float:
        """The time of the last sample, s."""
        return float(self.segments[-1].times[-1])

    def until(self, t: float) -> Recording:
        """The recording as far as time t; nothing of what came later is kept in memory.

        Args:
            t: s.

        Returns:
            A recording that ends with the last sample at or before t.

        Raises:
            StateError: for what is no time.

        Cost: linear in the samples kept of the segment that is cut.
        """
        kept, t = [], number(t, "t", "a time in seconds")
        for segment in self.segments:
            count = int(np.searchsorted(segment.times, t + 1e-9, side="right"))
            if count == len(segment.times):
                kept.append(segment)
            elif count:
                names = ["times", "x", "v", "acceleration", "tau", "drift"]
                names += ["wrench"] * (segment.wrench.ndim == 3)
                kept.append(replace(segment, **{name: getattr(segment, name)[:count].copy() for name in names}))
        events = tuple(event for event in self.events if event[0] <= t)
        return replace(self, segments=tuple(kept), events=events, stopped=None)

    def segment_at(self, t: float) -> Segment:
        """The segment that governs time t; at an event, the one that begins.

        Args:
            t: s.

        Returns:
            A stretch of the run in which system and external forces do not change.

        Raises:
            StateError: for a time outside the recording.

        Cost: linear in the number of events.
        """
        t = number(t, "t", "a time in seconds")
        first, last = self.segments[0].times[0], self.segments[-1].times[-1]
        slack = 1e-9 * max(1.0, abs(float(last)))
        if not first - slack <= t <= last + slack:
            raise StateError(f"time {t:g} s lies outside this recording, which spans {first:g} s to {last:g} s.")
        chosen = self.segments[0]
        for segment in self.segments:
            if segment.times[0] <= t + slack:
                chosen = segment
        return chosen

    def system_at(self, t: float) -> System:
        """The system at time t: who holds the object changes it.

        Args:
            t: s; at an event, what begins.

        Returns:
            The system itself, not a copy.

        Raises:
            StateError: for a time outside the recording.

        Cost: linear in the number of events.
        """
        return self.segment_at(t).system

    def packed_at(self, t: float) -> tuple[Segment, Array, Array, Array]:
        """Segment and packed arrays at time t: a sample itself, or the cubic between two (rotations on the group).

        Args:
            t: s.

        Returns:
            The segment, x (rad, m, unit quaternions), v (rad/s, m/s) and tau (N m or N), packed, inertial axes.

        Raises:
            StateError: for a time outside the recording.

        Cost: logarithmic in the samples.
        """
        segment = self.segment_at(t)
        k, u = segment.place(t)
        if not u:
            return segment, segment.x[k], segment.v[k], segment.tau[k]
        span = segment.times[k + 1] - segment.times[k]
        x, v = interpolate(segment.system.n_joints, u, span, segment.x, segment.v, segment.acceleration, k)
        return segment, x, v, (1.0 - u) * segment.tau[k] + u * segment.tau[k + 1]

    def state_at(self, t: float) -> State:
        """The state at time t; between samples a held object is closed again by projection.

        Args:
            t: s.

        Returns:
            The state of ``system_at(t)``.

        Raises:
            StateError: for a time outside the recording.
            SingularConfigurationError: if a held object cannot be closed there.
            ModelError: for a joint that moves no inertia there.

        Example:
            >>> system = dyn.single_arm(dyn.planar_chain(2))
            >>> recording = dyn.simulate(system, system.state(qd=[1, 0]), duration=0.02)
            >>> recording.state_at(0.0).qd
            array([1., 0.])

        Cost: some microseconds; between samples of a held object one projection.
        """
        return self._moment_at(t)[1]

    def _moment_at(self, t: float) -> tuple[Segment, State, Array]:
        """Segment, state and torques at time t."""
        segment, x, v, tau = self.packed_at(t)
        if segment.system.is_held and segment.sample_at(t) is None:
            close_packed(segment.system, x, v)
        return segment, segment.system.unpack(x, v), tau

    def solution_at(self, t: float, method: str = "filter_smoother") -> Solution:
        """The complete solution at time t, every stage of every link.

        Args:
            t: s.
            method: any of ``methods(system_at(t))``; only ``filter_smoother`` has stages.

        Returns:
            What ``forward_dynamics`` says of the state at t under the torques and external forces of t.

        Raises:
            StateError: for a time outside the recording.
            ModelError: for a method that does not apply.
            SingularConfigurationError: if no contact force closes the chain there.

        Example:
            >>> system = dyn.single_arm(dyn.planar_chain(2))
            >>> recording = dyn.simulate(system, system.state(), duration=0.02)
            >>> recording.solution_at(0.01)
            Solution(filter_smoother, 2 joints, stages filter, smoother)

        Cost: that of ``forward_dynamics``.
        """
        segment, state, tau = self._moment_at(t)
        return forward_dynamics(segment.system, state, tau, method, segment.wrench_at(t))

    def solutions_at(self, times: ArrayLike) -> tuple[Solution, ...]:
        """The complete solution at each of some times, by ``filter_smoother``: the numbers of ``solution_at``.

        Each keeps all of them in memory; some tens at a time serve best.

        Args:
            times: (instants,) s, in any order.

        Returns:
            One for each time, in inertial axes.

        Raises:
            StateError: for a time outside the recording, or what is no times.
            ModelError: for a joint that moves no inertia at one of them.
            SingularConfigurationError: if at one of them no contact force closes the chain.

        Cost: 0.1 to 0.4 ms each, of many: a third to a fifth of ``solution_at``.
        """
        wanted = real_array(times, "times in seconds", "times")
        moments = [(t, *self._moment_at(t)) for t in wanted.ravel().tolist()]
        found: list[Solution] = []
        for _, together in groupby(moments, key=lambda moment: id(moment[1])):
            instants, segments, states, torques = zip(*together, strict=True)
            wrenches = np.array([segments[0].wrench_at(t) for t in instants])
            found += filter_solutions(segments[0].system, states, torques, wrenches)
        return tuple(found)

    def stage(self, name: str, joint: str | None = None) -> Array:
        """What a stage of the method has at every sample, e.g. ``recording.stage("kalman_gain", joint="elbow")``.

        Args:
            name: of ``stages``, ``contact_force`` or an acceleration of a ``Solution``; where several stages have it,
                the last smoother's, or say ``"smoother/force"``. ``registry`` tells unit, axes and equation of each.
            joint: its name: the row of that joint, or of the link that hangs on it; default all of the array.

        Returns:
            (samples, ...), write-protected, in the unit and axes of the quantity.

        Raises:
            StateError: for what there is not at every sample, as a contact's after a release: cut by ``until``.
            ModelError: for a joint that moves no inertia.
            SingularConfigurationError: if no contact force closes the chain at a sample.

        Cost: by ``forward_dynamics_batch``, some microseconds a sample; ``dual_filter`` 0.5 ms.
        """
        return stage_over_time(self.segments, name, joint)

    def by_joint(self, name: str, order: Order = "tip") -> dict[str, Any]:
        """A quantity over time by the joints' names, e.g. ``recording.by_joint("qdd")["elbow"]``.

        Args:
            name: ``q``, ``qd``, ``qdd``, ``tau``, or what ``stage`` takes, if joints or links have it.
            order: at which end the names begin, ``tip`` or ``base``.

        Returns:
            (samples, ...) for each joint, in the unit and axes of the quantity.

        Raises:
            StateError: for what joints have not.
            ModelError: for a joint that moves no inertia.
            SingularConfigurationError: if no contact force closes the chain at a sample.

        Cost: as ``stage``; none for what is recorded.
        """
        if not is_among(name, RECORDED):
            require_joints(name)
        values = getattr(self, name) if is_among(name, RECORDED) else self.stage(name)
        return by_joint(self.segments[0].system, values, order, axis=1)

    def plot(self, name: str, joint: str | None = None, axes: Any = None) -> Any:
        """A quantity over time, drawn by matplotlib: ``recording.plot("kalman_gain", joint="elbow")``.

        It takes ``pip install "armsweep[plot]"``.

        Args:
            name: ``q``, ``qd``, ``qdd``, ``tau``, or what ``stage`` takes.
            joint: its name; default all that there is, a line for each number.
            axes: of matplotlib, to draw on; default new ones.

        Returns:
            The axes, with the unit at the left; ``axes.figure.savefig(path)`` writes the figure.

        Raises:
            StateError: for what there is not, for axes that are none, or where matplotlib is missing.
            ModelError: for a joint that moves no inertia.
            SingularConfigurationError: if no contact force closes the chain at a sample.

        Cost: as ``stage``, and what matplotlib takes.
        """
        system = self.segments[0].system
        if is_among(name, RECORDED):
            values = getattr(self, name) if joint is None else getattr(self, name)[:, joint_index(system, joint)]
            units = [head.unit for head in heads_of(system) if head.quantity == name]
            unit, rows = " or ".join(dict.fromkeys(units)), tuple(system.joint_names)
        else:
            values, (unit, rows) = self.stage(name, joint), about_stage(system, name)
        title = name if joint is None else f"{name} of {joint}"
        return plot_lines(self.t, values, rows if joint is None else (), title, unit, axes)

    def columns(self) -> dict[str, Array]:
        """Every recorded number as a named column of one table.

        Returns:
            ``t``, ``q/<joint>``, ``qd/<joint>``, ``qdd/<joint>``, ``tau/<joint>``, positions, quaternions and
            velocities of bases and object in inertial axes, ``…/rate`` of these velocities, ``drift/…``: (samples,)
            each, SI units and radians.

        Cost: none beyond the recording's own arrays.
        """
        table = self._table()
        return dict(zip(table.about("name"), table.values, strict=True))

    def _table(self) -> Table:
        values = [self.t, *self.x.T, *self.v.T, *self.acceleration.T, *self.tau.T, *self.drift.T]
        return Table(heads_of(self.segments[0].system), values, self.events, self.stopped)

    def save(self, path: str | Path) -> None:
        """Everything, in one file: ``load_recording`` gives it back to the bit, its systems too.

        Args:
            path: of the file, which is overwritten once the new one is whole.

        Raises:
            StateError: for what is no path of a file that can be written.

        Cost: some 8 bytes a number.
        """
        writer = RecordWriter()
        segments = [{one.name: writer.value(getattr(each, one.name)) for one in fields(each)} for each in self.segments]
        tree = {"segments": segments, "events": writer.value(self.events), "stopped": self.stopped}
        write_recording(path, {"records": writer.records, **tree}, writer.arrays)

    def to_csv(self, path: str | Path) -> None:
        """The columns of ``columns`` as a CSV file, a row for each sample, with all digits.

        The head of a column gives its name, its unit, and its axes unless it is along its joint:
        ``qd/elbow [rad/s]``, ``object/vx [m/s; inertial axes, at the object's mass centre]``.

        Args:
            path: of the file, which is overwritten once the new one is whole.

        Raises:
            StateError: for what is no path of a file that can be written.

        Cost: about 20 bytes a number.
        """
        write_table(path, "csv", self._table())

    def to_npz(self, path: str | Path) -> None:
        """The columns of ``columns`` as a compressed NumPy archive.

        ``names`` lists the columns; ``units`` and ``frames`` are theirs, in the same order.

        Args:
            path: of the file, which is overwritten once the new one is whole.

        Raises:
            StateError: for what is no path of a file that can be written.

        Cost: some 8 bytes a number.
        """
        write_table(path, "npz", self._table())

    def to_parquet(self, path: str | Path) -> None:
        """The columns of ``columns`` as a Parquet file, a row for each sample, to the bit.

        The metadata of each field gives its ``unit``, ``frame``, ``part`` and ``quantity``; that of the schema, under
        ``armsweep`` as JSON, the ``events`` and why the run ``stopped``. Needs ``pip install armsweep[files]``.

        Args:
            path: of the file, which is overwritten once the new one is whole.

        Raises:
            StateError: for what is no path of a file that can be written, or where pyarrow is missing.

        Cost: some 8 bytes a number.
        """
        write_table(path, "parquet", self._table())

    def to_mat(self, path: str | Path) -> None:
        """The columns of ``columns`` as a MATLAB file (version 5), a variable each, to the bit.

        Characters that MATLAB does not accept in a name become ``_``: ``q_elbow``, ``x1_base_x``. The structs
        ``names``, ``units`` and ``frames`` give the full name, unit and axes of each variable; ``event_times`` and
        ``events`` say what happened and when, ``stopped`` why the run ended early.

        Args:
            path: of the file, which is overwritten once the new one is whole.

        Raises:
            StateError: for what is no path of a file that can be written.

        Cost: some 8 bytes a number.
        """
        write_table(path, "mat", self._table())

    def to_dataframe(self) -> Any:
        """The columns of ``columns`` as a pandas ``DataFrame``, a row for each sample.

        ``attrs`` gives ``units`` and ``frames`` by column, ``events`` and why the run ``stopped``. It takes
        ``pip install "armsweep[frames]"``.

        Returns:
            The frame, in SI units and radians.

        Raises:
            StateError: where pandas is missing.

        Cost: some 8 bytes a number.
        """
        return data_frame(self._table())

    def to_xarray(self) -> Any:
        """The columns of ``columns`` as an xarray ``Dataset``: ``q``, ``qd``, ``qdd`` and ``tau`` over time and joints.

        The dimensions are ``t`` and ``joint``; each variable says its ``units`` and ``frame``. It takes
        ``pip install "armsweep[frames]"``.

        Returns:
            The data set, in SI units and radians; bases, object and drift are variables over ``t``.

        Raises:
            StateError: where xarray is missing.

        Cost: some 8 bytes a number.
        """
        return data_set(self._table())

    def to_html(self, path: str | Path, title: str = "", walked: float = 0.2) -> None:
        """The motion as one self-contained HTML file, which plays without a server and without a network.

        It shows the motion in 3D with every layer, the plots of every link, and the walk through the computation, each
        half-step of each link with its equation and its numbers. It says itself which instants it carries.

        Args:
            path: of the file, which is overwritten.
            title: what moves, in words; default: the kind of machine.
            walked: s between two instants at which the walk can be read: at least 0.01 s, and the motion's length over
                600.

        Raises:
            StateError: for what is no path of a file that can be written, a title or a time that is none, a recording
                that does not last 0.1 s to 120 s, or where the page that makes it is not installed.

        Cost: some 15 s and 5 MB for ten seconds of two arms of seven joints.
        """
        write_html(self, path, title, walked)

    def to_film(
        self,
        path: str | Path,
        size: Sequence[int] = (1920, 1080),
        rate: float = 30.0,
        speed: float = 1.0,
        layers: Sequence[str] | None = None,
        camera: ArrayLike | None = None,
        theme: str = "light",
        progress: Callable[[int, int], object] | None = None,
        walk: float | None = None,
    ) -> None:
        """The motion in 3D as a film: MP4 (H.264) or WebM (VP9), as the name ends; drawn without a screen.

        Picture n shows the instant n · speed/rate after the first, and the film lasts as long as the recording does at
        that speed, to half a picture. The scales of ellipsoids and arrows hold for all of it. Where the mechanics has
        no answer, the last moment that has one stands still. It takes ``pip install armsweep[film]``.

        Args:
            path: of the file, which is overwritten once the new one is whole.
            size: width and height in pixels, even numbers, 16 to 4096: (3840, 2160) is 4K.
            rate: pictures a second, 1 to 240.
            speed: seconds of the recording a second of the film; 0.1 is ten times slower.
            layers: what is drawn beside the bodies, names of ``scenes.CHOICES``; default P(k) and contact forces.
            camera: (2, 3) m, world axes, where it stands and the point that it looks at; default: all bodies stay in
                sight all the time.
            theme: of the colors, ``light`` or ``dark``.
            progress: told (pictures done, pictures in all); what it raises ends the work, and leaves no file.
            walk: s; not the motion then, but the computation of the first instant, each half-step for so long, in its
                order, with its sentence and its lines of the text. ``progress`` is told of half-steps.

        Raises:
            StateError: for what is no path of a file that can be written, another ending, an argument out of these
                bounds, or where PyAV, OpenGL or what draws is missing: then with what to install.
            SingularConfigurationError: if the first instant has no solution.
            ModelError: for a joint that moves no inertia.

        Cost: some 0.2 s a picture of 1920 x 1080 on two cores without a graphics card, 0.7 s one of 3840 x 2160.
        """
        length = self.duration - float(self.t[0])
        write_film(self, length, path, size, rate, speed, layers, camera, theme, progress, walk)

    def to_gltf(
        self,
        path: str | Path,
        rate: float = 60.0,
        theme: str = "light",
        progress: Callable[[int, int], object] | None = None,
    ) -> None:
        """The bodies and their motion as one binary glTF file (.glb), for Blender, a browser, a slide.

        A node for each link, for what stands still and for the object, with its mesh and its color; one animation,
        whose translations and rotations are the poses of these instants in single precision, from time zero on. Metres;
        under the node ``world``, which turns up to glTF's y, the axes are ours. What is drawn beside the bodies is not
        in it.

        Args:
            path: of the file, which is overwritten once the new one is whole.
            rate: instants a second, at least 0.001; the last one of the recording is among them.
            theme: of the colors, ``light`` or ``dark``.
            progress: told (instants done, instants in all); what it raises ends the work, and leaves no file.

        Raises:
            StateError: for what is no path of a file that can be written, a rate or a theme that is none, or where what
                draws is not installed.
            SingularConfigurationError: if a held object cannot be closed at one of the instants.
            ModelError: for a joint that moves no inertia at the first one.

        Cost: some 0.1 ms and 28 bytes a body an instant, and the meshes.
        """
        write_gltf(self, self.duration - float(self.t[0]), path, rate, theme, progress)


def joined(segments: Sequence[Segment]) -> Segment:
    """One segment of several that follow each other in the same system under the same forces."""
    first = segments[0]
    if len(segments) == 1:
        return first

    return Segment(
        first.system,
        times=_whole(segments, "times"),
        x=_whole(segments, "x"),
        v=_whole(segments, "v"),
        acceleration=_whole(segments, "acceleration"),
        tau=_whole(segments, "tau"),
        drift=_whole(segments, "drift"),
        wrench=first.wrench if first.wrench.ndim == 2 else _whole(segments, "wrench"),
        every_step=first.every_step,
    )


def _whole(segments: Sequence[Segment], name: str) -> Array:
    return frozen(np.concatenate([getattr(segment, name) for segment in segments]))
