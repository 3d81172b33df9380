"""Entry point of the MCP server: ``python -I -m mind_skills.plugin.mcp LOCATION...``.

The locations are those of ``list_location_arguments`` in plugin/command.py.
"""

from __future__ import annotations

import sys

from mind_skills.hooks.hotpath import apply_location_arguments
from mind_skills.plugin.cli import run

if __name__ == "__main__":
    sys.exit(run(["mcp", *apply_location_arguments(sys.argv[1:])]))
