// Stands where OpenCode looks for the plugin file, and says how long each hook of ours kept it (benchmarks/opencode_client.py).

import { writeFileSync } from "node:fs";

import ours from "./timed/mind-skills.mjs";

const REQUEST = "experimental.chat.system.transform";
const taken = { step: [] }; // hook to milliseconds of each call; of each step, from one request to the next, the sum
let step = 0;

async function server(input) {
  const hooks = await ours.server(input);
  const timed = ([name, hook]) => [
    name,
    async (...given) => {
      const begun = process.hrtime.bigint();
      const answer = hook(...given);
      if (name !== "event") await answer; // OpenCode does not wait for that one, and does its own work meanwhile
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
