from testing.cases import case
from worklog import Entry, describe_duration, text_report


@case
def durations_in_words():
    assert describe_duration(540) == "1 day, 1 hour"
    assert describe_duration(0) == "nothing"
    assert describe_duration(3) == "3 minutes"


@case
def a_line_for_each_project():
    text = text_report([Entry("garden", 60), Entry("office", 5)])
    assert text.splitlines() == ["garden      1h", "office      5m", "total       1h 5m"]
