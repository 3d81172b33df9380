"""The report on the parts of a scan, aggregated by pyarrow, and its HTML page."""

from __future__ import annotations

import importlib
import os
from typing import Any

from mind_skills.errors import MindSkillsError
from mind_skills.fleet.document import (
    Dimension,
    FleetErrorReport,
    FleetGroupReport,
    FleetLearningReport,
    FleetReport,
    FleetSkillReport,
    ReasonReport,
    ShareReport,
)
from mind_skills.fleet.folder import ScanFolder
from mind_skills.fleet.rows import READ, SET_ASIDE, make_schema
from mind_skills.learning.statistics import compute_newcombe_interval, compute_wilson_interval

MAX_ROWS = 200
CLEAR_OUTCOMES = ("helpful", "neutral", "harmful")
_SPREAD = {"sessions": "session", "projects": "project", "hosts": "host", "weeks": "week"}
"""The columns that are counted, by the name of their number in the report."""
_SPREAD_COUNTS = [(column, "count_distinct") for column in _SPREAD.values()]
_COLUMNS = "entry log changed status reason session project host model week outcome minutes tries findings errors skills".split()
TEMPLATES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")
Table = Any
"""A pyarrow.Table. pyarrow is an extra, and type checkers do not know its types without it."""


def summarise(folder: ScanFolder, by: Dimension, min_projects: int) -> FleetReport:
    """Summarise the parts of a scan. Raises MindSkillsError if there is no scan, or a part is damaged."""
    folder.require_scan()
    arrow: Any = importlib.import_module("pyarrow")
    compute: Any = importlib.import_module("pyarrow.compute")
    whole_schema = make_schema()
    schema = arrow.schema([whole_schema.field(name) for name in _COLUMNS])
    try:
        table = arrow.concat_tables([schema.empty_table(), *folder.read_parts(_COLUMNS)])
    except arrow.ArrowException as error:
        reason = f"a file in {folder.parts} is not from this version of mind-skills: {error}"
        raise MindSkillsError("no_scan", reason, "Delete that file and scan again.") from error
    table = _replace_empty_with_null(_drop_outdated_rows(table))
    set_aside = _group(table.filter(compute.field("status") == SET_ASIDE), ["reason"], [([], "count_all")])
    sessions = table.filter(compute.field("status") == READ)
    findings, errors, skills = (_flatten(sessions, name) for name in ("findings", "errors", "skills"))
    learnings = _list_learnings(findings, min_projects)
    error_reports = _list_errors(errors, min_projects)
    skill_reports = _list_skills(sessions, skills, min_projects)
    groups = _list_groups(sessions, findings, errors, by)
    return FleetReport(
        **_count_spread(sessions),
        findings=findings.num_rows,
        min_projects=min_projects,
        set_aside=[ReasonReport(reason=row["reason"], files=row["count_all"]) for row in set_aside],
        learnings_total=len(learnings),
        learnings=learnings[:MAX_ROWS],
        errors_total=len(error_reports),
        errors=error_reports[:MAX_ROWS],
        skills_total=len(skill_reports),
        skills=skill_reports[:MAX_ROWS],
        by=by,
        groups_total=len(groups),
        groups=groups[:MAX_ROWS],
    )


def _drop_outdated_rows(table: Table) -> Table:
    """Drop older rows of logs that were scanned again, and rows of files that were set aside and later read."""
    arrow: Any = importlib.import_module("pyarrow")
    compute: Any = importlib.import_module("pyarrow.compute")
    is_aside = compute.equal(table["status"], SET_ASIDE)
    later_read = compute.is_in(table["entry"], value_set=table["entry"].filter(compute.invert(is_aside)))
    table = table.filter(compute.invert(compute.and_(is_aside, later_read)))
    if compute.count_distinct(table["log"]).as_py() == table.num_rows:
        return table
    keys = arrow.table({"log": table["log"], "changed": table["changed"], "at": list(range(table.num_rows))})
    order = keys.sort_by([("log", "ascending"), ("changed", "ascending"), ("at", "ascending")])
    newest = order.group_by("log", use_threads=False).aggregate([("at", "last")])
    return table.take(newest["at_last"].combine_chunks().sort())


