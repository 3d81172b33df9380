"""The family key is equal for the same kind of error in any project, and contains only typed tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.detectors.model import Evidence, Finding
from mind_skills.observations.model import Session
from mind_skills.staging.family import FamilyKey, build_family_key
from mind_skills.staging.model import make_candidate


def failure(command: str, error: str) -> Evidence:
    return Evidence("problem", "symptom", f"`{command}` failed: {error}", f"$ {command}\n{error}\nmore", 3)


def key_of(error: str, command: str = "", remedy: str = "") -> tuple[str, ...] | None:
    evidence = (failure(command, error),) if command else ()
    key = build_family_key("error_fix", symptom=error, remedy=remedy, evidence=evidence)
    return None if key is None else tuple(key[1:])


@pytest.mark.parametrize(
    ("error", "command", "remedy", "expected"),
    [
        ("src/shop/cart.ts(3,1): error TS2307: no types", "npx tsc", "", ("TS2307", "", "", "")),
        (
            "ModuleNotFoundError: No module named 'yaml.loader'",
            "pytest tests",
            "uv sync --all-extras",
            ("ModuleNotFoundError", "yaml", "", "uv sync"),
        ),
        ("Cannot find module '@scope/tool/deep'", "node a.js", "", ("", "@scope/tool", "", "")),
        (
            "no required module provides package github.com/a/b/c; to add it:",
            "go build",
            "",
            ("", "github.com/a/b/c", "", ""),
        ),
        ("/bin/sh: 1: pnpm: not found", "make install", "npm install -g pnpm", ("", "pnpm", "", "npm install pnpm")),
        (
            "Error: listen EPERM: operation not permitted 127.0.0.1",
            "corepack pnpm test",
            "",
            ("EPERM", "", "corepack pnpm test", ""),
        ),
        (
            "fatal: unable to access 'https://h/': The requested URL returned error: 403",
            "",
            "",
            ("HTTP 403", "", "git", ""),
        ),
        (
            "(eval):1: can't create temp file for here document: operation not permitted",
            "git commit",
            "git commit -m x",
            ("cannot create temp file here document operation not", "", "shell", ""),
        ),
    ],
)
def test_a_family_key_has_the_code_or_message_the_package_the_program_and_the_repair(
    error: str, command: str, remedy: str, expected: tuple[str, ...]
) -> None:
    assert key_of(error, command, remedy) == expected


@pytest.mark.parametrize(
    ("error", "command"),
    [
        ("", "npm test"),
        ("--- FAIL: TestCart (0.00s)", "go test ./..."),
        ("AssertionError: expected 3, got 4", "pytest"),
        ("ENOENT: no such file or directory, open 'a.json'", "node a.js"),
        ("Cannot find module './cart.js'", "node a.js"),
        (
            "the branch cannot be pushed since the remote rejected it",
            "",
        ),  # a complaint of the user, printed by no command
        ("the branch cannot be pushed since the remote rejected it", "pytest tests/test_push.py"),  # a test's own words
        ("the branch cannot be pushed since the remote rejected it", "./acme-deploy"),
    ],
)
def test_an_error_with_too_few_typed_tokens_has_no_family_key(error: str, command: str) -> None:
    assert key_of(error, command) is None


def test_paths_quotes_and_spelling_do_not_change_the_family_key() -> None:
    one = key_of("fatal: pathspec 'a/secret-name.md' did not match any files", "git add a/secret-name.md")
    other = key_of("fatal: pathspec 'x.py' didn't match any files", "cd /home/me/p && git add x.py")
    assert one == other == ("pathspec not match files", "", "git", "")


def test_a_user_rule_has_no_family_key() -> None:
    assert build_family_key("user_rule", symptom="error TS2307: no types") is None


def test_a_finding_and_its_candidate_have_the_same_key_and_the_digest_is_stable() -> None:
    error = "error: externally-managed-environment " + "x " * 400
    evidence = (failure("python3 -m pip install playwright", error[:200]),)
    finding = Finding("error_fix", "t", "r", "a", evidence, symptom=error, remedy="python3 -m venv v")
    candidate = make_candidate(finding, Session(session_id="s"), confidence="medium", at=1)
    keys = [
        build_family_key(each.kind, symptom=each.symptom, remedy=each.remedy, evidence=each.evidence)
        for each in (finding, candidate)
    ]
    assert keys == [FamilyKey("learning", "externally managed environment", "", "pip install", "")] * 2
    assert keys[0] is not None
    assert keys[0].digest == "4c02b5a279a5f75235aad0fccc6f02b1"


@given(st.text(max_size=300), st.text(max_size=100))
def test_no_text_raises_or_puts_quotes_or_shell_characters_into_a_family_key(error: str, command: str) -> None:
    for key in (key_of(error, command), key_of(f"fatal: {error} cannot lock ref", f"git {command}")):
        assert key is None or not any(set(part) & set("\\'\"`\n$=~") for part in key)
