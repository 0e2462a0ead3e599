"""Every public function and method with arguments that it takes, so that each can be replaced by an absurd value."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import dynamics as dyn
from dynamics.motion.textbook_simulation import TextbookRecording, TextbookSimulation
from dynamics.operators import rebase
from dynamics.reading import FormulationReading, Reading, read_formulation, textbook_lines
from dynamics.record import Record
from dynamics.solve import CenterOfMass
from dynamics.sources.planar_chain import planar_chain_urdf
from dynamics.studies import Distribution
from tests.dynamics.public_docstrings import Public, exported, public_names

CHAIN = planar_chain_urdf(2)
MODEL = '<mujoco><worldbody><body><joint name="j"/><geom size="1"/></body></worldbody></mujoco>'
NOT_READ = {"TextbookRecording.solution_at": {"method"}}
"""Parameters that are there because a sibling has them."""
ONLY_COMPILED = {"Solver.__call__", "Recording.to_html", "Recording.to_film", "Recording.to_gltf"}
"""A kernel tells by an argument's type whether it can be used as it is; a whole page or film is made of a recording."""
CONTROLLERS = (dyn.ConstantTorque, dyn.JointPD, dyn.TaskSpacePD)


@dataclass(frozen=True)
class Call:
    """A public function with arguments that it takes."""

    function: Callable[..., Any]
    arguments: dict[str, Any]
    annotations: dict[str, str]

    def answer(self, **others: Any) -> Any:
        arguments = self.arguments | others
        if "properties" in arguments:  # the one function that takes any number
            return self.function(*arguments.values())
        return self.function(**arguments)


