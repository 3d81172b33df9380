from testing.cases import case
from worklog import Entry, by_project, parse_sheet, total

SHEET = """
garden 1d 2h planted the hedge
office 45m mail
garden 30m
"""


@case
def lines_become_entries():
    assert parse_sheet(SHEET) == [
        Entry("garden", 600, "planted the hedge"),
        Entry("office", 45, "mail"),
        Entry("garden", 30),
    ]


@case
def a_line_without_duration_is_named():
    try:
        parse_sheet("garden 1h\noffice mail")
    except ValueError as error:
        assert str(error) == "line 2: no duration"
    else:
        raise AssertionError("it was accepted")


@case
def sums():
    entries = parse_sheet(SHEET)
    assert total(entries) == 675
    assert by_project(entries) == {"garden": 630, "office": 45}
