"""Robot dynamics as filtering and smoothing: the mechanics of Armsweep, without any user interface.

Each room says what it may import and where to start; the method itself is in ``textbook``.
"""

from dynamics import notebook as notebook
from dynamics.batch.forward_dynamics import forward_dynamics_batch
from dynamics.batch.solution import BatchSolution
from dynamics.check.agreement import Agreement, agreement
from dynamics.check.identities import Check, identities
from dynamics.check.paper_sums import PaperSum, paper_sums
from dynamics.check.text_identities import text_identities
from dynamics.comparison import Cause, ComparedStage, Comparison, compare, read_arrays
from dynamics.compilation import compile_kernels
from dynamics.counting.counting import count_operations
from dynamics.counting.critical_path import critical_path
from dynamics.descriptions.urdf import load_urdf_text
from dynamics.descriptions.urdf_written import urdf_text
from dynamics.editing.joints import with_joint
from dynamics.editing.links import with_link, without_link
from dynamics.editing.loops import with_loop
from dynamics.editing.solids import with_density
from dynamics.editing.table import DenavitHartenberg, denavit_hartenberg, with_denavit_hartenberg
from dynamics.errors import LineError, ModelError, SingularConfigurationError, StateError
from dynamics.exercise import Attempt, Exercise, InScope, Mistake, attempt, exercises
from dynamics.methods.bias_torque import bias_torque, coriolis_matrix, coriolis_torque, gravity_torque
from dynamics.methods.center_of_mass import CenterOfMass, center_of_mass, velocity_without_momentum
from dynamics.methods.formulations import inverse_dynamics, mass_matrix
from dynamics.methods.forward_dynamics import forward_dynamics, methods
from dynamics.methods.innovations import innovations, smoothed_force_covariance
from dynamics.methods.jacobian import jacobian, jacobian_rate
from dynamics.methods.other_base import OtherBase, from_another_base
from dynamics.methods.solver import Solver, solver
from dynamics.mjcf.mjcf import load_mjcf_text
from dynamics.motion.control_law import ControlLaw
from dynamics.motion.controllers import ConstantTorque, Controller, JointPD, TaskSpacePD
from dynamics.motion.events import Grasp, Release
from dynamics.motion.plain_simulation import simulate_by
from dynamics.motion.recording import Recording
from dynamics.motion.saved_recording import load_recording
from dynamics.motion.simulation import Simulation, simulate
from dynamics.motion.textbook_simulation import TextbookRecording, TextbookSimulation
from dynamics.operators.estimation import sample_estimation
from dynamics.operators.influence import (
    AccelerationParts,
    Influence,
    acceleration_parts,
    contact_influence_sweep,
    influence,
)
from dynamics.operators.mass_matrix_inverse import acceleration_responses, mass_matrix_inverse
from dynamics.operators.operational_space import operational_space_inertia
from dynamics.operators.operator_factors import operator_factors
from dynamics.operators.predictor_corrector import ContactGain, contact_gain
from dynamics.operators.rebase import rebase, rebase_state
from dynamics.papers.redundant_coordinates import run_redundant
from dynamics.papers.reproduce import paper_results, reproduce
from dynamics.papers.result import PaperCurve, PaperFigure, PaperNumber, PaperResult, Reproduction
from dynamics.papers.staggered_step import contraction_radius, staggered_sweeps
from dynamics.posture.arm_rates import (
    closure_gap,
    object_velocity,
    projected_accelerations,
    projected_rates,
    smallest_accelerations,
    smallest_rates,
)
from dynamics.posture.closure import project
from dynamics.posture.inverse_kinematics import Placement, inverse_kinematics, move_joint
from dynamics.reading import (
    Breakable,
    FactorValue,
    FormulationReading,
    FormulationStep,
    Letter,
    LineReading,
    Piece,
    Reading,
    StageDifference,
    TermValue,
    TextLine,
    altered_source,
    equation_pieces,
    formulation_lines,
    letter_difference,
    read_formulation,
    read_textbook,
    readable_formulations,
    stage_difference,
    textbook_breaks,
    textbook_letters,
    textbook_lines,
)
from dynamics.review.finding import Finding
from dynamics.review.report import RobotReport, robot_report
from dynamics.robot.changes import with_body, with_damping
from dynamics.robot.denavit_hartenberg import from_denavit_hartenberg
from dynamics.robot.model import Frame, Geometry, Joint, Link, Loop, Robot
from dynamics.robot.task_object import TaskObject
from dynamics.sources.library import load, robot_names
from dynamics.sources.planar_chain import planar_chain
from dynamics.step_text import step_latex, step_python
from dynamics.studies.study import Distribution, Moment, Study, study
from dynamics.studies.worst_case import Sensitivity, WorstCase, sensitivity, worst_case
from dynamics.system.assembly import free_flyer, multi_arm, single_arm, with_object_center, with_parts, with_task_object
from dynamics.system.contact import Contact, Tip
from dynamics.system.examples import example, examples
from dynamics.system.forward_kinematics import forward_kinematics
from dynamics.system.grasp import grasp, release
from dynamics.system.plain_kinematics import Kinematics
from dynamics.system.registry import REGISTRY as registry
from dynamics.system.registry import Quantity
from dynamics.system.solution import Solution
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.witness.arm_group import group_inverse

