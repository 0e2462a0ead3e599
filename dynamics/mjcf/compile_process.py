"""A process that has MuJoCo compile one model from its input and tells on its output what came of it.

It imports nothing of this package, which would cost it seconds: whoever starts it says how long it may take and how
much memory it may have.
"""

from __future__ import annotations

import base64
import contextlib
import json
import sys
from collections.abc import Mapping
from typing import Any

OF_ALL = (
    *("body_parentid", "body_pos", "body_quat", "body_ipos", "body_iquat", "body_mass", "body_inertia"),
    *("body_jntadr", "body_jntnum", "body_gravcomp", "body_mocapid"),
    *("jnt_type", "jnt_pos", "jnt_axis", "jnt_limited", "jnt_range", "jnt_actfrclimited", "jnt_actfrcrange"),
    *("jnt_qposadr", "jnt_dofadr", "jnt_stiffness", "jnt_stiffnesspoly", "qpos0"),
    *("dof_armature", "dof_damping", "dof_dampingpoly", "dof_frictionloss"),
    *("eq_type", "eq_objtype", "eq_obj1id", "eq_obj2id", "eq_data"),
    *("geom_bodyid", "geom_type", "geom_size", "geom_pos", "geom_quat", "geom_group", "geom_rgba", "geom_matid"),
    "geom_contype",
    "geom_user",
    *("geom_dataid", "mat_rgba", "mesh_pos", "mesh_quat", "mesh_scale", "site_bodyid", "site_pos", "site_quat"),
)
"""Arrays of a compiled model that tell of its robot."""
MOST = {"nbody": 1001, "njnt": 1000, "ngeom": 20_000, "nsite": 20_000, "neq": 1000}
"""Of a robot, where MuJoCo has repeated its parts."""
NAMES = {"body": "nbody", "eq": "neq", "jnt": "njnt", "mesh": "nmesh", "site": "nsite"}


def limit(seconds: int, megabytes: int) -> None:
    """What is more than that ends the process; it writes no file. Windows has no such limits, but the time's."""
    with contextlib.suppress(ImportError):
        import resource

        for kind, most in (
            (resource.RLIMIT_CPU, seconds),
            (resource.RLIMIT_AS, megabytes * 2**20),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
        ):
            with contextlib.suppress(ValueError, OSError):  # macOS knows not all of them
                resource.setrlimit(kind, (most, most))


def compiled(text: str, files: Mapping[str, str]) -> dict[str, Any]:
    """The arrays of a model, and its names; or why MuJoCo refuses it.

    Args:
        files: that come with it, in base64.
    """
    import mujoco

    try:
        model = mujoco.MjModel.from_xml_string(text, {name: base64.b64decode(data) for name, data in files.items()})
    except ValueError as error:
        return {"refused": str(error)}
    if too_many := next((kind for kind, most in MOST.items() if getattr(model, kind) > most), ""):
        return {"refused": f"{getattr(model, too_many)} {too_many[1:]}s come of it; expected at most {MOST[too_many]}"}
    found: dict[str, Any] = {name: getattr(model, name).tolist() for name in OF_ALL}
    for kind, count in NAMES.items():
        accessor = getattr(model, kind)
        found[kind] = [accessor(k).name for k in range(getattr(model, count))]
    return found


if __name__ == "__main__":
    limit(int(sys.argv[1]), int(sys.argv[2]))
    json.dump(compiled(**json.load(sys.stdin.buffer)), sys.stdout)
