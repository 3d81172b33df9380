"""Records what the plugin file sends in the real OpenCode into fixtures/opencode/payloads, with neutral names.

Run as ``python -m tests.clients.record_opencode_payloads`` where tests/clients/install.sh has run.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.clients.client import run_client
from tests.clients.lesson import LOOK
from tests.clients.real_opencode import OpenCode
from tests.testkit.paths import ROOT

TARGET = ROOT / "fixtures" / "opencode" / "payloads"
RECORDER = """#!/bin/sh
cat >"{into}/$(date +%s%N).json"
"""


def neutralise(payload: dict[str, Any], client: OpenCode) -> str:
    """Replace this machine's paths and this run's ids in a payload."""
    text = json.dumps({**payload, "pid": 4242, "at": 1795230000000}, indent=2) + "\n"
    text = text.replace(str(client.home / "data"), "/home/user/.local/share")
    text = text.replace(str(client.project), "/home/user/project")
    return re.sub(r"ses_\w+", "ses_0001", text)


def main() -> int:
    """Record a session that is resumed, and the next start after one that was killed."""
    with tempfile.TemporaryDirectory() as name, run_client(OpenCode, Path(name) / "run") as client:
        into = Path(name) / "payloads"
        into.mkdir()
        python = Path(name) / "python"
        python.write_text(RECORDER.format(into=into))
        python.chmod(0o755)
        client.install(str(python))
        (client.state / "spool" / "opencode").mkdir(parents=True)
        (client.state / "spool" / "opencode" / "999999.jsonl").write_text("")  # left by a process that is gone
        client.script("one", [LOOK], ["Hello."])
        assert client.say("Hello").code == 0
        TARGET.mkdir(parents=True, exist_ok=True)
        for order, path in enumerate(sorted(into.iterdir())):
            payload: dict[str, Any] = json.loads(path.read_text())
            (TARGET / f"{order:02d}-{payload['event']}.json").write_text(neutralise(payload, client))
        (spooled,) = (client.state / "spool" / "opencode").glob("*.*.jsonl")
        lines = [json.dumps(json.loads(neutralise(json.loads(line), client))) for line in spooled.open()]
        (TARGET.parent / "spool.jsonl").write_text("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
