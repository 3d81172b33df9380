// Replaces the plugin file in OpenCode and records the time of each of our hooks (research/benchmarks/opencode_client.py).

import { writeFileSync } from "node:fs";

import ours from "./timed/mind-skills.mjs";

const REQUEST = "experimental.chat.system.transform";
const taken = { step: [] }; // hook -> milliseconds of each call; step -> sum of all hooks between two requests
let step = 0;

async function server(input) {
  const hooks = await ours.server(input);
  const timed = ([name, hook]) => [
    name,
    async (...given) => {
      const begun = process.hrtime.bigint();
      const answer = hook(...given);
      if (name !== "event") await answer; // OpenCode does not wait for event handlers
      const ms = Number(process.hrtime.bigint() - begun) / 1e6;
      (taken[name] ??= []).push(ms);
      if (name === "event" || name === REQUEST) step += ms;
      if (name === REQUEST) {
        taken.step.push(step);
        step = 0;
      }
      if (name === "dispose") writeFileSync(process.env.MIND_SKILLS_TIMES, JSON.stringify(taken));
    },
  ];
  return Object.fromEntries(Object.entries(hooks).map(timed));
}

export default { id: "mind-skills", server };
