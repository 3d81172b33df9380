"""What every library of the house has to keep to."""

import copy
import importlib
import inspect

from contract import own_promises, read_file


def surface():
    known = read_file()
    for full, key, value in own_promises():
        if known.get(key) != value:
            state = "differs from" if key in known else "is not in"
            yield f"{full} {state} contract/worklog.sum; `python3 share/runner.pyz record {full}` takes it over"


def words():
    duration, report = (importlib.import_module(f"worklog.{name}") for name in ("duration", "report"))
    if set(report.WORDS) != set(duration.UNITS):
        yield f"units are {list(duration.UNITS)}, but there are words for {list(report.WORDS)}"


def sheets():
    worklog = importlib.import_module("worklog")
    for unit, minutes in importlib.import_module("worklog.duration").UNITS.items():
        line = f"garden 3{unit} dug"
        try:
            found = worklog.parse_sheet(line)
        except ValueError as error:
            yield f"the sheet {line!r} is not read: {error}"
            continue
        if found != [worklog.Entry("garden", 3 * minutes, "dug")]:
            yield f"the sheet {line!r} is read as {found}"


def days():
    found = importlib.import_module("worklog").format_duration(4800)
    if found != "10d":
        yield f"4800 minutes are written as {found}, and payroll reads days"


def untouched():
    worklog, sheet = importlib.import_module("worklog"), importlib.import_module("worklog.sheet")
    for name, function in vars(sheet).items():
        if inspect.isfunction(function) and list(inspect.signature(function).parameters)[:1] == ["entries"]:
            entries = [worklog.Entry("garden", 5, "dug"), worklog.Entry("garden", 7, "dug"), worklog.Entry("office", 1)]
            before = copy.deepcopy(entries)
            function(entries)
            if entries != before:
                yield f"{name} changed its entries"


def run_house():
    results, texts = {}, []
    for rule in (surface, words, sheets, days, untouched):
        found = list(rule())
        results[rule.__name__] = not found
        texts += [f"{rule.__name__}: {text}" for text in found]
    return results, texts
