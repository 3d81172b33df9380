"""Time sheets: read, add up, print."""

from worklog.duration import format_duration, parse_duration
from worklog.report import describe_duration, text_report
from worklog.sheet import Entry, by_project, parse_sheet, total

__all__ = [
    "Entry",
    "by_project",
    "describe_duration",
    "format_duration",
    "parse_duration",
    "parse_sheet",
    "text_report",
    "total",
]
