"""Collect the evidence for an episode: its first and last observations, the sources of its text, and others up to the limit."""

from __future__ import annotations

from dataclasses import dataclass

from mind_skills.detectors.composing.context import EpisodeContext
from mind_skills.detectors.composing.quotes import Sentence
from mind_skills.detectors.composing.remedy import find_result_line
from mind_skills.detectors.composing.sentences import (
    is_plan,
    join_command_lines,
    score_sentence,
    split_sentences,
    truncate,
)
from mind_skills.detectors.model import Evidence, EvidenceType, Role
from mind_skills.detectors.words import extract_tokens
from mind_skills.observations.model import Observation

MAX_EVIDENCE, MAX_SUMMARY_LENGTH, MAX_CONTENT_LENGTH = 6, 200, 500
_STATEMENT_TYPES: dict[Role, EvidenceType] = {
    "symptom": "problem",
    "verification": "success",
    "cause": "discovery",
    "insight": "discovery",
    "change": "bugfix",
}


@dataclass(frozen=True, slots=True)
class EpisodeParts:
    """Parts of an episode's text and the indexes of their observations; -1 or None stands for a missing part."""

    failure_index: int | None
    symptom: str
    complaint_index: int | None
    complaint: str
    causes: tuple[Sentence, ...]
    remedies: tuple[Sentence, ...]
    change_index: int
    remedy: str
    proof_index: int
    closing: Sentence | None


def collect_evidence(context: EpisodeContext, parts: EpisodeParts) -> tuple[Evidence, ...]:
    """Return at most six entries, ascending by line, one per observation; the first and last lines bracket the episode."""
    causes = [cause.position for cause in parts.causes[:2]]
    remedies = [remedy.position for remedy in parts.remedies]
    ranked: list[int | None] = [
        context.first,
        context.last,
        *causes[:1],
        *remedies[:1],
        parts.failure_index,
        parts.change_index,
    ]
    ranked += [*causes[1:], *remedies[1:], parts.complaint_index]
    ranked += [parts.closing.position if parts.closing else None, parts.proof_index]
    ranked += [context.closing_message, *context.nearby_statements[-3:], *reversed(context.changes)]
    ranked += [*reversed(context.statements), *reversed(context.failures)]
    indexes = list(dict.fromkeys(index for index in ranked if index is not None and index >= 0))[:MAX_EVIDENCE]
    evidence = (_build_evidence(context, index, parts) for index in indexes)
    return tuple(sorted(evidence, key=lambda entry: (entry.line, entry.statement_line)))


def _build_evidence(context: EpisodeContext, index: int, parts: EpisodeParts) -> Evidence:
    observation = context.get_observation(index)
    start, end = context.get_observation(context.first).line, _get_end_line(context.get_observation(context.last))
    line = start if index < context.first else end if index >= context.last else max(start, min(observation.line, end))
    if observation.kind != "tool":
        statement_line = 0 if context.first <= index <= context.last else observation.line
        return _build_statement_evidence(context, index, parts, line, statement_line)
    if observation.change and observation.action in ("edit", "write"):
        return _build_change_evidence(observation, parts.remedy if index == parts.change_index else "", line)
    if index == parts.proof_index:
        return _build_pass_evidence(observation, line)
    if observation.error or index == parts.failure_index:
        return _build_failure_evidence(
            observation, parts.symptom if index == parts.failure_index else observation.error, line
        )
    name = truncate(join_command_lines(observation.command or observation.tool), MAX_SUMMARY_LENGTH - 2)
    content = _join_distinct(f"$ {name}", observation.text[:MAX_CONTENT_LENGTH])
    return Evidence("warning", "context", f"`{name}`", content, line)


def _get_end_line(observation: Observation) -> int:
    return observation.end_line or observation.line


def _build_pass_evidence(observation: Observation, line: int) -> Evidence:
    command = truncate(join_command_lines(observation.command), MAX_SUMMARY_LENGTH - 9)
    result = find_result_line(observation.text)
    tail = observation.text[-(MAX_CONTENT_LENGTH - len(command) - len(result) - 4) :]
    content = _join_distinct(f"$ {command}", result, tail)
    return Evidence("success", "verification", f"`{command}` passed", content, line)


