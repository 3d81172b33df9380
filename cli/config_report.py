"""The JSON of `mind-skills config`; docs/schemas is generated from here."""

from __future__ import annotations

from typing import Literal

from mind_skills.plugin.report import Report


class SettingReport(Report):
    """One setting: its value, and where that comes from (``default`` or the path of a file)."""

    key: str
    value: bool | int | float | str
    origin: str


class ConfigReport(Report):
    """`config get`, `config set` and `config list` with ``--json``."""

    version: Literal[1] = 1
    settings: list[SettingReport]
