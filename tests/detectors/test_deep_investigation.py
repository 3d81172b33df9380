from mind_skills.detectors.deep_investigation import detect
from mind_skills.detectors.timeline import timeline

LOOKS = [
    "src/hooks.go",
    "src/state.go",
    "src/state.go",
    "src/save.go",
    "src/state.go",
    "src/load.go",
    "src/state.go",
    "src/state.go",
]


def found(story):
    return [
        (finding.title, finding.files[0], [(part.role, part.line) for part in finding.evidence])
        for finding in detect(timeline(story.observations))
    ]


def test_a_long_search_that_ends_in_a_verified_root_cause_is_found(story):
    story.user("debug: the token usage isn't produced by the manual strategy any more").reads(*LOOKS)
    story.agent("Found the root cause! The two conversion functions drop the new fields at every save.")
    story.edits("src/state.go").runs("go test ./...", "ok  \tshop\t0.01s")
    assert found(story) == [
        (
            "The two conversion functions drop the new fields at every save.",
            "src/state.go",
            [("symptom", 10), ("cause", 100), ("change", 110), ("verification", 125)],
        )
    ]


def test_an_announced_method_is_no_conclusion(story):
    story.user("debug: the token usage isn't produced by the manual strategy any more")
    story.agent("I start with phase 1, root cause investigation of the token usage.").reads(*LOOKS)
    story.runs("go test ./...", "ok  \tshop\t0.01s")
    assert found(story) == []


def test_of_two_conclusions_the_last_one_counts(story):
    story.user("debug: the token usage isn't produced by the manual strategy any more").reads(*LOOKS)
    story.agent("Found the root cause: the hook reads the transcript before the client has written it.")
    story.reads("src/state.go").agent(
        "The real cause is that the conversion functions drop the new fields at every save."
    )
    story.edits("src/state.go").runs("go test ./...", "ok  \tshop\t0.01s")
    assert [title for title, _, _ in found(story)] == [
        "The real cause is that the conversion functions drop the new fields at every save."
    ]


def test_a_few_looks_are_reading_before_writing(story):
    story.user("the token usage isn't produced by the manual strategy any more").reads(*LOOKS[:4])
    story.agent("Found the root cause! The conversion functions drop the new fields.").edits("src/state.go").runs(
        "go test", "ok  \tshop\t0.01s"
    )
    assert found(story) == []


def test_an_investigation_that_nothing_bears_out_is_silent(story):
    story.user("debug: the token usage isn't produced by the manual strategy any more").reads(*LOOKS)
    story.agent("Found the root cause! The two conversion functions drop the new fields at every save.")
    assert found(story) == []


def test_many_reads_for_a_feature_are_silent(story):
    story.user("Add token usage to the manual strategy and show it in the summary").reads(*LOOKS)
    story.agent("The actual issue is where to put the new field.").edits("src/state.go").runs(
        "go test", "ok  \tshop\t0.01s"
    )
    assert found(story) == []
