"""What hosts start: ``python -P -m mind_skills.plugin.mcp``. Not -I, by which a user's own site-packages would be missing."""

from __future__ import annotations

import sys

from mind_skills.plugin.cli import run

sys.exit(run(["mcp", *sys.argv[1:]]))
