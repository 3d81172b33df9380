"""The reference outputs' functions in terms of ours: each takes a vector's input and answers in the original's shape."""

from tests.learning.vectors import maturities, outcomes, patterns, tasks
from tests.learning.vectors.shape import Function, Given

__all__ = ["IMPLEMENTED", "Function", "Given"]

IMPLEMENTED: dict[str, Function] = {
    **outcomes.FUNCTIONS,
    **maturities.FUNCTIONS,
    **patterns.FUNCTIONS,
    **tasks.FUNCTIONS,
}
