"""A lifecycle event of a session, as every host adapter reports it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing alone takes longer than starting a bare interpreter
    from typing import Literal, TypeAlias

    StartSource: TypeAlias = Literal["startup", "clear", "resume", "fork", "compact"]


class Moment:
    """Lifecycle event of a session. Not a dataclass, because dataclasses are too slow for the hot path.

    ``host`` is the host's name, ``session_id`` the host's id of the session. ``project`` is the folder that the host
    names as the project, never the process's working directory. ``log`` is the path of the session's log, empty if the
    host does not name one. ``at`` is UTC milliseconds. ``source`` is one of ``StartSource`` for a start; for other
    events, it is the host's reason or its event, "error" if the agent failed, or ``WATCH_SOURCE`` (hooks/idle.py).
    ``subagent`` is true if the event is not from the session's main agent. ``pid`` is the host process that runs the
    session, 0 if unknown. ``host_removes_marker`` is true if the host itself removes the ``delivering`` marker after
    passing the offer to the model (hooks/unread_offers.py).
    """

    __slots__ = ("at", "host", "host_removes_marker", "log", "pid", "project", "session_id", "source", "subagent")

    def __init__(
        self,
        host: str,
        session_id: str,
        project: str,
        log: str,
        at: int,
        source: str = "startup",
        subagent: bool = False,
        pid: int = 0,
        host_removes_marker: bool = False,
    ) -> None:
        self.host = host
        self.session_id = session_id
        self.project = project
        self.log = log
        self.at = at
        self.source = source
        self.subagent = subagent
        self.pid = pid
        self.host_removes_marker = host_removes_marker

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Moment):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def __hash__(self) -> int:
        return hash((self.host, self.session_id, self.at))

    def __repr__(self) -> str:
        return f"Moment({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__slots__)})"
