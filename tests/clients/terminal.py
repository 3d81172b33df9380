"""A real client on a terminal, for what needs one: /clear, compaction, trust, /exit."""

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
"""The answers of a terminal to questions for its cursor, its features and its colours."""
AGAIN = 1.0
"""Seconds until a key that had no effect is pressed again."""
STARTS = 3
"""How often a client is started if it exits right after its greeting; a user would start it again, too."""
_QUESTIONS = re.compile(b"|".join(map(re.escape, ANSWERS)))
_ESCAPES = re.compile(rb"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;?<>=]*[a-zA-Z]|\x1b[()=>][A-Z0-9]?")
_CONTROLLING = 'exec "$@" <>"$0" >&0 2>&1'
"""A session leader that opens a terminal gets it as its controlling terminal, which clients open as /dev/tty."""


class Terminal:
    """A running client; ``screen`` is everything that it has printed, without colours and positions."""

    def __init__(self, client: Client, master: int, process: subprocess.Popen[bytes]) -> None:
        self.client = client
        self.master = master
        self.process = process
        self.printed = b""
        self.unanswered = b""
        """The output since the last answered question: a question may come in two parts."""

    @property
    def screen(self) -> str:
        """What was printed, white space removed: the client moves the cursor instead of printing blanks."""
        return "".join(_ESCAPES.sub(b"", self.printed).decode("utf-8", "replace").split())

    def has_exited(self) -> bool:
        return self.process.poll() is not None

    def until(self, condition: Callable[[], object], what: str) -> None:
        """Read output until a condition holds."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, f"never: {what}\n{self.screen[-2000:]}"
            self.pump()

    def pump(self) -> None:
        """Read output for a moment, and answer the questions in it."""
        if not select.select([self.master], [], [], 0.05)[0]:
            return
        try:
            read = os.read(self.master, 1 << 16)
        except OSError:  # the other end is closed: the client has exited
            time.sleep(0.05)
            return
        self.printed += read
        self.unanswered += read
        questions = list(_QUESTIONS.finditer(self.unanswered))
        if questions:  # all at once and in the order of the questions, as a terminal does: Codex relies on it
            self.type(b"".join(ANSWERS[question[0]] for question in questions))
            self.unanswered = self.unanswered[questions[-1].end() :]

    def still_reads_keys(self) -> bool:
        """Return whether the client still reads single keys after it has discarded early input."""
        end = time.monotonic() + self.client.discard_seconds
        while time.monotonic() < end and not self.has_exited():
            self.pump()
        return not self.has_exited() and not termios.tcgetattr(self.master)[3] & termios.ICANON

    def type(self, keys: bytes) -> None:
        with contextlib.suppress(OSError):  # the client has just exited, or reads no more
            os.write(self.master, keys)

    def press(self, keys: str, condition: Callable[[], object], what: str) -> None:
        """Press keys until they have an effect: a busy client ignores them."""
        end = time.monotonic() + PATIENCE
        while not condition():
            never = f"never: {what}\n{self.screen[-2000:]}"
            assert not self.has_exited(), never
            assert time.monotonic() < end, never
            self.type(keys.encode())
            again = time.monotonic() + AGAIN
            while time.monotonic() < again and not condition():
                self.pump()

    def enter(self, text: str) -> None:
        """Type a line and send it once the client shows it."""
        self.printed = b""
        self.type(text.encode())
        self.until(lambda: "".join(text.split()) in self.screen, f"{text} on the screen")
        self.type(b"\r")

    def ask(self, text: str, condition: Callable[[], object]) -> None:
        """Type a line, and send it until it is answered."""
        self.enter(text)
        self.press("\r", condition, f"an answer to {text}")

    def ask_and_count_offers(self, name: str) -> list[int]:
        """Send one prompt under a script of that name; return the number of copies of the offer in each of its requests."""
        self.client.script(name, [f"Answer {name}."])
        self.ask(f"please say {name}", lambda: f"Answer{name}." in self.screen)
        return self.client.count_offers(name)

    def leave(self) -> None:
        """Exit the client by its own command, and wait for the end of the process."""
        self.enter(self.client.exit_command)
        self.press("\r", self.has_exited, "the client leaves")


@contextlib.contextmanager
def open_terminal(client: Client, *more: str) -> Iterator[Terminal]:
    """Start the client in its folder and wait until it is ready; at the end, the terminal hangs up."""
    client.extra |= {"TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
    for _ in range(STARTS):
        with _start(client, *more) as shown:
            shown.until(lambda: client.greeting in shown.screen, "a greeting")
            if not client.discard_seconds or shown.still_reads_keys():
                yield shown
                return
    raise AssertionError(f"the client left right after its greeting, {STARTS} times\n{shown.screen[-2000:]}")


@contextlib.contextmanager
def _start(client: Client, *more: str) -> Iterator[Terminal]:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    line = ["sh", "-c", _CONTROLLING, os.ttyname(slave), *client.command(*client.terminal_arguments(), *more)]
    with subprocess.Popen(line, cwd=client.folder, stdin=slave, start_new_session=True) as process:
        os.close(slave)
        os.set_blocking(master, False)  # there may be no reader for what is typed any more
        try:
            yield Terminal(client, master, process)
        finally:
            os.close(master)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(PATIENCE)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
