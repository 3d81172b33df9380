"""Runs the file that OpenCode loads in Node, in place of the Bun inside OpenCode."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from mind_skills.plugin.opencode import render_plugin_file
from tests.plugin.adapters.hook_host import WAITED
from tests.testkit.paths import ROOT


def node(
    tmp_path: Path,
    code: str,
    python: str = sys.executable,
    runtime: str = "",
    state: str = "",
    settings: str = "",
    **environment: str,
) -> str:
    """What the code prints when it runs next to the installed plugin file. ``runtime`` replaces Node; ``state`` and
    ``settings`` are the paths that `install` writes into the file.
    """
    (tmp_path / "plugin.mjs").write_text(render_plugin_file(python, str(ROOT / "plugin" / "entry.py"), state, settings))
    (tmp_path / "run.mjs").write_text(code)
    line = [runtime or shutil.which("node") or "node", "run.mjs"]
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

FAILING = "/bin/false"
"""An interpreter that gives no answer."""
ODD = """
import plugin from "./plugin.mjs";
process.on("uncaughtException", (error) => { console.log("uncaught", error); process.exit(1); });
process.on("unhandledRejection", (error) => { console.log("unhandled", error); process.exit(1); });
const cyclic = {}; cyclic.event = cyclic; cyclic.properties = cyclic; cyclic.info = cyclic; cyclic.type = "session.created";
cyclic.sessionID = cyclic; cyclic.system = cyclic;
const huge = "s".repeat(4 << 20);
const angry = new Proxy({}, { get() { throw new Error("no"); } });
const sad = { toString() { throw new Error("no"); }, toJSON() { throw new Error("no"); } };
const types = ["session.created", "session.idle", "session.error", "session.compacted", "session.deleted", "toString", "__proto__"];
const inside = [undefined, null, 7, "x", [], {}, cyclic, angry, {sessionID: sad, info: sad}, {sessionID: huge, info: {id: huge}},
  {sessionID: "s", info: {id: "s", parentID: cyclic}}, {sessionID: "s", info: {id: "s"}}, {sessionID: Symbol("s")}];
const odd = [undefined, null, {}, [], "x", 7, 7n, Symbol("s"), cyclic, angry, sad, () => angry, {event: null}, {event: angry},
  {sessionID: "s"}, {sessionID: sad}, {sessionID: cyclic}, {sessionID: huge}, {system: null}, {system: "s"}, {system: [sad]},
  {system: Object.freeze(["You are"])}, {system: [huge]}, {system: Array(100000).fill("s")},
  ...types.flatMap((type) => inside.map((properties) => ({event: {type, properties}})))];
const answers = [undefined, null, {}, {data: null}, {data: cyclic}, {data: {id: "s"}}, {data: {id: huge}}, angry];
const clients = [undefined, null, {}, angry, {session: {get() { throw new Error("now"); }}},
  {session: {get: async () => { throw new Error("later"); }}}, ...answers.map((answer) => ({session: {get: async () => answer}}))];
let calls = 0;
for (const client of clients) {
  const hooks = await plugin.server({client, directory: process.cwd()});
  for (const hook of Object.values(hooks))
    for (const a of odd) for (const b of odd.slice(0, 24)) {
      const answer = hook(a, b); // a hook that threw here would hang OpenCode
      if (!(answer instanceof Promise) || (await answer) !== undefined) throw new Error("not a promise of nothing");
      calls += 1;
    }
}
await new Promise((resolve) => setTimeout(resolve, Number(process.env.LINGER)));
console.log(calls > 10000 ? "done" : calls);
"""
"""Passes odd values of every kind to each hook; prints "done" if none threw, and each returned a promise of nothing."""