class Valid:
    """Arguments that are right, by the parameter's name."""

    def __init__(self) -> None:
        self.arm = dyn.single_arm(dyn.planar_chain(2))
        self.flyer = dyn.free_flyer(dyn.load("free_flyer"))
        self.held, self.closed = dyn.example("two_arms_and_box")
        self.rebased, self.line = rebase(self.flyer, self.flyer.link_names[0]), textbook_lines(self.arm)[0]
        self.solution = dyn.forward_dynamics(self.arm, self.arm.state())
        self.reading = dyn.read_textbook(self.arm, self.arm.state())
        self.recording = dyn.simulate(self.arm, self.arm.state(), duration=0.1, dt=0.005)

    def handed_in(self, folder: Path) -> Path:
        path = folder / "mine.csv"
        path.write_text("D,1\nD,2\n", encoding="utf-8")
        return path

    def saved(self, folder: Path) -> Path:
        path = folder / "run.recording"
        self.recording.save(path)
        return path

    def systems(self, name: str) -> tuple[dyn.System, dyn.State]:
        held = ("Simulation.apply", "group_inverse", "contact_gain", "contraction_radius", "staggered_sweeps",
                "project", "release", "Grasp.apply", "Release.apply", "with_task_object", "with_object_center",
                "TaskSpacePD", "grasp", "System.state")  # fmt: skip
        if name.startswith(held):
            system = dyn.release(self.held) if name in ("grasp", "Grasp.apply") else self.held
            return system, self.closed
        if name in ("rebase", "rebase_state", "velocity_without_momentum", "from_another_base", "run_redundant",
                    "operational_space_inertia", "System.unpack"):  # fmt: skip
            return self.flyer, self.flyer.state()
        return self.arm, self.arm.state()

    def owner(self, owner: type, name: str) -> Any:
        system, state = self.systems(name)
        makers: dict[type, Callable[[], Any]] = {
            dyn.System: lambda: system, dyn.TaskObject: lambda: dyn.TaskObject.box((0.1, 0.2, 0.3), 1.0),
            dyn.Recording: lambda: self.recording, dyn.Robot: lambda: dyn.planar_chain(2),
            dyn.Solution: lambda: self.solution,
            dyn.Release: lambda: dyn.Release(0.0), dyn.Grasp: lambda: dyn.Grasp(0.0, ["rigid", "rigid"]),
            dyn.Simulation: lambda: dyn.Simulation(system, state),
            TextbookSimulation: lambda: TextbookSimulation(system, state, ()),
            TextbookRecording: lambda: TextbookSimulation(system, state, ()).recording,
            Reading: lambda: dyn.read_textbook(system, state),
            dyn.RobotReport: lambda: dyn.robot_report(CHAIN.replace("1 0 0", "2 0 0").encode()),
            dyn.Study: lambda: dyn.study(system, {"q": (-1.0, 1.0)}, "joint_acceleration", 5),
            Distribution: lambda: dyn.study(system, {"q": (-1.0, 1.0)}, "mass_matrix", 5).found["mass_matrix"],
            FormulationReading: lambda: read_formulation(system, state, "newton_euler"),
            CenterOfMass: lambda: dyn.center_of_mass(system, state), dyn.Solver: lambda: dyn.solver(system),
        }  # fmt: skip
        return makers.get(owner, owner)()

    def argument(self, function: str, parameter: str, folder: Path) -> Any:
        system, state = self.systems(function)
        n = system.n_joints
        joints = dict.fromkeys(("q", "qd", "tau", "joint_acceleration", "nearest_to"), np.zeros(n))
        wrench = np.zeros((system.n_links + 1, 6))
        of_link = {"of": system.link_names[0], "axes": "inertial", "point": "origin"}
        by_function: dict[str, dict[str, Any]] = {
            "jacobian": of_link, "jacobian_rate": of_link,
            **{key: dict(zip("xv", system.pack(state), strict=True)) for key in ("System.unpack", "Solver.__call__")},
            "System.to_joint_vector": {"values": {system.joint_names[0]: 1.0}},
            "System.from_joint_vector": {"vector": np.zeros(n)},
            "System.state": {"base_pose": None, "base_velocity": None}, "count_operations": {"method": "newton_euler"},
            "critical_path": {"method": "two_filter"}, "reproduce": {"name": "r87_table_2"},
            "mass_matrix": {"method": "kkt"}, "inverse_dynamics": {"method": "two_sweeps", "external_forces": wrench},
            "run_redundant": {"dt": 0.1, "duration": 0.2}, "simulate": {"method": "rk4", "controller": None},
            "Simulation": {"method": "rk4", "controller": None},
            "load_urdf_text": {"tip": None, "name": "robot", "text": CHAIN},
            "load_mjcf_text": {"tip": None, "name": "robot", "text": MODEL}, "load": {"tip": None, "package_dirs": (),
                "body": None, "fix": (), "free": ()}, "Robot.locked": {"joints": {}},
            "robot_report": {"source": CHAIN.encode(), "name": "robot"}, "planar_chain": {"mass": 1.0},
            "forward_dynamics_batch": {"base_pose": None, "base_velocity": None, "object_pose": None,
                "object_velocity": None},
            "from_denavit_hartenberg": {"damping": [0.1] * 2, "name": "arm"},
            "equation_pieces": {"key": self.line.key, "stage": self.line.stage},
            "Reading.lines": {"stage": "filter", "link": 0, "half": 0, "typeset": ()},
            **{name: {"stage": "filter", "link": 0, "half": 0, "of": "an arm"} for name in ("Reading.calls",
                "step_latex", "step_python")},
            "Recording.to_html": {"path": folder / "run.html", "title": "arm", "walked": 0.1},
            "Recording.to_film": {"path": folder / "run.mp4", "size": (32, 16), "rate": 20.0, "speed": 1.0,
                "layers": ["axes"], "camera": [[1.0, -2.0, 1.0], [0.0, 0.0, 0.0]], "walk": None},
            "Recording.to_gltf": {"path": folder / "run.glb", "rate": 50.0},
            "Recording.stage": {"name": "kalman_gain", "joint": "joint_1"},
            "Recording.by_joint": {"name": "qdd"}, "Recording.plot": {"name": "tau", "joint": None, "axes": None},
            "TextbookRecording.stage": {"name": "kalman_gain", "joint": "joint_1"},
            "Solution.by_joint": {"name": "joint_acceleration"},
            "load_recording": {"path": self.saved(folder)},
            "read_arrays": {"path": self.handed_in(folder), "data": None}, "Reading.letter": {"name": "P"},
            "FormulationReading.letter": {"name": "omega"}, "FormulationReading.lines": {"at": 0},
            "letter_difference": {"found": self.reading, "expected": self.reading},
            "read_formulation": {"name": "newton_euler"}, "attempt": {"key": self.line.key, "typed": "I"},
            "textbook_breaks": {"keys": [self.line.breaks[0].key]}, "formulation_lines": {"name": "newton_euler"},
            "TextbookSimulation": {"controller": None, "torques_of": None, "since": 0.0},
            "TextbookRecording.state_at": {"t": 0.0}, "TextbookRecording.solution_at": {"t": 0.0},
            "TextbookRecording.solutions_at": {"times": [0.0]},
            "study": {"count": 20, "keep": None, "sample": "random"}, "worst_case": {"evaluations": 30},
            "sensitivity": {"count": 16, "over": {"mass": (0.9, 1.1)}, "find": "filter.joint_inertia:joint_2"},
            "compare": {"theirs": {"D": self.solution.stages["filter"]["joint_inertia"]}, "joints": None,
                "tolerance": 1e-9},
            "Study.column": {"name": "q:joint_1"}, "with_body": {"link": "link_1", "center_of_mass": np.zeros(3)},
            "with_damping": {"damping": {"joint_1": 0.5}},
            "with_joint": {"joint": "joint_1", "name": "elbow", "lower": -1.0, "upper": 1.0, "rotor_inertia": 0.1,
                "velocity": 1.0, "friction": [0.1, 0.2]},
            "with_link": {"link": dyn.Link("hand", 1.0, np.zeros(3), np.eye(3)), "joint": dyn.Joint("wrist",
                "revolute", np.array([1.0, 0.0, 0.0]), np.eye(4)), "tip": np.eye(4)},
            "with_loop": {"first": "link_1", "second": ("base", np.zeros(3)), "kind": "hinge"},
            "without_link": {"link": "link_1", "outboard": "join"}, "with_density": {"link": "link_1", "shapes": ()},
            "with_object_center": {"center": np.zeros(3)}, "with_task_object": {"task_object": self.held.task_object},
            "rebase_state": {"rebased": self.rebased},
            "from_another_base": {"rebased": self.rebased, "solution": dyn.forward_dynamics(self.flyer,
                self.flyer.state())},
            "free_flyer": {"robot": self.flyer.robots[0]},
            "JointPD, its fields": {"target": np.zeros(n), "damping": np.ones(n), "feedforward": np.zeros(n),
                "waves": np.zeros((n, 2)), "period": 1.0, "run_up": 0.0},
        }  # fmt: skip
        common: dict[str, Any] = joints | {
            "system": system, "state": state, "external_forces": wrench, "wrench": wrench, "method": "filter_smoother",
            "only": ["kkt"], "duration": 0.002, "dt": 1e-3, "record_every": 1, "events": (), "controller": None,
            "event": dyn.Release(0.0), "t": 0.004, "times": [0.0, 0.004], "path": folder / "run.csv",
            "properties": "damping", "k": 0, "object_pose": np.eye(4), "object_velocity": np.zeros(6), "mass": 1.0,
            "inertia": np.eye(3), "geometry": (), "name": "iiwa14", "size": (0.1, 0.2, 0.3), "point": np.ones(3),
            "breaks": (), "text": "arm", "keys": frozenset(), "n_links": 2, "n_arms": 1, "keep": "accelerations",
            "robot": self.arm.robots[0], "gravity": (0.0, 0.0, -1.0), "rows": np.ones((2, 4)), "masses": [1.0] * 2,
            "centers": np.zeros((2, 3)), "inertias": np.ones((2, 3)), "convention": "standard", "kinds": "revolute",
            "rotor_inertia": [0.0] * 2, "friction": np.zeros((2, 2)), "limits": [[-1, 1]] * 2, "tool": np.eye(4),
            "contacts": ["rigid"] * system.n_tips, "object_acceleration": np.zeros(6), "velocity": np.zeros(6),
            "acceleration": np.zeros(6), "solution": self.solution, "found": self.solution, "expected": self.solution,
            "steps": 1, "tip": 0, "reading": self.reading, "sweeps": 2, "typed": {}, "target": np.zeros(3),
            "attempts": 1, "accuracy": 1e-6, "most_steps": 5, "name_or_path": "iiwa14", "without": (), "joint": 0,
            "value": 0.1, "robots": [self.arm.robots[0]], "base_poses": [np.eye(4)], "task_object": None,
            "floating": False, "length": 0.3, "radius": 0.02, "base_acceleration": None, "link": system.link_names[0],
            "n_samples": 3, "seed": 0, "base_pose": np.eye(4), "target_pose": np.eye(4), "stiffness": 1.0,
            "damping": 1.0, "joint_damping": 1.0, "there_and_back": False, "gravity_compensation": False,
            "feedforward": np.zeros(n), "order": "tip", "told": str, "everything": False, "over": {"q": (-1.0, 1.0)},
            "find": "joint_acceleration", "workers": 1, "threads": False, "scheduler": None, "memory": 1e6, "worst": 3,
            "progress": None, "look": None, "toward": "largest", "question": "smallest_base_inertia", "share": 0.5,
            "row": 1, "long": False, "accepted": [0], "theme": "dark", "kind": "revolute", "axis": (1.0, 0.0, 0.0),
            "origin": np.eye(4), "effort": 1.0, "inboard": "link_1", "density": 1000.0, "base": np.eye(4),
        }  # fmt: skip
        return {**common, **by_function.get(function, {})}[parameter]


