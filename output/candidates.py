"""The JSON documents of candidates, and texts about them, for commands and tools. Times are UTC milliseconds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from mind_skills.output.document import Report
from mind_skills.output.text import format_path
from mind_skills.settings.lenient import get_cap, should_offer_learnings
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate, Evidence, cap_candidate
from mind_skills.staging.tables.candidates import StoredCandidate
from mind_skills.store.project import Project

PROBABILITY_DIGITS = 4
"""Decimal places of a probability."""
_KIND_LABELS = {
    "problem_solution": "problem and solution",
    "error_fix": "error and fix",
    "deep_investigation": "deep investigation",
    "non_obvious": "not obvious",
}

State = Literal["pending", "offered", "accepted", "dismissed", "ignored", "shelved", "covered"]
"""The state of a candidate.

A `shelved` candidate was dropped from a full list and returns when another session detects it. A `covered` one is covered by an
installed skill and returns when it no longer is.
"""


STATE_LABELS: dict[State, str] = {
    "pending": "waiting",
    "offered": "offered",
    "accepted": "became a skill",
    "covered": "already covered",
    "ignored": "ignored",
    "shelved": "set aside",
    "dismissed": "dismissed",
}
"""Labels of the states, in the order of the filter on the report page."""


class EvidenceReport(Report):
    """A row of the candidate's digest."""

    type: Literal[
        "discovery", "decision", "problem", "solution", "pattern", "warning", "success", "refactor", "bugfix", "feature"
    ]
    role: Literal["symptom", "cause", "change", "verification", "insight", "context"]
    summary: str
    content: str
    line: int


class CandidateReport(Report):
    """A learning that may become a skill. Commands accept its ``id``; ``fingerprint`` is the same for all sightings."""

    id: str
    kind: Literal["problem_solution", "error_fix", "deep_investigation", "non_obvious"]
    title: str
    reason: str
    confidence: Literal["high", "medium"]
    """`high` from a probability of .5 on."""
    probability: float
    """Probability, 0 to 1, that a reader of the whole session would call the candidate a learning."""
    fingerprint: str
    files: list[str]
    evidence: list[EvidenceReport]
    detected_at: int
    session_id: str
    host: str
    outcome: str
    sessions: list[str]
    taint: list[str]
    score: float


class PendingCandidateReport(CandidateReport):
    """A candidate, and when it was offered: ``injectedAt`` is null if it was not offered, or can be offered again."""

    injected_at: int | None


class CoveredReport(Report):
    """A candidate that is not offered because an installed skill already covers it."""

    id: str
    title: str
    skill: str


class ForeignCandidateReport(Report):
    """A candidate in the pending file that is not in the database for this project. It is preserved, but never offered."""

    id: str
    title: str


class ProposalReport(Report):
    """A skill that is proposed for archiving, and why."""

    name: str
    path: str
    candidate: str
    reason: str


class ReceiptReport(Report):
    """Output of `mind-skills accept --json` and `mind-skills dismiss --json`: the decision and its candidate."""

    version: Literal[1] = 1
    done: Literal["accepted", "dismissed"]
    id: str
    title: str
    state: State
    detail: str
    problems: list[str]
    """What a check of the skill found: its form, whether it is about its episode, whether what it names exists."""


def build_candidate_report(candidate: Candidate) -> CandidateReport:
    """Return the document of a candidate.

    The text is redacted again, since it may have been stored by an older version with fewer redaction rules. This
    imports redaction, so `status`, which must start fast, does not call this function.
    """
    candidate = cap_candidate(candidate)
    return CandidateReport.from_object(
        candidate,
        probability=round(candidate.probability, PROBABILITY_DIGITS),
        files=list(candidate.files),
        evidence=[EvidenceReport.from_object(item) for item in candidate.evidence],
        sessions=list(candidate.sessions),
        taint=list(candidate.taint),
    )


_ROLE_LABELS = {
    "symptom": "failed",
    "change": "changed",
    "verification": "passed",
    "cause": "agent",
    "insight": "agent",
    "context": "user",
}
MAX_ROWS = 3


