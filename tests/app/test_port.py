"""The port opens before the mechanics is loaded."""

import subprocess
import sys

PROGRAM = """
import sys
import app.app_hooks
print(sorted({"dynamics", "scenes", "scipy", "pyvista", "numba"} & set(sys.modules)))
"""


def test_what_a_server_loads_before_its_port_opens_is_light() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=120)
    assert ran.stdout.strip() == "[]"
