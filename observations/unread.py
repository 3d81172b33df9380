"""The text of an observation, cleaned when somebody asks for it.

Most of what tools print is never read: of the outputs in real sessions every thirtieth is looked at. To clean one costs more
than all else that is done with it, so an observation holds it as it came, as far as cleaning needs it, until its ``text`` is
asked for (model.py). Nothing uncleaned can be reached but through the functions of this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, cast

from mind_skills.observations.model import Observation
from mind_skills.redaction.text import Ends, bearable, ends, shown

_TEXT: Any = vars(Observation)["text"]
"""The slot of the text, which can be asked without filling it."""


class _Uncleaned:
    """A text as it came, all of it or its ends; how much of it is shown; whether blanks around it go."""

    __slots__ = ("limit", "text", "trimmed")

    def __init__(self, text: str, limit: int, trimmed: bool) -> None:
        self.text: str | Ends = text if bearable(text, limit) else ends(text, limit)
        self.limit, self.trimmed = limit, trimmed

    def ends(self) -> Ends:
        """What cleaning needs of it, without what is invisible; made once."""
        if isinstance(self.text, str):
            self.text = ends(self.text, self.limit)
        return self.text

    def clean(self) -> str:
        text = shown(self.ends(), self.limit)
        return text.strip() if self.trimmed else text


def unread(observation: Observation, text: str, limit: int, *, trimmed: bool = False) -> Observation:
    """The same observation with this text, to be cleaned later: at most ``limit`` characters, without blanks around them if
    ``trimmed``.
    """
    if text:
        observation.unread = _Uncleaned(text, limit, trimmed)  # type: ignore[misc] # a slot of its base
        del observation.text
    return observation


def _uncleaned(observation: Observation) -> _Uncleaned | None:
    """What its text will be made from; None where there is a text already."""
    try:
        _TEXT.__get__(observation)
    except AttributeError:
        return cast(_Uncleaned, observation.unread)
    return None


def length(observation: Observation) -> int:
    """About how many characters its text has or will have, without cleaning it."""
    held = _uncleaned(observation)
    if held is None:
        return len(observation.text)
    parts = (held.text,) if isinstance(held.text, str) else held.text
    return min(held.limit, len(parts[0])) if len(parts) == 1 else held.limit


def raw(observation: Observation) -> str:
    """Its text without what is invisible, to count words in and never to show: nothing is cleaned or redacted for it."""
    held = _uncleaned(observation)
    return observation.text if held is None else "\n".join(held.ends())


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
    return sought.anywhere(raw(observation))
