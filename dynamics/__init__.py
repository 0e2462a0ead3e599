"""Robot dynamics as filtering and smoothing: the mechanics of Armsweep, without any user interface."""

from dynamics.agreement import Agreement, agreement
from dynamics.assembly import free_flyer, multi_arm, single_arm, with_task_object
from dynamics.closure import project
from dynamics.controllers import ConstantTorque, Controller, JointPD, TaskSpacePD
from dynamics.errors import ModelError, SingularConfigurationError, StateError
from dynamics.events import Grasp, Release
from dynamics.examples import example, examples
from dynamics.forward_dynamics import forward_dynamics, methods
from dynamics.grasp import grasp, release
from dynamics.library import load, robot_names
from dynamics.planar_chain import planar_chain
from dynamics.recording import Recording
from dynamics.registry import REGISTRY as registry
from dynamics.registry import Quantity
from dynamics.robot import Frame, Geometry, Joint, Link, Robot
from dynamics.simulation import Simulation, simulate
from dynamics.solution import Solution
from dynamics.solver import Solver, solver
from dynamics.state import State
from dynamics.system import Contact, System, Tip
from dynamics.task_object import TaskObject
from dynamics.tip_poses import link_poses, tip_poses
from dynamics.urdf import load_urdf_text

__all__ = [
    "Agreement",
    "ConstantTorque",
    "Contact",
    "Controller",
    "Frame",
    "Geometry",
    "Grasp",
    "Joint",
    "JointPD",
    "Link",
    "ModelError",
    "Quantity",
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
    "agreement",
    "example",
    "examples",
    "forward_dynamics",
    "free_flyer",
    "grasp",
    "link_poses",
    "load",
    "load_urdf_text",
    "methods",
    "multi_arm",
    "planar_chain",
    "project",
    "registry",
    "release",
    "robot_names",
    "simulate",
    "single_arm",
    "solver",
    "tip_poses",
    "with_task_object",
]