def _replace_empty_with_null(table: Table) -> Table:
    """Replace an empty project, host or week with null: unlike an empty string, null is not counted as a distinct value."""
    compute: Any = importlib.import_module("pyarrow.compute")
    for name in ("project", "host", "week"):
        column = compute.if_else(compute.equal(table[name], ""), None, table[name])
        table = table.set_column(table.column_names.index(name), name, column)
    return table


def _flatten(sessions: Table, name: str) -> Table:
    """Return the rows of a nested column, each with the columns of its session that rows are grouped by."""
    compute: Any = importlib.import_module("pyarrow.compute")
    arrow: Any = importlib.import_module("pyarrow")
    column = sessions[name].combine_chunks()
    if isinstance(column, arrow.ChunkedArray):
        column = arrow.concat_arrays(column.chunks) if column.num_chunks else arrow.array([], column.type)
    parents, nested = compute.list_parent_indices(column), compute.list_flatten(column)
    owners = sessions.select(["session", "project", "host", "model", "week", "outcome"]).take(parents)
    for field, values in zip(nested.type, nested.flatten(), strict=True):
        owners = owners.append_column(field.name, values)
    return owners


def _group(table: Table, keys: list[str], sums: list[Any]) -> list[dict[str, Any]]:
    groups: list[dict[str, Any]] = table.group_by(keys).aggregate(sums).to_pylist()
    return sorted(groups, key=lambda group: [str(group[key]) for key in keys])


def _count_spread(table: Table) -> dict[str, Any]:
    compute: Any = importlib.import_module("pyarrow.compute")
    return {name: compute.count_distinct(table[column]).as_py() for name, column in _SPREAD.items()}


def _make_spread(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[f"{column}_count_distinct"] for name, column in _SPREAD.items()}


def _list_learnings(findings: Table, min_projects: int) -> list[FleetLearningReport]:
    compute: Any = importlib.import_module("pyarrow.compute")
    is_family = compute.not_equal(findings["family"], "")
    findings = findings.append_column("joined", compute.if_else(is_family, findings["family"], findings["exact"]))
    findings = findings.append_column("is_family", is_family)
    texts = [(name, "min") for name in ("kind", "code", "error_class", "words", "program")]
    sums = [("tries", "sum"), ("minutes", "sum"), ("probability", "max")]
    rows = _group(findings, ["joined", "is_family"], [*_SPREAD_COUNTS, *texts, *sums])
    learnings = [
        FleetLearningReport(
            **_make_spread(row),
            key=row["joined"],
            joined_by="family" if row["is_family"] else "exact",
            **{name: row[f"{name}_min"] for name, _ in texts},
            probability=round(row["probability_max"], 4),
            tries=row["tries_sum"],
            minutes=round(row["minutes_sum"], 1),
        )
        for row in rows
        if row["project_count_distinct"] >= min_projects
    ]
    return sorted(learnings, key=lambda each: (-each.projects, -each.sessions, -each.probability, each.key))


def _list_errors(errors: Table, min_projects: int) -> list[FleetErrorReport]:
    texts = [(name, "min") for name in ("code", "error_class", "words")]
    rows = _group(errors, ["key"], [*_SPREAD_COUNTS, *texts, ("tries", "sum"), ("minutes", "sum"), ("solved", "sum")])
    reports = [
        FleetErrorReport(
            **_make_spread(row),
            key=row["key"],
            **{name: row[f"{name}_min"] for name, _ in texts},
            tries=row["tries_sum"],
            minutes=round(row["minutes_sum"], 1),
            solved=row["solved_sum"],
        )
        for row in rows
        if row["project_count_distinct"] >= min_projects
    ]
    return sorted(reports, key=lambda each: (-each.minutes, -each.tries, each.key))


