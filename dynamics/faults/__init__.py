"""Everything that may be wrong with somebody's algorithm, each as something altered in ours.

``alteration`` is one of them, and the forms that the text is run in; ``faults_of_text`` are the breaks of the text's
lines, ``faults_of_lines`` right sides that one may write instead, ``faults_of_machine`` what is read or turned wrongly,
``own_axes`` an inertia whose own axes are left out.

It may import: ``reading``, ``system``, ``robot``.
Start with ``alterations``: the list.
"""
