"""Shell completion of our command lines."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("mind-skills sta", ["plain,status"]),
        ("mind-skills status --verb", ["plain,--verbose"]),
        ("mind-skills config s", ["plain,set"]),
        ("mind-skills completion ", ["plain,bash", "plain,zsh", "plain,fish"]),
    ],
)
def test_a_partial_command_line_is_completed(
    mind_skills: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, words: str, expected: list[str]
) -> None:
    monkeypatch.setenv("_MIND_SKILLS_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(words.count(" ")))
    assert mind_skills().out.split() == expected


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_of_each_shell_calls_the_program(mind_skills: Callable[..., Any], shell: str) -> None:
    done = mind_skills("completion", shell)
    assert (done.code, f"_MIND_SKILLS_COMPLETE={shell}_complete" in done.out) == (0, True)


@pytest.mark.parametrize("shell", [shell for shell in ("bash", "zsh", "fish") if shutil.which(shell)])
def test_each_installed_shell_accepts_the_syntax_of_its_completion_script(
    mind_skills: Callable[..., Any], tmp_path: Path, shell: str
) -> None:
    done = mind_skills("completion", shell)
    program = shutil.which(shell)
    assert program is not None
    script = tmp_path / "script"
    script.write_text(done.out)
    check = subprocess.run([program, "-n", str(script)], capture_output=True, text=True, check=False)
    assert (check.returncode, check.stderr) == (0, "")


def test_bash_completes_a_command_by_calling_the_program(mind_skills: Callable[..., Any]) -> None:
    script = mind_skills("completion", "bash").out
    asked = "COMP_WORDS=(mind-skills doct) COMP_CWORD=1; _mind_skills_completion mind-skills; echo ${COMPREPLY[@]}"
    place = Path(sys.executable).parent
    done = subprocess.run(
        ["bash", "-c", f"{script}\n{asked}"],
        env={"PATH": f"{place}:/usr/bin:/bin", "HOME": os.environ["HOME"]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("doctor\n", "")
