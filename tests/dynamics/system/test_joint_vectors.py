"""Joints by their names, and arrays from base to tip: the same machine, whichever way it is said."""

import numpy as np
import pinocchio as pin
import pytest

import dynamics as dyn
from dynamics.system.registry import REGISTRY
from tests.dynamics.every import every
from tests.dynamics.system.test_couplings import gripper
from tests.dynamics.textbook.cases import NAMES, case_named

JOINTS_ALONE = [name for name in NAMES if not case_named(name, 5).system.is_held]


@every(NAMES)
def test_names_and_base_order_say_what_an_array_from_the_tip_says(name: str) -> None:
    case = case_named(name, 5)
    system, state, order = case.system, case.state, case.system.base_order
    named = {key: dict(zip(system.joint_names, x, strict=True)) for key, x in (("q", state.q), ("tau", case.tau))}
    places = order.tolist()
    for k in range(system.n_joints):
        inboard = int(system.inboard[k])
        assert not 0 <= inboard < system.n_joints or places.index(inboard) < places.index(k)
    mixed = np.random.default_rng(1).permutation(system.n_joints)
    names = [system.joint_names[k] for k in mixed]
    others = system.state(q=state.q[order], order="base"), system.state(q=state.q[mixed], order=names)
    for other in (system.state(q=named["q"]), *others):
        assert np.array_equal(other.q, system.state(q=state.q).q)
    solution = case.solve()
    given = {"method": "filter_smoother", "external_forces": case.wrench}
    for tau, end in ((named["tau"], "tip"), (case.tau[order], "base"), (case.tau[mixed], names)):
        found = dyn.forward_dynamics(system, state, tau, order=end, **given).by_joint("joint_acceleration", "base")
        assert list(found) == [system.joint_names[k] for k in order]
        assert np.array_equal([*found.values()], solution.joint_acceleration[order])
    for stage, key in (pair for pair in REGISTRY if pair[1] in solution.stages.get(pair[0], ())):
        array = solution.stages[stage][key]
        if REGISTRY[stage, key].shape.startswith(("(joints", "(links")):
            rows = solution.by_joint(f"{stage}/{key}")
            assert all(np.array_equal(rows[joint], array[k]) for k, joint in enumerate(system.joint_names))


@every(JOINTS_ALONE)
def test_inverse_dynamics_and_batches_take_them_too(name: str) -> None:
    case = case_named(name, 5)
    system, state, order = case.system, case.state, case.system.base_order
    wanted = np.linspace(-1.0, 1.0, system.n_joints)
    torque = dyn.inverse_dynamics(system, state, wanted)
    assert np.array_equal(dyn.inverse_dynamics(system, state, wanted[order], order="base"), torque[order])
    assert np.array_equal(dyn.inverse_dynamics(system, state, system.from_joint_vector(wanted)), torque)
    q = state.q + np.linspace(0.0, 0.1, 3)[:, None]
    expected = dyn.forward_dynamics_batch(system, q, state.qd, case.tau).joint_acceleration
    by_name = {joint: q[:, k] for k, joint in enumerate(system.joint_names)}
    rates, torques = system.from_joint_vector(state.qd), case.tau[order]
    assert np.array_equal(dyn.forward_dynamics_batch(system, by_name, rates, case.tau).joint_acceleration, expected)
    turned = dyn.forward_dynamics_batch(system, q[:, order], state.qd[order], torques, order="base")
    assert np.array_equal(turned.joint_acceleration, expected)


def test_what_no_joint_is_called_is_refused_with_the_nearest_name() -> None:
    system = dyn.single_arm(dyn.load("ur5e"))
    for act in (lambda q: system.state(q=q), lambda q: system.state(qd=q), system.to_joint_vector,
                lambda tau: dyn.forward_dynamics(system, system.state(), tau), lambda tau: dyn.simulate(
                    system, system.state(), tau=tau), lambda q: dyn.forward_dynamics_batch(system, q=q),
                lambda x: dyn.JointPD(target=x).law(system, system.state())):  # fmt: skip
        with pytest.raises(dyn.StateError, match="did you mean 'elbow_joint'"):
            act({"elbow": 1.0})
        with pytest.raises(dyn.StateError, match="elbow_joint"):
            act({"elbow_joint": np.nan})
    with pytest.raises(dyn.StateError, match="did you mean 'kalman_gain'"):
        dyn.forward_dynamics(system, system.state()).by_joint("gain")
    with pytest.raises(dyn.StateError, match="order is 'tips'"):
        system.state(q=np.zeros(6), order="tips")
    for names in ([*system.joint_names[1:], "elbow"], set(system.joint_names)):
        with pytest.raises(dyn.StateError, match="names of all joints"):
            system.state(q=np.zeros(6), order=names)


def test_pinocchios_own_list_of_names_is_an_order() -> None:
    system, q = dyn.single_arm(dyn.load("panda")), np.linspace(-0.5, 0.7, 7)
    model = pin.buildModelFromXML(dyn.urdf_text(system.robots[0]))
    assert np.array_equal(system.state(q=q, order=model.names[1:]).q, q[::-1])


def test_a_controller_has_no_order() -> None:
    system = dyn.single_arm(dyn.load("ur5e"))
    for controller in (lambda t, now: -now.qd, dyn.ConstantTorque(np.zeros(6)), dyn.JointPD(np.zeros(6))):
        for order in ("base", system.joint_names):
            with pytest.raises(dyn.StateError, match="a controller's arrays run from tip to base"):
                dyn.simulate(system, system.state(), controller, 0.02, order=order)


def test_a_follower_goes_with_its_leader_and_is_not_put_elsewhere_by_name() -> None:
    system = gripper()
    assert np.array_equal(system.state(q={"left_slide": 0.01}).q, [0.01, 0.01])
    assert np.array_equal(system.state(q={"left_slide": 0.01, "right_slide": 0.01}).q, [0.01, 0.01])
    with pytest.raises(dyn.StateError, match="'right_slide' follows 'left_slide'"):
        system.state(q={"right_slide": 0.01})
