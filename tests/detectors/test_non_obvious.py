from mind_skills.detectors.non_obvious import detect
from mind_skills.detectors.timeline import timeline


def found(story):
    return [
        (finding.title, [(part.role, part.line) for part in finding.evidence])
        for finding in detect(timeline(story.observations))
    ]


def test_a_command_that_did_the_opposite_and_the_way_that_works_are_found(story):
    story.runs('tracker create "second" --deps "blocks:first"', "created")
    story.agent("`tracker create` takes `blocks:` in the opposite direction, so I'm correcting the edges now.")
    story.runs("tracker dep add second first", "second depends on first")
    assert found(story) == [
        (
            "`tracker create` takes `blocks:` in the opposite direction, so I'm correcting the edges now.",
            [("symptom", 10), ("insight", 20), ("verification", 30)],
        )
    ]


def test_a_failing_command_and_another_endpoint_that_works_are_found(story):
    story.runs("gh pr edit 12 --body x", "GraphQL: Projects (classic) is being deprecated", 1)
    story.agent("`gh pr edit` is currently failing on a deprecated field, so I'm switching to the REST endpoint.")
    story.runs("gh api repos/o/r/pulls/12 -X PATCH -f body=x", "12")
    assert [roles for _, roles in found(story)] == [[("symptom", 10), ("insight", 20), ("verification", 30)]]


def test_narration_without_a_surprise_is_silent(story):
    story.runs("gh pr list", "12")
    story.agent("The list is short, so I'm reading the first one instead of all.").runs("gh pr view 12", "text")
    assert found(story) == []


def test_a_surprise_that_nothing_came_of_is_silent(story):
    story.runs("git push --force origin main", "remote: error: GH013: rule violations", 1)
    story.agent("GitHub rejected the push, so I'm leaving the branch as it is instead.")
    assert found(story) == []


def test_a_condition_is_no_surprise(story):
    story.runs("tracker sync", "ok")
    story.agent("If `tracker sync` does not show the change, I'll report that instead of guessing.")
    story.runs("tracker list --all", "1")
    assert found(story) == []


def test_the_same_command_run_again_is_no_cure(story):
    story.runs("tracker sync", "Error: lock held by another process", 1)
    story.agent("`tracker sync` failed because of a lock, so I'm retrying with patience.").runs("tracker sync", "ok")
    assert found(story) == []


def test_a_guessed_flag_that_the_help_corrects_is_silent(story):
    story.runs("tracker list --full", "Error: unknown flag: --full", 1)
    story.agent("`tracker list` does not support that flag, so I'm using another instead.").runs(
        "tracker list --all", "1"
    )
    assert found(story) == []


def test_an_insight_in_thinking_alone_is_silent(story):
    story.runs("tracker list", "50 rows")
    story.thinks("`tracker list` is capped and silently drops rows, so I'm using the limit flag instead.")
    story.runs("tracker list --limit 0", "80 rows")
    assert found(story) == []


def test_a_review_that_lists_faults_of_code_is_silent(story):
    story.runs("gh pr diff 9", "+ code")
    story.agent("Review: " + "the parser drops tokens, use a table instead. " * 30).runs(
        "gh pr review 9 --approve", "ok"
    )
    assert found(story) == []
