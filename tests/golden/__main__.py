"""Writes the golden files anew, all or those that are named: ``python -m tests.golden [NAME ...]``."""

from __future__ import annotations

import sys

from tests.golden import FILES

for name in sys.argv[1:] or FILES:
    ledger = FILES[name]()
    ledger.write(f"{name}.txt")
    print(f"{name}: {len(ledger.lines)} lines", flush=True)
