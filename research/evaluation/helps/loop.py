"""The steps of the loop around the agents: start a session, let mind-skills learn from it and offer, and finish it."""

from __future__ import annotations

import gzip
import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from research.evaluation.helps import PROMPTS, ROOT, TRAPS
from research.evaluation.helps.measures import measure_transcript
from research.evaluation.helps.runs import FIRST, REMINDER, WITH, WRITER, Facts, Run, name_run
from research.evaluation.helps.sandbox import LAUNCHER, Sandbox
from research.evaluation.helps.skills import SKILLS_FOLDER, copy_skills, list_skills, read_skills

CONTROL = "control-"
"""How the name of a task begins in which no skill applies."""
RESULT_FILE, PROMPT_FILE = "result.json", "prompt.md"
CHECK_SECONDS = 300
PYTHON = "/usr/bin/python3"
"""The Python that agents have: the sandbox shows no other."""
_STATE = "state.json"
_COMMIT = "git init -q -b main && git add -A && git commit -q --allow-empty -m 'Start of the work'"
_WHEN = "2026-01-05T09:00:00+00:00"
_GIT_SETTINGS = "[user]\n\tname = dev\n\temail = dev@example.com\n[init]\n\tdefaultBranch = main\n"
_NO_OFFER = "The product offers nothing: no agent is needed. Run `finish` at once."


def list_traps(folder: Path) -> tuple[list[str], list[str]]:
    """Return the names of the traps and of the controls."""
    names = sorted(path.parent.name for path in folder.glob("*/repository"))
    return [name for name in names if not name.startswith(CONTROL)], [n for n in names if n.startswith(CONTROL)]


def start(traps: Path, facts: Facts, folder: Path) -> str:
    """Make a run on the first or second task of a trap, and return the prompt of its agent. Raises ClickException, OSError."""
    source = traps / facts.trap
    task = source / ("first.md" if facts.arm == FIRST else "second.md")
    if not task.is_file():
        raise click.ClickException(f"There is no {task.name} of {facts.trap}. `plan` lists the names.")
    run = Run(folder, facts)
    written = _find_written_skills(run, list_traps(traps)[0]) if facts.arm == WITH else []
    learning = _find_learning(run) if facts.arm == REMINDER else None
    run.make()
    if learning is not None:  # without the project, and what an agent put elsewhere
        for name in (".claude", ".local"):
            _copy(learning / name, run.sandbox.home / name)
    _build_repository(source, run.sandbox.project)
    skills = run.sandbox.project / SKILLS_FOLDER
    copy_skills(written, skills)
    _commit(run)
    request = task.read_text(encoding="utf-8").strip()
    listing = list_skills(skills) if facts.arm == WITH else ""
    if listing:
        count = len(read_skills(skills))
        run.transcript.add_attachment({"type": "skill_listing", "content": listing, "skillCount": count})
        listing = _read_prompt("skills").format(skills=listing)
    run.transcript.add_prompt(request)
    return _write_prompt(run, request, listing)


def learn(first: Run, folder: Path) -> str:
    """End the session of a first task, start another in its project, and return the prompt of the agent that gets the offer.

    Both go through the hooks that a host calls. Raises ClickException, OSError.
    """
    first, run = Run(first.folder, first.facts, has_product=True), Run(folder, Facts(first.facts.trap, WRITER))
    first.sandbox.make()
    first.call_hook("SessionEnd", reason="other")
    _write_json(first.folder / _STATE, _read_counts(first))
    run.make()
    shutil.rmtree(run.sandbox.home)
    _copy(first.sandbox.home, run.sandbox.home)
    offer = run.call_hook("SessionStart", source="startup")
    if not offer:
        (run.folder / PROMPT_FILE).write_text(_NO_OFFER + "\n", encoding="utf-8")
        return _NO_OFFER
    text = run.add_hook_context("SessionStart", "SessionStart:startup", run.facts.session, offer)
    request = _read_prompt("writer_request")
    run.transcript.add_prompt(request)
    return _write_prompt(run, request, text)


def finish(run: Run, traps: Path, recordings: Path) -> dict[str, Any]:
    """Judge a run and store its recording. Return what is known of it. Raises ClickException, OSError."""
    facts = run.facts
    known: dict[str, Any] = {"trap": facts.trap, "arm": facts.arm, "try": facts.number}
    if facts.arm == WRITER:
        if run.transcript.path.exists():
            run.call_hook("SessionEnd", reason="other")
        known |= {"counts": _read_counts(run), "skills": read_skills(run.sandbox.project / SKILLS_FOLDER)}
    else:
        known["solved"] = _check(run, traps)
    text = _read_transcript(run)
    recordings.mkdir(parents=True, exist_ok=True)
    (recordings / f"{facts.name}.jsonl.gz").write_bytes(gzip.compress(text, mtime=0))
    _write_json(recordings / f"{facts.name}.json", known)
    known |= measure_transcript(text)._asdict()
    _write_json(run.folder / RESULT_FILE, known)
    return known


