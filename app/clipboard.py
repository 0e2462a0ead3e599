"""What the browser copies, and saves as a file of its user's: the JavaScript that every such control shares."""

from pathlib import Path

COPYING = Path(__file__).with_name("copying.js")
"""``copyText``, ``saveText``, ``saveBlob`` and ``fileName``."""
PICTURING = Path(__file__).with_name("picturing.js")
"""``drawn``, ``inLines``, ``imageOf``, ``pngOf`` and more, for pictures; the 3D view's bundle has both files in it."""
