"""`mind-skills review`: a person goes through what waits, and decides with one key each."""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from textwrap import wrap

import click

from mind_skills.cli import options, show
from mind_skills.errors import MindSkillsError
from mind_skills.errors.records import UnknownIdError
from mind_skills.hosts import find_spec
from mind_skills.output import state
from mind_skills.output.candidates import kind_text, state_of
from mind_skills.output.state import choose_project
from mind_skills.output.text import count, heading, line, paragraph, path_text, printable, when
from mind_skills.staging.model import RULE, Candidate
from mind_skills.store.project import Project
from mind_skills.tasks.caller import make_shell_caller, refuse_agents
from mind_skills.tasks.decide import REASON, DismissInput, dismiss
from mind_skills.tasks.tool_input import ID, text_cleaner, validate_arguments

WIDTH = 100
"""Columns of a text: wider lines are hard to read, whatever the terminal allows."""
LINES = 3
"""Lines of each text, so that a learning with its keys fits into a screen of 24; `o` prints all."""
LABEL = 10
KEYS = {"k": "keep", "r": "refuse", "l": "later", "w": "why", "o": "open evidence", "q": "quit"}
NO_REASON = "refused in a review, without a reason"
END = "\x04"
"""Ctrl-D, as a terminal sends it where it does not wait for a line."""


_WHAT_KEYS_DO = (
    ("k", "keep: it is to become a skill, and the next agent need not ask"),
    ("r", "refuse it for good, with a reason if you like"),
    ("l", "later: it goes on waiting, like all that is not decided"),
    ("w", "why it was noticed and where it stands: `mind-skills show`"),
    ("o", "open the evidence: what in the session speaks for it"),
    ("q", "quit"),
)


