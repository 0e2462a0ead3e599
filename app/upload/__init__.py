"""A user's own robot file: uploaded by a button, kept in the user's browser, and sent again for a link.

It may import: ``app.state``, ``app.service``, and from ``app.views`` the base of instruments.
Start with ``upload``: *Model*, and what is wrong in a file; ``kept_files``: limits, and the browser's storage.
"""

from .kept_files import KeptFiles
from .upload import Upload

__all__ = ["KeptFiles", "Upload"]