def _find_written_skills(run: Run, traps: list[str]) -> list[Path]:
    """Return the folders of skills that a run gets: those of its trap's writer; for a control, of the writers of all ``traps``.

    Raises ClickException if one of these has not been finished.
    """
    names = traps if run.facts.trap.startswith(CONTROL) else [run.facts.trap]
    writers = [Run.open(run.folder.parent / name_run(name, WRITER)) for name in names]
    for writer in writers:
        if not (writer.folder / RESULT_FILE).exists():
            raise click.ClickException(f"Run `finish` on {writer.folder} before.")
    return [writer.sandbox.project / SKILLS_FOLDER for writer in writers]


def _find_learning(run: Run) -> Path:
    """Return the home of the trap's first session, after it has ended. Raises ClickException."""
    first = run.find(FIRST)
    if not (first.folder / _STATE).exists():
        raise click.ClickException(f"Run `learn` on {first.folder} before.")
    return first.sandbox.home


def _build_repository(trap: Path, target: Path) -> None:
    """Build the repository of a trap with the Python of the sandbox, which compiles its tool. Raises CalledProcessError."""
    subprocess.run([PYTHON, "-B", str(TRAPS / "build.py"), str(trap), str(target)], check=True)


def _copy(source: Path, target: Path) -> None:
    """Copy a folder with links, times, modes and sockets. Raises CalledProcessError."""
    target.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-a", "--", f"{source}/.", str(target)], check=True)


def _commit(run: Run) -> None:
    (run.sandbox.home / ".gitconfig").write_text(_GIT_SETTINGS, encoding="utf-8")
    environment = {"GIT_AUTHOR_DATE": _WHEN, "GIT_COMMITTER_DATE": _WHEN}
    ended = run.sandbox.run(["sh", "-c", _COMMIT], environment=environment)
    if ended.code:
        raise click.ClickException(f"The repository cannot be committed: {ended.text.strip()}")


def _check(run: Run, traps: Path) -> bool:
    """Run the hidden check on a copy of the run, which it may therefore change. Raises ClickException."""
    name = "check_first.py" if run.facts.arm == FIRST else "check_second.py"
    source = traps / run.facts.trap
    if not (source / name).is_file():
        raise click.ClickException(f"There is no {name} of {run.facts.trap}. Give its folder with --traps.")
    with TemporaryDirectory(prefix="helps-") as folder:
        for each in ("home", "tmp"):
            _copy(run.folder / each, Path(folder, each))
        trap = Path(folder, "trap")
        _build_repository(source, trap / "repository")  # a check may compare with it
        shutil.copy(source / name, trap)
        copy = Sandbox(Path(folder), visible={"/opt/trap": trap})
        copy.make()
        return copy.run(["python3", f"/opt/trap/{name}"], timeout=CHECK_SECONDS).code == 0


def _read_counts(run: Run) -> dict[str, int]:
    """Return what mind-skills counts of the project's learnings: how many were staged, offered, accepted and so on."""
    ended = run.sandbox.run([LAUNCHER, "status", "--json"], keeps_errors_apart=True)
    if ended.code:
        raise click.ClickException(f"`mind-skills status --json` failed in {run.folder}: {ended.text.strip()}")
    counts = json.loads(ended.text)["counts"]
    return {name: value["count"] if isinstance(value, dict) else value for name, value in counts.items()}


def _read_prompt(name: str) -> str:
    return (PROMPTS / f"{name}.md").read_text(encoding="utf-8").strip()


def _write_prompt(run: Run, request: str, start: str) -> str:
    """Write the command of a run's agent, whose name tells nothing of the run, and its prompt. Return the prompt."""
    act = run.folder.parent / f"act-{run.facts.session[:8]}"
    paths = shlex.quote(f"{ROOT}:{ROOT / '.dev'}")
    command = shlex.join([sys.executable, "-P", "-m", "research.evaluation.helps", "act", "--run", str(run.folder)])
    act.write_text(f'#!/bin/sh\nPYTHONPATH={paths} exec {command} "$@"\n', encoding="utf-8")
    act.chmod(0o755)
    text = _read_prompt("agent").format(act=act, start=f"{start}\n\n" if start else "", request=request)
    (run.folder / PROMPT_FILE).write_text(text + "\n", encoding="utf-8")
    return text


def _read_transcript(run: Run) -> bytes:
    """Return the transcript of a run, empty if no session took place. An agent may have found a path of this machine in /proc."""
    text = run.transcript.path.read_bytes() if run.transcript.path.exists() else b""
    for path, shown in ((run.folder.parent, b"/runs"), (ROOT, b"/checkout"), (Path(sys.prefix), b"/environment")):
        text = text.replace(str(path).encode(), shown)
    return text


def _write_json(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
