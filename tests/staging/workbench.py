"""What the tests of this folder work with: candidates by name, a project, an open ledger, the pending file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from mind_skills.digest.model import EpisodeDigest, Facts, Row
from mind_skills.observations.model import Session
from mind_skills.staging.entry import render_entry
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import MAX_PER_OFFER, Candidate, cap_candidate, make_candidate
from mind_skills.staging.offer import Offer, assemble_offer, claim_offer
from mind_skills.store.project import resolve_project


def episode(error: str, **more: Any) -> EpisodeDigest:
    """An episode that ``error`` identifies: `make` failed, and passed later."""
    fields: dict[str, Any] = {
        "first_line": 3,
        "last_line": 9,
        "kind": "error_fix",
        "patterns": ("red_to_green",),
        "probability": 0.9,
        "facts": Facts(program="make", failures=1, passed="make", passed_again=True),
        "rows": (
            Row(3, 5, "symptom", f"3>5 run make: failed\n  | {error}"),
            Row(9, 9, "verification", "9 run make: ok"),
        ),
        "error": error,
    }
    return EpisodeDigest(**{**fields, **more})


def candidate(error: str, score: float = 1.0, at: int = 100, session: str = "S", **changes: Any) -> Candidate:
    """The candidate of ``episode(error)``; ``score`` is fixed."""
    where = Session(session_id=session, host="claude-code")
    made = make_candidate(episode(error), where, at=at, session_facts="claude-code 2026-01-02", digest_length=800)
    return cap_candidate(replace(made, **{"score": score, "probability": 0.0, "parts": {}, **changes}))


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

    def stage(self, session: str, *errors: str, at: int = 100, score: float = 1.0) -> None:
        found = [candidate(error, score, at, session) for error in errors]
        self.ledger.stage(self.project, session, "claude-code", found, at)

    def claim(self, session: str, at: int = 200) -> Offer | None:
        return claim_offer(self.home, self.project, session, at)

    def errors(self) -> list[str]:
        """The errors of the pending candidates, best first."""
        return [each.error for each in self.ledger.list_pending(self.project)]

    def id(self, error: str) -> str:
        return candidate(error).id

    def states(self) -> dict[str, str]:
        """The states of candidates that left the list, by error."""
        return {record.candidate.error: record.state for record in self.ledger.list_history(self.project)}

    def written(self) -> Any:
        return json.loads(self.file.read_bytes())

    def in_file(self) -> list[str]:
        """The ids in the pending file, empty if there is no file."""
        return [c["id"] for c in self.written()["candidates"]] if self.file.exists() else []

    def edit(self, *without: str, **more: Any) -> None:
        """Save the pending file as a person would, without some candidates."""
        whole = self.written()
        gone = {self.id(error) for error in without}
        whole["candidates"] = [c for c in whole["candidates"] if c["id"] not in gone]
        self.file.write_text(json.dumps({**whole, **more}), encoding="utf-8")
