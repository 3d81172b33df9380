"""Versions that a learning depends on: forms that people and tools use, and nothing that only looks like a version."""

import pytest

from mind_skills.detectors.composing.scope import find_versions


@pytest.mark.parametrize(
    ("text", "versions"),
    [
        ("wrapt<1.14 does not import on Python 3.11", {"wrapt": "1.14", "python": "3.11"}),
        ("numpy==1.26.4 with pandas>=2.1", {"numpy": "1.26.4", "pandas": "2.1"}),
        ("react@18.2.0 and @types/node@20.4.1", {"react": "18.2.0", "@types/node": "20.4.1"}),
        ("golangci-lint 1.64.8 has no such linter", {"golangci-lint": "1.64.8"}),
        ("Django 4.2.1 raises ImproperlyConfigured.", {"django": "4.2.1"}),
        ("needs torch 2.4.0.dev20.", {"torch": "2.4.0.dev20"}),
        ("built by go1.22.3 for node v20", {"go": "1.22.3", "node": "20"}),
        ("/usr/lib/python3.11/inspect.py", {"python": "3.11"}),
    ],
)
def test_a_version_is_found_with_the_name_of_its_package(text, versions):
    assert find_versions(text) == versions


@pytest.mark.parametrize(
    "text",
    [
        "Finished in 3.33s, 0.5 s",
        "connect to 127.0.0.1:3000",
        "host 127.0.0.1",
        "HTTP 1.1, TLS 1.3",
        "ok github.com/a/b 0.53s",
        "coverage: 85.2% of statements",
        "section 3.1 of chapter 2.4",
        "at line 12.5, took 1.5 seconds",
        "version 1.2.3 of it",
        "10.5 MB of 20.1 MB",
        "numpy 2.x",
        "```python3 print(1)",
        "go 3 steps further",
    ],
)
def test_times_addresses_and_other_numbers_are_no_versions(text):
    assert find_versions(text) == {}
