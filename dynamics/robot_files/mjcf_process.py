"""A process in which MuJoCo compiles one model from standard input; the result goes to standard output.

It imports nothing of this package, which would take seconds. The arguments on its command line limit its time and its
memory.
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
"""Arrays of a compiled model that describe its robot."""
MOST = {"nbody": 1001, "njnt": 1000, "ngeom": 20_000, "nsite": 20_000, "neq": 1000}
"""Limits for a robot after MuJoCo has replicated its parts."""
NAMES = {"body": "nbody", "eq": "neq", "jnt": "njnt", "mesh": "nmesh", "site": "nsite"}


def limit(seconds: int, megabytes: int) -> None:
    """End the process if it exceeds these limits or writes a file. Windows has no such limits except the timeout."""
    with contextlib.suppress(ImportError):
        import resource

        for kind, most in (
            (resource.RLIMIT_CPU, seconds),
            (resource.RLIMIT_AS, megabytes * 2**20),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
        ):
            with contextlib.suppress(ValueError, OSError):  # macOS does not support all of them
                resource.setrlimit(kind, (most, most))


def compiled(text: str, files: Mapping[str, str]) -> dict[str, Any]:
    """The arrays and names of a model, ``files`` being in base64; or why MuJoCo refuses it."""
    import mujoco

    try:
        model = mujoco.MjModel.from_xml_string(text, {name: base64.b64decode(data) for name, data in files.items()})
    except ValueError as error:
        return {"refused": str(error)}
    if too_many := next((kind for kind, most in MOST.items() if getattr(model, kind) > most), ""):
        return {
            "refused": f"{getattr(model, too_many)} {too_many[1:]}s result from it; expected at most {MOST[too_many]}"
        }
    found: dict[str, Any] = {name: getattr(model, name).tolist() for name in OF_ALL}
    for kind, count in NAMES.items():
        accessor = getattr(model, kind)
        found[kind] = [accessor(k).name for k in range(getattr(model, count))]
    return found


if __name__ == "__main__":
    limit(int(sys.argv[1]), int(sys.argv[2]))
    json.dump(compiled(**json.load(sys.stdin.buffer)), sys.stdout)
