"""Retrieval through the command line: one process for each stored learning and each query."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from research.benchmarks.retrieval.methods import DEPTH, FIRST, Answers
from research.benchmarks.retrieval.pairs import Learning

SCRIPT = str(Path(sys.executable).with_name("mind-skills"))


def search_by_commands(learnings: Sequence[Learning], queries: Sequence[str], *, task: bool) -> Answers:
    """Run `memory add TEXT --task TASK`, then `memory search TEXT --json`, in a separate state folder and project.

    Each query is run twice, with the default limit and for the first ``DEPTH`` results; see ``methods.search_store``. Raises
    RuntimeError with the output if a command fails.
    """
    with TemporaryDirectory() as folder:
        names = {}
        for at, learning in enumerate(learnings, 1):
            options = ["--task", learning.task] if task else []
            names[_run(folder, "add", learning.text, *options)["id"]] = learning.id
            _progress("stored", at, len(learnings))
        answers: Answers = []
        for at, query in enumerate(queries, 1):
            first, deep = (_run(folder, "search", query, "--limit", str(limit))["results"] for limit in (FIRST, DEPTH))
            found = [names[result["id"]] for result in (*first, *deep)]
            answers.append(list(dict.fromkeys(found)))
            _progress("searched", at, len(queries))
        return answers


def _run(folder: str, verb: str, *arguments: str) -> Any:
    state, project = Path(folder, "state"), Path(folder, "project")
    (project / ".git").mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "MIND_SKILLS_HOME": str(state), "HOME": folder}
    command = [SCRIPT, "memory", verb, "--json", *arguments]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment, cwd=project)
    if done.returncode:
        raise RuntimeError(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def _progress(label: str, done: int, total: int) -> None:
    if sys.stderr.isatty() or done == total:
        print(f"{label} {done} of {total}", end="\n" if done == total else "\r", file=sys.stderr)
