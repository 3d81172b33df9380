"""What comes out of the memory, as documents and as lines that an agent reads.

The words were written by some session, agent or person: in a text they are a quotation in one line, marked with what is
known of them, and can neither open a heading nor look like a tag.
"""

from __future__ import annotations

from collections.abc import Iterable

from mind_skills.memory.model import Hit, Kind
from mind_skills.output.text import quoted
from mind_skills.tasks.tool_report import ToolReport

CONTENT, TASK = 300, 120
"""Characters of a record's content, and of its task, in a line of text."""
WHOLE = 600
"""Characters of each in a document, in one line as well: a model reads all of a tool's answer."""
_KINDS: dict[Kind, str] = {
    "pattern": "pattern",
    "anti_pattern": "AVOID",
    "learning": "learned",
    "episode": "tried",
}
_NO_TAGS = str.maketrans({"<": "‹", ">": "›", "`": "'"})


class RecalledReport(ToolReport):
    """A record that was found, the best first. ``is_negative`` says that it is to be avoided.

    ``score`` is likeness times trust. ``taint`` names what it rests on ("web", "mcp"): such a one may say anything.
    ``source`` is who stored it, ``success`` how its task came out, null where nobody knows.
    """

    id: str
    kind: Kind
    content: str
    task: str
    is_negative: bool
    score: float
    success: bool | None
    source: str
    taint: list[str]


def report(hit: Hit) -> RecalledReport:
    """A hit as a document."""
    record = hit.record
    return RecalledReport(
        id=record.id,
        kind=record.kind,
        content=in_line(record.content, WHOLE),
        task=in_line(record.task, WHOLE),
        is_negative=record.is_negative,
        score=round(hit.score, 3),
        success=record.success,
        source=record.source,
        taint=[part for part in record.taint.split(",") if part],
    )


def distinct(hits: Iterable[Hit]) -> list[RecalledReport]:
    """Hits as documents, of those that say the same the best: three tasks may have been summed up in the same words."""
    found: dict[tuple[Kind, str], RecalledReport] = {}
    for hit in hits:
        found.setdefault((hit.record.kind, hit.record.content), report(hit))
    return list(found.values())


def lines(found: Iterable[RecalledReport]) -> list[str]:
    """Each as one line for an agent."""
    return [_line(each) for each in found]


def in_line(text: str, limit: int) -> str:
    """``text`` in one line of at most ``limit`` characters that opens no tag."""
    flat = " ".join(text.split()).translate(_NO_TAGS)
    return flat if len(flat) <= limit else f"{flat[: limit - 3]}..."


def _line(each: RecalledReport) -> str:
    marks = [_KINDS[each.kind]]
    if each.kind == "episode" and each.success is not None:
        marks.append("succeeded" if each.success else "failed")
    marks += [f"unverified: rests on {part}" for part in each.taint]
    task = f" (task: {_quoted(each.task, TASK)})" if each.task else ""
    return f"- [{', '.join(marks)}] {_quoted(each.content, CONTENT)}{task}"


def _quoted(text: str, limit: int) -> str:
    return quoted(text.translate(_NO_TAGS), limit)