def _build_failure_evidence(observation: Observation, message: str, line: int) -> Evidence:
    """Build the evidence of a failure. Its content is the command, the error, and the output around ``message``.

    The error is on the second line, where staging/skill_cases.py reads it.
    """
    command = join_command_lines(observation.command or observation.tool)
    offset = observation.text.find(message[:60])
    excerpt = observation.text[max(0, offset - 40) : offset + MAX_CONTENT_LENGTH].strip()
    error = observation.error or message
    summary = truncate(f"`{truncate(command, 90)}` failed: {error}", MAX_SUMMARY_LENGTH)
    content = f"$ {truncate(command, 240)}\n{error}\n{excerpt}"[:MAX_CONTENT_LENGTH]
    return Evidence("problem", "symptom", summary, content, line)


def _build_change_evidence(observation: Observation, remedy: str, line: int) -> Evidence:
    path = observation.files[0] if observation.files else truncate(join_command_lines(observation.command), 120)
    name = path.rpartition("/")[2] if observation.files else truncate(path, 60)
    rows = observation.change.split("\n")
    if remedy:
        words = extract_tokens(remedy)
        rows = sorted(rows[:200], key=lambda row: -len(extract_tokens(row) & words))
    return Evidence("bugfix", "change", f"changed {name}", _join_distinct(path, "\n".join(rows)), line)


def _build_statement_evidence(
    context: EpisodeContext, index: int, parts: EpisodeParts, line: int, statement_line: int
) -> Evidence:
    observation = context.get_observation(index)
    quoted = [cause.text for cause in parts.causes if cause.position == index]
    has_remedy = any(remedy.position == index for remedy in parts.remedies)
    role: Role = "cause" if quoted else "change" if has_remedy else "insight"
    for sentence in (*parts.remedies, parts.closing):
        if sentence is not None and sentence.position == index and not any(sentence.text in other for other in quoted):
            quoted.append(sentence.text)
    if observation.kind == "user":
        role = "verification" if index == parts.proof_index else "cause" if quoted else "symptom"
        quoted += [parts.complaint] if index == parts.complaint_index and parts.complaint not in quoted else []
    # Not every message of the user is in their own words: a client sends an accepted plan as one.
    speaker = "user" if observation.source == "user" else "agent"
    content = _select_sentences(context, observation, quoted)
    summary = truncate(f"{speaker}: {' '.join(quoted) or content}", MAX_SUMMARY_LENGTH)
    return Evidence(_STATEMENT_TYPES[role], role, summary, content, line, statement_line)


def _select_sentences(context: EpisodeContext, observation: Observation, quoted: list[str]) -> str:
    """Return the ``quoted`` sentences of a statement and as many others as fit, highest weight first.

    Sentences that repeat tool output are included, because staging/provenance.py has to check them.
    """
    others = [
        sentence for sentence in split_sentences(observation.text) if not any(sentence in other for other in quoted)
    ]
    others.sort(
        key=lambda sentence: (
            -context.weigh_text(sentence) * score_sentence(sentence) * (0.5 if is_plan(sentence) else 1.0)
        )
    )
    content = "\n".join(quoted)
    for sentence in others:
        if len(content) + len(sentence) < MAX_CONTENT_LENGTH:
            # One sentence per line, so that a fragment does not run into the next sentence.
            content = f"{content}\n{sentence}".strip()
    return truncate(content or " ".join(observation.text.split()), MAX_CONTENT_LENGTH)


def _join_distinct(*parts: str) -> str:
    """Join parts with newlines, skip those that an earlier part contains, and cut at ``MAX_CONTENT_LENGTH`` characters."""
    distinct: list[str] = []
    for part in parts:
        if part and not any(part in other for other in distinct):
            distinct.append(part)
    return "\n".join(distinct)[:MAX_CONTENT_LENGTH]
