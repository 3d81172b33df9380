"""A month of use of two projects, written to a ledger through its own methods; the same each time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from mind_skills.digest.facts import classify_error
from mind_skills.digest.model import Facts, Row
from mind_skills.learning.outcome import Outcome, OutcomeType
from mind_skills.staging.error_meter import SessionError
from mind_skills.staging.ledger import Ledger
from mind_skills.staging.model import Candidate
from mind_skills.staging.offer import claim_offer
from mind_skills.staging.skill_cases import list_signatures
from mind_skills.staging.tables.sessions import SkillUseRecord
from mind_skills.store.project import Project, resolve_project
from tests.testkit.episodes import build_candidate

DAY = 86_400_000
BEGIN = 1_793_491_200_000
"""2026-11-01 at midnight (UTC ms)."""
NOW = BEGIN + 29 * DAY
TROUBLES = (
    (
        "pytest tests/test_prices.py",
        "AssertionError: Decimal('0.1') != 0.1",
        "Prices are built from floats",
        "Pass texts to Decimal",
    ),
    (
        "npm run build",
        "Error: Cannot find module 'vite'",
        "The lock file was made by another npm",
        "Run npm ci with npm 10",
    ),
    (
        "alembic upgrade head",
        "Multiple head revisions are present",
        "Two branches each added a migration",
        "Run alembic merge heads",
    ),
    (
        "docker compose up",
        "bind: address already in use",
        "A container of yesterday holds the port",
        "Run docker compose down first",
    ),
    ("cargo test", "linker `cc` not found", "The image has no C compiler", "Install build-essential in the image"),
    (
        "terraform plan",
        "Error acquiring the state lock",
        "A cancelled job left its lock",
        "Run terraform force-unlock with its id",
    ),
    (
        "pytest tests/test_dates.py",
        "can't compare offset-naive and offset-aware datetimes",
        "The fixture has no time zone",
        "Use datetime.now(UTC) in fixtures",
    ),
    (
        "make docs",
        "WARNING: duplicate label intro",
        "Two pages have the same anchor",
        "Give each page an anchor of its own",
    ),
)
FINE = Outcome("helpful", 0.9, True, 600_000, 0, 0, "succeeded")


def candidate(number: int, at: int, session: str, host: str = "claude-code") -> Candidate:
    """The candidate that a session learned from a trouble."""
    command, error, cause, remedy = TROUBLES[number % len(TROUBLES)]
    more = f" (case {number})" if number >= len(TROUBLES) else ""
    rows = (
        Row(3, 0, "symptom", f"3 run {command}: failed\n  | {error}"),
        Row(7, 0, "cause", f"7 agent: {cause}{more}. {remedy}."),
        Row(12, 0, "verification", f"12 run {command}: ok\n  | ok"),
    )
    facts = Facts(program=command, error=classify_error(error), failures=1, passed=command, passed_again=True)
    files = ("src/shop/prices.py",)
    return build_candidate(f"{error}{more}", session, host, at, last=12, rows=rows, facts=facts, files=files)


class Month:
    """``home`` is the state folder; ``shop`` and ``site`` are the projects."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "state"
        self.shop, self.site = (self.add_project(folder / name) for name in ("shop", "site"))

    def add_project(self, root: Path) -> Project:
        """Create another project in that folder."""
        (root / ".git" / "info").mkdir(parents=True)
        return resolve_project(project_folder=str(root))

    def fill(self) -> None:
        """Record the whole month."""
        with Ledger.open(self.home) as ledger:
            for number in range(len(TROUBLES)):
                place = self.site if number % 3 == 2 else self.shop
                self._record_learning(ledger, place, number, BEGIN + 2 * number * DAY)
            self._record_recurrences(ledger)

    def _record_learning(self, ledger: Ledger, place: Project, number: int, at: int) -> None:
        host = ("claude-code", "codex", "claude-code", "opencode")[number % 4]
        session, next_one = f"learned-{number}", f"told-{number}"
        found = candidate(number, at, session, host)
        self._record_session(ledger, place, session, host, "neutral", at, met=self._make_errors(number, at))
        ledger.stage(place, session, host, [found], at)
        if number in (3, 7):
            return  # these were offered to no session
        ledger.register_session(next_one, host, place, "", at + DAY)
        offer = claim_offer(str(self.home), place, next_one, at + DAY)
        assert offer is not None
        if number in (0, 1, 4):
            skill = Path(place.root) / f".claude/skills/trouble-{number}/SKILL.md"
            skill.parent.mkdir(parents=True)
            skill.write_text(
                f"---\nname: trouble-{number}\ndescription: Use when {number}.\n---\nBody.\n", encoding="utf-8"
            )
            ledger.apply_verdicts(next_one, {found.id: ("accepted", str(skill))}, at + DAY)
        elif number == 2:
            ledger.apply_verdicts(next_one, {found.id: ("dismissed", "Only this branch had two heads.")}, at + DAY)
        elif number == 5:
            ledger.apply_verdicts(next_one, {}, at + DAY)
        if number != 6:
            ledger.finish_session(next_one, at + DAY)

    def _record_recurrences(self, ledger: Ledger) -> None:
        """Record sessions in which the first trouble recurred; most of them loaded its skill."""
        skill = str(Path(self.shop.root) / ".claude/skills/trouble-0/SKILL.md")
        for number in range(14):
            at, loaded = BEGIN + (4 + number * 25 // 14) * DAY, number % 3 != 2
            outcome: OutcomeType = "harmful" if number in (4, 5) else "helpful"
            solved = loaded or number == 2
            uses = [SkillUseRecord("trouble-0", skill, "tool", at, line=2)] if loaded else []
            met = [replace(each, solved_line=9 if solved else 0) for each in self._make_errors(0, at)]
            self._record_session(ledger, self.shop, f"used-{number}", "claude-code", outcome, at, uses, met)

    def _record_session(
        self,
        ledger: Ledger,
        place: Project,
        session: str,
        host: str,
        outcome: OutcomeType,
        at: int,
        uses: list[SkillUseRecord] | None = None,
        met: list[SessionError] | None = None,
    ) -> None:
        ledger.register_session(session, host, place, "", at)
        seen = ledger.find_session(session)
        assert seen is not None
        ledger.store_analysis(seen, uses or [], replace(FINE, type=outcome, at=at), at, met or [])
        ledger.finish_session(session, at)

    def _make_errors(self, number: int, at: int) -> list[SessionError]:
        about = list_signatures(candidate(number, at, "s"))
        return [SessionError(each, 3, at, solved_line=9, steps=4 + number, duration_ms=90_000) for each in about]
