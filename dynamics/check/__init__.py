"""Every method against every other, and what each stage must satisfy by itself.

It may import: ``methods``, ``witness``, ``reading``, ``posture``, ``system`` and what they may import.
Start with ``agreement``: the methods; ``identities``: the stages.
"""
