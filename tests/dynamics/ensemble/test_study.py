"""A question asked of many states, held against what one works out by hand, and against states solved one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

import dynamics as dyn
from dynamics.ensemble.asked import problem_of
from tests.dynamics.ensemble.two_links import BASE, LENGTH, ROBOT, SYSTEM, base_inertia, largest_acceleration

pytestmark = pytest.mark.compiled_only

TURN = (-np.pi, np.pi)


@pytest.fixture(scope="module")
def held() -> tuple[dyn.System, dyn.State]:
    return dyn.example("two_arms_and_box")


def same(one: dyn.Study, other: dyn.Study) -> bool:
    """To the last bit."""
    return all(vars(one.found[name]) == vars(other.found[name]) for name in one.found) and one.refused == other.refused


class TestTwoLinks:
    def test_mean_variance_and_ends_are_those_of_the_formula(self) -> None:
        found = dyn.study(SYSTEM, {"q": TURN}, BASE, 8192, sample="sobol").found[BASE]
        middle, span = base_inertia(np.array([0.25 * np.pi]))[0], base_inertia(np.array([0.5 * np.pi, 0.0]))
        swing = span[0] - span[1]  # D = D(pi/2) - swing cos^2 q, and cos^2 has mean 1/2 and variance 1/8
        assert found.mean == pytest.approx(middle, rel=1e-6)
        assert found.variance == pytest.approx(swing**2 / 8.0, rel=1e-3)
        assert found.minimum == pytest.approx(span[1], rel=1e-6)
        assert found.maximum == pytest.approx(span[0], rel=1e-6)
        assert found.quantile(0.5) == pytest.approx(middle, rel=0.01)

    def test_a_moment_is_its_row(self) -> None:
        result = dyn.study(SYSTEM, {"q": TURN, "tau:joint_1": stats.norm(0.0, 2.0)}, [BASE, largest_acceleration], 500)
        for name in (BASE, "largest_acceleration"):
            for row, value in result.found[name].largest[:3] + result.found[name].smallest[:3]:
                moment = result.moment(row)
                assert moment.found is not None
                assert moment.found[name] == value
                assert moment.drawn["q:joint_1"] == moment.state.q[0]
                assert moment.drawn["tau:joint_1"] == moment.tau[0]
                assert moment.tau[1] == 0.0
                alone = dyn.forward_dynamics(moment.system, moment.state, moment.tau)
                if name == BASE:
                    assert value == pytest.approx(base_inertia(moment.state.q[:1])[0], rel=1e-12)
                else:
                    assert value == pytest.approx(np.abs(alone.joint_acceleration).max(), rel=1e-9)

    def test_lists_make_a_grid_and_every_point_meets_every_draw(self) -> None:
        over = {"q:joint_1": [0.0, 1.0, 2.0], "qd:joint_2": (0.0, 1.0), "q:joint_2": np.array([0.5, 0.7])}
        result = dyn.study(SYSTEM, over, BASE, 4)
        assert result.size == 24
        rows = [result.moment(row).drawn for row in range(24)]
        assert [row["q:joint_1"] for row in rows] == [0.0] * 8 + [1.0] * 8 + [2.0] * 8
        assert [row["q:joint_2"] for row in rows] == ([0.5] * 4 + [0.7] * 4) * 3
        assert [row["qd:joint_2"] for row in rows] == [row["qd:joint_2"] for row in rows[:4]] * 6
        assert len({row["qd:joint_2"] for row in rows}) == 4

    @pytest.mark.parametrize("sample", ["random", "sobol", "latin_hypercube"])
    def test_memory_and_chunks_change_no_bit(self, sample: str) -> None:
        over = {"q": TURN, "gravity": [0.0, 9.81], "qd": stats.norm(0.0, 1.0)}
        told: list[int] = []

        def ask(memory: float) -> dyn.Study:
            told.clear()
            return dyn.study(
                SYSTEM, over, [BASE, "joint_acceleration"], 5000, sample=sample, memory=memory,
                progress=lambda done, size: told.append(done),
            )  # fmt: skip

        whole, cut = ask(1e9), ask(1.0)
        assert told == [2048, 4096, 6144, 8192, 10000]
        assert same(whole, cut)
        assert whole.fingerprint == cut.fingerprint
        assert not same(whole, dyn.study(SYSTEM, over, list(whole.found), 5000, sample=sample, seed=1))

    def test_a_fingerprint_tells_questions_apart(self) -> None:
        laws = [stats.norm(0.0, 1.0), stats.norm(0.0, 1.0), stats.norm(0.0, 1.1), stats.uniform(-1.0, 2.0)]
        laws += [stats.rv_histogram(np.histogram(values, 5))() for values in ([0.0, 1.0, 1.0], [0.0, 0.0, 1.0])]
        told = [dyn.study(SYSTEM, {"q": law}, BASE, 10).fingerprint for law in laws]
        assert told[0] == told[1]
        assert len(set(told)) == len(laws) - 1
        assert len(told[0]) == 64


class TestWhatVaries:
    @pytest.mark.slow
    def test_a_heavier_link_answers_less(self) -> None:
        rod = dyn.single_arm(dyn.planar_chain(1), gravity=(0.0, 0.0, 0.0))
        own = dyn.mass_matrix(rod, rod.state())[0, 0]
        over = {"mass": stats.uniform(0.5, 1.0), "tau": [2.0]}
        result = dyn.study(rod, over, "joint_acceleration", 50)
        for row, value in result.found["joint_acceleration"].largest:
            factor = float(result.moment(row).drawn["mass:link_1"])
            assert value == pytest.approx(2.0 / (factor * own), rel=1e-12)

    @pytest.mark.parametrize("size", [1e-290, 1e-160, 1.0, 1e160, 1e290])
    def test_norms_have_the_size_of_what_they_are_of(self, size: float) -> None:
        still = dyn.single_arm(ROBOT, gravity=(0.0, 0.0, 0.0))
        unit, own = (
            dyn.study(still, {"tau": (-scale, scale)}, "joint_acceleration", 40).column("joint_acceleration")
            for scale in (1.0, size)
        )
        np.testing.assert_allclose(own / size, unit, rtol=1e-9)

    def test_a_law_of_scipys_newer_kind(self) -> None:
        """It has an inverse of another name, and no ``dist``."""

        class Triangle:
            def icdf(self, share: Any) -> Any:
                return np.sqrt(share)

        result = dyn.study(SYSTEM, {"q:joint_1": Triangle()}, BASE, 2000, state=SYSTEM.home())
        drawn = result.column("q:joint_1")
        assert drawn.min() > 0.0
        assert drawn.max() < 1.0
        assert np.mean(drawn < 0.5) == pytest.approx(0.25, abs=0.03)

    def test_gravity_pulls_in_proportion(self) -> None:
        found = dyn.study(SYSTEM, {"gravity": [0.0, 1.0, 4.0]}, "joint_acceleration", 1, state=SYSTEM.state())
        values = [found.moment(row).found["joint_acceleration"] for row in range(3)]  # type: ignore[index]
        assert values[0] == 0.0
        assert values[2] == pytest.approx(4.0 * values[1], rel=1e-12)

    @pytest.mark.slow
    def test_a_longer_link_carries_farther(self) -> None:
        over = {"length:joint_1": (0.5, 2.0), "q:joint_1": TURN}
        result = dyn.study(SYSTEM, over, BASE, 40)
        for row, value in result.found[BASE].largest:
            moment = result.moment(row)
            length = LENGTH * float(moment.drawn["length:joint_1"])
            assert value == pytest.approx(base_inertia(moment.state.q[:1], length)[0], rel=1e-12)

    def test_object_and_contacts(self, held: tuple[dyn.System, dyn.State]) -> None:
        system, state = held
        over = {"object_mass": [1.0, 4.0], "object_inertia": [1.0, 2.0], "contacts": ["rigid", "point"]}
        result = dyn.study(system, over, "rho", 1, state=state)
        assert result.size == 8
        for row in range(8):
            moment = result.moment(row)
            thing = system.task_object
            assert thing is not None
            assert moment.system.task_object is not None
            mass, factor, kind = moment.drawn.values()
            assert {contact.kind for contact in moment.system.contacts} == {kind}
            assert moment.system.task_object.mass == mass
            inertia = thing.inertia * mass / thing.mass * factor
            np.testing.assert_allclose(moment.system.task_object.inertia, inertia, rtol=1e-14)
            assert moment.found == {"rho": pytest.approx(dyn.contraction_radius(moment.system, state), rel=1e-12)}

    def test_rates_are_brought_to_what_the_grips_allow(self, held: tuple[dyn.System, dyn.State]) -> None:
        system, state = held
        result = dyn.study(system, {"qd": (-0.5, 0.5), "tau": (-5.0, 5.0)}, ["balance", "squeeze"], 300, state=state)
        assert result.refused == 0
        assert result.found["balance"].maximum < 1e-12
        row, value = result.found["squeeze"].largest[0]
        moment = result.moment(row)
        wish = system.state(
            q=state.q, qd=[float(moment.drawn[f"qd:{name}"]) for name in system.joint_names],
            object_pose=state.object_pose, object_velocity=state.object_velocity,
        )  # fmt: skip
        nearest = dyn.project(system, wish)
        np.testing.assert_allclose(moment.state.qd, nearest.qd, atol=1e-9)
        force = dyn.forward_dynamics(system, moment.state, moment.tau, method="kkt").contact_force
        assert force is not None
        sizes = np.linalg.norm(force[:, 3:], axis=1).sum() - np.linalg.norm(force[:, 3:].sum(axis=0))
        assert value == pytest.approx(0.5 * sizes, rel=1e-6)

    @pytest.mark.slow
    def test_postures_are_closed_one_by_one_and_those_out_of_reach_refused(
        self, held: tuple[dyn.System, dyn.State]
    ) -> None:
        system, state = held
        near = dyn.study(system, {"q": (-0.3, 0.3)}, "balance", 20, state=state)
        assert near.refused == 0
        for row, _ in near.found["balance"].largest[:2]:
            assert dyn.closure_gap(system, near.moment(row).state).max() < 1e-6
        far = dyn.study(system, {"length:1/" + system.robots[0].joint_names[0]: [1.0, 50.0]}, "rho", 1, state=state)
        assert (far.refused, far.found["rho"].count) == (1, 1)
        assert "cannot close" in far.refusal
        with pytest.raises(dyn.StateError, match="row 1 has no state"):
            far.moment(1)


class TestWhatIsWatched:
    def test_each_state_alone(self) -> None:
        over = {"q": TURN, "qd": (-1.0, 1.0), "tau": (-1.0, 1.0)}
        find = ["agreement", "agreement:kkt", "residual", "identity", "identity:energy", "mass_matrix:condition",
                "tip_acceleration"]  # fmt: skip
        result = dyn.study(SYSTEM, over, find, 3)
        for row in range(3):
            moment = result.moment(row)
            assert moment.found is not None
            own = moment.system, moment.state
            assert moment.found["agreement"] == dyn.agreement(*own, moment.tau).worst < 1e-12
            assert moment.found["agreement:kkt"] == dyn.agreement(*own, moment.tau, only=["kkt"]).worst
            assert moment.found["residual"] == dyn.agreement(*own, moment.tau, only=[]).worst_residual
            checks = dyn.identities(dyn.forward_dynamics(*own, moment.tau))
            assert moment.found["identity"] == max(check.worst for check in checks)
            condition = np.linalg.cond(dyn.mass_matrix(*own))
            assert moment.found["mass_matrix:condition"] == pytest.approx(condition, rel=1e-10)
            assert moment.found["tip_acceleration"] == pytest.approx(self.tip(*own, moment.tau), rel=1e-4)

    @staticmethod
    def tip(system: dyn.System, state: dyn.State, tau: Any, h: float = 1e-4) -> float:
        """By the tip's places a little before and after: q moves by its rate and its acceleration."""
        qdd = dyn.forward_dynamics(system, state, tau, method="newton_euler").joint_acceleration
        before, now, after = (
            dyn.tip_poses(system, system.state(q=state.q + t * state.qd + 0.5 * t * t * qdd))[0, :3, 3]
            for t in (-h, 0.0, h)
        )
        return float(np.linalg.norm(after - 2.0 * now + before)) / h**2

    def test_balance_is_felt_where_a_force_is_wrong(self, held: tuple[dyn.System, dyn.State]) -> None:
        system, state = held
        problem = problem_of(system, {"tau": (-1.0, 1.0)}, "balance", 8, state, "random", 0)
        states = next(iter(problem.pieces(0, problem.drawn(0, 8))))[0]
        assert states is not None
        solution = states.solved(False)
        assert solution.contact_force is not None
        wrong = replace(solution, contact_force=solution.contact_force * (1.0 + 1e-6))
        watch = problem.watches[0]
        assert watch.of(states, solution).max() < 1e-12 < 1e-8 < watch.of(states, wrong).min()


