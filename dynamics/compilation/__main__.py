"""``python -m dynamics.compilation``: compiles every kernel ahead of its first call."""

import sys

from dynamics.compilation import main

if __name__ == "__main__":
    main(sys.argv[1:])
