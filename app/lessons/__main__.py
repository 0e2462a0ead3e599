"""``python -m app.lessons``: see ``check``."""

import sys

from app.lessons.check import main

sys.exit(main(sys.argv[1:]))