__all__ = [
    "AccelerationParts",
    "Agreement",
    "Attempt",
    "BatchSolution",
    "Breakable",
    "Cause",
    "CenterOfMass",
    "Check",
    "ComparedStage",
    "Comparison",
    "ConstantTorque",
    "Contact",
    "ContactGain",
    "ControlLaw",
    "Controller",
    "DenavitHartenberg",
    "Distribution",
    "Exercise",
    "FactorValue",
    "Finding",
    "FormulationReading",
    "FormulationStep",
    "Frame",
    "Geometry",
    "Grasp",
    "InScope",
    "Influence",
    "Joint",
    "JointPD",
    "Kinematics",
    "Letter",
    "LineError",
    "LineReading",
    "Link",
    "Loop",
    "Mistake",
    "ModelError",
    "Moment",
    "OtherBase",
    "PaperCurve",
    "PaperFigure",
    "PaperNumber",
    "PaperResult",
    "PaperSum",
    "Piece",
    "Placement",
    "Quantity",
    "Reading",
    "Recording",
    "Release",
    "Reproduction",
    "Robot",
    "RobotReport",
    "Sensitivity",
    "Simulation",
    "SingularConfigurationError",
    "Solution",
    "Solver",
    "StageDifference",
    "State",
    "StateError",
    "Study",
    "System",
    "TaskObject",
    "TaskSpacePD",
    "TermValue",
    "TextLine",
    "TextbookRecording",
    "TextbookSimulation",
    "Tip",
    "WorstCase",
    "acceleration_parts",
    "acceleration_responses",
    "agreement",
    "altered_source",
    "attempt",
    "bias_torque",
    "center_of_mass",
    "closure_gap",
    "compare",
    "compile_kernels",
    "contact_gain",
    "contact_influence_sweep",
    "contraction_radius",
    "coriolis_matrix",
    "coriolis_torque",
    "count_operations",
    "critical_path",
    "denavit_hartenberg",
    "equation_pieces",
    "example",
    "examples",
    "exercises",
    "formulation_lines",
    "forward_dynamics",
    "forward_dynamics_batch",
    "forward_kinematics",
    "free_flyer",
    "from_another_base",
    "from_denavit_hartenberg",
    "grasp",
    "gravity_torque",
    "group_inverse",
    "identities",
    "influence",
    "innovations",
    "inverse_dynamics",
    "inverse_kinematics",
    "jacobian",
    "jacobian_rate",
    "letter_difference",
    "load",
    "load_mjcf_text",
    "load_recording",
    "load_urdf_text",
    "mass_matrix",
    "mass_matrix_inverse",
    "methods",
    "move_joint",
    "multi_arm",
    "object_velocity",
    "operational_space_inertia",
    "operator_factors",
    "paper_results",
    "paper_sums",
    "planar_chain",
    "project",
    "projected_accelerations",
    "projected_rates",
    "read_arrays",
    "read_formulation",
    "read_textbook",
    "readable_formulations",
    "rebase",
    "rebase_state",
    "registry",
    "release",
    "reproduce",
    "robot_names",
    "robot_report",
    "run_redundant",
    "sample_estimation",
    "sensitivity",
    "simulate",
    "simulate_by",
    "single_arm",
    "smallest_accelerations",
    "smallest_rates",
    "smoothed_force_covariance",
    "solver",
    "stage_difference",
    "staggered_sweeps",
    "step_latex",
    "step_python",
    "study",
    "text_identities",
    "textbook_breaks",
    "textbook_letters",
    "textbook_lines",
    "urdf_text",
    "velocity_without_momentum",
    "with_body",
    "with_damping",
    "with_denavit_hartenberg",
    "with_density",
    "with_joint",
    "with_link",
    "with_loop",
    "with_object_center",
    "with_parts",
    "with_task_object",
    "without_link",
    "worst_case",
]
