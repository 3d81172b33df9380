"""Runs a session of Antigravity's engine, in the environment that has google-antigravity: PORT APP_FOLDER PROJECT [--continue] PROMPT...

The engine is the SDK's, not the CLI's: its ids have no hyphens, its tools are fewer, and it ignores hooks.json.
"""

from __future__ import annotations

import asyncio
import sys
from importlib import import_module
from pathlib import Path
from typing import Any


async def run_session(port: str, app: Path, project: str, prompts: list[str]) -> None:
    """Run the prompts one after the other; with ``--continue`` as the first, in the newest conversation."""
    sdk: Any = import_module("google.antigravity")  # not in the environment in which the types are checked
    policy: Any = import_module("google.antigravity.hooks.policy")
    save, more = app / "conversations", dict[str, Any]()
    save.mkdir(parents=True, exist_ok=True)
    if prompts[0] == "--continue":
        newest = max(save.glob("*.db"), key=lambda path: path.stat().st_mtime_ns)
        prompts, more = prompts[1:], {"conversation_id": newest.stem}
    config = sdk.LocalOpenAIAgentConfig(
        model="scripted",
        base_url=f"http://127.0.0.1:{port}/v1",
        app_data_dir=str(app),
        save_dir=str(save),
        workspaces=[project],
        policies=[policy.deny("search_web"), policy.allow_all()],
        **more,
    )
    async with sdk.Agent(config) as agent:
        for prompt in prompts:
            answer = await agent.chat(prompt)
            print(await answer.text())


if __name__ == "__main__":
    asyncio.run(run_session(sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4:]))
