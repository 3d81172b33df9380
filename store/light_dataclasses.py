"""Stand-ins for ``dataclass``, ``field`` and ``replace``: the standard module takes as long as four bare interpreters
for a checkpoint's forty classes. Only the constructor is compiled; only type checkers see that a class is frozen.
"""

from __future__ import annotations

from operator import attrgetter

__all__ = ["dataclass", "field", "replace"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from dataclasses import Field, dataclass, field, replace
    from typing import Any
else:

    class _NewValue:
        """The default of a field for which each instance makes a value of its own."""

        def __init__(self, make: Callable[[], Any], is_compared: bool) -> None:
            self.make, self.is_compared = make, is_compared

    def field(*, default_factory: Callable[[], Any], compare: bool = True) -> _NewValue:
        return _NewValue(default_factory, compare)

    def dataclass(*, slots: bool, frozen: bool = False) -> Callable[[type], type]:
        assert slots  # the only kind that is needed
        return lambda declared: _make_class(declared, _compute_hash if frozen else None)

    def replace(instance: Any, /, **changes: Any) -> Any:
        values = {name: getattr(instance, name) for name in instance.__match_args__ if name not in changes}
        return type(instance)(**values, **changes)

    def _make_class(declared: type, hash_function: Callable[[Any], int] | None) -> type:
        namespace, names = dict(vars(declared)), tuple(declared.__annotations__)
        defaults = {name: namespace.pop(name) for name in names if name in namespace}
        compared = [name for name in names if getattr(defaults.get(name), "is_compared", True)]
        del namespace["__dict__"], namespace["__weakref__"]
        namespace |= {
            "__slots__": names,
            "__match_args__": names,
            "__init__": _compile_constructor(names, defaults),
            "__eq__": _is_equal,
            "__hash__": hash_function,
            "__repr__": _format,
            "__dataclass_fields__": _Fields(defaults),
            "get_compared_values": staticmethod(attrgetter(*compared)),
        }
        made = type(declared)(declared.__name__, declared.__bases__, namespace)
        made.__qualname__ = declared.__qualname__
        return made

    def _compile_constructor(names: tuple[str, ...], defaults: Mapping[str, Any]) -> Callable[..., None]:
        parameters, lines, values = (
            ["self"],
            list[str](),
            {f"default_{name}": value for name, value in defaults.items()},
        )
        for name in names:
            default = f"default_{name}"
            parameters.append(f"{name}={default}" if name in defaults else name)
            is_new = isinstance(defaults.get(name), _NewValue)
            lines.append(
                f" self.{name} = {default}.make() if {name} is {default} else {name}"
                if is_new
                else f" self.{name} = {name}"
            )
        exec("\n".join([f"def __init__({', '.join(parameters)}):", *lines]), values)  # noqa: S102 -- as ``dataclass`` does, from the names of fields
        return values["__init__"]

    def _is_equal(self: Any, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.get_compared_values(self) == self.get_compared_values(other)

    def _compute_hash(self: Any) -> int:
        return hash(self.get_compared_values(self))

    def _format(self: Any) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__qualname__}({values})"

    class _Fields:
        """The fields of a class for the functions of ``dataclasses``, made on first use."""

        def __init__(self, defaults: Mapping[str, Any]) -> None:
            self._defaults = defaults

        def __get__(self, _: object, owner: type) -> dict[str, Field[Any]]:
            import dataclasses

            defaults = {
                name: dataclasses.field(default_factory=default.make, compare=default.is_compared)
                if isinstance(default, _NewValue)
                else default
                for name, default in self._defaults.items()
            }
            namespace = {"__annotations__": owner.__annotations__, "__doc__": owner.__doc__, **defaults}
            owner.__dataclass_fields__ = dataclasses.dataclass(type(owner.__name__, (), namespace)).__dataclass_fields__
            return owner.__dataclass_fields__
