"""What payroll relies on."""

import copy
import inspect
from pathlib import Path

import worklog
from testing.cases import case
from worklog import Entry, duration, parse_sheet, report, sheet


@case
def surface():
    found = {f"call {name}" for name in dir(worklog) if inspect.isfunction(getattr(worklog, name))}
    found |= {f"unit {unit} {minutes}" for unit, minutes in duration.UNITS.items()}
    recorded = set(Path("payroll/surface.txt").read_text().splitlines())
    assert found == recorded, f"not recorded: {sorted(found - recorded)}, gone: {sorted(recorded - found)}"


@case
def everything_public_is_exported():
    for module in (duration, sheet, report):
        for name, value in vars(module).items():
            if inspect.isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_"):
                assert name in worklog.__all__, f"{module.__name__}.{name} is not exported"


@case
def every_unit_has_a_word():
    assert set(report.WORDS) == set(duration.UNITS), f"{list(duration.UNITS)} in words: {list(report.WORDS)}"


@case
def every_unit_is_read_from_a_sheet():
    for unit, minutes in duration.UNITS.items():
        assert parse_sheet(f"garden 3{unit} dug") == [Entry("garden", 3 * minutes, "dug")], unit


@case
def long_times_are_days():
    assert worklog.format_duration(4800) == "10d", worklog.format_duration(4800)


@case
def entries_are_left_alone():
    for name, function in vars(sheet).items():
        if inspect.isfunction(function) and list(inspect.signature(function).parameters)[:1] == ["entries"]:
            entries = [Entry("garden", 5, "dug"), Entry("garden", 7, "dug"), Entry("office", 1)]
            before = copy.deepcopy(entries)
            function(entries)
            assert entries == before, f"{name} changed its entries"
