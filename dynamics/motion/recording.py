"""The result of a run: enough to rebuild the complete solution at any instant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import Array, is_among, number, real_array
from dynamics.errors import StateError
from dynamics.motion.energy_balance import energy_balance
from dynamics.motion.events import LimitEvent
from dynamics.motion.media import write_film, write_gltf, write_html
from dynamics.motion.recording_file import RecordWriter, write_recording
from dynamics.motion.segment import SAMPLED, Segment, about_stage, stage_over_time, whole
from dynamics.motion.table import Table, data_frame, data_set, heads_of, plot_lines, write_table
from dynamics.record import Record, frozen, in_a_line
from dynamics.solve.closure import close_packed
from dynamics.solve.forward_dynamics import filter_solutions, forward_dynamics
from dynamics.system.joint_vectors import Order, by_joint, joint_index
from dynamics.system.solution import Solution, require_joints
from dynamics.system.state import State
from dynamics.system.system import System

RECORDED = "q", "qd", "qdd", "tau"


@dataclass(frozen=True, eq=False)
class Recording(Record):
    """The timeline of a run.

    Attributes:
        segments: at an event one segment ends and the next begins, at the same time.
        events: (time, what happened) in order; of each joint limit, when it was met first.
        stopped: why the run ended early, or None.
        limits_met: the events that are joint limits, each with time, joint and limit.
    """

    segments: tuple[Segment, ...]
    events: tuple[tuple[float, str], ...] = ()
    stopped: str | None = None
    limits_met: tuple[LimitEvent, ...] = ()

    def __repr__(self) -> str:
        joints, stopped = self.segments[-1].system.n_joints, [f"stopped: {self.stopped}"] * bool(self.stopped)
        parts = [f"{len(self.t)} samples to {self.duration:g} s", f"{joints} joints", f"{len(self.events)} events"]
        return in_a_line("Recording", parts + stopped)

    @cached_property
    def t(self) -> Array:
        """(samples,) s, ascending; an event's time occurs twice, before and after."""
        return whole(self.segments, "times")

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
        return whole(self.segments, "x")

    @cached_property
    def v(self) -> Array:
        """(samples, velocity) packed velocities, rad/s and m/s, inertial axes."""
        return whole(self.segments, "v")

    @cached_property
    def acceleration(self) -> Array:
        """(samples, velocity) packed accelerations, rad/s^2 and m/s^2, inertial axes."""
        return whole(self.segments, "acceleration")

    @cached_property
    def tau(self) -> Array:
        """(samples, joints) motor torques, N m or N, tip to base."""
        return whole(self.segments, "tau")

    @cached_property
    def drift(self) -> Array:
        """(samples, 2), the closure's worst gap before projection.

        The position gap is in rad or shares of the machine's length (the longest path from a root to a tip), the
        velocity gap in shares of its speed, so that neither depends on units.
        """
        return whole(self.segments, "drift")

    @cached_property
    def unexplained_energy(self) -> Array:
        """(samples,) J, kinetic and potential energy less the work of motors, losses and pushes since a segment began.

        Energy lost or gained at joint stops is left out. Cost: about a microsecond a sample, once.
        """
        return self._energy[0]

    @property
    def doubtful_from(self) -> float | None:
        """The first time, s, with more than a hundredth of a segment's largest kinetic energy unexplained, or None.

        Work that the samples do not determine is allowed in addition. This reveals a step that is too long:
        near a singular closure, or for gains that are too stiff for it. Cost: as ``unexplained_energy``.
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
        """The recording up to time t, without keeping the rest in memory.

        Args:
            t: s.

        Returns:
            A recording that ends with the last sample at or before t.

        Raises:
            StateError: if ``t`` is not a time.

        Cost: linear in the samples kept of the segment that is cut.
        """
        kept, t = [], number(t, "t", "a time in seconds")
        for segment in self.segments:
            count = int(np.searchsorted(segment.times, t + 1e-9, side="right"))
            if count == len(segment.times):
                kept.append(segment)
            elif count:
                names = (*SAMPLED, *["wrench"] * (segment.wrench.ndim == 3))
                kept.append(replace(segment, **{name: getattr(segment, name)[:count].copy() for name in names}))
        events = tuple(event for event in self.events if event[0] <= t)
        met = tuple(each for each in self.limits_met if each.time <= t)
        return replace(self, segments=tuple(kept), events=events, stopped=None, limits_met=met)

    def segment_at(self, t: float) -> Segment:
        """The segment at time t; at an event, the one that begins.

        Args:
            t: s.

        Returns:
            A part of the run in which system and external forces do not change.

        Raises:
            StateError: for a time outside the recording.

        Cost: linear in the number of events.
        """
        t = number(t, "t", "a time in seconds")
        first, last = self.segments[0].times[0], self.segments[-1].times[-1]
        slack = 1e-9 * max(1.0, abs(float(last)))
        if not first - slack <= t <= last + slack:
            raise StateError(f"time {t:g} s lies outside this recording, which spans {first:g} s to {last:g} s.")
        begun = [segment for segment in self.segments if segment.times[0] <= t + slack]
        return begun[-1] if begun else self.segments[0]

    def system_at(self, t: float) -> System:
        """The system at time t, which depends on whether the object is held.

        Args:
            t: s; at an event, the time just after it.

        Returns:
            The system itself, not a copy.

        Raises:
            StateError: for a time outside the recording.

        Cost: linear in the number of events.
        """
        return self.segment_at(t).system

    def packed_at(self, t: float) -> tuple[Segment, Array, Array, Array]:
        """Segment and packed arrays at time t: a sample, or the cubic between two (rotations on the group).

        Args:
            t: s.

        Returns:
            The segment, x (rad, m, unit quaternions), v (rad/s, m/s) and tau (N m or N), packed, inertial axes.

        Raises:
            StateError: for a time outside the recording.

        Cost: logarithmic in the samples.
        """
        segment = self.segment_at(t)
        return segment, *segment.packed_at(t)

    def state_at(self, t: float) -> State:
        """The state at time t; between samples the closure of a held object is restored by projection.

        Args:
            t: s.

        Returns:
            The state of ``system_at(t)``.

        Raises:
            StateError: for a time outside the recording.
            SingularConfigurationError: if the chain through a held object cannot be closed there.
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
            What ``forward_dynamics`` returns for the state, torques and external forces at t.

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
        """The complete solution at each of several times, by ``filter_smoother``, with the numbers of ``solution_at``.

        All are kept in memory; some tens at a time work best.

        Args:
            times: (instants,) s, in any order.

        Returns:
            One for each time, in inertial axes.

        Raises:
            StateError: for a time outside the recording, or an argument that is not an array of times.
            ModelError: for a joint that moves no inertia at one of them.
            SingularConfigurationError: if at one of them no contact force closes the chain.

        Cost: 0.1 to 0.4 ms each for many: a third to a fifth of ``solution_at``.
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
        """A quantity of the method's stages at every sample, e.g. ``recording.stage("kalman_gain", joint="elbow")``.

        Args:
            name: of ``stages``, ``contact_force`` or an acceleration of a ``Solution``; if several stages have it,
                the last smoother's, or say ``"smoother/force"``. ``registry`` gives unit, axes and equation of each.
            joint: name of the joint whose row, or whose outboard link's row, is returned; default the whole array.

        Returns:
            (samples, ...), write-protected, in the unit and axes of the quantity.

        Raises:
            StateError: if it does not exist at every sample, e.g. a contact's after a release: cut with ``until``.
            ModelError: for a joint that moves no inertia.
            SingularConfigurationError: if no contact force closes the chain at a sample.

        Cost: by ``forward_dynamics_batch``, some microseconds a sample; ``dual_filter`` 0.5 ms.
        """
        return stage_over_time(self.segments, name, joint)

    def by_joint(self, name: str, order: Order = "tip") -> dict[str, Any]:
        """A quantity over time by joint name, e.g. ``recording.by_joint("qdd")["elbow"]``.

        Args:
            name: ``q``, ``qd``, ``qdd``, ``tau``, or a per-joint or per-link name that ``stage`` takes.
            order: the end from which the names are listed, ``tip`` or ``base``.

        Returns:
            (samples, ...) for each joint, in the unit and axes of the quantity.

        Raises:
            StateError: for a quantity that joints do not have.
            ModelError: for a joint that moves no inertia.
            SingularConfigurationError: if no contact force closes the chain at a sample.

        Cost: as ``stage``; none for what is recorded.
        """
        if not is_among(name, RECORDED):
            require_joints(name)
        values = getattr(self, name) if is_among(name, RECORDED) else self.stage(name)
        return by_joint(self.segments[0].system, values, order, axis=1)

    def plot(self, name: str, joint: str | None = None, axes: Any = None) -> Any:
        """A quantity over time, plotted with matplotlib: ``recording.plot("kalman_gain", joint="elbow")``.

        Requires ``pip install "armsweep[plot]"``.

        Args:
            name: ``q``, ``qd``, ``qdd``, ``tau``, or a name that ``stage`` takes.
            joint: its name; default all, with a line for each number.
            axes: matplotlib axes to draw on; default new ones.

        Returns:
            The axes, with the unit on the left; ``axes.figure.savefig(path)`` writes the figure.

        Raises:
            StateError: for an unknown quantity, invalid axes, or if matplotlib is missing.
            ModelError: for a joint that moves no inertia.
            SingularConfigurationError: if no contact force closes the chain at a sample.

        Cost: as ``stage``, plus matplotlib's time.
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
        """Saves everything in one file, from which ``load_recording`` restores it bit for bit, systems included.

        Args:
            path: the file; overwritten once the new one is complete.

        Raises:
            StateError: for a path that cannot be written.

        Cost: some 8 bytes a number.
        """
        writer = RecordWriter()
        segments = [{one.name: writer.value(getattr(each, one.name)) for one in fields(each)} for each in self.segments]
        tree = {"segments": segments, "events": writer.value(self.events), "stopped": self.stopped}
        tree["limits_met"] = [[each.time, each.joint, each.limit] for each in self.limits_met]
        write_recording(path, {"records": writer.records, **tree}, writer.arrays)

    def to_csv(self, path: str | Path) -> None:
        """Writes the columns of ``columns`` as a CSV file, a row for each sample, with all digits.

        A column's header gives its name, its unit, and its axes unless it is along its joint:
        ``qd/elbow [rad/s]``, ``object/vx [m/s; inertial axes, at the object's mass centre]``.

        Args:
            path: the file; overwritten once the new one is complete.

        Raises:
            StateError: for a path that cannot be written.

        Cost: about 20 bytes a number.
        """
        write_table(path, "csv", self._table())

    def to_npz(self, path: str | Path) -> None:
        """Writes the columns of ``columns`` as a compressed NumPy archive.

        ``names`` lists the columns; ``units`` and ``frames`` follow the same order.

        Args:
            path: the file; overwritten once the new one is complete.

        Raises:
            StateError: for a path that cannot be written.

        Cost: some 8 bytes a number.
        """
        write_table(path, "npz", self._table())

    def to_parquet(self, path: str | Path) -> None:
        """Writes the columns of ``columns`` as a Parquet file, a row for each sample, bit for bit.

        The metadata of each field gives its ``unit``, ``frame``, ``part`` and ``quantity``; the schema's metadata has,
        under ``armsweep`` as JSON, the ``events`` and why the run ``stopped``. Needs ``pip install armsweep[files]``.

        Args:
            path: the file; overwritten once the new one is complete.

        Raises:
            StateError: for a path that cannot be written, or if pyarrow is missing.

        Cost: some 8 bytes a number.
        """
        write_table(path, "parquet", self._table())

    def to_mat(self, path: str | Path) -> None:
        """Writes the columns of ``columns`` as a MATLAB file (version 5), a variable each, bit for bit.

        Characters that MATLAB does not accept in a name become ``_``: ``q_elbow``, ``x1_base_x``. The structs
        ``names``, ``units`` and ``frames`` give the full name, unit and axes of each variable; ``event_times`` and
        ``events`` say what happened and when, ``stopped`` why the run ended early.

        Args:
            path: the file; overwritten once the new one is complete.

        Raises:
            StateError: for a path that cannot be written.

        Cost: some 8 bytes a number.
        """
        write_table(path, "mat", self._table())

    def to_dataframe(self) -> Any:
        """The columns of ``columns`` as a pandas ``DataFrame``, a row for each sample.

        ``attrs`` gives ``units`` and ``frames`` by column, ``events`` and why the run ``stopped``. Requires
        ``pip install "armsweep[frames]"``.

        Returns:
            The frame, in SI units and radians.

        Raises:
            StateError: if pandas is missing.

        Cost: some 8 bytes a number.
        """
        return data_frame(self._table())

    def to_xarray(self) -> Any:
        """The columns of ``columns`` as an xarray ``Dataset``: ``q``, ``qd``, ``qdd`` and ``tau`` over time and joints.

        The dimensions are ``t`` and ``joint``; each variable has its ``units`` and ``frame``. Requires
        ``pip install "armsweep[frames]"``.

        Returns:
            The data set, in SI units and radians; bases, object and drift are variables over ``t``.

        Raises:
            StateError: if xarray is missing.

        Cost: some 8 bytes a number.
        """
        return data_set(self._table())

    def to_html(self, path: str | Path, title: str = "", walked: float = 0.2) -> None:
        """Writes the motion as one self-contained HTML file, which plays without a server and without a network.

        It shows the motion in 3D with every layer, the plots of every link, and the walk through the computation, each
        half-step of each link with its equation and its numbers. It states which instants it contains.

        Args:
            path: the file; overwritten.
            title: what moves, in words; default: the kind of machine.
            walked: s between two instants at which the walk can be read: at least 0.01 s, and the motion's length over
                600.

        Raises:
            StateError: for a path that cannot be written, an invalid title or time, a recording that does not last
                0.1 s to 120 s, or if the web app that builds the page is not installed.

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
        """Writes the motion in 3D as a film: MP4 (H.264) or WebM (VP9), by the name's suffix; drawn without a screen.

        Picture n shows the instant n · speed/rate after the first, and the film lasts as long as the recording does at
        that speed, to half a picture. The scales of ellipsoids and arrows hold throughout. Where the mechanics has
        no solution, the last moment with one is repeated. Requires ``pip install armsweep[film]``.

        Args:
            path: the file; overwritten once the new one is complete.
            size: width and height in pixels, even numbers, 16 to 4096: (3840, 2160) is 4K.
            rate: pictures a second, 1 to 240.
            speed: seconds of the recording per second of the film; 0.1 is ten times slower.
            layers: what is drawn beside the bodies, names of ``scenes.CHOICES``; default P(k) and contact forces.
            camera: (2, 3) m, world axes, its position and focal point; default: all bodies stay in sight
                throughout.
            theme: of the colors, ``light`` or ``dark``.
            progress: called with (pictures done, total); an exception from it ends the work and leaves no file.
            walk: s; if given, the film shows the computation of the first instant, each half-step for that long, with
                its sentence and its lines of the text. ``progress`` then counts half-steps.

        Raises:
            StateError: for a path that cannot be written, another suffix, an argument out of these bounds, or if
                PyAV, OpenGL or the renderer is missing: the message then says what to install.
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
        """Writes the bodies and their motion as one binary glTF file (.glb), for Blender, a browser, a slide.

        A node for each link, for fixed bodies and for the object, with its mesh and its color; one animation,
        whose translations and rotations are the poses at these instants in single precision, starting at time zero.
        Metres; below the node ``world``, which rotates up to glTF's y, the axes are ours. Layers beside the bodies are
        not included.

        Args:
            path: the file; overwritten once the new one is complete.
            rate: instants a second, at least 0.001; the recording's last instant is included.
            theme: of the colors, ``light`` or ``dark``.
            progress: called with (instants done, total); an exception from it ends the work and leaves no file.

        Raises:
            StateError: for a path that cannot be written, an invalid rate or theme, or if the renderer is not
                installed.
            SingularConfigurationError: if the chain through a held object cannot be closed at one of the instants.
            ModelError: for a joint that moves no inertia at the first one.

        Cost: some 0.1 ms and 28 bytes a body an instant, and the meshes.
        """
        write_gltf(self, self.duration - float(self.t[0]), path, rate, theme, progress)
