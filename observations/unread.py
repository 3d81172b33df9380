"""Observations whose text is cleaned when somebody asks for it.

Nobody reads most of what tools print: of the outputs in real sessions every thirtieth is looked at. To clean one costs
more than all else that is done with it, so it is kept as it came, as long as it takes to clean it later, and no other way
leads to it than the attribute ``text``, which cleans it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, SupportsIndex

from mind_skills.observations.model import Observation
from mind_skills.redaction.text import Ends, bearable, ends, shown

_SLOT: Any = vars(Observation)["text"]
"""Where an observation keeps its text; an unread one keeps there what ``_held`` gives."""


class _Unread(Observation):
    """It becomes a plain observation as soon as its text is asked for, or set."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        _read(self)
        return self == other

    def __repr__(self) -> str:
        _read(self)
        return repr(self)

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        _read(self)
        return self.__reduce_ex__(protocol)


def _text(observation: Observation) -> str:
    _read(observation)
    return observation.text


def _set(observation: Observation, value: str) -> None:
    observation.__class__ = Observation
    observation.text = value


setattr(_Unread, "text", property(_text, _set))  # noqa: B010 - the type of the attribute stays what it is


def _read(observation: Observation) -> None:
    held, limit, trimmed = _held(observation)
    text = shown(_ends(held, limit), limit)
    _set(observation, text.strip() if trimmed else text)


def _held(observation: Observation) -> tuple[str | Ends, int, bool]:
    """Its text, of one that is long the ends; how much of it is shown; whether blanks around it go."""
    held: tuple[str | Ends, int, bool] = _SLOT.__get__(observation)
    return held


def _ends(held: str | Ends, limit: int) -> Ends:
    return ends(held, limit) if isinstance(held, str) else held


def unread(observation: Observation, text: str, limit: int, *, trimmed: bool = False) -> Observation:
    """The same observation with this text, to be cleaned later: at most ``limit`` characters, without blanks around them if
    ``trimmed``.
    """
    if text:
        _SLOT.__set__(observation, (text if bearable(text, limit) else ends(text, limit), limit, trimmed))
        observation.__class__ = _Unread
    return observation


def length(observation: Observation) -> int:
    """About how many characters its text has or will have, without cleaning it."""
    if observation.__class__ is not _Unread:
        return len(observation.text)
    held, limit, _ = _held(observation)
    if isinstance(held, str):
        return min(limit, len(held))
    return min(limit, len(held[0])) if len(held) == 1 else limit


def raw(observation: Observation) -> str:
    """Its text without what is invisible, to count words in and never to show: nothing is cleaned or redacted for it."""
    return _stripped(observation)


def may_hold_all(observation: Observation, sets: Sequence[tuple[str, Sequence[tuple[str, ...]]]]) -> bool:
    """Whether its text may hold one of these lower-cased words and all of one of the sets beside it, in any case.

    Cleaning takes words away and brings none but those in the marks of what was redacted, so no text that holds them is
    denied; nothing is cleaned to tell.
    """
    text = raw(observation).lower()
    for word, beside in sets:
        if word in text:
            for words in beside:
                for each in words:
                    if each not in text:
                        break
                else:
                    return True
    return False


class Sought(Protocol):
    """What can be looked for in a text."""

    def anywhere(self, text: str) -> bool:
        """Whether it stands there."""
        ...


def may_match(observation: Observation, sought: Sought) -> bool:
    """Whether this may stand in its text; nothing is cleaned to tell, and nothing is told but that.

    Sound for what can match no brackets, nor across them: so nothing of what was redacted is a part of a match.
    """
    return sought.anywhere(_stripped(observation))


def _stripped(observation: Observation) -> str:
    """Its text without what is invisible: that may stand within a word."""
    if observation.__class__ is not _Unread:
        return observation.text
    held, limit, trimmed = _held(observation)
    if isinstance(held, str):
        held = ends(held, limit)
        _SLOT.__set__(observation, (held, limit, trimmed))  # who asked once asks again
    return held[0] if len(held) == 1 else "\n".join(held)
