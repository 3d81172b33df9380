"""The real Claude Code on a terminal of its own, for what ``-p`` cannot do: /clear, /compact, /exit."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator

from tests.clients.real_claude import TOOLS, VERSION, Client

WAITED = 60.0
"""Seconds until something counts as never happening; nothing here is measured."""
_ESCAPES = re.compile(rb"\x1b\[[0-9;?<>=]*[a-zA-Z]|\x1b\][^\x07]*\x07|\x1b[()=>][A-Z0-9]?")


class Terminal:
    """A running client; ``screen`` is everything that it has printed, without colours and positions."""

    def __init__(self, master: int, process: subprocess.Popen[bytes]) -> None:
        self.master = master
        self.process = process
        self.printed = b""

    @property
    def screen(self) -> str:
        """What was printed, white space removed: the client moves the cursor instead of printing blanks."""
        return "".join(_ESCAPES.sub(b"", self.printed).decode("utf-8", "replace").split())

    def until(self, happened: Callable[[], object], what: str) -> None:
        """Keep the screen moving until something has happened."""
        end = time.monotonic() + WAITED
        while not happened():
            assert time.monotonic() < end, f"never: {what}\n{self.screen[-2000:]}"
            self.pump()

    def pump(self) -> None:
        """Take in what the client prints, for a moment."""
        if not select.select([self.master], [], [], 0.05)[0]:
            return
        with contextlib.suppress(OSError):  # the other end is closed: the client has left
            self.printed += os.read(self.master, 1 << 16)

    def enter(self, text: str) -> None:
        """Type a line and send it once the client shows it."""
        self.printed = b""
        os.write(self.master, text.encode())
        self.until(lambda: "".join(text.split()) in self.screen, f"{text} on the screen")
        os.write(self.master, b"\r")

    def leave(self) -> None:
        """``/exit``, until the process is gone."""
        self.enter("/exit")
        self.until(lambda: self.process.poll() is not None, "the client leaves")


@contextlib.contextmanager
def terminal(client: Client, *more: str) -> Iterator[Terminal]:
    """The client in its project, past its first questions, ready for a prompt; ``more`` goes on its command line."""
    trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
    settings = {"hasCompletedOnboarding": True, "theme": "dark", "lastOnboardingVersion": VERSION}
    settings["customApiKeyResponses"] = {"approved": ["test-key"], "rejected": []}
    settings["projects"] = {str(client.project): trusted}
    (client.home / ".claude.json").write_text(json.dumps(settings))
    client.extra = {**client.extra, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
    master, slave = pty.openpty()
    loaded = [] if client.plugin is None else ["--plugin-dir", str(client.plugin)]
    line = client.command(*loaded, *more, "--permission-mode", "default", "--allowedTools", *TOOLS)
    with subprocess.Popen(
        line, cwd=client.project, stdin=slave, stdout=slave, stderr=slave, start_new_session=True
    ) as process:
        os.close(slave)
        shown = Terminal(master, process)
        try:
            shown.until(lambda: "❯" in shown.screen, "a prompt")
            yield shown
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            os.close(master)
