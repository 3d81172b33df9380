"""Scans of many session logs on one machine or a cluster, and the report on their results. Requires the ``fleet`` extra."""

from __future__ import annotations

from importlib.util import find_spec

from mind_skills.errors import MindSkillsError

SCAN_PACKAGES = ("distributed", "pyarrow")
REPORT_PACKAGES = ("pyarrow",)
INSTALL_HINT = "Reinstall mind-skills with the `fleet` extra: in your checkout, run uv tool install '.[fleet]', or pip install '.[fleet]'."


def require_packages(packages: tuple[str, ...]) -> None:
    """Raise MindSkillsError if one of ``packages`` is not installed. Does not import them."""
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise MindSkillsError(
            "extra_missing", f"this command needs packages that are not installed: {', '.join(missing)}", INSTALL_HINT
        )