@cache
def valid() -> Valid:
    return Valid()


def checks_nothing(public: Public) -> bool:
    """A record whose making takes whatever it is given, an error, or a protocol."""
    thing = public.thing
    if not public.is_class:
        return getattr(public.owner, "_is_protocol", False)
    frozen_alone = getattr(thing, "__post_init__", Record.__post_init__) is Record.__post_init__
    made = is_dataclass(thing) and thing.__dataclass_params__.init and frozen_alone
    return made or issubclass(thing, tuple | Exception) or getattr(thing, "_is_protocol", False)


@cache
def walked() -> dict[str, Public | type]:
    """Every public function and method that takes something, and the laws that controllers make of their fields."""
    found: dict[str, Public | type] = {
        public.name: public
        for public in exported()
        if not (public.is_property or checks_nothing(public))
        and public.parameters
        and public.name != "compile_kernels"  # which compiles, whatever it is given
    }
    found["Solver.__call__"] = Public("Solver.__call__", dyn.Solver.__call__, dyn.Solver)
    return found | {f"{controller.__name__}, its fields": controller for controller in CONTROLLERS}


def call_of(name: str, folder: Path) -> Call:
    public = walked()[name]
    if isinstance(public, Public):
        function, parameters = public_names().get(name, public.thing), list(public.parameters)
        if public.owner is not None:
            function = getattr(valid().owner(public.owner, name), name.split(".")[1])
    else:
        system, state = valid().systems(name)
        parameters = list(inspect.signature(public).parameters.values())

        def function(**fields: Any) -> Any:
            return public(**fields).law(system, state)

    arguments = {p.name: valid().argument(name, p.name, folder) for p in parameters}
    return Call(function, arguments, {p.name: str(p.annotation) for p in parameters})
