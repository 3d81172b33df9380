"""Find and run cases."""

import unittest
from pathlib import Path


def _flatten(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from _flatten(item)
        else:
            yield item


def load_suites():
    loader = unittest.TestLoader()
    found = {}
    for folder in sorted(Path("tests").iterdir()):
        if (folder / "__init__.py").exists():
            found[folder.name] = list(_flatten(loader.discover(str(folder), top_level_dir=".")))
    return found


def run_suite(cases):
    """Return whether each case passed, and the texts of those that did not."""
    results, texts = {}, []
    for case in cases:
        outcome = unittest.TestResult()
        case.run(outcome)
        wrong = outcome.failures + outcome.errors
        results[case.id()] = not wrong
        texts += [f"{case.id()}\n{text}" for _, text in wrong]
    return results, texts
