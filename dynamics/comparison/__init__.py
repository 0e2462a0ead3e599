"""The numbers of another program compared with ours: their convention, where the two differ first, and why.

``arrays`` lists what can be compared, ``sweeps`` runs the text in another program's form, ``convention`` and
``joint_space`` convert the results, ``matching`` finds the convention, ``causes`` applies common faults to ours.

It may import: ``solve``, ``reading``, ``textbook``, ``system``, ``robot``.
Start with ``compare``: the question and the answer.
"""

from dynamics.comparison.arrays import read_arrays
from dynamics.comparison.compare import Cause, ComparedStage

__all__ = ["Cause", "ComparedStage", "read_arrays"]
