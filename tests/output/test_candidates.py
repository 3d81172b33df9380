"""The rows of a candidate that people see are those that its title names, whatever else failed, changed or passed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mind_skills.digest.model import Role
from mind_skills.output.candidates import list_rows
from mind_skills.staging.model import Evidence
from tests.staging.workbench import candidate


@pytest.mark.parametrize(
    ("rows", "shown"),
    [
        (
            (
                "symptom: run make: failed\nx",
                "symptom: run pytest: failed\nE 1",
                "verification: run pytest: ok\n1 passed",
            ),
            [("failed", "run pytest: failed E 1"), ("passed", "run pytest: ok 1 passed")],
        ),
        (("symptom: run make: failed\nx",), [("failed", "run make: failed x")]),
        (("symptom: run pytest | tail: ok\n1 failed",), [("failed", "run pytest | tail: 1 failed")]),
        (
            (
                "change: edit a.py: ok",
                "change: edit b.py: ok",
                "verification: run pytest: ok",
                "verification: run ruff: ok",
            ),
            [("changed", "edit b.py: ok"), ("passed", "run pytest: ok")],
        ),
        (("context: web https://h.test: ok", "context: user: It fails."), [("user", "It fails.")]),
    ],
)
def test_rows(rows: tuple[str, ...], shown: list[tuple[str, str]]) -> None:
    parts = [row.split(": ", 1) for row in rows]
    roles: dict[str, Role] = {role: role for role in ("symptom", "change", "verification", "context")}
    evidence = tuple(Evidence("problem", roles[role], "", text, line) for line, (role, text) in enumerate(parts, 1))
    made = replace(candidate("x"), title="pytest: failed once, passes later")
    assert list_rows(replace(made, evidence=evidence)) == shown
