"""A relay on a socket in front of the server, which records what passes."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from pathlib import Path
from typing import Self


class Relay:
    """Listens in ``folder`` and passes on to the socket at ``target``; ``sent`` and ``received``: the bytes of all clients."""

    def __init__(self, folder: Path, target: Path) -> None:
        self.sent, self.received = bytearray(), bytearray()
        self._target = target
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / target.name))
        self._listener.listen()
        self._open: list[socket.socket] = []

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        for each in (self._listener, *self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):  # the listener was closed
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                self._open += [client, server]
                server.connect(str(self._target))
                for source, target, record in ((client, server, self.sent), (server, client, self.received)):
                    threading.Thread(target=self._pass_on, args=(source, target, record), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket, record: bytearray) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                record += data
                target.sendall(data)
