"""Every setting: its default, its bounds and what it does. docs/configuration.md and `config list` come from here.

A value is right or wrong by ``Setting.problem``, for the reader of the hooks (settings/lenient.py) and the strict one
(settings/strict.py) alike. Standard library only: hooks run where nothing is installed.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing alone costs the hot path more than a bare interpreter
    from collections.abc import Callable

Value = bool | int | float | str

FOLDER_LENGTH, FOLDER_SIGNS = 60, 4
"""Characters of a folder for skills, and how many dashes, underscores, dots and slashes it may hold: a sentence has more."""
PREFIX = "anti_pattern.anti_pattern_prefix"
PREFIX_LENGTH, PREFIX_FORM = 20, r"[^\W_]+(?: [^\W_]+){0,2} ?[:!\uff1a]? ?"
"""One to three words: it stands before every warning that an agent reads, and a project's file may be anybody's."""
INDEX_FORM = r"^(\.?[A-Za-z0-9_-][A-Za-z0-9._-]*/)*\.?[A-Za-z0-9_-][A-Za-z0-9._-]*\.lance$|^$"
MODEL_FORM = r"^[^\x00-\x1f\x7f]*$"


class Setting:
    """One setting. A value is of the type of ``default``; a number lies from ``least`` to ``most``, both included."""

    __slots__ = ("default", "least", "most", "text", "wrong_text")

    def __init__(
        self,
        default: Value,
        text: str,
        least: float = 0,
        most: float = 0,
        wrong_text: Callable[[str], str] = lambda _: "",
    ) -> None:
        """``text`` says what it does; ``wrong_text`` what is wrong with a text, empty for nothing."""
        self.default, self.text, self.least, self.most, self.wrong_text = default, text, least, most, wrong_text

    def problem(self, value: object) -> str:
        """What is wrong with a value; empty for nothing."""
        kind = type(self.default)
        if kind is bool:
            return "" if isinstance(value, bool) else "should be a valid boolean"
        if kind is str:
            return self._wrong(value) if isinstance(value, str) else "should be a valid string"
        name = "integer" if kind is int else "number"
        if isinstance(value, bool) or not isinstance(value, int if kind is int else (int, float)):
            return f"should be a valid {name}"
        if isinstance(value, float) and not -float("inf") < value < float("inf"):
            return "should be a finite number"
        if value < self.least:
            return f"should be greater than or equal to {number(self.least)}"
        return "" if value <= self.most else f"should be less than or equal to {number(self.most)}"

    def _wrong(self, value: str) -> str:
        try:
            value.encode()
        except UnicodeEncodeError:
            return "should be a valid string, unable to parse raw data as a unicode string"
        return self.wrong_text(value)


def number(value: float) -> str:
    """A bound as a person writes it."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def is_folder(value: object) -> bool:
    """Whether this names a folder inside a project, and not in git's, in characters that carry no meaning for an agent or a shell.

    It is told to agents, so a folder may not be long enough to be a sentence. No regular expression: the start of a
    session passes through here.
    """
    if not isinstance(value, str) or not 0 < len(value) <= FOLDER_LENGTH or not value.isascii():
        return False
    if sum(value.count(sign) for sign in "-_./") > FOLDER_SIGNS:
        return False
    return all(
        part.lower() not in ("", ".", ".git")
        and not part.startswith("..")
        and all(c.isalnum() or c in "._-" for c in part)
        for part in value.split("/")
    )


def _wrong_folder(text: str) -> str:
    most = f"a folder for skills holds at most {FOLDER_SIGNS} dashes, underscores, dots and slashes"
    return "" if is_folder(text) else most


def _wrong_prefix(text: str) -> str:
    import re

    right = len(text) <= PREFIX_LENGTH and re.fullmatch(PREFIX_FORM, text)
    return "" if right else "a warning begins with one to three words and a colon"


def _wrong_index(text: str) -> str:
    if any(part.startswith("..") for part in text.split("/")):
        return "an index stands inside the project"
    if len(text) > 100:
        return f"Value should have at most 100 items after validation, not {len(text)}"
    return _unlike(INDEX_FORM, text)


def _wrong_model(text: str) -> str:
    return "String should have at most 400 characters" if len(text) > 400 else _unlike(MODEL_FORM, text)


def _unlike(form: str, text: str) -> str:
    import re

    return "" if re.fullmatch(form, text) else f"String should match pattern '{form}'"


def _wrong_writing(text: str) -> str:
    return "" if text in WRITING else f"should be one of {', '.join(WRITING)}"


