from testing.cases import case
from worklog import format_duration, parse_duration


@case
def one_unit():
    assert parse_duration("45m") == 45
    assert parse_duration("2h") == 120
    assert parse_duration("1d") == 480


@case
def several_units():
    assert parse_duration("1d 2h 5m") == 605


@case
def nonsense_is_refused():
    for text in ("", "h", "2x", "2 h", "1d,2h"):
        try:
            parse_duration(text)
        except ValueError:
            continue
        raise AssertionError(f"{text!r} was accepted")


@case
def largest_unit_first():
    assert format_duration(605) == "1d 2h 5m"
    assert format_duration(0) == "0m"
    assert format_duration(960) == "2d"
