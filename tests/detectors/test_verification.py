"""What bears a change out, and what only looks as if it did."""

import pytest

from mind_skills.detectors.registry import detect

REPORT = "The login page fails with a blank screen when the name of the user is empty"
CAUSE = "The root cause is that the form drops the value before it is sent."


def kinds(story):
    return [finding.kind for finding in detect(story.observations)]


@pytest.fixture
def mended(story):
    """A report, its cause and a change; how it goes on is for the test."""
    return story.user(REPORT).agent(CAUSE).edits("src/form.ts")


def test_a_passing_test_bears_it_out(mended):
    assert kinds(mended.runs("npm test", "3 passed")) == ["problem_solution"]


def test_a_linter_alone_does_not(mended):
    assert kinds(mended.runs("npm run lint", "ok")) == []


def test_a_linter_after_a_passing_test_does(mended):
    assert kinds(mended.runs("npm test", "3 passed").edits("src/form.ts").runs("npm run lint", "ok")) == [
        "problem_solution"
    ]


def test_a_linter_is_the_right_judge_of_a_complaint_about_style(story):
    story.user("the lint run fails on the new table of the form since yesterday").agent(
        "The issue is that the rule takes tables for copies."
    )
    assert kinds(story.edits("src/form.ts").runs("npm run lint", "ok")) == ["problem_solution"]


def test_another_check_does_not_while_the_tests_are_red(mended):
    assert kinds(mended.runs("npm test", "1 failed", 1).runs("npm run build", "ok")) == []


def test_tests_that_were_red_and_pass_again_do(mended):
    assert (
        kinds(mended.runs("npm test", "1 failed", 1).edits("src/form.ts").runs("npm test", "3 passed"))[0]
        == "problem_solution"
    )


@pytest.mark.parametrize(
    "command", ["git stash", "git checkout -- src/form.ts", "git restore .", "git reset --hard HEAD"]
)
def test_a_change_that_was_taken_back_is_no_solution(mended, command):
    assert kinds(mended.runs("npm test", "3 passed").runs(command, "").runs("npm run build", "ok")) == []


def test_a_stash_that_is_popped_again_takes_nothing_back(mended):
    assert kinds(mended.runs("npm test", "3 passed").runs("git stash && git pull && git stash pop", "")) == [
        "problem_solution"
    ]


@pytest.mark.parametrize("words", ["that is wrong, it still fails", "same error", "it doesn't work"])
def test_a_user_who_says_that_it_still_fails_outweighs_a_check(mended, words):
    assert "problem_solution" not in kinds(mended.runs("npm test", "3 passed").user(words))


def test_a_request_that_speaks_of_warnings_is_no_report(story):
    story.user("Add a new export button, and a warning: users must confirm because a permission is missing")
    assert kinds(story.agent(CAUSE).edits("src/form.ts").runs("npm test", "3 passed")) == []


RED = "E   ValueError: bad total"


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("pytest tests/test_a.py", ["error_fix"]),
        ("pytest", ["error_fix"]),
        ("pytest tests", ["error_fix"]),
        ("pytest tests/test_b.py", []),
        ("pytest --deselect tests/test_a.py", []),
        ("pytest -k 'not total'", []),
        ("pytest tests/test_a.py || true", []),
    ],
)
def test_a_failure_is_cured_by_a_run_that_has_it_in_it(story, command, found):
    story.runs("pytest tests/test_a.py", RED, 1).agent("The issue is that the total is rounded twice on its way out.")
    assert kinds(story.edits("src/total.py").runs(command, "5 passed")) == found


def test_a_failing_test_that_was_deleted_is_not_mended(story):
    story.runs("pytest tests/test_a.py", RED, 1).agent("The issue is that the total is rounded twice on its way out.")
    assert kinds(story.edits("src/total.py").runs("rm tests/test_a.py", "").runs("pytest", "5 passed")) == []


def test_the_same_report_in_other_words_of_the_agent_is_the_same_learning(story):
    first = [
        finding.anchor
        for finding in detect(story.user(REPORT).agent(CAUSE).edits("a.ts").runs("npm test", "3 passed").observations)
    ]
    story.observations.clear()
    story.user(REPORT).agent("Now it is clear: the real issue is that an empty field never reaches the server.").edits(
        "b.ts"
    )
    assert [finding.anchor for finding in detect(story.runs("npm test", "3 passed").observations)] == first


def test_reports_that_name_nothing_are_told_apart_by_their_cause(story):
    first = [
        finding.anchor
        for finding in detect(
            story.user("it fails here").agent(CAUSE).edits("a.ts").runs("npm test", "3 passed").observations
        )
    ]
    story.observations.clear()
    story.user("it fails here").agent("The root cause is that the cache keeps stale keys of the first tenant.").edits(
        "b.ts"
    )
    assert [finding.anchor for finding in detect(story.runs("npm test", "3 passed").observations)] != first
