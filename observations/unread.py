"""Observations whose text is cleaned when somebody asks for it.

Nobody reads most of what tools print: of the outputs in real sessions every thirtieth is looked at. To clean one costs
more than all else that is done with it, so it is kept as it came, stripped and as long as it takes to clean it later, and
no other way leads to it than the attribute ``text``, which cleans it.
"""

from __future__ import annotations

from typing import Any, SupportsIndex

from mind_skills.observations.model import Observation
from mind_skills.observations.text import Ends, ends, shown

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
    text = shown(held, limit)
    _set(observation, text.strip() if trimmed else text)


def _held(observation: Observation) -> tuple[Ends, int, bool]:
    held: tuple[Ends, int, bool] = _SLOT.__get__(observation)
    return held


def unread(observation: Observation, text: str, limit: int, *, trimmed: bool = False) -> Observation:
    """The same observation with this text, to be cleaned later: at most ``limit`` characters, without blanks around them if
    ``trimmed``.
    """
    if text:
        _SLOT.__set__(observation, (ends(text, limit), limit, trimmed))
        observation.__class__ = _Unread
    return observation


def length(observation: Observation) -> int:
    """About how many characters its text has or will have, without cleaning it."""
    if observation.__class__ is not _Unread:
        return len(observation.text)
    held, limit, _ = _held(observation)
    return min(limit, len(held)) if isinstance(held, str) else limit


def may_hold(observation: Observation, words: tuple[str, ...]) -> bool:
    """Whether one of these lower-cased words may stand in its text, in any case.

    Cleaning takes words away and brings none but those in the marks of what was redacted, so no text that holds one is
    denied; nothing is cleaned to tell.
    """
    held = observation.text if observation.__class__ is not _Unread else _held(observation)[0]
    low = held.lower() if isinstance(held, str) else "\n".join(held).lower()
    return any(map(low.__contains__, words))
