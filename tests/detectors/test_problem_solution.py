from mind_skills.detectors.problem_solution import detect
from mind_skills.detectors.timeline import timeline


def found(story):
    return [
        (finding.title, [(part.role, part.line) for part in finding.evidence])
        for finding in detect(timeline(story.observations))
    ]


def test_a_reported_problem_with_its_cause_a_change_and_a_passing_check_is_found(story):
    story.user("I cannot re-run the evaluation of a remediation after I deleted the old one")
    story.reads("src/card.tsx")
    story.agent("I see the issue. The result id stays as a dangling reference when the evaluation row is deleted.")
    story.edits("src/api/list.ts").runs("bun test", "12 pass\n0 fail")
    assert found(story) == [
        (
            "The result id stays as a dangling reference when the evaluation row is deleted.",
            [("symptom", 10), ("cause", 30), ("change", 40), ("verification", 55)],
        )
    ]


def test_a_plan_that_is_a_fix_and_gives_its_cause_is_found_when_a_check_passes(story):
    story.user(
        "Implement the following plan:\n\n# Fix: requests flood the server\n\n## Context\n"
        "This happens because the hook returns a new object on every render."
    )
    story.edits("src/useApi.ts").runs("npm test", "3 passed")
    assert found(story) == [
        (
            "This happens because the hook returns a new object on every render.",
            [("symptom", 10), ("change", 20), ("verification", 35)],
        )
    ]


def test_a_user_who_says_that_it_works_is_a_verification(story):
    story.user("the export button does not show any file after the second click")
    story.agent("Found it: the handler keeps a stale reference to the first document.")
    story.edits("src/export.ts").user("great, works now")
    assert [roles[-1] for _, roles in found(story)] == [("verification", 40)]


def test_a_feature_request_is_silent(story):
    story.user("Add a button that exports the report as PDF, please")
    story.agent("The issue is that there is no exporter yet, so I will write one.")
    story.edits("src/export.ts").runs("npm test", "3 passed")
    assert found(story) == []


def test_a_plan_for_a_feature_is_silent(story):
    story.user(
        "Implement the following plan:\n\n# Plan: Enable cloud mode\n\n## Context\nCloud mode is skipped because of a guard."
    )
    story.agent("Root cause of the skip is the guard.").edits("src/mode.ts").runs("npm test", "3 passed")
    assert found(story) == []


def test_a_batch_of_review_comments_under_one_heading_is_silent(story):
    story.user(
        "Implement the following plan:\n\n# Fix review comments\n\n1. A slice fails because of its length.\n2. Rename the helper."
    )
    story.edits("a.go").edits("b.go").runs("go test ./...", "ok  \tshop\t0.01s")
    assert found(story) == []


def test_a_change_that_nothing_verified_is_silent(story):
    story.user("the login does not work with an empty cookie, it fails with a 500 every time")
    story.agent("Root cause: the parser expects a value and panics without one.").edits("src/login.ts")
    assert found(story) == []


def test_a_problem_that_was_only_discussed_is_silent(story):
    story.user("why does the importer crash on large archives when memory is low")
    story.agent("The issue is that it reads the whole archive into memory before it unpacks the first file.")
    assert found(story) == []


def test_a_problem_whose_cause_nobody_named_is_silent(story):
    story.user("the build is broken on this branch since this morning, can't compile anything")
    story.edits("src/a.ts").runs("npm run build", "ok")
    assert found(story) == []


def test_what_came_before_the_next_task_does_not_borrow_its_check(story):
    story.user("the date column does not show the year, only month and day are visible there")
    story.agent("The issue is that the formatter drops the year when the locale is unset.").edits("src/date.ts")
    story.user("Write a changelog entry for the new export format and the release").runs("npm test", "3 passed")
    assert found(story) == []


REPORT = "the total of an order is wrong when it has three lines, I get 344 where it should be 345"


def roles(story):
    return [[role for role, _ in parts] for _, parts in found(story)]


def test_a_script_that_shows_the_problem_before_the_change_and_not_after_it_needs_no_words(story):
    story.user(REPORT).runs("python reproduce.py", "344").edits("src/order.py")
    assert roles(story.runs("python reproduce.py", "345")) == [["symptom", "change", "verification"]]


def test_a_script_that_prints_the_same_as_before_bears_nothing_out(story):
    story.user(REPORT).runs("python reproduce.py", "344").edits("src/order.py")
    assert found(story.runs("python reproduce.py", "344")) == []


def test_a_script_that_was_not_run_before_the_change_needs_words(story):
    story.user(REPORT).edits("src/order.py")
    assert found(story.runs("python reproduce.py", "345")) == []


def test_a_test_runner_that_prints_another_time_needs_words(story):
    story.user(REPORT).runs("python -m pytest", "3 passed in 1.1s").edits("src/order.py")
    assert found(story.runs("python -m pytest", "3 passed in 1.2s")) == []


CAUSE = "Found it: the total is rounded for each line and once more at the end."


def test_a_command_that_prints_something_else_each_time_verifies_nothing(story):
    story.user(REPORT).agent(CAUSE).runs("git push", "1..2 main").edits("src/order.py")
    assert found(story.runs("git push", "2..3 main")) == []


def test_a_word_in_a_path_is_no_praise(story):
    story.user(REPORT).agent(CAUSE).edits("src/order.py")
    assert found(story.user("hmm, none of the files in ~/Work/orders has a total of 345")) == []


def test_a_plan_that_calls_its_cause_a_hypothesis_is_silent(story):
    plan = "Implement the following plan:\n\n# Fix: wrong totals\n\n## {}\nThis happens because each line is rounded."
    story.user(plan.format("Root cause hypothesis")).edits("src/order.py").runs("npm test", "3 passed")
    assert found(story) == []


def test_an_error_that_the_user_pasted_leads_the_title(story):
    story.user("it fails now:\norder_test.go:31: Total() error = no lines found\n--- FAIL: TestTotal (0.00s)")
    story.agent("Found it: an order without lines is taken for a missing one.").edits("order.go").runs(
        "go test", "ok  \tshop\t0.01s"
    )
    assert [title for title, _ in found(story)] == [
        "Total() error = no lines found: An order without lines is taken for a missing one."
    ]
