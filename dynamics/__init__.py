"""Robot dynamics as filtering and smoothing: the mechanics of Armsweep, without any user interface.

``dir(dynamics)`` lists what most users need. Less common functions are in the subpackages that
``docs/architecture.md`` lists: ``from dynamics.robot import with_joint``. The method itself is in ``textbook``.
"""

import sys
from typing import NoReturn

import dynamics.notebook  # noqa: F401
from dynamics.check.agreement import Agreement, agreement
from dynamics.check.identities import identities
from dynamics.comparison.compare import Comparison, compare
from dynamics.compilation import compile_kernels
from dynamics.errors import ModelError, SingularConfigurationError, StateError
from dynamics.motion.control_law import ControlLaw
from dynamics.motion.controllers import ConstantTorque, Controller, JointPD, TaskSpacePD
from dynamics.motion.events import Grasp, Release
from dynamics.motion.recording import Recording
from dynamics.motion.saved_recording import load_recording
from dynamics.motion.simulation import Simulation, simulate
from dynamics.reading.moment import read_textbook
from dynamics.robot.model import Geometry, Joint, Link, Robot
from dynamics.robot.task_object import TaskObject
from dynamics.robot_files.library import load, planar_chain, robot_names
from dynamics.robot_files.mjcf import load_mjcf_text
from dynamics.robot_files.review import RobotReport, robot_report
from dynamics.robot_files.urdf import load_urdf_text
from dynamics.robot_files.urdf_written import urdf_text
from dynamics.solve.batch import forward_dynamics_batch
from dynamics.solve.batch_solution import BatchSolution
from dynamics.solve.center_of_mass import center_of_mass
from dynamics.solve.closure import project
from dynamics.solve.formulations import inverse_dynamics, mass_matrix
from dynamics.solve.forward_dynamics import forward_dynamics, methods
from dynamics.solve.influence import influence
from dynamics.solve.inverse_kinematics import inverse_kinematics
from dynamics.solve.jacobian import (
    bias_torque,
    coriolis_matrix,
    coriolis_torque,
    gravity_torque,
    jacobian,
    jacobian_rate,
)
from dynamics.solve.mass_matrix_inverse import mass_matrix_inverse, operator_factors
from dynamics.solve.operational_space import operational_space_inertia
from dynamics.solve.solver import Solver, solver
from dynamics.studies.study import Study, study
from dynamics.studies.worst_case import sensitivity, worst_case
from dynamics.system.assembly import free_flyer, multi_arm, single_arm, with_task_object
from dynamics.system.examples import example, examples
from dynamics.system.grasp import grasp, release
from dynamics.system.plain_kinematics import forward_kinematics
from dynamics.system.registry import REGISTRY as registry
from dynamics.system.solution import Solution
from dynamics.system.state import State
from dynamics.system.system import System

__all__ = [
    "Agreement",
    "BatchSolution",
    "Comparison",
    "ConstantTorque",
    "ControlLaw",
    "Controller",
    "Geometry",
    "Grasp",
    "Joint",
    "JointPD",
    "Link",
    "ModelError",
    "Recording",
    "Release",
    "Robot",
    "RobotReport",
    "Simulation",
    "SingularConfigurationError",
    "Solution",
    "Solver",
    "State",
    "StateError",
    "Study",
    "System",
    "TaskObject",
    "TaskSpacePD",
    "agreement",
    "bias_torque",
    "center_of_mass",
    "compare",
    "compile_kernels",
    "coriolis_matrix",
    "coriolis_torque",
    "example",
    "examples",
    "forward_dynamics",
    "forward_dynamics_batch",
    "forward_kinematics",
    "free_flyer",
    "grasp",
    "gravity_torque",
    "identities",
    "influence",
    "inverse_dynamics",
    "inverse_kinematics",
    "jacobian",
    "jacobian_rate",
    "load",
    "load_mjcf_text",
    "load_recording",
    "load_urdf_text",
    "mass_matrix",
    "mass_matrix_inverse",
    "methods",
    "multi_arm",
    "operational_space_inertia",
    "operator_factors",
    "planar_chain",
    "project",
    "read_textbook",
    "registry",
    "release",
    "robot_names",
    "robot_report",
    "sensitivity",
    "simulate",
    "single_arm",
    "solver",
    "study",
    "urdf_text",
    "with_task_object",
    "worst_case",
]


def __dir__() -> list[str]:
    return __all__


_NAMES_ELSEWHERE = {
    "aba": "forward_dynamics", "rnea": "inverse_dynamics", "crba": "mass_matrix", "nle": "bias_torque",
    "load_urdf": "load", "load_mjcf": "load", "step": "simulate",
}  # fmt: skip


def __getattr__(name: str) -> NoReturn:
    hint = f": it is {_NAMES_ELSEWHERE[name]} here" if name in _NAMES_ELSEWHERE else ""
    raise AttributeError(f"module 'dynamics' has no attribute '{name}'{hint}", name=name, obj=sys.modules[__name__])
