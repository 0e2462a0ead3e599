"""The render process: reads requests from standard input and answers on standard output until the input ends."""

from __future__ import annotations

import os
import pickle
import struct
import sys
import traceback
from typing import IO, Any

LENGTH = struct.Struct("<Q")


def send(stream: IO[bytes], message: Any) -> None:
    """One message: its length, then the message itself."""
    data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """The next message.

    Raises:
        EOFError: when the other side has closed.
    """
    return pickle.loads(_exactly(stream, LENGTH.unpack(_exactly(stream, LENGTH.size))[0]))


def _exactly(stream: IO[bytes], count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise EOFError("the other side has closed.")
    return data


def main() -> None:
    """Serves one parent. VTK's output goes to standard error, never between the answers."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    requests = sys.stdin.buffer

    import numpy as np

    from scenes.drawing import Drawing

    drawing = Drawing()
    drawing.load([])
    blank = {"position": (1.0, 0.0, 0.0), "focal_point": (0.0, 0.0, 0.0), "up": (0.0, 0.0, 1.0)}
    drawing.picture(
        np.zeros((0, 12), np.float32), blank, (16, 16), ("#000000", "#000000")
    )  # without OpenGL the process ends here
    send(answers, ("ready", b""))
    while True:
        try:
            word, arguments = receive(requests)
        except EOFError:
            return
        try:
            answer = getattr(drawing, word)(**arguments)
        except Exception:
            # The parent raises it: a failed picture must neither end the process nor go unnoticed.
            send(answers, ("error", traceback.format_exc()))
        else:
            send(answers, ("ok", answer))


if __name__ == "__main__":
    main()
