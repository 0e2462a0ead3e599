"""The named errors. Each message says what is wrong, where, what was expected and what to do."""


class ModelError(ValueError):
    """A robot, object or system that cannot be: broken file, impossible inertia, unknown name."""


class StateError(ValueError):
    """A state, torque or argument that does not fit its system, or that is off the closure."""


class SingularConfigurationError(ValueError):
    """A posture in which the wanted quantity does not exist; says which arm and which directions."""