class TestBadInput:
    @pytest.mark.parametrize(
        ("change", "says"),
        [
            ({"over": {}}, "over is"),
            ({"over": {"wheels": (0.0, 1.0)}}, "wheels"),
            ({"over": {"q:elbow": (0.0, 1.0)}}, "q:joint_1"),
            ({"over": {"q": (0.0, 1.0), "q:joint_1": (0.0, 1.0)}}, "named twice"),
            ({"over": {"q": (1.0, 0.0)}}, "low below high"),
            ({"over": {"q": (-1e308, 1e308)}}, "low below high"),
            ({"over": {"q": (0.0, np.nan)}}, "over"),
            ({"over": {"q": [0.0, np.inf]}}, "finite numbers"),
            ({"over": {"q": []}}, "finite numbers"),
            ({"over": {"q": stats.norm}}, "frozen distribution"),
            ({"over": {"q": stats.norm(0.0, -1.0)}}, "no finite number"),
            ({"over": {"q": "wide"}}, "frozen distribution"),
            ({"over": {"object_mass": (0.1, 1.0)}}, "object_mass"),
            ({"over": {"contacts": ["rigid"]}}, "contacts"),
            ({"find": "beauty"}, "beauty"),
            ({"find": "rho"}, "rho"),
            ({"find": "agreement:luck"}, "agreement:kkt"),
            ({"find": "filter.joint_inertia:condition"}, "joint_inertia:smallest"),
            ({"find": []}, "find"),
            ({"find": [BASE, BASE]}, "different"),
            ({"find": int}, "find"),
            ({"sample": "poisson"}, "latin_hypercube"),
            ({"count": 0}, "count"),
            ({"count": 10**12}, "count"),
            ({"seed": -1}, "seed"),
            ({"workers": 0}, "workers"),
            ({"memory": np.nan}, "memory"),
            ({"memory": 0.0}, "memory is 0"),
            ({"memory": -64e6}, "more than 0"),
            ({"scheduler": 3}, "scheduler"),
            ({"progress": 3}, "progress"),
            ({"over": {"q": [0.0] * 100_000, "qd": [0.0] * 100_000}}, "rows"),
        ],
    )
    def test_is_refused_by_name(self, change: dict[str, Any], says: str) -> None:
        asked: dict[str, Any] = {"over": {"q": (-1.0, 1.0)}, "find": BASE, "count": 10} | change
        with pytest.raises((dyn.ModelError, dyn.StateError), match=says):
            dyn.study(SYSTEM, **asked)

    def test_a_machine_that_holds_asks_where(self, held: tuple[dyn.System, dyn.State]) -> None:
        with pytest.raises(dyn.StateError, match="state"):
            dyn.study(held[0], {"tau": (0.0, 1.0)}, "squeeze")

    def test_a_function_gives_a_number_a_state(self) -> None:
        def short(solution: dyn.BatchSolution) -> Any:
            return solution.joint_acceleration

        with pytest.raises(dyn.StateError, match="short gave"):
            dyn.study(SYSTEM, {"q": (0.0, 1.0)}, short, 5)

    def test_what_a_function_raises_is_its_own(self) -> None:
        def wrong(solution: dyn.BatchSolution) -> Any:
            raise ValueError("mine")

        with pytest.raises(ValueError, match=r"^mine$"):
            dyn.study(SYSTEM, {"q": (0.0, 1.0)}, wrong, 5)

    def test_a_machine_that_cannot_be_is_a_refused_row(self) -> None:
        result = dyn.study(SYSTEM, {"mass:link_1": [1.0, -1.0]}, BASE, 1)
        assert (result.size, result.refused) == (2, 1)
        assert "mass is -1" in result.refusal
        with pytest.raises(dyn.StateError, match="every row is refused"):
            dyn.study(SYSTEM, {"mass:link_1": [-1.0]}, BASE, 1)
        with pytest.raises(dyn.StateError, match="row is"):
            result.moment(2)
