"""`mind-skills undo`: revert the last decision or vote."""

from __future__ import annotations

from typing import NamedTuple, cast

from mind_skills.cli import options
from mind_skills.cli.patterns import ProjectPatterns, open_patterns
from mind_skills.errors import MindSkillsError
from mind_skills.learning.credit import Decision
from mind_skills.output import state
from mind_skills.output.candidates import STATE_LABELS, State, get_state
from mind_skills.output.text import emit, format_path, format_time, print_line
from mind_skills.staging.decisions import Undoable
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.tables.archived import ArchivedSkill
from mind_skills.store.project import Project


class Reverted(NamedTuple):
    """The decision that was reverted, or would be with ``--dry-run``."""

    done: str
    subject: str
    what: str
    id: str
    title: str
    state: str
    detail: str
    session: str
    at: int


_DECISION_TEXTS = {
    "accepted": "accepted as a skill",
    "dismissed": "dismissed",
    "approved": "kept",
    "vote": "a vote",
    "deprecated": "deprecated",
    "reset": "reset",
    "pinned": "pinned",
    "unpinned": "no longer pinned",
    "archived": "archived",
}


@options.top_level_command("mind-skills undo --dry-run", "mind-skills undo")
@options.dry_run
@options.project_and_json
def command(dry_run: bool, folder: str, as_json: bool) -> None:
    """Revert the last decision in this project, whoever made it.

    A decision is to keep, accept or dismiss a candidate, to archive a skill, to deprecate, reset or pin a strategy
    manually, or the vote of a session on a strategy. The previous state of the candidate, skill or strategy is
    restored. A reverted vote does not return when its session is analysed again. Run the command again to revert the
    decision before that.
    """
    project = state.resolve_project_option(folder)
    with state.open_ledger(create=False) as ledger, open_patterns(project) as patterns:
        report = find_last_decision(ledger, patterns, project)
        if report is not None and not dry_run:
            report = revert_decision(report, ledger, patterns, project)
    if report is None:
        hint = "No decision was made in this project, or all were reverted. Use --project DIR for another project."
        raise MindSkillsError("nothing_to_undo", f"there is nothing to undo in {project.root}", hint)
    emit(report._asdict(), as_json, lambda: _print_report(report))


def _print_report(report: Reverted) -> None:
    is_undone = report.done == "undone"
    result = f"{report.id} {'is' if is_undone else 'would be'} {report.state} again"
    if report.subject == "candidate":
        state_text = STATE_LABELS[cast(State, report.state)]
        result = f"{report.id} {'is' if is_undone else 'would be'} back in its earlier state: {state_text}"
    if report.subject == "skill":
        result = f"{report.id} {'is' if is_undone else 'would be'} back in {report.detail}"
    if report.state == "gone":
        result = f"{report.id} {'is' if is_undone else 'would be'} removed"
    print_line(f"{'Undone' if is_undone else 'Would undo'}: {result}.\n  {report.title}")
    author = f" by session {report.session}" if report.session else ""  # a person, or a watch that found the skill
    print_line(f"  {_DECISION_TEXTS[report.what]}{author}, {format_time(report.at)}")


def find_last_decision(ledger: Ledger, patterns: ProjectPatterns, project: Project) -> Reverted | None:
    """Return the newest decision of the project, which ``revert_decision`` reverts, or None."""
    candidate, decision = ledger.find_last_undoable(project), patterns.credit.get_last_decision(project.id)
    archived = next(iter(ledger.list_archived(project)), None)
    others = [candidate.receipt.at if candidate is not None else 0, decision.at if decision is not None else 0]
    if archived is not None and archived.at >= max(others):
        return _build_skill_report(archived)
    if candidate is not None and (decision is None or candidate.receipt.at >= decision.at):
        return _build_candidate_report(candidate)
    return None if decision is None else _build_pattern_report(patterns, decision)


def revert_decision(report: Reverted, ledger: Ledger, patterns: ProjectPatterns, project: Project) -> Reverted:
    """Revert the newest decision of the project, which is ``report``. Raises StoreError, OSError, and MindSkillsError if
    the original folder of an archived skill exists.
    """
    now = state.read_clock()
    if report.subject == "skill":
        from mind_skills.cli.skills import restore_skill  # `--dry-run` does not need it

        targets = [each.target for each in ledger.list_archived(project) if format_path(each.source) == report.detail]
        restore_skill(ledger, project, next(iter(targets), report.id), now)
        return report._replace(done="undone")
    if report.subject == "candidate":
        record = ledger.undo(now, project)
        from mind_skills.staging import memory_records  # `--dry-run` does not need the memory

        memory_records.sync_accepted_records(ledger, project, now)
        if record is not None:
            report = report._replace(state=get_state(record), detail=record.detail)
        return report._replace(done="undone")
    patterns.credit.undo(project.id)
    patterns.update_derived(now)
    return report._replace(done="undone")


def _build_candidate_report(decision: Undoable) -> Reverted:
    receipt, record, earlier = decision
    candidate, done = record.candidate, "would_undo"
    state_before, what = get_state(earlier), receipt.event
    return Reverted(
        done,
        "candidate",
        what,
        candidate.id,
        candidate.title,
        state_before,
        earlier.detail,
        receipt.session,
        receipt.at,
    )


def _build_skill_report(archived: ArchivedSkill) -> Reverted:
    place = format_path(archived.source)
    return Reverted("would_undo", "skill", "archived", archived.name, archived.reason, "in use", place, "", archived.at)


def _build_pattern_report(patterns: ProjectPatterns, decision: Decision) -> Reverted:
    previous = decision.before
    patterns_by_id = {each.pattern.id: each.pattern for each in patterns.credit.list_standings(patterns.project.id)}
    pattern = previous.pattern or patterns_by_id.get(decision.pattern_id)
    state_before = (
        patterns.credit.compute_state_before(decision, now=state.read_clock()) if previous.pattern else "gone"
    )
    title, name = pattern.content if pattern is not None else "", decision.pattern_id.rpartition("/")[2]
    return Reverted("would_undo", "pattern", decision.what, name, title, state_before, "", decision.source, decision.at)