def list_rows(candidate: Candidate | CandidateReport) -> list[tuple[str, str]]:
    """Return at most three rows of a candidate's digest for people, each with a label: what failed, what was done, what bore it out."""
    chosen: dict[str, int] = {}
    evidence: Sequence[Evidence | EvidenceReport] = candidate.evidence
    named = candidate.title.partition(":")[0].split()
    failed = [index for index, item in enumerate(evidence) if item.role == "symptom"]
    first = next((index for index in failed if all(map(evidence[index].content.__contains__, named))), None)
    if first is not None:
        chosen["symptom"] = first  # another program may have failed before the one that the title names
    for index, item in enumerate(evidence):
        if item.role == "context" and not item.content.startswith("user: "):
            continue  # a call that is neither a failure nor a proof
        if item.role == "change" or item.role not in chosen:
            chosen[item.role] = index  # the last change; of the others the first
    order = ("symptom", "change", "verification", "cause", "insight", "context")
    indexes = sorted([chosen[role] for role in order if role in chosen][:MAX_ROWS])
    rows = [(_ROLE_LABELS[evidence[index].role], evidence[index].content) for index in indexes]
    return [(label, _flatten_row(text, label)) for label, text in rows]


def _flatten_row(text: str, label: str) -> str:
    """Return a row on one line, without what its label says: "ok" of what failed is the exit code of the last program of a pipe."""
    call, bar, output = text.partition("\n")
    call = call.removesuffix(" ok") if label == "failed" else call.removeprefix(f"{label}: ")
    return " ".join(f"{call}{bar}{output}".split())


def describe_trust(probability: float) -> str:
    """Return the calibrated probability, and what it means."""
    return f"{probability:.0%} of such episodes are learnings"


def format_waiting(number: int, root: str, *, has_hooks: bool) -> str:
    """Return how many learnings of the project at ``root`` are waiting, and for what; only hooks make offers."""
    verb = "is" if number == 1 else "are"
    if not has_hooks:
        return f"{number} {verb} waiting for your review (no session is offered any, because no hook is installed)"
    if not should_offer_learnings(root):
        return f"{number} {verb} waiting for your review"
    if number > (limit := get_cap(root, "per_offer")):
        return f"{number} {verb} waiting (the next session is offered {limit} at most)"
    return f"{number} {verb} waiting for the next session"


def format_proposal(proposal: ProposalReport, project_option: str) -> str:
    """Return the sentence about a skill that is proposed for archiving; the command in it ends with ``project_option``."""
    archive = f"`mind-skills skills archive {proposal.name}{project_option}`"
    return f"{proposal.name} is failing: {proposal.reason}. Run {archive} to archive it."


def format_kind(kind: str) -> str:
    """Return the kind of a candidate in plain English."""
    return _KIND_LABELS.get(kind, kind)


def build_pending_report(candidate: Candidate) -> PendingCandidateReport:
    """Return the document of a candidate on the pending list."""
    return PendingCandidateReport.from_object(build_candidate_report(candidate), injected_at=candidate.injected_at)


def build_covered_reports(ledger: Ledger, project: Project) -> list[CoveredReport]:
    """Return the documents of the project's candidates that an installed skill covers."""
    return [
        CoveredReport(id=record.candidate.id, title=record.candidate.title, skill=format_path(record.detail))
        for record in ledger.list_covered(project)
    ]


def get_state(record: StoredCandidate) -> State:
    """Return a candidate's state: `offered` if it is pending and was offered to a session that has not answered."""
    return "offered" if record.state == "pending" and record.offered_to else record.state


def build_foreign_candidate_reports(ledger: Ledger, project: Project) -> list[ForeignCandidateReport]:
    """Return the documents of the candidates in the project's pending file that this machine did not add."""
    entries = ledger.list_foreign(project)
    if not entries:
        return []
    from mind_skills.redaction.personal import redact_personal
    from mind_skills.redaction.secrets import redact

    return [
        ForeignCandidateReport(id=redact(str(entry["id"])), title=redact_personal(redact(str(entry.get("title", "")))))
        for entry in entries
    ]
