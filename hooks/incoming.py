"""What comes in with a hook: its descriptors, and the payload on stdin.

The system calls alone, without ``os``: importing that costs a sixth of a bare interpreter, and most hooks end before
they would need it.
"""

from __future__ import annotations

try:
    import posix as system
except ImportError:  # Windows
    import os as system  # type: ignore[no-redef,unused-ignore]

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as signals
    from typing import Any
else:
    import _signal as signals  # built in, where the module signal imports enum

MAX_PAYLOAD = 32 * 1024 * 1024
"""Bytes. The last message of the agent rides along, so there is no telling; beyond this it is no payload."""
WAIT = 2
"""Seconds that a host has to send the payload; the least that a hook has in all is 3 (hosts/hook_settings.py)."""
OTHERS = 0o022
"""The right to write of group and others, as a umask."""
PLACES = ("MIND_SKILLS_HOME", "MIND_SKILLS_CONFIG")
NOWHERE = "/dev/null" if system.__name__ == "posix" else "nul"


def placed(arguments: list[str]) -> list[str]:
    """The arguments of a hook without the words ``MIND_SKILLS_HOME=...`` and ``MIND_SKILLS_CONFIG=...``, which hold from here on.

    `mind-skills install` wrote them. What the environment says beside them may come from a file of the project, which some
    hosts read into theirs. Of two for the same name the first holds.
    """
    rest = [word for word in arguments if word.partition("=")[0] not in PLACES]
    environment: Any = system.environ  # of bytes in posix, where os.environ is another look at the same mapping
    coded = system.__name__ == "posix"
    for word in reversed(arguments):
        name, _, value = word.partition("=")
        if name in PLACES:
            environment[name.encode() if coded else name] = value.encode("utf-8", "surrogateescape") if coded else value
    return rest


def seal() -> int:
    """Keep stdout for the reply alone: from here on descriptors 1 and 2 lead nowhere. Returns the reply's descriptor.

    And nothing that is made from here on can be written by others, whatever umask the host was started with.
    """
    system.umask(system.umask(OTHERS) | OTHERS)
    out = system.dup(1)
    nowhere = system.open(NOWHERE, system.O_RDWR)
    system.dup2(nowhere, 1)
    system.dup2(nowhere, 2)
    system.close(nowhere)
    return out


def received() -> bytes:
    """All of stdin, or what came of it in ``WAIT`` seconds: some hosts write a payload, and keep the pipe open behind it.

    Raises ValueError where a person is at it, where it is too large, and where nothing came.
    """
    if system.isatty(0):
        raise ValueError("no payload: this command is for hosts, which send one on stdin")
    parts: list[bytes] = []
    try:
        _bounded(parts)
    except TimeoutError:
        if not parts:
            raise ValueError(f"no payload came within {WAIT} seconds") from None
    return b"".join(parts)


def _bounded(parts: list[bytes]) -> None:
    """Add what comes to ``parts``. Raises TimeoutError after ``WAIT`` seconds, where the system has an alarm."""
    if not hasattr(signals, "alarm"):  # Windows
        _read(parts)
        return
    signals.signal(signals.SIGALRM, _late)
    signals.alarm(WAIT)
    try:
        _read(parts)
    finally:
        signals.alarm(0)
        signals.signal(signals.SIGALRM, signals.SIG_DFL)


def _late(*_: object) -> None:
    raise TimeoutError


def _read(parts: list[bytes]) -> None:
    size = 0
    while part := system.read(0, 1 << 16):
        parts.append(part)
        size += len(part)
        if size > MAX_PAYLOAD:
            raise ValueError(f"the payload is larger than {MAX_PAYLOAD} bytes")


def decoded(payload: bytes) -> object:
    """The payload as objects. The C scanner alone: importing json costs the price of a whole interpreter start.

    Raises ValueError, RecursionError.
    """
    text = payload.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogatepass").strip()
    try:
        from _json import make_scanner
    except ImportError:  # an interpreter without the C half
        from json import loads

        return loads(text)
    context: Any = _Reading()
    try:
        value, end = make_scanner(context)(text, 0)
    except StopIteration as stopped:
        raise ValueError(f"the payload is no JSON at character {stopped.value}") from stopped
    except SystemError as failure:  # CPython 3.11: the scanner knows what is wrong, but not the module that says it
        raise ValueError("the payload is no JSON") from failure
    if end != len(text):
        raise ValueError("text after the payload")
    return value


def _refuse(name: str) -> float:
    """NaN and the infinities are no JSON, and whoever reads the payload later takes them for none."""
    raise ValueError(f"{name} is no number of JSON")


class _Reading:
    """What the C scanner asks of its context: plain objects, no hooks."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = staticmethod(_refuse)
    array_hook = None
