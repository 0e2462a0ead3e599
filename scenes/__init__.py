"""PyVista scenes of a system: built once, then moved; and off-screen pictures of any moment."""

from scenes import palette
from scenes.mesh import SceneMesh
from scenes.picture_server import PictureServer, picture
from scenes.scene import LAYERS, Scene
from scenes.surroundings import Camera

__all__ = ["LAYERS", "Camera", "PictureServer", "Scene", "SceneMesh", "palette", "picture"]
