"""Runs the file that OpenCode loads in Node, which stands in for the Bun inside OpenCode."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from hook_host import ROOT, WAITED

from mind_skills.plugin.opencode import plugin_file


def node(tmp_path: Path, code: str, python: str = sys.executable, **environment: str) -> str:
    (tmp_path / "plugin.mjs").write_text(plugin_file(python, str(ROOT / "plugin" / "entry.py")))
    (tmp_path / "run.mjs").write_text(code)
    line = [shutil.which("node") or "node", "run.mjs"]
    more = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **environment}
    done = subprocess.run(line, cwd=tmp_path, env=more, capture_output=True, text=True, timeout=WAITED, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


HARNESS = """
import plugin from "./plugin.mjs";
const client = {session: {get: async () => ({data: {id: "s", parentID: undefined}})}};
const hooks = await plugin.server({client, directory: process.cwd()});
await hooks["chat.message"]({sessionID: "s"}, {});
"""
