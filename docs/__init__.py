"""The documentation: ``python -m docs`` builds it, ``python -m docs.screenshots`` takes the pictures of the page."""
