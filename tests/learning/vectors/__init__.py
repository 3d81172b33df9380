"""Adapters for the reference outputs: each takes a vector's input and returns the result in the original's format."""

from tests.learning.vectors import maturities, outcomes, patterns, tasks
from tests.learning.vectors.shape import Function, Given

__all__ = ["IMPLEMENTED", "Function", "Given"]

IMPLEMENTED: dict[str, Function] = {
    **outcomes.FUNCTIONS,
    **maturities.FUNCTIONS,
    **patterns.FUNCTIONS,
    **tasks.FUNCTIONS,
}
