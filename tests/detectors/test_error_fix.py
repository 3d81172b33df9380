from mind_skills.detectors.error_fix import detect
from mind_skills.detectors.timeline import timeline

DUPL = "Exit code 1\npkg/a_test.go:12: 12-40 lines are duplicate of `pkg/b_test.go:9-37` (dupl)"


def found(story):
    return [
        (finding.title, [(part.role, part.line) for part in finding.evidence])
        for finding in detect(timeline(story.observations))
    ]


def test_a_failing_command_its_cause_a_change_and_the_same_command_passing_is_found(story):
    story.runs("go test ./cmd -run TestShow", "--- FAIL: TestShow\n    show_test.go:9: got: session not found", 1)
    story.agent("The issue is that the wrapper builds a plain error, so the sentinel is lost to the caller.")
    story.edits("cmd/show.go").runs("cd /repo && go test ./... 2>&1 | tail -5", "ok  \tshop\t0.01s")
    assert found(story) == [
        (
            "show_test.go:9: got: session not found: The wrapper builds a plain error, so the sentinel is lost to the…",
            [("symptom", 10), ("cause", 20), ("change", 30), ("verification", 45)],
        )
    ]


def test_two_failures_of_one_command_before_it_passes_count_without_words(story):
    story.runs("make lint", DUPL, 2).edits("pkg/a_test.go").runs("make lint", DUPL, 2)
    story.edits("pkg/a_test.go").runs("make lint", "0 issues.")
    assert [roles for _, roles in found(story)] == [
        [("symptom", 10), ("change", 20), ("symptom", 30), ("change", 40), ("verification", 55)]
    ]


def test_a_failure_whose_exit_code_a_pipe_hides_is_a_failure(story):
    story.runs("go test ./... | head -50", "--- FAIL: TestShow\n    show_test.go:9: got nil", 0)
    story.agent("Root cause: the constructor skips the lookup for new sessions.")
    story.edits("cmd/show.go").runs("go test ./...", "ok  \tshop\t0.01s")
    assert [roles[0] for _, roles in found(story)] == [("symptom", 10)]


def test_a_passing_suite_that_logs_errors_is_no_failure(story):
    story.runs("bun test 2>&1 | tail -30", "error: Database connection failed\n 120 pass\n 0 fail")
    story.agent("The issue is that one module loses the connection.").edits("src/db.ts").runs("bun test", "ok")
    assert found(story) == []


def test_a_guessed_subcommand_is_silent(story):
    story.runs("tool bun test", "error: unrecognized subcommand 'bun'", 2)
    story.agent("The issue is that tool has no such subcommand.").edits("a.ts").runs("bun test", "ok")
    assert found(story) == []


def test_a_missing_binary_is_never_a_lesson(story):
    story.runs("pytest -q", "bash: pytest: command not found", 127)
    story.agent("The issue is that pytest is not on the path.").edits("Dockerfile").runs("pytest -q", "3 passed")
    assert found(story) == []


def test_a_slip_of_code_written_a_moment_ago_is_silent(story):
    story.edits("a.go").runs("go build ./...", 'a.go:7:2: "io" imported and not used', 1)
    story.agent("The issue is the unused import of io in that file.").edits("a.go").runs("go build ./...", "")
    assert found(story) == []


def test_a_command_that_passes_unchanged_is_silent(story):
    story.runs("npm test", "FAIL src/flaky.test.ts\n  socket hang up", 1)
    story.agent("The failure is because the port was busy, the real cause is a leftover server.").runs("npm test", "ok")
    assert found(story) == []


def test_two_commands_of_one_program_that_have_nothing_to_do_with_each_other_are_no_pair(story):
    story.runs("gh api repos/o/r/branches/main/protection", "gh: Branch not protected (HTTP 404)", 1)
    story.agent("The issue is that the branch has no protection rule.").edits("README.md")
    story.runs("gh api repos/o/r/pulls/12 -X PATCH", "ok")
    assert found(story) == []


def test_an_edit_that_did_not_match_is_protocol(story):
    story.runs("make test", "<tool_use_error>String to replace not found in file.</tool_use_error>", 1)
    story.agent("The issue is that the text has changed.").edits("a.c").runs("make test", "ok")
    assert found(story) == []


MISSING = "ImportError: cannot import name 'formatargspec' from 'inspect'"


def test_one_error_under_two_commands_and_a_command_that_names_the_cure_is_found(story):
    story.runs("python reproduce.py", MISSING, 1).runs('python -c "import astroid"', MISSING, 1).reads("setup.cfg")
    story.runs("cat > patched.py <<'EOF'\ninspect.formatargspec = stub\nEOF\npython patched.py", "imported")
    assert found(story) == [(MISSING, [("symptom", 10), ("symptom", 20), ("verification", 45)])]


def test_a_command_that_only_mentions_what_the_error_named_is_no_cure(story):
    story.runs("python reproduce.py", MISSING, 1).runs('python -c "import astroid"', MISSING, 1)
    story.runs("python -c 'print(1)' && echo formatargspec is gone", "1")
    assert found(story) == []


def test_the_summary_of_a_task_runner_is_no_error_that_came_twice(story):
    red = "[lint:go] ERROR task failed\nFinished in 3.3s"
    story.runs("mise run lint | tail -5", red, 1).edits("a_test.go").runs("mise run lint | tail -5", red, 1)
    assert found(story.edits("a_test.go").runs("mise run lint | tail -5", "0 issues.")) == []
