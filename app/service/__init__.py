"""Hosting: limits of what pages may use, the open sessions, counters, the log, and ``/health``.

It may import: nothing of the page.
Start with ``limits``: what is limited; ``sessions``: who is admitted; ``routes``: requests by a load balancer.
"""
