// Cost of the plugin file for OpenCode: per tool call and per spool line, relative to an empty plugin, in shuffled order.
//
//   node research/benchmarks/opencode_plugin.mjs [--json]
//
// A tool call is what OpenCode 1.18.33 was observed to do: six events, tool.execute.after if a plugin has it, and one
// system prompt. The added time is the difference from the empty plugin in the same round. Runs in Node instead of
// OpenCode's Bun; research/benchmarks/opencode_client.py measures in the client itself.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROUNDS = 200;
const CALLS = 20; // keeps the spool below the limit of one process
const home = mkdtempSync(join(tmpdir(), "mind-skills-bench-"));
process.env.MIND_SKILLS_HOME = join(home, "state");
// A copy without entry.py: its first claim fails immediately, so that no Python runs during the measurement.
const source = await import("node:fs").then((fs) => fs.readFileSync(new URL("../../plugin/opencode/mind-skills.js", import.meta.url)));
writeFileSync(join(home, "plugin.mjs"), source);

const { default: ours } = await import(join(home, "plugin.mjs"));
const client = { session: { get: async () => ({ data: { id: "s" } }) } };
const empty = { event: async () => {}, "experimental.chat.system.transform": async () => {} };
const hooks = await ours.server({ client, directory: home });
await hooks["chat.message"]({ sessionID: "s" }, {});

const part = { sessionID: "s", part: { type: "tool", state: { status: "running", output: "x".repeat(4096) } } };
const events = [
  ...Array(4).fill({ type: "message.part.updated", properties: part }),
  { type: "message.updated", properties: { sessionID: "s" } },
  { type: "session.status", properties: { sessionID: "s", status: { type: "busy" } } },
];

async function toolCall(plugin) {
  for (const event of events) await plugin.event({ event });
  await plugin["tool.execute.after"]?.({ tool: "bash", sessionID: "s", callID: "c", args: {} }, { output: "" });
  await plugin["experimental.chat.system.transform"]({ sessionID: "s" }, { system: ["You are"] });
}

async function line(plugin) {
  await plugin.event({ event: { type: "session.compacted", properties: { sessionID: "s" } } });
}

const cases = {
  "a tool call, empty plugin": () => toolCall(empty),
  "a tool call, ours": () => toolCall(hooks),
  "a line of the spool": () => line(hooks),
};
const taken = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
for (let round = 0; round <= ROUNDS; round++) {
  for (const name of Object.keys(cases).sort(() => Math.random() - 0.5)) {
    const begun = process.hrtime.bigint();
    for (let call = 0; call < CALLS; call++) await cases[name]();
    if (round) taken[name].push(Number(process.hrtime.bigint() - begun) / 1e6 / CALLS); // the first round warms up
  }
}
await hooks.dispose();
rmSync(home, { recursive: true });
taken["added to a tool call"] = taken["a tool call, ours"].map((ms, round) => ms - taken["a tool call, empty plugin"][round]);
const at = (values, share) => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)];
const seen = Object.fromEntries(Object.entries(taken).map(([name, all]) => [name, { p50: at(all, 0.5), p90: at(all, 0.9) }]));
if (process.argv.includes("--json")) console.log(JSON.stringify(seen));
else {
  for (const [name, { p50, p90 }] of Object.entries(seen))
    console.log(`${name.padEnd(26)} p50 ${p50.toFixed(4)} ms   p90 ${p90.toFixed(4)} ms`);
}
