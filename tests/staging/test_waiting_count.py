"""The count for prompts and status lines is the one that `mind-skills status` shows."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import MAX_PENDING
from mind_skills.staging.offer import _MAX_PENDING, count_waiting
from mind_skills.store.database import DATABASE_NAME
from mind_skills.store.project import resolve_project
from tests.testkit.paths import DEMO, ROOT

HEAVY = {"click", "dataclasses", "re", "sqlite3", "typing"}


def test_the_count_equals_that_of_status_and_is_empty_if_nothing_is_pending(
    mind_skills: Callable[..., Any], apart: Path, project: Path
) -> None:
    state = apart / "state"
    assert (count_waiting(str(state), resolve_project(str(project)).id), mind_skills("status", "--count").out) == (
        0,
        "\n",
    )
    mind_skills("replay", DEMO, "--stage", "--project", project)
    assert (
        mind_skills("status", "--json").json["pending"]
        == count_waiting(str(state), resolve_project(str(project)).id)
        == 1
    )
    assert mind_skills("status", "--count", "--project", project).out == "1 learning to review\n"
    with Ledger.open(state) as ledger:
        (candidate,) = ledger.list_pending(resolve_project(str(project)))
    assert mind_skills("dismiss", candidate.id, "--reason", "known", "--project", project).code == 0
    assert mind_skills("status", "--count", "--project", project).out == "\n"
    (state / DATABASE_NAME).write_bytes(b"damaged")
    assert (count_waiting(str(state), "x"), _MAX_PENDING) == (0, MAX_PENDING)


def test_the_script_for_prompts_imports_no_heavy_module(tmp_path: Path) -> None:
    code = (
        f"import sys; sys.argv = ['x', 'MIND_SKILLS_HOME={tmp_path}']; import runpy; runpy.run_path(sys.orig_argv[-1]"
    )
    code += f", run_name='__main__'); print(sorted({HEAVY - {'typing', 're', 'dataclasses'}} & set(sys.modules)))"
    script = str(ROOT / "plugin" / "segment.py")
    payload = json.dumps({"workspace": {"project_dir": str(tmp_path)}})
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, script], input=payload, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