def _list_skills(sessions: Table, skills: Table, min_projects: int) -> list[FleetSkillReport]:
    """Compare the sessions that loaded each skill with the other sessions of the projects in which it was loaded."""
    arrow: Any = importlib.import_module("pyarrow")
    compute: Any = importlib.import_module("pyarrow.compute")
    clear = compute.is_in(sessions["outcome"], value_set=arrow.array(CLEAR_OUTCOMES))
    totals = {row["project"]: row for row in _group(_mark_outcomes(sessions.filter(clear)), ["project"], _OUTCOMES)}
    clear = compute.is_in(skills["outcome"], value_set=arrow.array(CLEAR_OUTCOMES))
    counted = _group(_mark_outcomes(skills.filter(clear)), ["key", "project"], _OUTCOMES)
    reports: list[FleetSkillReport] = []
    for row in _group(skills, ["key"], [("name", "min"), ("project", "count_distinct"), ("project", "distinct")]):
        if row["project_count_distinct"] < min_projects:
            continue
        own = [each for each in counted if each["key"] == row["key"] and each["project"] is not None]
        n, helpful = sum(each["count_all"] for each in own), sum(each["helpful_sum"] for each in own)
        project_totals = [totals[name] for name in row["project_distinct"] if name in totals]
        other_n = sum(each["count_all"] for each in project_totals) - n
        other_helpful = sum(each["helpful_sum"] for each in project_totals) - helpful
        low, high = compute_newcombe_interval(helpful, n, other_helpful, other_n)
        reports.append(
            FleetSkillReport(
                key=row["key"],
                name=row["name_min"],
                projects=row["project_count_distinct"],
                loaded=_make_share(helpful, n),
                others=_make_share(other_helpful, other_n),
                difference=round(helpful / n - other_helpful / other_n, 4) if n and other_n else None,
                low=round(low, 4),
                high=round(high, 4),
            )
        )
    return sorted(reports, key=lambda each: (-each.loaded.n, each.key))


_OUTCOMES: list[Any] = [([], "count_all"), ("helpful", "sum"), ("harmful", "sum")]


def _mark_outcomes(table: Table) -> Table:
    compute: Any = importlib.import_module("pyarrow.compute")
    for outcome in ("helpful", "harmful"):
        table = table.append_column(outcome, compute.equal(table["outcome"], outcome))
    return table


def _make_share(helpful: int, n: int) -> ShareReport:
    low, high = compute_wilson_interval(helpful, n)
    return ShareReport(
        n=n, helpful=helpful, share=round(helpful / n, 4) if n else None, low=round(low, 4), high=round(high, 4)
    )


def _list_groups(sessions: Table, findings: Table, errors: Table, by: Dimension) -> list[FleetGroupReport]:
    rows = _group(_mark_outcomes(sessions), [by], [*_OUTCOMES, ("minutes", "sum"), ("tries", "sum")])
    finding_counts = {row[by]: row["count_all"] for row in _group(findings, [by], [([], "count_all")])}
    error_counts = {row[by]: row["count_all"] for row in _group(errors, [by], [([], "count_all")])}
    groups = [
        FleetGroupReport(
            name=row[by] or "",
            sessions=row["count_all"],
            findings=finding_counts.get(row[by], 0),
            errors=error_counts.get(row[by], 0),
            tries=row["tries_sum"],
            minutes=round(row["minutes_sum"], 1),
            helpful=row["helpful_sum"],
            harmful=row["harmful_sum"],
        )
        for row in rows
    ]
    return sorted(groups, key=lambda each: each.name if by == "week" else f"{10**12 - each.sessions:013} {each.name}")


def render_page(report: FleetReport) -> str:
    """Render the page, in the style of `mind-skills report`, with a Content-Security-Policy that allows only that."""
    from jinja2 import FileSystemLoader
    from markupsafe import Markup

    from mind_skills.report.page import hash_source, make_environment, read_template

    environment = make_environment()
    environment.loader = FileSystemLoader(TEMPLATES)
    style = read_template("page.css")
    policy = f"default-src 'none'; style-src '{hash_source(style)}'; base-uri 'none'; form-action 'none'"
    return environment.get_template("fleet.html").render(
        report=report,
        policy=policy,
        style=Markup(style),  # noqa: S704 -- our own file
    )
