"""PyVista scenes of a system, built once and then moved, and off-screen pictures of any moment.

It may import: the mechanics.
Start with ``scene``; ``layers``: what can be drawn; ``palette``: every color.
"""

import warnings

with warnings.catch_warnings():  # in a notebook PyVista's imports warn about a progress bar that is not used here
    warnings.filterwarnings("ignore", "IProgress not found")
    import pyvista  # noqa: F401

from scenes import palette
from scenes.ghosts import GhostRun
from scenes.layers import CHOICES, LAYERS, Layer, layers_of
from scenes.mesh import SceneMesh
from scenes.options import Look, Push, Shade
from scenes.packing import ARCHIVE, PackedRobot, packed_robot
from scenes.parts import ground_height, object_points
from scenes.picture_server import PictureServer, picture
from scenes.quantity_meshes import looks_alike
from scenes.scene import Scene
from scenes.surroundings import Camera
from scenes.view import View, view

__all__ = [
    "ARCHIVE",
    "CHOICES",
    "LAYERS",
    "Camera",
    "GhostRun",
    "Layer",
    "Look",
    "PackedRobot",
    "PictureServer",
    "Push",
    "Scene",
    "SceneMesh",
    "Shade",
    "View",
    "ground_height",
    "layers_of",
    "looks_alike",
    "object_points",
    "packed_robot",
    "palette",
    "picture",
    "view",
]
