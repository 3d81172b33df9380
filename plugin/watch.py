"""Entry point of the systemd service: ``python -m mind_skills.plugin.watch`` runs `mind-skills watch`."""

from __future__ import annotations

import sys

from mind_skills.plugin.cli import run

if __name__ == "__main__":
    sys.exit(run(["watch", *sys.argv[1:]]))
