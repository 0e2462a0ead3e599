"""The server's counters, in the Prometheus format. They reveal nothing about any visitor.

Each process has its own counters. With ``PROMETHEUS_MULTIPROC_DIR`` (an empty folder before the start), any process
of one ``panel serve --num-procs`` returns the sums of all.
"""

from __future__ import annotations

import os

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Gauge, disable_created_metrics, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

disable_created_metrics()  # creation times are of no use here
sessions_open = Gauge("armsweep_sessions_open", "Pages that are open.", multiprocess_mode="livesum")
sessions_opened = Counter("armsweep_sessions_opened", "Pages that were opened.")
sessions_refused = Counter("armsweep_sessions_refused", "Visitors who were asked to wait, by why.", ["reason"])
runs = Counter("armsweep_runs", "Runs of which computing has begun.")
pieces = Counter("armsweep_pieces", "Pieces of runs that were handed over to browsers.")
uploads_taken = Counter("armsweep_uploads_taken", "Files that were taken in.")
uploads_refused = Counter("armsweep_uploads_refused", "Files that were not.", ["reason"])
connections_lost = Counter("armsweep_connections_lost", "Websockets that were closed, tabs closed by hand included.")
faults = Counter("armsweep_faults", "Errors of ours that were logged.")
tasks = Gauge("armsweep_tasks", "Tasks of the event loop.", multiprocess_mode="livesum")


def as_text() -> bytes:
    """All counters, in the format that Prometheus reads."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest(REGISTRY)
    together = CollectorRegistry()
    MultiProcessCollector(together)
    return generate_latest(together)
