"""A moment in the life of a session, as every host adapter reports it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing alone costs the hot path more than a bare interpreter
    from typing import Literal, TypeAlias

    StartSource: TypeAlias = Literal["startup", "clear", "resume", "fork", "compact"]


class Moment:
    """Who, where and when. Immutable by custom; a plain class because the hot path affords neither dataclasses nor typing.

    ``host`` is the host's name, ``session_id`` its own id of the session. ``project`` is the folder that the host names
    as the project, never the process's own working directory. ``log`` is the path of the session's own log, empty where
    the host does not name one. ``at`` is UTC milliseconds. ``source`` is, for a start, one of ``StartSource``, for an
    end the host's reason. ``subagent`` is true for whatever is not the session's main agent. ``pid`` is the host
    process that runs the session, 0 where the host does not say. ``removes`` is true where the host itself removes the
    trace of an offer when it has put it before the model (hooks/unread_offers.py).
    """

    __slots__ = ("at", "host", "log", "pid", "project", "removes", "session_id", "source", "subagent")

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
        removes: bool = False,
    ) -> None:
        self.host = host
        self.session_id = session_id
        self.project = project
        self.log = log
        self.at = at
        self.source = source
        self.subagent = subagent
        self.pid = pid
        self.removes = removes

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Moment):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def __hash__(self) -> int:
        return hash((self.host, self.session_id, self.at))

    def __repr__(self) -> str:
        return f"Moment({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__slots__)})"
