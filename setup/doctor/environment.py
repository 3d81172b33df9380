"""What `mind-skills doctor` says of the plugin's private environment. None of it is an illness: hooks need no packages."""

from __future__ import annotations

import os
from collections.abc import Iterator

from mind_skills.plugin.environment import place
from mind_skills.setup.doctor.reports import CheckReport, fine, noted
from mind_skills.setup.install import targets

HOST = "claude-code"


def environment() -> Iterator[CheckReport]:
    """One check for each place that the plugin was installed from. Raises MindSkillsError where no home is known."""
    for data in place.folders(targets.folder(HOST)):
        last, path = place.note(data), os.path.join(data, place.NOTE)
        if place.ready(data):
            yield fine("environment", f"{place.python(data)} has the packages", HOST)
        elif last.state == "failed":
            mend = f"It is tried again a day later; at the next start, if you remove {path}."
            yield noted("environment", f"the plugin's own could not be built: {last.text}", mend, HOST)
        elif last.state:
            yield noted(
                "environment",
                "the plugin's own is being built, or that was cut short",
                "The next start sees to it.",
                HOST,
            )
        elif os.path.lexists(os.path.join(data, place.VENV)):
            mend = "The next start builds it anew."
            yield noted("environment", f"{data}/{place.VENV} is of another version, or its Python is gone", mend, HOST)
