"""What an expression of JavaScript stands for, as far as its script states it."""

from __future__ import annotations

from typing import NamedTuple, TypeGuard

from mind_skills.observations.readers.javascript_tokens import find_hole, hole_end, unescaped


class Unknown:
    """A value that only running the script would tell; ``source`` is how it stands there."""

    def __init__(self, source: str = "") -> None:
        self.source = source


class Each(NamedTuple):
    """What a loop binds a name to, one after the other."""

    values: list[object]


def is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def part_of(value: object, key: object) -> object:
    if is_object(value):
        return value.get(str(key), Unknown())
    if is_list(value) and isinstance(key, int) and 0 <= key < len(value):
        return value[key]
    return Unknown()


def call_method(value: object, name: str, given: list[object]) -> object:
    if name == "join" and is_list(value):
        between = given[0] if given and isinstance(given[0], str) else ","
        return between.join(map(text_of, value))
    if name in ("trim", "trimStart", "trimEnd", "toString") and isinstance(value, str):
        return value.strip() if name == "trim" else value
    return Unknown()


def text_of(value: object) -> str:
    """A value within a string; one that is not known is put there as JavaScript's templates would have it."""
    if isinstance(value, Unknown):
        return "${" + value.source + "}"
    return value if isinstance(value, str) else "" if value is None else str(value)


def plain(value: object) -> object:
    """The same without what is not known, which is left out of lists and objects, and is None by itself."""
    if is_object(value):
        return {key: plain(each) for key, each in value.items() if not isinstance(each, Unknown)}
    if is_list(value):
        return [plain(each) for each in value if not isinstance(each, Unknown)]
    return None if isinstance(value, (Unknown, Each)) else value


def joined(left: object, right: object) -> object:
    """What ``+`` makes of two values."""
    if isinstance(left, (str, Unknown)) or isinstance(right, (str, Unknown)):
        if isinstance(left, Unknown) and isinstance(right, Unknown):
            return left
        return text_of(left) + text_of(right)
    return left + right if isinstance(left, int) and isinstance(right, int) else Unknown()


def filled(text: str, names: dict[str, object], *, raw: bool) -> str:
    """A template with what is known put in; what is not stays as it is written there."""
    parts: list[str] = []
    at = 0
    while (hole := find_hole(text, at)) >= 0:
        end = hole_end(text, hole + 2, 0)
        inner = text[hole + 2 : end - 1]
        value = names.get(inner.strip(), Unknown())
        known = isinstance(value, (str, int)) and not isinstance(value, bool)
        written = text[at:hole] if raw else unescaped(text[at:hole])
        parts += [written, str(value) if known else text[hole:end]]
        at = end
    parts.append(text[at:] if raw else unescaped(text[at:]))
    return "".join(parts)
