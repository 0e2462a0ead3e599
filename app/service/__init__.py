"""Hosting: the limits on what pages may use, the sessions that are open, counters, the log, and ``/health``.

It may import: nothing of the page.
Start with ``limits``: what is limited; ``sessions``: who is admitted; ``routes``: what a load balancer asks.
"""
