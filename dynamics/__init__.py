"""Robot dynamics as filtering and smoothing: the mechanics of Armsweep, without any user interface."""

from dynamics.agreement import Agreement, agreement
from dynamics.alteration import AS_PUBLISHED, Alteration
from dynamics.altered_forward_dynamics import altered_forward_dynamics
from dynamics.altered_lines import LINES as algorithm_lines
from dynamics.altered_simulation import AlteredSimulation
from dynamics.arm_group import group_inverse
from dynamics.arm_rates import projected_rates, smallest_accelerations, smallest_rates
from dynamics.assembly import free_flyer, multi_arm, single_arm, with_task_object
from dynamics.batch_dynamics import forward_dynamics_batch
from dynamics.batch_solution import BatchSolution
from dynamics.closure import project
from dynamics.controllers import ConstantTorque, Controller, JointPD, TaskSpacePD
from dynamics.counting import count_operations
from dynamics.critical_path import critical_path
from dynamics.denavit_hartenberg import from_denavit_hartenberg
from dynamics.errors import ModelError, SingularConfigurationError, StateError
from dynamics.estimation import sample_estimation
from dynamics.events import Grasp, Release
from dynamics.examples import example, examples
from dynamics.formulations import inverse_dynamics, mass_matrix
from dynamics.forward_dynamics import forward_dynamics, methods
from dynamics.grasp import grasp, release
from dynamics.identities import Check, identities
from dynamics.influence import influence
from dynamics.innovations import innovations, smoothed_force_covariance
from dynamics.inverse_kinematics import Placement, inverse_kinematics, move_joint
from dynamics.library import load, robot_names
from dynamics.mass_matrix_inverse import acceleration_responses, mass_matrix_inverse
from dynamics.operational_space import operational_space_inertia
from dynamics.operator_factors import operator_factors
from dynamics.plain_simulation import simulate_by
from dynamics.planar_chain import planar_chain
from dynamics.rebase import rebase, rebase_state
from dynamics.recording import Recording
from dynamics.redundant_coordinates import run_redundant
from dynamics.registry import REGISTRY as registry
from dynamics.registry import Quantity
from dynamics.robot import Frame, Geometry, Joint, Link, Robot
from dynamics.simulation import Simulation, simulate
from dynamics.solution import Solution
from dynamics.solver import Solver, solver
from dynamics.staggered_step import contraction_radius, integrate_staggered
from dynamics.state import State
from dynamics.system import Contact, System, Tip
from dynamics.task_object import TaskObject
from dynamics.textbook import Difference, Reading, read_textbook, stage_difference, textbook_lines
from dynamics.tip_poses import link_poses, tip_poses
from dynamics.urdf import load_urdf_text

__all__ = [
    "AS_PUBLISHED",
    "Agreement",
    "Alteration",
    "AlteredSimulation",
    "BatchSolution",
    "Check",
    "ConstantTorque",
    "Contact",
    "Controller",
    "Difference",
    "Frame",
    "Geometry",
    "Grasp",
    "Joint",
    "JointPD",
    "Link",
    "ModelError",
    "Placement",
    "Quantity",
    "Reading",
    "Recording",
    "Release",
    "Robot",
    "Simulation",
    "SingularConfigurationError",
    "Solution",
    "Solver",
    "State",
    "StateError",
    "System",
    "TaskObject",
    "TaskSpacePD",
    "Tip",
    "acceleration_responses",
    "agreement",
    "algorithm_lines",
    "altered_forward_dynamics",
    "contraction_radius",
    "count_operations",
    "critical_path",
    "example",
    "examples",
    "forward_dynamics",
    "forward_dynamics_batch",
    "free_flyer",
    "from_denavit_hartenberg",
    "grasp",
    "group_inverse",
    "identities",
    "influence",
    "innovations",
    "integrate_staggered",
    "inverse_dynamics",
    "inverse_kinematics",
    "link_poses",
    "load",
    "load_urdf_text",
    "mass_matrix",
    "mass_matrix_inverse",
    "methods",
    "move_joint",
    "multi_arm",
    "operational_space_inertia",
    "operator_factors",
    "planar_chain",
    "project",
    "projected_rates",
    "read_textbook",
    "rebase",
    "rebase_state",
    "registry",
    "release",
    "robot_names",
    "run_redundant",
    "sample_estimation",
    "simulate",
    "simulate_by",
    "single_arm",
    "smallest_accelerations",
    "smallest_rates",
    "smoothed_force_covariance",
    "solver",
    "stage_difference",
    "textbook_lines",
    "tip_poses",
    "with_task_object",
]
