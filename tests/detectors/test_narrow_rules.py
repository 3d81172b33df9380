"""Rules that few sessions need: each of these stories comes out otherwise without one of them."""

from mind_skills.detectors.registry import detect

REPORT = "The export is wrong: it fails with ValueError for every region that was added last week"
CAUSE = "Root cause: the loader caches the schema of the last region and drops every row of a new one."


def kinds(story):
    return [finding.kind for finding in detect(story.observations)]


def test_a_search_that_finds_nothing_and_later_something_was_no_failure(story):
    story.runs("grep -rn 'retries' src", "", 1).agent(CAUSE).edits("src/a.py")
    story.runs("grep -rn 'retries' src", "src/a.py:1: retries")
    assert kinds(story) == []


def test_a_command_that_passes_long_after_it_failed_was_mended_by_something_else(story):
    story.runs("go test ./...", "--- FAIL: TestExport\n    got nil", 1).agent(CAUSE)
    story.reads(*["src/other.go"] * 160).edits("src/a.go").runs("go test ./...", "ok  \tshop\t0.01s")
    assert kinds(story) == []


def test_praise_does_not_outweigh_a_check_that_is_still_red(story):
    story.user(REPORT).agent(CAUSE).edits("src/a.py")
    story.runs("pytest", "FAILED tests/test_a.py::test_b - ValueError: bad cell\n1 failed", 1).user("thanks, great")
    assert kinds(story) == []


def test_a_command_that_prints_something_else_after_the_change_bears_it_out(story):
    story.user(REPORT).runs("bin/totals march", "0 rows").agent(CAUSE).edits("src/a.py")
    story.runs("bin/totals march", "17 rows")
    assert kinds(story) == ["problem_solution"]


def test_an_agent_that_says_no_more_than_that_it_found_it_names_no_cause(story):
    story.user(REPORT).agent("Found the bug!").edits("src/a.py").runs("pytest", "1 passed")
    assert kinds(story) == []


def test_a_surprise_without_a_turn_is_no_way_that_works_instead(story):
    story.runs("gh api /regions", "HTTP 422", 1).agent("`gh api` rejected the query of the regions.")
    story.runs("gh api --method GET /regions", "[]")
    assert kinds(story) == []


def test_the_same_form_with_other_data_is_no_other_way(story):
    story.runs("gh api /regions/1", "HTTP 422", 1)
    story.agent("`gh api` rejected the query of the regions, so I'm switching to another one instead.")
    story.runs("gh api /regions/2", "[]")
    assert kinds(story) == []


def test_an_insight_on_the_way_is_not_the_end_of_a_search(story):
    story.user(REPORT).reads(*["src/a.py"] * 9)
    story.agent("The writer silently truncates the names of regions.").edits("src/a.py").runs("pytest", "1 passed")
    assert kinds(story) == ["problem_solution"]


def test_a_short_complaint_is_no_symptom_of_what_was_changed_long_after(story):
    story.user("the totals are still wrong").reads(*["src/a.py"] * 40)
    story.agent(CAUSE).edits("src/a.py").runs("pytest", "1 passed")
    (found, *_) = detect(story.observations)
    assert [part.role for part in found.evidence] == ["cause", "change", "verification"]


def test_a_folder_that_is_not_there_is_protocol_between_agent_and_host(story):
    story.runs("cd app && go test ./...", "bash: line 1: cd: no such file or directory", 1).agent(CAUSE)
    story.edits("src/a.go").runs("cd app && go test ./...", "ok")
    assert kinds(story) == []


def test_a_request_that_names_what_is_missing_is_no_report(story):
    story.user("Please add a column for the regions that are missing in the table of totals").agent(CAUSE)
    story.edits("src/a.py").runs("pytest", "1 passed")
    assert kinds(story) == []


def test_a_long_text_between_two_commands_is_no_surprise(story):
    story.runs("gh api /regions", "HTTP 422", 1)
    story.agent("`gh api` rejected the query, so I'm switching to another one instead. " + "The plan goes on. " * 60)
    story.runs("gh api --method GET /regions", "[]")
    assert kinds(story) == []


def test_the_findings_of_a_linter_are_a_list_whatever_is_said_of_them(story):
    story.runs("golangci-lint run", "a.go:7: string `region` has 4 occurrences, make it a constant\n1 issue", 1)
    story.reads("a.go").agent(
        "The name of the region stands in four places because every writer spells it, but only one of them reads it."
    )
    story.edits("a.go").runs("golangci-lint run", "0 issues")
    assert kinds(story) == []


def test_every_detector_is_asked(story):
    story.user(REPORT).reads(*["src/a.py"] * 9).agent(CAUSE).edits("src/a.py").runs("pytest", "1 passed")
    story.user("Now please write down in the manual how the regions are exported to the warehouse, with an example")
    story.runs("go test ./...", "--- FAIL: TestExport\n    got nil", 1).agent(CAUSE)
    story.edits("b.go").runs("go test ./...", "ok  \tshop\t0.01s")
    story.runs("gh api /regions", "HTTP 422", 1)
    story.agent("`gh api` rejected the query of the regions, so I'm switching to the other method instead.")
    story.runs("gh api --method GET /regions", "[]")
    assert kinds(story) == ["problem_solution", "error_fix", "deep_investigation", "non_obvious"]


EXPLAINED = "The header of the export is counted twice because the writer adds one, but only when the file is empty."


def test_words_about_the_agents_own_text_must_mark_a_cause(story):
    story.edits("src/export.go", "rows := all", "rows := all[1:]").runs(
        "go test ./...", "--- FAIL: TestExport\n    got 3", 1
    )
    story.reads("src/export.go").agent(EXPLAINED).edits("src/export.go", "rows := all[1:]", "rows := all[2:]").runs(
        "go test ./...", "ok  \tshop\t0.01s"
    )
    assert kinds(story) == []


def test_words_about_what_the_agent_renamed_must_mark_a_cause(story):
    story.edits("src/load.go", "func LoadAllRows()", "func LoadRows()")
    story.runs("go test ./...", "--- FAIL: TestExport\n    export_test.go:3: no such export: LoadAllRows", 1)
    story.reads("src/export.go").agent(EXPLAINED).edits(
        "src/export.go", "header := LoadAllRows()", "header := LoadRows()"
    ).runs("go test ./...", "ok  \tshop\t0.01s")
    assert kinds(story) == []


def test_what_passes_after_an_installation_was_not_mended_by_a_change_of_something_else(story):
    story.runs("npm test", "FAIL src/export.test.ts\n  TypeError: render got 3 arguments", 1).agent(CAUSE)
    story.runs("npm install", "added 3 packages").edits("src/manual.md", "an example", "two examples")
    story.runs("npm test", "3 passed")
    assert kinds(story) == []


def test_changes_that_do_not_fit_together_are_resolved_not_learned_from(story):
    story.runs(
        "git merge main", "Auto-merging a.go\nCONFLICT (content): Merge conflict in a.go\nerror: Merging failed", 1
    )
    story.agent(CAUSE).edits("a.go").runs("git merge main", "Already up to date.")
    assert kinds(story) == []
