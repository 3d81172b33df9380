"""A real client on a terminal of its own, for what it cannot do without: /clear, compaction, trust, /exit."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Iterator

from tests.clients.client import Client
from tests.clients.observing import PATIENCE

ANSWERS = {
    b"\x1b[6n": b"\x1b[1;1R",
    b"\x1b[c": b"\x1b[?62c",
    b"\x1b]10;?": b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
    b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\",
}
"""What a terminal says when it is asked where its cursor is, what it can do, and which colours it has."""
AGAIN = 1.0
"""Seconds until a key that had no effect is pressed again."""
STARTS = 3
"""How often a client is started that gave its terminal back right after its greeting, as a user would."""
_QUESTIONS = re.compile(b"|".join(map(re.escape, ANSWERS)))
_ESCAPES = re.compile(rb"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;?<>=]*[a-zA-Z]|\x1b[()=>][A-Z0-9]?")
_CONTROLLING = 'exec "$@" <>"$0" >&0 2>&1'
"""A session's leader that opens a terminal has it as its controlling one, which clients open as /dev/tty."""


class Terminal:
    """A running client; ``screen`` is everything that it has printed, without colours and positions."""

    def __init__(self, client: Client, master: int, process: subprocess.Popen[bytes]) -> None:
        self.client = client
        self.master = master
        self.process = process
        self.printed = b""
        self.asking = b""
        """What was printed since the last question that was answered: a question may come in two parts."""

    @property
    def screen(self) -> str:
        """What was printed, white space removed: the client moves the cursor instead of printing blanks."""
        return "".join(_ESCAPES.sub(b"", self.printed).decode("utf-8", "replace").split())

    def gone(self) -> bool:
        return self.process.poll() is not None

    def until(self, happened: Callable[[], object], what: str) -> None:
        """Keep the screen moving until something has happened."""
        end = time.monotonic() + PATIENCE
        while not happened():
            assert time.monotonic() < end, f"never: {what}\n{self.screen[-2000:]}"
            self.pump()

    def pump(self) -> None:
        """Take in what the client prints, for a moment, and answer what it asks."""
        if not select.select([self.master], [], [], 0.05)[0]:
            return
        try:
            read = os.read(self.master, 1 << 16)
        except OSError:  # the other end is closed: the client has left
            time.sleep(0.05)
            return
        self.printed += read
        self.asking += read
        asked = list(_QUESTIONS.finditer(self.asking))
        if asked:  # all in one piece and in the order of the questions, as a terminal does: Codex counts on it
            self.type(b"".join(ANSWERS[question[0]] for question in asked))
            self.asking = self.asking[asked[-1].end() :]

    def stays(self) -> bool:
        """Whether the client still reads single keys once it has thrown away what was typed before its greeting."""
        end = time.monotonic() + self.client.draining
        while time.monotonic() < end and not self.gone():
            self.pump()
        return not self.gone() and not termios.tcgetattr(self.master)[3] & termios.ICANON

    def type(self, keys: bytes) -> None:
        with contextlib.suppress(OSError):  # the client has just left, or reads no more
            os.write(self.master, keys)

    def press(self, keys: str, happened: Callable[[], object], what: str) -> None:
        """Keys until they have had their effect: a client that is just busy takes no notice of them."""
        end = time.monotonic() + PATIENCE
        while not happened():
            never = f"never: {what}\n{self.screen[-2000:]}"
            assert not self.gone(), never
            assert time.monotonic() < end, never
            self.type(keys.encode())
            again = time.monotonic() + AGAIN
            while time.monotonic() < again and not happened():
                self.pump()

    def enter(self, text: str) -> None:
        """Type a line and send it once the client shows it."""
        self.printed = b""
        self.type(text.encode())
        self.until(lambda: "".join(text.split()) in self.screen, f"{text} on the screen")
        self.type(b"\r")

    def ask(self, text: str, happened: Callable[[], object]) -> None:
        """Type a line and send it, until it has been answered."""
        self.enter(text)
        self.press("\r", happened, f"an answer to {text}")

    def asked(self, name: str) -> list[int]:
        """One question and its answer under a script of that name; the copies of the offer in each request of it."""
        self.client.script(name, [f"Answer {name}."])
        self.ask(f"please say {name}", lambda: f"Answer{name}." in self.screen)
        return self.client.copies(name)

    def leave(self) -> None:
        """Leave the client by its own command, until the process is gone."""
        self.enter(self.client.leaves)
        self.press("\r", self.gone, "the client leaves")


@contextlib.contextmanager
def terminal(client: Client, *more: str) -> Iterator[Terminal]:
    """The client in its folder, ready; ``more`` goes on its command line. At the end the terminal hangs up."""
    client.extra |= {"TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
    for _ in range(STARTS):
        with _started(client, *more) as shown:
            shown.until(lambda: client.greeting in shown.screen, "a greeting")
            if not client.draining or shown.stays():
                yield shown
                return
    raise AssertionError(f"the client left right after its greeting, {STARTS} times\n{shown.screen[-2000:]}")


@contextlib.contextmanager
def _started(client: Client, *more: str) -> Iterator[Terminal]:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    line = ["sh", "-c", _CONTROLLING, os.ttyname(slave), *client.command(*client.on_terminal(), *more)]
    with subprocess.Popen(line, cwd=client.folder, stdin=slave, start_new_session=True) as process:
        os.close(slave)
        os.set_blocking(master, False)  # nobody may read what is typed any more
        try:
            yield Terminal(client, master, process)
        finally:
            os.close(master)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(PATIENCE)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
