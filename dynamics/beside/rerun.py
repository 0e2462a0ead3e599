"""The text run again for one moment, in the form that somebody else may use, and with something in it altered."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import CodeType, MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from dynamics.beside.held import AGAIN, OF_CONTACTS, SUFFIX, accelerations_of_points, contact_stage, pushed, twice
from dynamics.beside.lazily import Lazily
from dynamics.checks import Array
from dynamics.faults.alteration import ALPHA_PLUS, MOTION, NOTHING, Alteration, Draft, Form, published
from dynamics.reading.evaluation import hooked_sweep
from dynamics.reading.lines import lines_of
from dynamics.system.plain_kinematics import PlainKinematics, plain_kinematics, tilde
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.textbook import blackboard
from dynamics.textbook.givens import given
from dynamics.textbook.stages import BIAS, COVARIANCE, FILTER, SMOOTHER, Part

WORLD = -1
OURS = Form()


class Moment(NamedTuple):
    """What is asked about: a system in a state, its torques and pushes."""

    system: System
    state: State
    tau: Array
    wrench: Array


@dataclass(frozen=True, eq=False)
class Run:
    """What a run has left; inertial axes, at O_k, links as the system numbers them.

    Attributes:
        form: of the run.
        state: that it is of.
        moved: where everything is.
        letters: every quantity by its letter, columns as vectors.
        carried: (links, 6, 6), what carries a motion from the inboard neighbor.
        gravity: (3,), under which it ran.
    """

    form: Form
    state: State
    moved: PlainKinematics
    letters: Mapping[str, Array]
    carried: Array
    gravity: Array

    @property
    def of_points(self) -> Array:
        """(links, 6), accelerations as those of O_k, where gravity is a weight."""
        return accelerations_of_points(self.letters, self.gravity, self.form)


def rerun(moment: Moment, form: Form = OURS, alteration: Alteration = NOTHING) -> Run:
    """The sweeps of one moment in a form, with something altered; each is run when a letter of it is asked for.

    Cost: some 0.1 ms a link for the filter, 0.5 ms for everything.
    """
    system, state, tau, wrench = altered(moment, alteration)
    moved = _kinematics(system, state)
    if alteration.machine is not None and wrench.any() and not alteration.pushes_turn:
        wrench = _in_links(moment, moved, wrench)
    letters = given(system, state, moved, tau, wrench)
    letters["other"] = _other(system, state, moved, alteration)
    if alteration.given is not None:
        for k in range(system.n_links):
            if alteration.acts(k):
                alteration.given(letters, moved, k)
    run = _Sweeps(system, state, letters, form, alteration)
    return Run(form, state, moved, _letters(run, letters, form), run.carried(), letters["g"][:, 0])


_kinematics = functools.lru_cache(maxsize=4)(plain_kinematics)
"""Most alterations leave everything where it is."""


def _letters(run: _Sweeps, letters: Mapping[str, Any], form: Form) -> Lazily:
    """All that a run leaves; of arms that hold an object the sweeps once more, with its forces."""
    found = run.swept()
    found.later(("M_q", "M_q_inverse"), run.joint_space)
    found.later(("Lam",), run.mobility)
    found.later(OF_CONTACTS, lambda: contact_stage(letters, found, found["Lam"], form))

    @functools.cache
    def held() -> Lazily:
        return run.under(pushed(letters, found["x_0"])).swept()

    def held_again(*names: str) -> dict[str, Array]:
        return {name + SUFFIX: held()[name] for name in names}

    for names in (AGAIN[:4], AGAIN[4:]):
        found.later([name + SUFFIX for name in names], functools.partial(held_again, *names))
    return found


def altered(moment: Moment, alteration: Alteration) -> Moment:
    """The moment of the machine that an alteration makes."""
    if alteration.machine is None:
        return moment
    system, state, tau, wrench = moment
    draft = Draft(
        list(system.joint_models), list(system.link_models), state.q.copy(), tau.copy(), wrench.copy(),
        np.array(system.gravity),
    )  # fmt: skip
    for k in range(system.n_links):
        if alteration.acts(k):
            alteration.machine(draft, k)
    other = replace(system, joint_models=tuple(draft.joints), link_models=tuple(draft.links), gravity=draft.gravity)
    return Moment(other, replace(state, q=draft.q), draft.tau, draft.wrench)


def _in_links(moment: Moment, moved: PlainKinematics, wrench: Array) -> Array:
    """Pushes that are given in link axes, where these are elsewhere than they should be."""
    right = plain_kinematics(moment.system, moment.state).pose[:, :3, :3]
    turns = moved.pose[:, :3, :3] @ right.transpose(0, 2, 1)
    links = (turns[:, None] @ wrench[:-1].reshape(-1, 2, 3, 1)).reshape(-1, 6)
    return np.vstack([links, wrench[-1:]])


def _other(
    system: System, state: State, moved: PlainKinematics, alteration: Alteration
) -> Callable[[int, int], Array] | None:
    """The transition of a wrong transformation in link axes, seen in inertial ones."""
    if alteration.carry is None:
        return None
    carry, pose = alteration.carry, moved.pose
    slide = np.zeros_like(moved.lever)
    for k, joint in enumerate(system.joint_models):
        if joint.kind == "prismatic":
            slide[k] = state.q[k] * moved.axis[k]

    def other(i: int, k: int) -> Array:
        outer = pose[i, :3, :3] if i != WORLD else np.eye(3)
        own = pose[k, :3, :3]
        matrix = carry(own.T @ outer, outer.T @ moved.lever[k], outer.T @ slide[k])
        return np.asarray((twice(own) @ matrix @ twice(outer.T)).T)

    return other


class _Sweeps:
    """One run, part by part."""

    def __init__(
        self, system: System, state: State, letters: dict[str, Any], form: Form, alteration: Alteration
    ) -> None:
        self._system, self._state, self._letters, self._form = system, state, letters, form
        self._alteration = alteration
        self._rights = {key: _compiled(source) for key, source in alteration.rights().items()}
        self.filtered: dict[str, Any] = {}
        self._world = np.zeros((6, 1))
        self._down = np.vstack([np.zeros((3, 1)), letters["g"]])
        if form.lifted:
            self._world = -self._down

    def carried(self) -> Array:
        """What carries a motion from the inboard neighbor, (links, 6, 6)."""
        phi, inboard = self._letters["phi"], self._system.inboard
        return np.array([phi(int(i), k).T for k, i in enumerate(inboard)])

    def under(self, forces: Array) -> _Sweeps:
        """The same with other external forces."""
        return _Sweeps(self._system, self._state, self._letters | {"f": forces}, self._form, self._alteration)

    def swept(self) -> Lazily:
        """What the filter leaves, and, where it is asked for, the smoother."""
        with np.errstate(all="ignore"):
            outward, before = self._filtered()
        found = Lazily(before)
        found.later(("theta_dd", "alpha"), lambda: self._smoothed(outward))
        return found

    def mobility(self) -> dict[str, Array]:
        return {"Lam": self.part(COVARIANCE, self.filtered)["Lam"][: self._system.n_links]}

    def joint_space(self) -> dict[str, Array]:
        return _joint_space(self._system, self._letters, self.carried())

    def _filtered(self) -> tuple[dict[str, Any], dict[str, Array]]:
        """What the smoother is given, and all that there is before it."""
        letters, n = self._letters, self._system.n_joints
        V = self._velocities(self._state.base_velocity)
        a, b = self._spatial_bias(V) if self._form.spatial else self._bias(V)
        letters |= {"a": a, "b": b}
        swept = self.filtered = self.part(FILTER, {})
        printed = self._form.printed
        names = ("z_minus", "z_R", "e_minus", "e_plus") if printed else ("z", "z_plus", "eps", "nu")
        z, z_plus, eps, nu = (swept[name] for name in names)
        outward = {"z": z, "nu": nu, "P": swept["P"], "G": swept["G"], "a": a, "D": swept["D"]}
        z_alone = z if printed else z - swept["P"] @ a
        columns = {"V": V[:-1], "a": a, "b": b, "z": z, "z_alone": z_alone, "z_plus": z_plus}
        columns |= {"G": swept["G"], "H": letters["H"].transpose(0, 2, 1)}
        numbers = {"D": swept["D"], "eps": eps, "nu": nu}
        whole = {"P": swept["P"], "P_plus": swept["P_plus"], "tau_bar": swept["tau_bar"], "M": letters["M"]}
        at_world = self._system.inboard[:, None, None] == WORLD  # an algorithm that updates in place stops there
        whole["P_kept"] = np.where(at_world, swept["P"], swept["P_plus"])
        whole |= {name: value[..., 0] for name, value in columns.items()}
        whole |= {name: value.reshape(n) for name, value in numbers.items()}
        return outward, whole

    def _smoothed(self, outward: dict[str, Any]) -> dict[str, Array]:
        beside = {"c": outward["a"], "D": outward["D"]}
        if self._form.printed:  # the bias comes with the acceleration that is carried
            outward = outward | {"a": np.zeros_like(outward["a"])}
        smoothed = self.part(SMOOTHER, outward, beside)
        return {"theta_dd": smoothed["theta_dd"].reshape(-1), "alpha": smoothed["alpha"][:-1, :, 0]}

    def _velocities(self, base_velocity: Array | None) -> Array:
        """(links + 1, 6, 1), the world's last."""
        system, n = self._system, self._system.n_joints
        V = np.zeros((system.n_links + 1, 6, 1))
        if base_velocity is not None:
            V[n:-1] = base_velocity.reshape(-1, 6, 1)
        rate = self._state.qd
        for k in range(n - 1, -1, -1):
            V[k] = self._line("V", k, V=V, rate=rate[:, None, None], i=int(system.inboard[k]))
        return V

    def _spatial_bias(self, V: Array) -> tuple[Array, Array]:
        system = self._system
        rate = np.append(self._state.qd, np.zeros(system.n_links - system.n_joints))[:, None, None]
        a, b = np.zeros((2, system.n_links, 6, 1))
        for k in range(system.n_links):
            if k < system.n_joints:
                a[k] = self._line("a", k, V=V, rate=rate, i=int(system.inboard[k]))
            b[k] = self._line("b", k, V=V, g=self._down)
            if not self._form.lifted:
                b[k] -= self._line("w", k, g=self._down)
        return a, b

    def _bias(self, V: Array) -> tuple[Array, Array]:
        inboard = self._system.inboard
        omega = {"omega": V[:-1, :3], "W": tilde(V[:-1, :3, 0]), "W_plus": tilde(V[inboard, :3, 0])}
        none = {"g": np.zeros((3, 1))} if self._form.lifted else {}
        found = self.part(BIAS, omega | none)
        return found["a"], found["b"]

    def _line(self, letter: str, k: int, **scope: Any) -> Array:
        altered = letter in self._rights and self._alteration.acts(k)
        code = self._rights[letter] if altered else _compiled(MOTION[letter])
        return np.asarray(eval(code, {**WORDS, **self._letters, **scope, "k": k}))

    def _outward(self) -> tuple[CodeType, CodeType]:
        """How the smoother carries accelerations: right, and altered. As printed, the bias comes with them."""
        sources = published()[ALPHA_PLUS], self._alteration.rights().get(ALPHA_PLUS, published()[ALPHA_PLUS])
        if self._form.printed:
            sources = _with_bias(sources[0]), _with_bias(sources[1])
        return _compiled(sources[0]), _compiled(sources[1])

    def part(self, part: Part, own: Mapping[str, Any], beside: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The letters that a sweep of the text computes."""
        rights = self._rights
        plain, altered = self._outward()
        acts, other, world = self._alteration.acts, self._letters["other"], self._world

        def hook(key: str, right: Callable[[], Any], scope: dict[str, Any]) -> Any:
            at = scope["k"]
            if key == ALPHA_PLUS:
                scope["alpha"][WORLD] = world
                code = altered if acts(at) else plain
            elif key in rights and acts(at):
                code = rights[key]
            else:
                return right()
            return eval(code, {**WORDS, **self._letters, **scope, **(beside or {}), "other": other})

        asked = _keys_of(part.function) & {ALPHA_PLUS, *rights}  # each that is asked for costs as much as it computes
        sweep = hooked_sweep(part, frozenset(), asked, hook)
        letters = self._letters | dict(own)
        return dict(zip(sweep.results, sweep.function(**{name: letters[name] for name in sweep.parameters}),
                        strict=True))  # fmt: skip


def _with_bias(source: str) -> str:
    return source if "c[k]" in source else f"{source} + c[k]"


def _joint_space(system: System, letters: Mapping[str, Any], carry: Array) -> dict[str, Array]:
    """The mass matrix, by what each link moves with each joint and with what floats, the object last; its inverse."""
    n, links = system.n_joints, system.n_links
    count = n + 6 * system.n_bases
    moves = np.zeros((links + 1, 6, count))
    matrix = np.zeros((count, count))
    matrix[range(n), range(n)] = letters["I_r"].reshape(n)
    for k in range(links - 1, -1, -1):
        if k < n:
            moves[k] = carry[k] @ moves[system.inboard[k]]
            moves[k, :, k] += letters["H"][k, 0]
        else:
            moves[k, :, n + 6 * (k - n) : n + 6 * (k - n) + 6] = np.eye(6)
        matrix = matrix + moves[k].T @ letters["M"][k] @ moves[k]
    if system.task_object is not None:
        beside = np.zeros((count, 6))
        matrix = np.block([[matrix, beside], [beside.T, letters["M_C"]]])
    return {"M_q": matrix, "M_q_inverse": blackboard.solve(matrix, np.eye(len(matrix)))}


@functools.cache
def _keys_of(function: str) -> frozenset[str]:
    return frozenset(line.key for line in lines_of("arm") if line.function == function)


@functools.lru_cache(maxsize=2048)
def _compiled(source: str) -> CodeType:
    return compile(source, "beside", "eval")


def crm(v: Array) -> Array:
    """v x of a motion (6, 1): [[w~, 0], [v~, w~]]."""
    matrix = np.zeros((6, 6))
    matrix[:3, :3] = matrix[3:, 3:] = tilde(v[:3, 0])
    matrix[3:, :3] = tilde(v[3:, 0])
    return matrix


def crf(v: Array) -> Array:
    """v x* of a force: -(v x)'."""
    return -crm(v).T


WORDS: Mapping[str, Any] = MappingProxyType(
    {name: getattr(blackboard, name) for name in ("I", "O", "Z", "o", "solve", "stack", "tilde")}
    | {"crm": crm, "crf": crf, "np": np, "sum": sum}
)
"""What right sides are read beside: the blackboard, and the cross products of spatial vectors."""