SKILLS = ".claude/skills"
WRITING = ("ask", "auto", "never")
"""As in staging/frame.py, which stands above this; a test compares."""
TABLE: dict[str, Setting] = {
    "enabled": Setting(True, "Whether mind-skills works; `false` in a project switches it off there."),
    "idle_seconds": Setting(60, "The least time between two checkpoints of one session, in seconds.", 10, 3600),
    "retention_days": Setting(
        365, "How long what is over and old is remembered, in days; only the user's own file counts.", 30, 36_500
    ),
    "redact_personal_data": Setting(
        True,
        "Whether e-mail addresses, telephone, account, card and identity numbers, and the names in home paths"
        " are taken out of what is staged, remembered or told; only the user's own file counts.",
    ),
    "learn_from_decisions": Setting(
        True, "Whether what you accept, dismiss and pass over in a project shifts what is told there, within bounds."
    ),
    "user_rules": Setting(
        False,
        "Whether a lasting rule that you state in a session is told the next one, for the project's file of"
        " instructions, one a session at most; only the user's own file counts. Off, because in labelled sessions only about"
        " half of what was told was one (docs/detection.md).",
    ),
    "write_skills": Setting(
        WRITING[0],
        "Who decides whether a skill is written of a learning: `ask` has the agent ask you, or, where nobody is there to"
        " answer, write the certain ones; `auto` has it write the certain ones by itself; `never` keeps what waits for your"
        " review and hands none of it to an agent.",
        wrong_text=_wrong_writing,
    ),
    # At most ten wait in a project, whatever is set.
    "caps.per_session": Setting(
        2, "The most of one session that is told; the rest waits until another session sees it.", 1, 5
    ),
    "caps.per_offer": Setting(5, "The most that one session is told of.", 1, 5),
    "skills_dir.claude-code": Setting(SKILLS, "For Claude Code.", wrong_text=_wrong_folder),
    "skills_dir.opencode": Setting(
        SKILLS, "For OpenCode, which reads Claude Code's folder too.", wrong_text=_wrong_folder
    ),
    "skills_dir.codex": Setting(".agents/skills", "For Codex.", wrong_text=_wrong_folder),
    "skills_dir.gemini": Setting(
        ".agents/skills", "For Gemini CLI, which reads Codex's folder too.", wrong_text=_wrong_folder
    ),
    "learning.half_life_days": Setting(90.0, "After so many days a decision counts half.", 1.0, 36_500.0),
    "learning.min_feedback_for_adjustment": Setting(3, "Below so many decisions a detector weighs 1.", 1, 1_000),
    "learning.max_harmful_ratio": Setting(
        0.3, "A detector of which more than this share was dismissed is reported as deprecated.", 0.0, 1.0
    ),
    "learning.fast_completion_threshold_ms": Setting(
        300_000, "A session shorter than this was fast, in milliseconds.", 1_000, 86_400_000
    ),
    "learning.slow_completion_threshold_ms": Setting(
        1_800_000, "A session longer than this was slow, in milliseconds.", 1_000, 86_400_000
    ),
    "learning.max_errors_neutral": Setting(
        2, "Up to so many errors score as middling (in the documents `maxErrorsForHelpful`).", 0, 1_000
    ),
    "anti_pattern.min_observations": Setting(3, "A strategy is judged from so many sessions on.", 1, 1_000),
    "anti_pattern.failure_ratio_threshold": Setting(
        0.6, "From this share of failed sessions on it becomes a warning.", 0.0, 1.0
    ),
    PREFIX: Setting("AVOID: ", "How a warning begins: one to three words and a colon.", wrong_text=_wrong_prefix),
    "maturity.min_feedback": Setting(3, "Below so many votes it is a candidate.", 1, 1_000),
    "maturity.min_helpful": Setting(5.0, "Proven from so many helpful votes on, as they have faded.", 1.0, 1_000.0),
    "maturity.max_harmful": Setting(0.15, "Proven only below this share of harmful votes.", 0.0, 1.0),
    "maturity.deprecation_threshold": Setting(0.3, "Deprecated above this share of harmful votes.", 0.0, 1.0),
    "maturity.half_life_days": Setting(90.0, "After so many days a vote counts half.", 1.0, 36_500.0),
    "memory.index": Setting(
        ".hive/vectors/patterns.lance",
        "Where LanceDB's index stands in a project, with the extra `lancedb`; empty for no index.",
        wrong_text=_wrong_index,
    ),
    "memory.model": Setting(
        "sentence-transformers/all-mpnet-base-v2",
        "With the extra `embeddings`: a model's name, or the folder that holds one; empty for no model. "
        "Only the user's own file counts.",
        wrong_text=_wrong_model,
    ),
    "memory.episodes": Setting(
        2_000, "How many past sessions are kept, the newest; only the user's own file counts.", 0, 100_000
    ),
}
SECTIONS = tuple(dict.fromkeys(key.partition(".")[0] for key in TABLE if "." in key))
EVERYWHERE = ("retention_days", "user_rules", "memory.episodes", "memory.model")
"""Those that hold for all projects or none."""
USUAL = ("enabled", "write_skills", "user_rules", "retention_days", "caps.per_session", "caps.per_offer")
"""Those that people change; `config list` shows the others where they are set, or asked for."""
