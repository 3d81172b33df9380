"""Light dataclasses behave as those of the standard library, whose functions accept them."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from mind_skills.store.light_dataclasses import dataclass, field, replace


@dataclass(slots=True)
class Light:
    """A class with all kinds of fields."""

    name: str
    size: int = 1
    words: list[str] = field(default_factory=list[str])
    cache: list[str] = field(default_factory=list[str], compare=False)

    @property
    def doubled(self) -> int:
        return 2 * self.size


@dataclasses.dataclass(slots=True)
class Standard:
    """The same class."""

    name: str
    size: int = 1
    words: list[str] = dataclasses.field(default_factory=list[str])
    cache: list[str] = dataclasses.field(default_factory=list[str], compare=False)

    @property
    def doubled(self) -> int:
        return 2 * self.size


@dataclass(frozen=True, slots=True)
class LightKey:
    """A class whose instances are keys."""

    name: str
    at: tuple[int, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class StandardKey:
    """The same class."""

    name: str
    at: tuple[int, ...] = ()


def _catch(make: Callable[[], object]) -> object:
    try:
        return make()
    except (TypeError, AttributeError) as error:
        return type(error)


def _use(kind: Any, key: Any) -> dict[str, object]:
    """Do with a class and a key class what the program does with them."""
    one, other = kind("a", 2, ["x"]), kind("a", size=2, words=["x"], cache=["y"])
    return {
        "values": [(each.name, each.size, each.words, each.cache, each.doubled) for each in (one, other, kind("b"))],
        "own lists": kind("a").words is not kind("a").words,
        "equal": (one == other, one == kind("a"), one == ("a", 2), key("k") == key("k"), key("k") == key("k", (1,))),
        "replaced": dataclasses.replace(one, size=3) == kind("a", 3, ["x"]),
        "as dict": dataclasses.asdict(other),
        "fields": [(each.name, each.compare) for each in dataclasses.fields(kind)],
        "represented": repr(other).partition("(")[2],
        "pickled": [pickle.loads(pickle.dumps(each)) == each for each in (one, key("k", (1,)))],
        "copied": copy.copy(one) == one,
        "hashes": (len({key("k"), key("k"), key("l")}), _catch(lambda: hash(one))),
        "errors": [_catch(kind), _catch(lambda: kind("a", colour=1)), _catch(lambda: setattr(one, "colour", 1))],
        "documented": kind.__doc__,
        "names": kind.__match_args__,
    }


def test_a_light_class_behaves_like_one_of_the_standard_library() -> None:
    light, standard = _use(Light, LightKey), _use(Standard, StandardKey)
    assert {**light, "documented": ""} == {**standard, "documented": ""}


def test_replace_changes_the_named_fields_only() -> None:
    one = Light("a", 2, ["x"], ["y"])
    replaced = replace(one, size=3)
    assert (replaced.name, replaced.size, replaced.words is one.words, replaced.cache is one.cache) == (
        "a",
        3,
        True,
        True,
    )
    with pytest.raises(TypeError):
        replace(one, colour=1)  # type: ignore[call-arg]
