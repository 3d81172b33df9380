"""What the tests of this folder work with: candidates by name, a project, an open ledger, the pending file."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from mind_skills.detectors.model import Evidence, Finding
from mind_skills.observations.model import Session
from mind_skills.staging.entry_text import render_entry
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import MAX_PER_OFFER, Candidate, make_candidate
from mind_skills.staging.offer import Offer, assemble_offer, claim_offer
from mind_skills.store.project import resolve_project


def finding(anchor: str, title: str = "", **more: Any) -> Finding:
    evidence = (
        Evidence("problem", "symptom", f"`make` failed: {anchor}", f"$ make\n{anchor}", 3),
        Evidence("success", "verification", "`make` passed", "$ make\nok", 9),
    )
    return Finding(
        **{
            "kind": "error_fix",
            "title": title or f"Error: '{anchor}'",
            "reason": "it failed, then passed",
            "anchor": anchor,
            "evidence": evidence,
            **more,
        }
    )


def candidate(anchor: str, score: float = 1.0, at: int = 100, session: str = "S", **more: Any) -> Candidate:
    where = Session(session_id=session, host="claude-code")
    return make_candidate(finding(anchor, **more), where, confidence="high", at=at, score=score)


def render_offer(candidates: list[Candidate]) -> str:
    """Return the complete offer for up to ``MAX_PER_OFFER`` candidates; claim_offer joins stored entries in the same way."""
    return assemble_offer([render_entry(each) for each in candidates[:MAX_PER_OFFER]])


class Workbench:
    """``home`` is the state folder, ``root`` the project's, ``ledger`` open until the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = str(folder / "state")
        self.root = folder / "repo"
        for name in ("info", "objects", "refs"):  # together with HEAD, all that git requires of a repository
            (self.root / ".git" / name).mkdir(parents=True)
        (self.root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        self.project = resolve_project(str(self.root))
        self.file = self.root / ".claude" / "mind-skills-pending.json"
        self.ledger = Ledger.open(self.home)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ledger.close()

    def stage(self, session: str, *anchors: str, at: int = 100, score: float = 1.0) -> None:
        found = [candidate(anchor, score, at, session) for anchor in anchors]
        self.ledger.stage(self.project, session, "claude-code", found, at)

    def claim(self, session: str, at: int = 200) -> Offer | None:
        return claim_offer(self.home, self.project, session, at)

    def titles(self) -> list[str]:
        """The anchors of the pending candidates, best first."""
        return [c.title.removeprefix("Error: '").rstrip("'") for c in self.ledger.list_pending(self.project)]

    def id(self, anchor: str) -> str:
        return candidate(anchor).id

    def states(self) -> dict[str, str]:
        """The states of candidates that left the list, by anchor."""
        found = self.ledger.list_history(self.project)
        return {r.candidate.title.removeprefix("Error: '").rstrip("'"): r.state for r in found}

    def written(self) -> Any:
        return json.loads(self.file.read_bytes())

    def in_file(self) -> list[str]:
        """The ids in the pending file, empty if there is no file."""
        return [c["id"] for c in self.written()["candidates"]] if self.file.exists() else []

    def edit(self, *without: str, **more: Any) -> None:
        """Save the pending file as a person would, without some candidates."""
        whole = self.written()
        gone = {self.id(anchor) for anchor in without}
        whole["candidates"] = [c for c in whole["candidates"] if c["id"] not in gone]
        self.file.write_text(json.dumps({**whole, **more}), encoding="utf-8")
