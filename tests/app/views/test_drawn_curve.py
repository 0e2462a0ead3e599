"""A drawn curve beside the true one."""

import numpy as np

from app.views.drawn_curve import apart

TIMES = np.linspace(0.0, 1.0, 41)
HILL = np.sin(np.pi * TIMES)


def test_a_drawing_is_compared_in_words() -> None:
    for drawn, words, least, most in (
        (HILL, ("starts where the true one does", "Both rise first"), 0.0, 1e-12),
        (-HILL, ("falls first, the true one rises first",), 1.0, 1.5),
        (0.0 * HILL, ("stays level, the true one rises first", "never turns, the true one turns once"), 0.6, 0.7),
        (HILL + 0.5, ("starts at 0.5 m, the true one at 0 m", "0.5 m above"), 0.49, 0.51),
        (np.sin(3.0 * np.pi * TIMES), ("turns 3 times, the true one turns once",), 0.4, 1.0),
        (HILL - 2.5, ("2.5 m below", "off by 250 %"), 2.4, 2.6),
        (np.sin(np.pi * TIMES**2), ("highest at 0.7 s, the true one at 0.5 s",), 0.1, 0.5),
    ):  # fmt: skip
        told = apart(drawn, TIMES, HILL, "m")
        assert least <= told.mean <= most
        for each in words:
            assert each in told.words, told.words
