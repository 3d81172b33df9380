// mind-skills for OpenCode 1.x: tells mind-skills when sessions begin, pause and end, and puts its offer before the model.
//
// The record of a session is OpenCode's own database, which a detached process reads. What happens here is small: one
// line appended for each moment, one short process at the first message of a root session, nothing at all for a tool
// call. Whatever goes wrong, OpenCode goes on as if this file were not there. Node built-ins only.

import { spawn } from "node:child_process";
import { appendFileSync, closeSync, constants, existsSync, mkdirSync, openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { unlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

const PYTHON = ""; // written by the installer: a real interpreter, never a version manager's shim
const ENTRY = ""; // written by the installer: the absolute path of plugin/entry.py
const STATE = ""; // written by the installer, like the next: the environment may be the one that a project's .env says
const SETTINGS = "";

const PATIENCE = 3000; // ms that the first message of a session waits for its offer, at most
const LOOKUP = 1000; // ms of it for asking OpenCode whether a session is a subagent's
const SETTLE = 1500; // ms between a turn's end and its checkpoint: when OpenCode leaves meanwhile, its end does the work
const INTERVAL = 60_000; // ms between two checkpoints of one session
const FAILURES = 3; // after so many claims in a row without an answer nobody waits for another one,
const REST = 10 * 60_000; // ms long: a server runs for weeks
const ENDS = 5; // sessions that are ended at once; the others are finished by the next start
const REPLY = 64 * 1024; // characters; an offer has at most 9,500
const SPOOL = 1024 * 1024; // bytes that one process appends at most
// Requests beside the conversation. Best effort: where it no longer fits, they see the offer too, which takes nothing from it.
const ASIDE = /^\s*you are a (title generator|context summarization agent)/i;

const NOTHING = { text: "", trace: "" };
const FORK = / \(fork #\d+\)$/; // what OpenCode adds to the title of a session that begins as a copy of another

const env = process.env;
const entry = ENTRY || join(dirname(fileURLToPath(import.meta.url)), "..", "entry.py");
const places = [STATE && `MIND_SKILLS_HOME=${STATE}`, SETTINGS && `MIND_SKILLS_CONFIG=${SETTINGS}`].filter(Boolean);
const spool = folder("spool", "opencode");
const handing = folder("handing");
const database = quietly(databaseFile) ?? "";
const among = processSpace();
const self = [process.pid, ...(among ? [started(process.pid), among] : [])].join("."); // as spool.py reads it
let appended = 0;
let files = 0;
let failures = 0;
let failed = 0;

/** Where mind-skills keeps its state, as store/home.py has it; null where there is no such place. */
function stateFolder() {
  if (STATE) return STATE;
  const home = env.HOME || homedir();
  const named = env.MIND_SKILLS_HOME;
  if (named) {
    const path = named.replace(/^~(?=$|\/)/, home);
    return isAbsolute(path) ? path : null;
  }
  if (process.platform === "win32") return env.LOCALAPPDATA ? join(env.LOCALAPPDATA, "mind-skills") : null;
  if (process.platform === "darwin") return join(home, "Library", "Application Support", "mind-skills");
  const state = env.XDG_STATE_HOME;
  return join(state && isAbsolute(state) ? state : join(home, ".local", "state"), "mind-skills");
}

function folder(...names) {
  const state = quietly(stateFolder); // without a home there is nowhere to keep anything, and nothing is done
  return state ? join(state, ...names) : null;
}

/** Among which processes a number means one: this boot, this namespace of numbers. Empty where the system has neither. */
function processSpace() {
  const boot = quietly(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  const space = quietly(() => readlinkSync("/proc/self/ns/pid").replace(/\D/g, ""));
  return boot && space && started(process.pid) ? `${boot}.${space}` : "";
}

/** When a process began, in clock ticks; empty where it has ended, or nothing is known. A number is given out again. */
function started(pid) {
  const stat = quietly(() => readFileSync(`/proc/${pid}/stat`, "utf8")) ?? "";
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return /[ZXx]/.test(fields[0]) ? "" : (fields[19] ?? "");
}

/** OpenCode's own database, which a later process may not be able to find: it has an environment of its own. */
function databaseFile() {
  const data = join(env.XDG_DATA_HOME || join(env.HOME || homedir(), ".local", "share"), "opencode");
  const named = env.OPENCODE_DB || "opencode.db";
  return named === ":memory:" ? "" : isAbsolute(named) ? named : join(data, named);
}

function moment(event, sessionID, directory, more = {}) {
  return { event, sessionID, directory, database, pid: process.pid, at: Date.now(), ...more };
}

/** One line of the spool: what a later process needs to finish a session of which it never heard. */
function note(payload) {
  const line = JSON.stringify(payload) + "\n";
  if (!spool || appended + line.length > SPOOL) return;
  const flag = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  quietly(() => {
    if (!existsSync(spool)) mkdirSync(spool, { recursive: true, mode: 0o700 });
    appendFileSync(join(spool, `${self}.jsonl`), line, { mode: 0o600, flag });
    appended += line.length;
  }); // a full disk, a read-only home: there is nowhere to say so, and the session goes on
}

function quietly(work) {
  try {
    return work();
  } catch {
    return undefined; // each use says what happens instead
  }
}

/** Start the hook. The payload is a file on its stdin: this process may be gone before a pipe would be written. */
function hook(payload, stdout) {
  if (!spool) return null;
  mkdirSync(spool, { recursive: true, mode: 0o700 });
  const path = join(spool, `${self}-${files++}.json`);
  writeFileSync(path, JSON.stringify(payload), { mode: 0o600, flag: "wx" });
  let stdin = -1;
  try {
    stdin = openSync(path, "r");
    const line = PYTHON && existsSync(PYTHON) ? [PYTHON, "-I", "-S", entry] : ["/bin/sh", join(dirname(entry), "hook.sh")];
    const options = { stdio: [stdin, stdout, "ignore"], detached: true, windowsHide: true, cwd: dirname(entry) };
    const child = spawn(line[0], [...line.slice(1), "opencode", ...places], options);
    child.on("error", () => {});
    child.unref();
    return child;
  } finally {
    if (stdin >= 0) closeSync(stdin);
    quietly(() => unlinkSync(path)); // where an open file cannot be removed, the next process does it
  }
}

function tell(payload) {
  quietly(() => hook(payload, "ignore")); // else the spool tells it, at the next start
}

/** What a session is told: an empty text where nothing waits, null where no answer came. Never rejects, never takes long. */
function claim(payload, ms) {
  return new Promise((resolve) => {
    let child = null;
    let text = "";
    const done = (answer) => {
      clearTimeout(timer);
      resolve(answer);
    };
    const giveUp = () => {
      done(null);
      quietly(() => process.kill(-child.pid, "SIGKILL")); // a claim that nobody will read must not be made
    };
    const timer = setTimeout(giveUp, ms);
    try {
      child = hook(payload, "pipe");
      if (!child) return done(NOTHING);
      child.on("error", () => done(null));
      child.stdout.on("error", () => done(null));
      child.stdout.setEncoding("utf8");
      child.stdout.on("data", (part) => {
        text += part;
        if (text.length > REPLY) giveUp();
      });
      child.on("close", (code) => done(code === 0 ? offered(text) : null));
    } catch {
      done(null);
    }
  });
}

function offered(text) {
  if (!text.trim()) return NOTHING;
  const { inject, trace } = quietly(() => JSON.parse(text)) ?? {};
  return typeof inject === "string" ? { text: inject, trace: /^[0-9a-f]{16}$/.test(trace) ? trace : "" } : null;
}

/** Whether nobody else was or will be told: whoever removes the trace that a claim left tells of it (hooks/unread_offers.py). */
function ours(session) {
  if (quietly(() => (session.trace && unlinkSync(join(handing, session.trace)), true))) session.trace = "";
  return !session.trace;
}

function within(ms, promise) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Whether a process of OpenCode died and left something to finish. */
function leftovers() {
  const names = quietly(() => readdirSync(spool)) ?? []; // usually there is no such folder yet
  return names.map((name) => name.replace(/(-\d+)?\.jsonl?$/, "")).some((name) => name !== self && gone(name));
}

function gone(name) {
  const [pid, start, ...rest] = name.split(".");
  if (!start) return Number(pid) > 0 && !alive(Number(pid)); // of an older version, or where a number is all there is
  return rest.join(".") === among && started(pid) !== start; // of other containers and machines others know more
}

function alive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code !== "ESRCH";
  }
}

async function server({ client, directory }) {
  const known = new Map(); // session to its parent's id, "" for a root session, and whether it is a fork
  const sessions = new Map(); // root sessions of this instance, in the order of their first message

  const remember = ({ id, parentID, title }) => known.set(id, { parent: parentID ?? "", fork: FORK.test(title ?? "") }).get(id);

  const about = async (id) => {
    if (known.has(id)) return known.get(id);
    const found = await within(LOOKUP, client.session.get({ path: { id } }));
    const info = found?.data ?? found;
    return info?.id === id ? remember(info) : undefined;
  };

  const begin = async (id) => {
    const deadline = Date.now() + PATIENCE;
    const info = await about(id);
    if (info?.parent !== "") return; // a subagent's, or nobody can say: nothing is claimed for it
    const more = info.fork ? { fork: true } : {};
    let session = sessions.get(id);
    if (!session) {
      session = { text: null, trace: "", claim: null, timer: null, checked: 0 };
      sessions.set(id, session);
      note(moment("start", id, directory, more));
    }
    if (session.text !== null || (failures >= FAILURES && Date.now() - failed < REST)) return;
    session.claim ??= claim(moment("start", id, directory, { ...more, removes: true }), deadline - Date.now());
    const told = await session.claim;
    session.claim = null;
    failures = told === null ? failures + 1 : 0;
    if (told === null) failed = Date.now();
    else Object.assign(session, told);
  };

  const idle = (id) => {
    const session = sessions.get(id);
    if (!session || session.timer) return;
    note(moment("idle", id, directory));
    const wait = Math.max(SETTLE, session.checked + INTERVAL - Date.now());
    session.timer = setTimeout(() => {
      session.timer = null;
      session.checked = Date.now();
      tell(moment("idle", id, directory));
    }, wait);
    session.timer.unref?.();
  };

  const end = (id, event) => {
    clearTimeout(sessions.get(id)?.timer);
    tell(moment(event, id, directory));
  };

  const seen = {
    "session.created": ({ info }) => void remember(info),
    "session.idle": ({ sessionID }) => idle(sessionID),
    "session.error": ({ sessionID }) => sessions.has(sessionID) && note(moment("error", sessionID, directory)),
    "session.compacted": ({ sessionID }) => sessions.has(sessionID) && note(moment("compacted", sessionID, directory)),
    "session.deleted": ({ info }) => {
      if (!sessions.has(info.id)) return;
      note(moment("deleted", info.id, directory));
      end(info.id, "deleted");
      sessions.delete(info.id);
      known.delete(info.id);
    },
  };

  if (leftovers()) tell(moment("recover", "", directory));

  return {
    event: guarded(({ event }) => {
      seen[event.type]?.(event.properties);
    }),
    "chat.message": guarded(({ sessionID }) => begin(sessionID)),
    "experimental.chat.system.transform": guarded(({ sessionID }, { system }) => {
      const session = sessions.get(sessionID);
      if (!session?.text || ASIDE.test(system[0] ?? "")) return;
      const there = system.includes(session.text); // another copy of this file was faster
      if (ours(session) && !there) system.push(session.text);
    }),
    dispose: guarded(() => {
      [...sessions.keys()].slice(-ENDS).forEach((id) => end(id, "end"));
      sessions.clear();
    }),
  };
}

/** A hook that neither throws nor rejects: thrown, an error would fail the tool call, end the turn or hang OpenCode. */
function guarded(work) {
  return async (...given) => {
    try {
      await work(...given);
    } catch {
      // What was missed is in OpenCode's database.
    }
  };
}

export default { id: "mind-skills", server };