@click.command(
    epilog=options.listing("Keys", _WHAT_KEYS_DO)
    + "\n\n"
    + options.examples("mind-skills review", "mind-skills review --project ~/code/shop")
)
@options.project
def command(project: str) -> None:
    """Go through the learnings that wait in this project, the best first, and decide with one key each.

    What you keep is told to the next session first, with the word that you agreed, so that its agent writes the skill.
    Each decision holds at once, and `mind-skills undo` takes back the last one. This asks a person, so it needs a
    terminal; programs use `pending`, `dismiss` and `accept`.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        hint = "Use `mind-skills pending`, `mind-skills dismiss ID` and `mind-skills accept ID` here."
        raise MindSkillsError("usage", "review asks a person, and this is no terminal", hint)
    place = choose_project(project)
    refuse_agents(place)
    with state.open_ledger() as ledger:
        state.catch_up(ledger, place)
        waiting = ledger.list_pending(place)
    undecided = [candidate for candidate in waiting if not candidate.approved]
    if not undecided:
        line(f"Nothing waits for a decision in {place.root}.")
        if waiting:
            line(f"{count(len(waiting), 'learning')} that you kept will be told to the next session.")
        return
    Review(place, undecided).run()


class Review:
    """One walk through the candidates of a project. No database is open while it waits for a key."""

    def __init__(self, place: Project, candidates: Sequence[Candidate]) -> None:
        self.place = place
        self.candidates = candidates
        self.decided: Counter[str] = Counter()
        self.width = min(WIDTH, shutil.get_terminal_size().columns)

    def run(self) -> None:
        """Ask about each, and say at the end what was decided, also where it is interrupted. Raises StoreError."""
        try:
            for number, candidate in enumerate(self.candidates, 1):
                self._print_card(number, candidate)
                if not self._decide(number, candidate):
                    break
        finally:
            self._print_end()

    def _decide(self, number: int, candidate: Candidate) -> bool:
        """Ask until there is a decision about one; False to quit."""
        while True:
            key = ask_key("  ".join(f"{each} {word}" for each, word in KEYS.items()) + "\n> ")
            if key in ("l", "q"):
                return key == "l"
            try:
                if key == "k":
                    self._keep(candidate)
                    return True
                if key == "r":
                    self._refuse(candidate)
                    return True
                if key in ("w", "o"):
                    self._print_why(candidate) if key == "w" else self._print_evidence(candidate)
                    line()
                    heading(_shorten(self._name(number, candidate), self.width, 1)[0])
                else:
                    line(f"Press one of {', '.join(KEYS)}.")
            except UnknownIdError:
                line("It waits no longer: its session was looked at again, and shows it no more.")
                return True

    def _keep(self, candidate: Candidate) -> None:
        with state.open_ledger() as ledger:
            record = ledger.approve(candidate.id, state.now(), self.place)
            report = show.explain_candidate(ledger, record, self.place)
        if record.state != "pending":
            line(f"It was decided meanwhile: it is {state_of(record)}.")
            return
        self.decided["kept"] += 1
        if report.offerable:
            self._print_text("Kept. The agent of the next session is told first, and writes the skill.")
        else:
            self._print_text(f"Kept. {report.verdict}")
        self._print_text(f"If you write it yourself: mind-skills accept {candidate.id} --skill PATH")

    def _refuse(self, candidate: Candidate) -> None:
        given = text_cleaner(ID, line=True)(ask_line("Why? (Enter for no reason) ")[: 2 * REASON])
        arguments = validate_arguments(DismissInput, {"id": candidate.id, "reason": given or NO_REASON})
        dismiss(arguments, make_shell_caller(self.place.root))
        self.decided["refused"] += 1
        line("Refused for good.")

    # -- what is printed -------------------------------------------------------------------------------------------------

    def _name(self, number: int, candidate: Candidate) -> str:
        return f"{number} of {len(self.candidates)}: {candidate.title}"

    def _print_card(self, number: int, candidate: Candidate) -> None:
        line()
        for text in _shorten(self._name(number, candidate), self.width, LINES):
            heading(text)
        line()
        rows = {
            "Symptom": candidate.symptom,
            "Cause": candidate.cause,
            "Remedy": candidate.remedy,
            "Proof": candidate.proof,
            "Sure": _describe_trust(candidate),
            "Seen": _describe_sightings(candidate),
        }
        for label, text in rows.items():
            for nth, part in enumerate(_shorten(text or "not stated", self.width - LABEL, LINES)):
                line(f"  {'' if nth else label:{LABEL - 2}}{part}")
        line()

    def _print_why(self, candidate: Candidate) -> None:
        line()
        click.get_current_context().invoke(show.command, name=f"candidate:{candidate.id}", project=self.place.root)

    def _print_evidence(self, candidate: Candidate) -> None:
        with state.open_ledger() as ledger:
            seen = ledger.find_session(candidate.session_id)
        log = path_text(seen.log) if seen is not None and seen.log else f"the log of session {candidate.session_id}"
        line()
        line(f"From {log}. What follows is data, not instructions.")
        for item in candidate.evidence:
            line(f"line {item.line}: {item.role}")
            for part in printable(f"{item.summary}\n{item.content}").splitlines():
                paragraph(part, self.width, bar=True)
        line("End of the data.")

    def _print_end(self) -> None:
        done = ", ".join(f"{number} {what}" for what, number in self.decided.items())
        rest = len(self.candidates) - self.decided.total()
        line()
        if not done:
            self._print_text(f"Nothing was decided; {count(rest, 'learning')} still wait{'s' if rest == 1 else ''}.")
            return
        waits = f"; {rest} still wait{'s' if rest == 1 else ''}" if rest else ""
        self._print_text(f"{done[:1].upper()}{done[1:]}{waits}. `mind-skills undo` takes back the last decision.")

    def _print_text(self, text: str) -> None:
        for part in wrap(printable(text), self.width, break_on_hyphens=False, break_long_words=False):
            line(part)


def _shorten(text: str, width: int, most: int) -> list[str]:
    """``text`` in at most so many lines of ``width`` columns, the last with an ellipsis if something is missing."""
    parts = wrap(" ".join(printable(text).split()), max(width, 20), break_on_hyphens=False)
    if len(parts) > most:
        parts = [*parts[: most - 1], parts[most - 1][: max(width, 20) - 2].rstrip() + " …"]
    return parts or [""]


def _describe_trust(candidate: Candidate) -> str:
    found = show.measured_tier(candidate.confidence) if candidate.kind != RULE else {}
    measured = f": {float(found['precision']):.0%} of such were right" if found else ""
    doubt = f"; rests on text of others ({', '.join(candidate.taint)})" if candidate.taint else ""
    return f"{candidate.confidence} confidence{measured}; {kind_text(candidate.kind)}{doubt}"


def _describe_sightings(candidate: Candidate) -> str:
    known = find_spec(candidate.host)
    often = "one session" if len(candidate.sessions) == 1 else f"{len(candidate.sessions)} sessions"
    told = "no session was told of it yet"
    if candidate.injected_at is not None:
        told = f"a session that goes on was told of it on {when(candidate.injected_at)}"
    return f"in {often} of {known.title if known else candidate.host}; {told}"


# -- keys ----------------------------------------------------------------------------------------------------------------


def ask_key(prompt: str) -> str:
    """Print ``prompt`` and return the key that is pressed then, in lower case; `q` where the input has ended.

    What was typed before the question counts for nothing. Where the terminal gives no single keys, it is the first letter
    of a line. Raises KeyboardInterrupt.
    """
    key = _read_key(prompt)
    if key is None:
        answer = ask_line(f"{prompt}(and Enter) ", end="q")
        return answer.strip()[:1].lower()
    _write(f"{key if key.isprintable() else ''}\n")
    return "q" if key in ("", END) else key.lower()


def ask_line(prompt: str, end: str = "") -> str:
    """Print ``prompt`` and return the line that is typed; ``end`` where the input has ended. Raises KeyboardInterrupt."""
    _write(prompt)
    answer = sys.stdin.readline()
    if not answer:
        _write("\n")
    return answer.rstrip("\r\n") if answer else end


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


if sys.platform == "win32":

    def _read_key(prompt: str) -> str | None:
        import msvcrt

        while msvcrt.kbhit():
            msvcrt.getwch()
        _write(prompt)
        key = msvcrt.getwch()
        if key in ("\x00", "\xe0"):  # an arrow or a function key: two codes
            msvcrt.getwch()
            return "\x1b"
        if key == "\x03":
            raise KeyboardInterrupt
        return key

else:

    def _read_key(prompt: str) -> str | None:
        """The key, empty where the input has ended; None where this terminal gives no single keys."""
        import termios
        import tty

        terminal = sys.stdin.fileno()
        try:
            before = termios.tcgetattr(terminal)
            tty.setcbreak(terminal)  # throws away what was typed before
        except termios.error:
            return None
        try:
            _write(prompt)
            typed = os.read(terminal, 64)  # an arrow key comes as several bytes, a paste as many
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)
        return typed.decode("utf-8", "replace")[:1]
