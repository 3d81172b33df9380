"""What `mind-skills status` says, gathered from the ledger, the settings and the hosts.

People and agents ask for it again and again, so what there is nothing of is not imported either.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from mind_skills.cli.status_report import CountsReport, CriterionReport, SkillReport, StatusReport
from mind_skills.output import state
from mind_skills.output.candidates import foreign_reports
from mind_skills.settings.lenient import enabled, files
from mind_skills.settings.strict import problems
from mind_skills.setup.doctor.loops import loops
from mind_skills.watch.instance import read_holder

if TYPE_CHECKING:
    from mind_skills.staging.ledger import Ledger
    from mind_skills.staging.tables.candidates import Record
    from mind_skills.store.project import Project

ERRORS, TAIL = 5, 64 * 1024
"""How many of the last errors of hooks are shown, and in how many bytes at the end of the log they are looked for."""
RECENT = 5
"""How many of the skills that came of offers are listed."""


def status(place: Project) -> StatusReport:
    """How things stand in a project and on this machine now. Raises StoreError, OSError."""
    with state.open_ledger() as ledger:
        state.catch_up(ledger, place)
        accepted = ledger.list_by_state(place, "accepted")
        report = StatusReport(
            project=place.root,
            enabled=enabled(place.root),
            **_pause(ledger.home, place),
            pending=len(ledger.list_pending(place)),
            unfinished=ledger.count_unfinished(place),
            counts=_counts(ledger, place),
            criteria=_criteria(ledger, place),
            skills=_skills(ledger, accepted),
            **_scores(ledger, place, accepted),
            loops=loops(ledger.list_activity(), ledger.home),
            watching=read_holder(ledger.home),
            foreign=foreign_reports(ledger, place),
            problems=[],
            hook_errors=_hook_errors(ledger.home),
            state_folder=ledger.home,
            pending_file=state.pending_file(place),
            config_files=[path for path in reversed(files(place.root)) if os.path.lexists(path)],
        )
        why, mend = state.withheld(ledger, place)
        report.problems = [*problems(place.root), *dict.fromkeys(ledger.problems), *([f"{why}. {mend}"] if why else [])]
        ledger.problems.clear()  # said here, and so not on stderr as well
    return report


def _counts(ledger: Ledger, project: Project) -> CountsReport:
    told = ledger.count_receipts(project)
    ended = ledger.list_states(project)
    states = list(ended.values())
    return CountsReport(
        fired=sum(told.get("staged", {}).values()),
        staged=sum(ended.get(candidate) != "merged" for candidate in told.get("staged", {})),
        covered=states.count("covered"),
        offered=len(told.get("offered", {})),
        accepted=states.count("accepted"),
        dismissed=states.count("dismissed"),
        ignored=states.count("ignored"),
        used=len(told.get("used", {})),
    )


def _criteria(ledger: Ledger, place: Project) -> list[CriterionReport]:
    if not ledger.has_decisions():
        return []
    from mind_skills.learning.rules import learning_of

    told = learning_of(place.root)
    return [
        CriterionReport(
            criterion=name,
            accepted=found.helpful_count,
            dismissed=found.harmful_count,
            weight=round(found.weight, 3),
        )
        for name, found in ledger.weigh_detectors(state.now(), told).items()
    ]


def _skills(ledger: Ledger, accepted: list[Record]) -> list[SkillReport]:
    """The last skills that came of candidates, the newest first."""
    return [_skill(ledger, record) for record in reversed([each for each in accepted if each.detail][-RECENT:])]


def _skill(ledger: Ledger, record: Record) -> SkillReport:
    from mind_skills.hooks import receipts
    from mind_skills.learning.skills.files import read_text

    offer = ledger.find_offer(record.offered_to) if record.offered_to else None
    return SkillReport(
        id=record.candidate.id,
        name=receipts.skill_name(record.detail),
        path=record.detail,
        trigger=receipts.skill_trigger(read_text(record.detail)),
        at=record.settled_at,
        host=record.candidate.host,
        offer_tokens=None if offer is None else receipts.estimate_tokens(offer.text),
    )


def _scores(ledger: Ledger, project: Project, accepted: list[Record]) -> dict[str, Any]:
    """What is proposed for the archive and how many stand there, and whether skills help; little work where there are none."""
    found: dict[str, Any] = {"proposed": [], "archived": len(ledger.list_archived(project)), "proof": None}
    if ledger.has_harmful_use(project):
        from mind_skills.cli.skill_list import listed, proposals

        found["proposed"] = proposals(listed(ledger, project, state.now()))
    if accepted and ledger.list_errors_met(project):
        from mind_skills.cli.proving import proof

        helps = proof(ledger, project, accepted=accepted).overall
        found["proof"] = helps if helps.with_skill.n + helps.without.n else None
    return found


def _pause(home: str, project: Project) -> dict[str, Any]:
    """Whether hooks do nothing for a while, and since when."""
    from mind_skills.plugin import pausing

    everywhere, here = pausing.paused_since(home), pausing.paused_since(home, project.id)
    if everywhere is not None:
        return {"paused": "everywhere", "paused_since": everywhere}
    return {"paused": "" if here is None else "project", "paused_since": here}


def _hook_errors(home: str) -> list[str]:
    """The last lines of the hooks' log, oldest first; none where there is no log."""
    from mind_skills.plugin.hooklog import log_path

    try:
        with open(log_path(home), "rb") as log:
            log.seek(0, 2)
            log.seek(max(0, log.tell() - TAIL))
            lines = log.read().decode("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return []
    return lines[-ERRORS:]
