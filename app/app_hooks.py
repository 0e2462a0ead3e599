"""What the server does once, before it lets anybody in."""

from bokeh.application.application import ServerContext

from app.compilation import compile_mechanics


def on_server_loaded(server_context: ServerContext) -> None:
    """Compiles the mechanics, so that no session has to wait for it."""
    compile_mechanics()
