"""Codex and Gemini CLI on a terminal of their own, for what they cannot do without: /clear, compaction, trust."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Iterator

from tests.clients import real_opencode
from tests.clients.hook_client import HookClient
from tests.clients.terminal import _ESCAPES, WAITED, Terminal

ANSWERS = {
    b"\x1b[6n": b"\x1b[1;1R",
    b"\x1b[c": b"\x1b[?62c",
    b"\x1b]10;?": b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
    b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\",
}
"""What a terminal says when it is asked where its cursor is, what it can do, and which colours it has."""
_COMMANDS = re.compile(rb"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")


class AnsweringTerminal(Terminal):
    """A terminal that answers what clients ask of it."""

    @property
    def screen(self) -> str:
        # Codex ends its commands to the terminal in the other of the two ways.
        ended = _COMMANDS.sub(b"", self.printed)
        return "".join(_ESCAPES.sub(b"", ended).decode("utf-8", "replace").split())

    def pump(self) -> None:
        before = len(self.printed)
        super().pump()
        for question, answer in ANSWERS.items():
            if question in self.printed[before:]:
                os.write(self.master, answer)

    def press(self, keys: str, happened: Callable[[], object], what: str) -> None:
        """Keys until they have had their effect: a client that is just busy takes no notice of them."""
        end = time.monotonic() + WAITED
        while not happened():
            never = f"never: {what}\n{self.screen[-2000:]}"
            assert self.process.poll() is None, never
            assert time.monotonic() < end, never
            with contextlib.suppress(OSError):  # the client has just left
                os.write(self.master, keys.encode())
            for _ in range(20):
                self.pump()

    def ask(self, text: str, happened: Callable[[], object]) -> None:
        """Type a line and send it, until it has been answered."""
        self.enter(text)
        self.press("\r", happened, f"an answer to {text}")

    def close(self, word: str) -> None:
        """Leave the client by its own command, until the process is gone."""
        self.enter(word)
        self.press("\r", lambda: self.process.poll() is not None, "the client leaves")


@contextlib.contextmanager
def hook_terminal(client: HookClient | real_opencode.Client, *arguments: str) -> Iterator[AnsweringTerminal]:
    """The client in its folder, just started."""
    client.extra.update({"TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"})
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    # The client opens /dev/tty, so the terminal has to be its controlling one, which a fresh session takes by opening it.
    line = ["setsid", "--ctty", "--wait", *client.command(*arguments)]
    with subprocess.Popen(
        line, cwd=client.folder, stdin=slave, stdout=slave, stderr=slave, start_new_session=False, process_group=0
    ) as process:
        os.close(slave)
        try:
            os.set_blocking(master, False)  # nobody may read what is typed any more
            yield AnsweringTerminal(master, process)
        finally:
            if process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            os.close(master)
