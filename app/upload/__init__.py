"""A robot file of the user's own: sent by a button, kept by the browser that sent it, and sent again for a link.

It may import: ``app.state``, ``app.service``, and of ``app.views`` what an instrument is.
Start with ``upload``: *Model*; ``file_button`` bounds what a browser sends, ``kept_files`` is the browser's storage.
"""

from .kept_files import KeptFiles
from .upload import Upload

__all__ = ["KeptFiles", "Upload"]
