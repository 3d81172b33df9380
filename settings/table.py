"""Table of all settings: default, bounds and description; and their alternative names in camelCase.

docs/configuration.md and `config list` are generated from the table. ``Setting.find_problem`` validates values for both
readers, settings/lenient.py and settings/strict.py. Standard library only, because hooks run where nothing is installed.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing alone takes longer than starting a bare interpreter
    from collections.abc import Callable
    from typing import Any

Value = bool | int | float | str

MAX_FOLDER_LENGTH, MAX_FOLDER_PUNCTUATION = 60, 4
"""Maximum number of characters in the path of a skills folder, and of dashes, underscores, dots and slashes among them,
so that the path cannot contain an instruction to the agent that reads it."""
PREFIX_KEY = "anti_pattern.anti_pattern_prefix"
MAX_PREFIX_LENGTH, PREFIX_PATTERN = 20, r"[^\W_]+(?: [^\W_]+){0,2} ?[:!\uff1a]? ?"
"""A prefix has at most three words, because it precedes every warning that an agent reads."""
INDEX_PATTERN = r"^(\.?[A-Za-z0-9_-][A-Za-z0-9._-]*/)*\.?[A-Za-z0-9_-][A-Za-z0-9._-]*\.lance$|^$"
MODEL_PATTERN = r"^[^\x00-\x1f\x7f]*$"


class Setting:
    """A setting. Values have the type of ``default``, or int for float; ``minimum`` and ``maximum`` are inclusive."""

    __slots__ = ("check_text", "default", "description", "maximum", "minimum")

    def __init__(
        self,
        default: Value,
        description: str,
        minimum: float = 0,
        maximum: float = 0,
        check_text: Callable[[str], str] = lambda _: "",
    ) -> None:
        """``check_text`` returns what is wrong with a string, or an empty string."""
        self.default = default
        self.description = description
        self.minimum = minimum
        self.maximum = maximum
        self.check_text = check_text

    def find_problem(self, value: object) -> str:
        """Return what is wrong with a value, or an empty string."""
        kind = type(self.default)
        if kind is bool:
            return "" if isinstance(value, bool) else "should be a boolean"
        if kind is str:
            return self._find_text_problem(value) if isinstance(value, str) else "should be a valid string"
        name = "integer" if kind is int else "number"
        if isinstance(value, bool) or not isinstance(value, int if kind is int else (int, float)):
            return f"should be a valid {name}"
        if isinstance(value, float) and not -float("inf") < value < float("inf"):
            return "should be a finite number"
        if value < self.minimum:
            return f"should be greater than or equal to {format_bound(self.minimum)}"
        return "" if value <= self.maximum else f"should be less than or equal to {format_bound(self.maximum)}"

    def _find_text_problem(self, value: str) -> str:
        try:
            value.encode()
        except UnicodeEncodeError:
            return "should be a valid string, without unpaired surrogates"
        return self.check_text(value)


def format_bound(value: float) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _check_folder(text: str) -> str:
    """Accept a relative folder outside ``.git`` without characters that are special to agents or shells.

    The folder's path is shown to agents, and these limits keep it from containing an instruction. Does not use ``re``,
    because a session start calls this, and importing ``re`` is slow.
    """
    is_short = 0 < len(text) <= MAX_FOLDER_LENGTH and sum(text.count(sign) for sign in "-_./") <= MAX_FOLDER_PUNCTUATION
    is_plain = text.isascii() and all(c.isalnum() or c in "._-/" for c in text)
    is_inside = all(part.lower() not in ("", ".", ".git") and not part.startswith("..") for part in text.split("/"))
    message = (
        f"should be a relative folder of at most {MAX_FOLDER_LENGTH} characters: ASCII letters and digits, and at most "
        f"{MAX_FOLDER_PUNCTUATION} dashes, underscores, dots and slashes"
    )
    return "" if is_short and is_plain and is_inside else message


def _check_prefix(text: str) -> str:
    import re

    is_valid = len(text) <= MAX_PREFIX_LENGTH and re.fullmatch(PREFIX_PATTERN, text)
    message = (
        f"should be one to three words, optionally followed by a colon, and at most {MAX_PREFIX_LENGTH} characters"
    )
    return "" if is_valid else message


def _check_index(text: str) -> str:
    if any(part.startswith("..") for part in text.split("/")):
        return "should be a path inside the project"
    if len(text) > 100:
        return f"should have at most 100 characters, not {len(text)}"
    return _match_pattern(INDEX_PATTERN, text)


def _check_model(text: str) -> str:
    if len(text) > 400:
        return f"should have at most 400 characters, not {len(text)}"
    return _match_pattern(MODEL_PATTERN, text)


def _match_pattern(pattern: str, text: str) -> str:
    import re

    return "" if re.fullmatch(pattern, text) else f"should match the pattern {pattern}"


def _check_writing(text: str) -> str:
    return "" if text in WRITING_MODES else f"should be one of {', '.join(WRITING_MODES)}"


DEFAULT_SKILLS_FOLDER = ".claude/skills"
WRITING_MODES = ("ask", "auto", "never")
"""Values of ``write_skills``. Must match staging/offer.py, which is a higher layer; a test checks this."""
TABLE: dict[str, Setting] = {
    "enabled": Setting(True, "Whether mind-skills is active; `false` in a project disables it there."),
    "idle_seconds": Setting(60, "Minimum time between two checkpoints of one session, in seconds.", 10, 3600),
    "retention_days": Setting(
        365, "How long data of finished sessions is stored, in days; cannot be set for a single project.", 30, 36_500
    ),
    "redact_personal_data": Setting(
        True,
        "Whether to redact personal data (docs/security.md); cannot be set for a single project.",
    ),
    "write_skills": Setting(
        WRITING_MODES[0],
        "Who decides about a skill: with `ask` the agent asks you and, if nobody can answer, writes those it is sure of; with"
        " `auto` it writes these without asking; with `never` candidates wait for your review, and none is offered.",
        check_text=_check_writing,
    ),
    "reminders": Setting(
        True,
        "Whether an agent whose command fails is told that the same error was solved, or that a skill covers it.",
    ),
    "reminders_silent_share": Setting(
        0.0,
        "Share of these errors that are left silent, for comparison; a project's own file cannot set it.",
        0.0,
        1.0,
    ),
    "share_with_team": Setting(
        False,
        "Whether `mind-skills team sync` shares the project with your team (docs/team.md); a project's own file cannot set it.",
    ),
    # At most ten candidates are pending in a project, whatever the settings.
    "caps.per_session": Setting(
        5,
        "Maximum number of candidates from one session.",
        1,
        5,
    ),
    "caps.per_offer": Setting(5, "Maximum number of candidates offered to one session.", 1, 5),
    "skills_dir.claude-code": Setting(
        DEFAULT_SKILLS_FOLDER, "Skills folder for Claude Code.", check_text=_check_folder
    ),
    "skills_dir.opencode": Setting(
        DEFAULT_SKILLS_FOLDER,
        "Skills folder for OpenCode.",
        check_text=_check_folder,
    ),
    "skills_dir.codex": Setting(".agents/skills", "Skills folder for Codex.", check_text=_check_folder),
    "skills_dir.gemini": Setting(".agents/skills", "Skills folder for Gemini CLI.", check_text=_check_folder),
    "skills_dir.antigravity": Setting(
        ".agents/skills",
        "Skills folder for Antigravity CLI.",
        check_text=_check_folder,
    ),
    "learning.half_life_days": Setting(90.0, "Half-life of a decision's weight, in days.", 1.0, 36_500.0),
    "learning.min_feedback_for_adjustment": Setting(
        3, "Minimum number of decisions before a detector's weight differs from 1.", 1, 1_000
    ),
    "learning.max_harmful_ratio": Setting(
        0.3, "Share of dismissed findings above which a detector is reported as deprecated.", 0.0, 1.0
    ),
    "learning.fast_completion_threshold_ms": Setting(
        300_000, "Duration below which a session counts as fast, in milliseconds.", 1_000, 86_400_000
    ),
    "learning.slow_completion_threshold_ms": Setting(
        1_800_000, "Duration above which a session counts as slow, in milliseconds.", 1_000, 86_400_000
    ),
    "learning.max_errors_neutral": Setting(
        2,
        "Maximum number of errors for the middle score (also called `maxErrorsForHelpful`).",
        0,
        1_000,
    ),
    "anti_pattern.min_observations": Setting(3, "Minimum number of sessions before a strategy is judged.", 1, 1_000),
    "anti_pattern.failure_ratio_threshold": Setting(
        0.6, "Share of failed sessions at which a strategy becomes a warning.", 0.0, 1.0
    ),
    PREFIX_KEY: Setting(
        "AVOID: ", "Prefix of a warning: one to three words, optionally followed by a colon.", check_text=_check_prefix
    ),
    "maturity.min_feedback": Setting(3, "Minimum number of votes to leave the state `candidate`.", 1, 1_000),
    "maturity.min_helpful": Setting(5.0, "Minimum number of helpful votes, after decay, to be proven.", 1.0, 1_000.0),
    "maturity.max_harmful": Setting(
        0.15, "Share of harmful votes below which a strategy or skill is proven.", 0.0, 1.0
    ),
    "maturity.deprecation_threshold": Setting(
        0.3, "Share of harmful votes above which a strategy or skill is deprecated.", 0.0, 1.0
    ),
    "maturity.half_life_days": Setting(90.0, "Half-life of a vote's weight, in days.", 1.0, 36_500.0),
    "memory.index": Setting(
        ".hive/vectors/patterns.lance",
        "Path of LanceDB's index in a project (extra `lancedb`); empty for none.",
        check_text=_check_index,
    ),
    "memory.model": Setting(
        "sentence-transformers/all-mpnet-base-v2",
        "Name or folder of the embedding model (extra `embeddings`); empty for none. Cannot be set for a single project.",
        check_text=_check_model,
    ),
    "memory.episodes": Setting(
        2_000,
        "Maximum number of past sessions in the memory; the oldest are deleted. Cannot be set for a single project.",
        0,
        100_000,
    ),
}
SECTIONS = tuple(dict.fromkeys(key.partition(".")[0] for key in TABLE if "." in key))
GLOBAL_SETTINGS = ("retention_days", "redact_personal_data", "memory.episodes", "memory.model")
"""Settings that cannot be set for a single project."""
COMMON_SETTINGS = ("enabled", "write_skills", "retention_days", "caps.per_session", "caps.per_offer")
"""Settings that users change often; `config list` shows others only if they are set or requested."""
CAMEL_CASE_SECTIONS = ("learning", "anti_pattern", "maturity")
"""Sections whose names, and the names in them, may also be written in camelCase (docs/learning.md)."""
RENAMED_KEYS = {"learning.max_errors_for_helpful": "learning.max_errors_neutral", "anti_pattern.prefix": PREFIX_KEY}
"""Canonical key by alternative key (in snake_case), where they differ by more than their case. `maxErrorsForHelpful` is the maximum
number of errors for which a session gets the middle score, not the best one (docs/learning.md, D3)."""


def normalise_key(key: str) -> str:
    """Return the canonical form of a dotted key: `antiPattern.minObservations` becomes ``anti_pattern.min_observations``."""
    section, dot, name = key.partition(".")
    section_name = _to_snake_case(section)
    if section_name not in CAMEL_CASE_SECTIONS:
        return key
    canonical_key = f"{section_name}{dot}{_to_snake_case(name)}"
    return RENAMED_KEYS.get(canonical_key, canonical_key)


def normalise_names(data: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Return the settings with canonical names, and the first key that is set under two names (empty if there is none)."""
    settings: dict[str, Any] = {}
    duplicate = ""
    for section, value in data.items():
        name = normalise_key(section)
        if name not in CAMEL_CASE_SECTIONS or not isinstance(value, dict):
            settings[section] = value
            continue
        table = settings.setdefault(name, {})
        names: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]
        for key, setting_value in names.items():
            setting_name = normalise_key(f"{section}.{key}").partition(".")[2]
            duplicate = duplicate or (f"{name}.{setting_name}" if setting_name in table else "")
            table.setdefault(setting_name, setting_value)
    return settings, duplicate


def find_spelling(data: dict[str, Any], key: str) -> str:
    """Return ``key`` as ``data`` spells it, so that an edit changes the existing line."""
    top, _, name = key.partition(".")
    for section, value in data.items():
        if normalise_key(section) == top and isinstance(value, dict):
            names: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]
            spellings = (spelling for spelling in names if normalise_key(f"{section}.{spelling}") == key)
            return f"{section}.{next(spellings, name)}"
    return key


def _to_snake_case(name: str) -> str:
    import re

    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
