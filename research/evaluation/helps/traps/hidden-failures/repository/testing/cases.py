"""The register of cases."""

import importlib
import pkgutil

from testing import suites

CASES = []


def case(function):
    """Register a test case; its suite is the module that it is in."""
    CASES.append((function.__module__.rsplit(".", 1)[-1], function.__name__, function))
    return function


def load_cases():
    for module in pkgutil.iter_modules(suites.__path__):
        importlib.import_module(f"testing.suites.{module.name}")
    return list(CASES)
