"""What a session was asked and what it tried, in a few lines: what memory keeps of it (hooks/remember.py).

Sees: the first words of the user, the commands that were run with how often they went well and failed, what was changed,
which errors were met, how it ended. What tools printed is not repeated, only the folded names of errors; commands stand
by their signatures, files by their names without their folders, where that is a name and no sentence.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from mind_skills.observations import sources
from mind_skills.observations.model import Observation
from mind_skills.redaction.lazy_pattern import compile_later
from mind_skills.staging import tokens
from mind_skills.staging.model import OUTPUT

ASKED, COMMANDS, SIGNATURE = 1_000, 40, 100
"""Characters of the request; different commands that are counted; characters of one."""
_UNSURE = compile_later(rf"{sources.UNVERIFIED}({'|'.join([*sorted(sources.REMOTE), OUTPUT])})\b")
"""What our own tools say of a record that others may have written."""


@dataclass(slots=True)
class Episode:
    """A session in short. ``commands`` maps signatures to (went well, failed), in the order in which they came first."""

    asked: str = ""
    commands: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    taint: set[str] = field(default_factory=set[str])


class EpisodeMeter:
    """Takes the short of a session while it passes by: ``feed`` each observation once, in order."""

    __slots__ = ("episode",)

    def __init__(self) -> None:
        self.episode = Episode()

    def feed(self, observation: Observation) -> None:
        """Take in the next observation."""
        if observation.kind == "tool":
            if observation.source in sources.REMOTE:
                ours = sources.ours(observation.tool)
                self.episode.taint.update(_UNSURE.findall(observation.text) if ours else [observation.source])
            if observation.action == "run" and observation.signature:
                self._ran(observation)
        elif observation.kind == "user" and not self.episode.asked and observation.agent == "main":
            self.episode.asked = observation.text[:ASKED].strip()

    def _ran(self, observation: Observation) -> None:
        commands = self.episode.commands
        signature = observation.signature[:SIGNATURE]
        if signature in commands or len(commands) < COMMANDS:
            well, failed = commands.get(signature, (0, 0))
            commands[signature] = (well + (observation.outcome == "ok"), failed + (observation.outcome == "failed"))


def short(paths: tuple[str, ...], most: int) -> str:
    """The names of files, without their folders and only those that are names, and how many more there are."""
    bases = dict.fromkeys(os.path.basename(path.rstrip("/\\").replace("\\", "/")) for path in paths)
    names = list(dict.fromkeys(filter(None, (tokens.path(base) for base in bases))))[:most]
    more = len(bases) - len(names)
    left = f"{more} more" if names else f"{more} files" if more > 1 else "a file"
    return " and ".join(filter(None, (", ".join(names), left if more else "")))
