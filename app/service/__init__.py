"""What the server is to its network: who may come in, what is counted, what is logged, whether it is well.

It may import: nothing of the page.
Start with ``limits``: what is limited; ``sessions``: who is admitted; ``addresses``: what a load balancer asks.
"""
