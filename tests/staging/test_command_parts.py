"""Which part of a command line an error, and another command, belong to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mind_skills.staging.entry_text import are_variants, select_failed_part, select_similar_part


@pytest.mark.parametrize(
    ("command", "error", "part"),
    [
        ("cd src && go test ./...", "cd: src: No such file or directory", "cd src"),
        ("curl -f http://x; make", "curl: (22) The requested URL returned error: 404", "curl -f http://x"),
        ("git add a && npm test", "fatal: pathspec 'a' did not match any files", "git add a"),
        ("git stash push -- a.go && go test", "No local changes to save", "git stash push -- a.go"),
        ("git add a.py && git rm b.py", "fatal: pathspec 'b.py' did not match any files", "git rm b.py"),
        ("fnm list && fnm which 24 && fnm exec node", "error: unrecognized subcommand 'which'", "fnm which 24"),
        ("board add 2 Todo; board add 3 Backlog", "unknown status 'Backlog', not Todo", "board add 3 Backlog"),
        ("mise run fmt && mise run lint", "error returned is unwrapped", "mise run lint"),
        ("go build ./... && go test ./a | tail -8; echo done", "FAIL: TestCart", "go test ./a | tail -8"),
        ("export A=1; npm test && cat log", "KeyError: 'locale'", "export A=1; npm test"),
        ("npm test; # read the log; cat log", "KeyError: 'locale'", "npm test"),
    ],
)
def test_the_part_that_printed_an_error_is_inferred_from_its_program_its_names_or_its_place(
    command: str, error: str, part: str
) -> None:
    assert select_failed_part(command, error) == part


@pytest.mark.parametrize(
    "command",
    [
        "cat > a.py << 'EOF'; print(1); EOF; python a.py",
        "bash -c 'cd src && make'",
        "$file = Get-Item a; $file.Length",
        "npm test",
        "",
    ],
)
def test_scripts_quoted_separators_and_single_commands_are_not_split(command: str) -> None:
    assert select_failed_part(command, "it failed") == command


@pytest.mark.parametrize(
    ("command", "other", "part"),
    [
        ("cargo fmt && cargo test oci", "cargo test cli", "cargo test oci"),
        ("export A=1; npm test", "npm test", "export A=1; npm test"),
        ("git log; git worktree list", "git worktree add", "git log; git worktree list"),
        ("cargo fmt && make", "", "cargo fmt && make"),
    ],
)
def test_the_part_that_is_a_variant_of_another_command_is_selected(command: str, other: str, part: str) -> None:
    assert select_similar_part(command, other) == part


def test_commands_with_other_subcommands_are_no_variants_and_those_with_other_options_are() -> None:
    pairs = [("gh pr view 7", "gh pr checks 7"), ("npm test", "npm test --watch"), ("go test ./a", "go test ./b")]
    assert [are_variants(*pair) for pair in pairs] == [False, True, True]


@given(st.text("ab '\"&|;$\n=<cd", max_size=40), st.text("ab: '", max_size=20))
def test_a_selected_part_is_text_of_the_command(command: str, error: str) -> None:
    for part in (select_failed_part(command, error), select_similar_part(command, "a b")):
        assert [piece for piece in part.split("; ") if piece not in command] == []
