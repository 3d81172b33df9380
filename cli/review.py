"""`mind-skills review`: go through the pending learnings interactively, with one key per decision."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Sequence
from textwrap import wrap

import click

from mind_skills.cli import options, why
from mind_skills.cli.pending import gather_pending, print_pending
from mind_skills.errors.records import UnknownIdError
from mind_skills.hosts import find_spec
from mind_skills.output import state
from mind_skills.output.candidates import describe_trust, format_kind, get_state, list_rows
from mind_skills.output.text import (
    MAX_PROSE_WIDTH,
    format_count,
    format_time,
    get_terminal_width,
    print_heading,
    print_line,
    print_wrapped,
    strip_control_characters,
)
from mind_skills.staging.model import Candidate
from mind_skills.store.project import Project
from mind_skills.tasks.caller import make_shell_caller, refuse_agents
from mind_skills.tasks.cleaning import make_text_cleaner

MAX_LINES = 3
"""Maximum number of lines of each text, so that a learning and the keys usually fit on a terminal of 24 lines."""
LABEL_WIDTH = 10
KEY_LABELS = {
    "k": "keep",
    "d": "dismiss (asks for a reason)",
    "l": "later",
    "w": "why",
    "o": "open digest",
    "q": "quit",
}
NO_REASON = "dismissed in a review, without a reason"
CTRL_D = "\x04"
"""The character that a terminal sends for Ctrl-D outside line mode."""


_KEY_HELP = (
    ("k", "keep: the next agent writes the skill without asking"),
    ("d", "dismiss it, so that it is not offered again in this project; the reason is optional"),
    ("l", "later: leave it pending"),
    ("w", "why it was noticed, and whether it will be offered"),
    ("o", "open the digest: what happened, line by line"),
    ("q", "quit"),
)


@click.command(
    epilog=options.format_listing("Keys", _KEY_HELP)
    + "\n\n"
    + options.format_examples("mind-skills review", "mind-skills review --project ~/code/shop")
)
@options.project
def command(folder: str) -> None:
    """Go through the pending learnings of this project and decide with one key each.

    Those that are waiting come first, best first; then those that were offered to a session that has not answered.

    Learnings that you keep are offered to the next session before all others, as approved, so that its agent writes the
    skill. Each decision takes effect immediately; `mind-skills undo` reverts the last decision. Without a terminal,
    this command asks nothing: it lists the pending learnings, with the commands that decide about each.
    """
    project = state.resolve_project_option(folder)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        _print_commands(project, state.format_project_option(project.root) if folder else "")
        return
    refuse_agents(project)
    with state.open_ledger(create=False) as ledger:
        state.update_pending_list(ledger, project)
        pending = ledger.list_pending(project)
    undecided = [candidate for candidate in pending if not candidate.approved]
    undecided.sort(key=lambda candidate: candidate.injected_at is not None)  # those that are waiting come first
    if not undecided:
        print_line(f"There is nothing to decide in {project.root}.")
        if pending:
            verb = "is" if len(pending) == 1 else "are"
            print_line(f"{format_count(len(pending), 'learning')} that you kept {verb} still pending.")
        return
    Review(project, undecided).run()


def _print_commands(project: Project, project_option: str) -> None:
    """Print the pending learnings, and for each undecided one the commands that decide about it."""
    with state.open_ledger(create=False) as ledger:
        report = gather_pending(ledger, project)
        undecided_ids = {candidate.id for candidate in ledger.list_pending(project) if not candidate.approved}
    print_pending(report, project_option)
    if not undecided_ids:
        return
    print_line()
    print_wrapped(
        "If you do nothing, the agent that is offered a learning decides about it. To decide yourself, run the first of its two "
        "commands to dismiss it, or the second if you have written the skill."
    )
    for candidate in sorted(report.candidates, key=lambda each: each.injected_at is not None):
        if candidate.id in undecided_ids:
            print_line()
            print_line(f'mind-skills dismiss {candidate.id} --reason "..."{project_option}')
            print_line(f"mind-skills accept {candidate.id} --skill PATH{project_option}")


class Review:
    """An interactive review of the candidates of a project. While it waits for a key, the database is closed."""

    def __init__(self, project: Project, candidates: Sequence[Candidate]) -> None:
        self.project = project
        self.candidates = candidates
        self.project_option = state.format_project_option(project.root)
        self.decision_counts: Counter[str] = Counter()
        self.width = min(MAX_PROSE_WIDTH, get_terminal_width())

    def run(self) -> None:
        """Ask about each candidate. Print a summary at the end, even after an interruption. Raises StoreError."""
        try:
            for number, candidate in enumerate(self.candidates, 1):
                self._print_card(number, candidate)
                if not self._decide(number, candidate):
                    break
        finally:
            self._print_summary()

    def _decide(self, number: int, candidate: Candidate) -> bool:
        """Ask until the user decides about the candidate, skips it or quits. Return False to quit."""
        while True:
            key = ask_key("  ".join(f"{each} {label}" for each, label in KEY_LABELS.items()) + "\n> ")
            if key in ("l", "q"):
                return key == "l"
            try:
                if key == "k":
                    self._keep(candidate)
                    return True
                if key == "d":
                    return self._dismiss(candidate)
                if key in ("w", "o"):
                    self._print_why(candidate) if key == "w" else self._print_digest(candidate)
                    print_line()
                    print_heading(_shorten(self._format_title(number, candidate), self.width, 1)[0])
                else:
                    print_line(f"Press one of {', '.join(KEY_LABELS)}.")
            except UnknownIdError:
                print_line("This learning is no longer pending: a new analysis of its session did not find it.")
                return True

    def _keep(self, candidate: Candidate) -> None:
        with state.open_ledger(create=False) as ledger:
            record = ledger.approve(candidate.id, state.read_clock(), self.project)
            report = why.explain_candidate(ledger, record, self.project, self.project_option)
        if record.state != "pending":
            print_line(f"This learning is no longer pending: it is now {get_state(record)}.")
            return
        self.decision_counts["kept"] += 1
        if report.offerable:
            print_wrapped("Kept. The next session is offered this learning first, and its agent writes the skill.")
        else:
            print_wrapped(f"Kept. {report.verdict}")
        accept = f"`mind-skills accept {candidate.id} --skill PATH{self.project_option}`"
        print_wrapped(f"If you write the skill yourself, run {accept}.")

    def _dismiss(self, candidate: Candidate) -> bool:
        """Ask for the reason and dismiss the candidate. Return False, without dismissing it, if the input ends instead."""
        from mind_skills.tasks.decide import MAX_REASON_LENGTH, DismissInput, dismiss
        from mind_skills.tasks.tool_input import validate_arguments

        answer = ask_line("Why? (Enter for no reason) ")
        if answer is None:
            return False
        reason = make_text_cleaner(MAX_REASON_LENGTH, single_line=True)(answer[: 2 * MAX_REASON_LENGTH])
        arguments = validate_arguments(DismissInput, {"id": candidate.id, "reason": reason or NO_REASON})
        dismiss(arguments, make_shell_caller(self.project.root))
        self.decision_counts["dismissed"] += 1
        print_line("Dismissed: it will not be offered again in this project.")
        return True

    # -- output ----------------------------------------------------------------------------------------------------------

    def _format_title(self, number: int, candidate: Candidate) -> str:
        offered = (
            "" if candidate.injected_at is None else f", already offered on {format_time(candidate.injected_at)[:10]}"
        )
        return f"{number} of {len(self.candidates)}{offered}: {candidate.title}"

    def _print_card(self, number: int, candidate: Candidate) -> None:
        print_line()
        for text in _shorten(self._format_title(number, candidate), self.width, MAX_LINES):
            print_heading(text)
        print_line()
        rows = [(label.capitalize(), text) for label, text in list_rows(candidate)]
        rows += [("Trust", _describe_trust(candidate)), ("Seen", _describe_sightings(candidate))]
        for label, text in rows:
            for index, part in enumerate(_shorten(text, self.width - LABEL_WIDTH, MAX_LINES)):
                print_line(f"  {'' if index else label:{LABEL_WIDTH - 2}}{part}")
        print_line()

    def _print_why(self, candidate: Candidate) -> None:
        with state.open_ledger(create=False) as ledger:
            record = ledger.find_candidate(candidate.id, self.project)
            report = why.explain_candidate(ledger, record, self.project, self.project_option)
        print_line()
        why.print_explanation(report, self.project_option)

    def _print_digest(self, candidate: Candidate) -> None:
        from mind_skills.output.digests import show_digests

        with state.open_ledger(create=False) as ledger:
            report = show_digests(ledger, self.project, [candidate.id])
        print_line()
        print_line("\n".join(each.text for each in report.sessions))

    def _print_summary(self) -> None:
        decisions = ", ".join(f"{number} {name}" for name, number in self.decision_counts.items())
        remaining = len(self.candidates) - self.decision_counts.total()
        print_line()
        if not decisions:
            print_wrapped(f"Nothing was decided; {format_count(remaining, 'learning')} left.")
            return
        suffix = f"; {remaining} left" if remaining else ""
        undo = f"`mind-skills undo{self.project_option}`"
        print_wrapped(f"{decisions[:1].upper()}{decisions[1:]}{suffix}. {undo} reverts the last decision.")


def _shorten(text: str, width: int, limit: int) -> list[str]:
    """Wrap ``text`` to at most ``limit`` lines of ``width`` characters (at least 20), with an ellipsis if it is cut."""
    parts = wrap(" ".join(strip_control_characters(text).split()), max(width, 20), break_on_hyphens=False)
    if len(parts) > limit:
        parts = [*parts[: limit - 1], parts[limit - 1][: max(width, 20) - 2].rstrip() + " …"]
    return parts or [""]


def _describe_trust(candidate: Candidate) -> str:
    taint = f"; rests on others' text ({', '.join(candidate.taint)})" if candidate.taint else ""
    return f"{describe_trust(candidate.probability)}; {format_kind(candidate.kind)}{taint}"


def _describe_sightings(candidate: Candidate) -> str:
    spec = find_spec(candidate.host)
    sessions = format_count(len(candidate.sessions), "session")
    offered = "not offered yet"
    if candidate.injected_at is not None:
        offered = f"offered to a session on {format_time(candidate.injected_at)}"
    return f"in {sessions} of {spec.title if spec else candidate.host}; {offered}"


# -- keys ----------------------------------------------------------------------------------------------------------------


def ask_key(prompt: str) -> str:
    """Print ``prompt`` and return the next key in lower case, or `q` at the end of input.

    Input from before the prompt is discarded. If the terminal cannot read single keys, that input is not discarded, and
    the first character of the next line is returned, or an empty string if the line is empty. Raises KeyboardInterrupt.
    """
    key = _read_key(prompt)
    if key is None:
        answer = ask_line(f"{prompt}(and Enter) ")
        return "q" if answer is None else answer.strip()[:1].lower()
    _write(f"{key if key.isprintable() else ''}\n")
    return "q" if key in ("", CTRL_D) else key.lower()


def ask_line(prompt: str) -> str | None:
    """Print ``prompt`` and return the next line, or None at the end of input. Raises KeyboardInterrupt."""
    _write(prompt)
    answer = sys.stdin.readline()
    if not answer:
        _write("\n")
    return answer.rstrip("\r\n") if answer else None


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
        if key in ("\x00", "\xe0"):  # an arrow or function key, which has two codes
            msvcrt.getwch()
            return "\x1b"
        if key == "\x03":
            raise KeyboardInterrupt
        return key

else:

    def _read_key(prompt: str) -> str | None:
        """Return the key, an empty string at the end of input, or None if the terminal cannot read single keys."""
        import termios
        import tty

        terminal = sys.stdin.fileno()
        try:
            settings = termios.tcgetattr(terminal)
            tty.setcbreak(terminal)  # discards earlier input
        except termios.error:
            return None
        try:
            _write(prompt)
            data = os.read(terminal, 64)  # several bytes if an arrow key was pressed or text was pasted
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, settings)
        return data.decode("utf-8", "replace")[:1]
