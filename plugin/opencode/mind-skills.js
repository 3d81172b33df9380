// mind-skills for OpenCode 1.x: reports when sessions start, pause and end, and adds the offer to the model's context.
//
// A detached process reads the sessions from OpenCode's own database. This file only appends one line for each moment
// and runs one short process at the first message of a root session, and when a command of it fails while there are
// solved errors to look up; it does nothing for another tool call. Errors never affect OpenCode. Node built-ins only.

import { spawn } from "node:child_process";
import { appendFileSync, closeSync, constants, existsSync, mkdirSync, openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { unlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

const PYTHON = ""; // written by the installer: a real interpreter, never a version manager's shim
const ENTRY = ""; // written by the installer: the absolute path of plugin/entry.py
const STATE = ""; // written by the installer, like SETTINGS: a project's .env may control the environment
const SETTINGS = "";

const OFFER_TIMEOUT = 3000; // maximum ms that the first message of a session waits for its offer
const LOOKUP_TIMEOUT = 1000; // ms of that for asking OpenCode whether a session is a subagent's
const REMINDER_TIMEOUT = 1000; // maximum ms that the result of a failed command waits for a reminder
const MAX_EDGE = 20_000; // characters of its output that are looked up at each end
const CHECKPOINT_DELAY = 1500; // ms between a turn's end and its checkpoint; if OpenCode exits before that, the end of the session does the work
const CHECKPOINT_INTERVAL = 60_000; // ms between two checkpoints of one session
const MAX_FAILURES = 3; // after this many claims in a row without an answer, no claims are made
const FAILURE_PAUSE = 10 * 60_000; // for this many ms; a server runs for weeks
const MAX_ENDS = 5; // maximum number of sessions ended at exit; the next start finishes the others
const MAX_REPLY = 64 * 1024; // maximum characters of a reply; an offer has at most 9,500
const MAX_SPOOL = 1024 * 1024; // maximum bytes that one process appends
// System prompts of requests outside the conversation. If the pattern no longer matches, they see the offer too, which is harmless.
const SIDE_REQUEST = /^\s*you are a (title generator|context summarization agent)/i;

const NO_OFFER = { text: "", trace: "" };
const FORK_TITLE = / \(fork #\d+\)$/; // suffix that OpenCode adds to the title of a fork

const env = process.env;
const entryScript = ENTRY || join(dirname(fileURLToPath(import.meta.url)), "..", "entry.py");
const locations = [STATE && `MIND_SKILLS_HOME=${STATE}`, SETTINGS && `MIND_SKILLS_CONFIG=${SETTINGS}`].filter(Boolean);
const spoolFolder = stateSubfolder("spool", "opencode");
const handingFolder = stateSubfolder("handing");
const solvedFolder = stateSubfolder("solved");
const database = tryOrUndefined(databaseFile) ?? "";
const processScope = readProcessScope();
const ownName = [process.pid, ...(processScope ? [readStartTime(process.pid), processScope] : [])].join("."); // in the format that spool.py reads
let appended = 0;
let files = 0;
let failures = 0;
let lastFailureAt = 0;

/** Return the state folder, as store/home.py does, or null if there is none. */
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

function stateSubfolder(...names) {
  const state = tryOrUndefined(stateFolder); // without a home folder nothing can be stored, and nothing is done
  return state ? join(state, ...names) : null;
}

/** Return the scope in which a PID is unique: boot id and PID namespace. Empty if the system has neither. */
function readProcessScope() {
  const boot = tryOrUndefined(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  const space = tryOrUndefined(() => readlinkSync("/proc/self/ns/pid").replace(/\D/g, ""));
  return boot && space && readStartTime(process.pid) ? `${boot}.${space}` : "";
}

/** Return the start of a process in clock ticks, since PIDs are reused; empty if it has ended or is unknown. */
function readStartTime(pid) {
  const stat = tryOrUndefined(() => readFileSync(`/proc/${pid}/stat`, "utf8")) ?? "";
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return /[ZXx]/.test(fields[0]) ? "" : (fields[19] ?? "");
}

/** Return OpenCode's database, which a later process with another environment may not find. */
function databaseFile() {
  const data = join(env.XDG_DATA_HOME || join(env.HOME || homedir(), ".local", "share"), "opencode");
  const named = env.OPENCODE_DB || "opencode.db";
  return named === ":memory:" ? "" : isAbsolute(named) ? named : join(data, named);
}

function makePayload(event, sessionID, directory, extra = {}) {
  return { event, sessionID, directory, database, pid: process.pid, at: Date.now(), ...extra };
}

/** Append a line to the spool, from which a later process can finish a session whose hooks never ran. */
function appendToSpool(payload) {
  const line = JSON.stringify(payload) + "\n";
  if (!spoolFolder || appended + line.length > MAX_SPOOL) return;
  const flag = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  tryOrUndefined(() => {
    if (!existsSync(spoolFolder)) mkdirSync(spoolFolder, { recursive: true, mode: 0o700 });
    appendFileSync(join(spoolFolder, `${ownName}.jsonl`), line, { mode: 0o600, flag });
    appended += line.length;
  }); // a full disk or a read-only home cannot be reported, and the session continues
}

function tryOrUndefined(work) {
  try {
    return work();
  } catch {
    return undefined; // callers handle undefined
  }
}

/** Start the hook. Its stdin is a file with the payload, since this process may exit before it could write to a pipe. */
function startHook(payload, stdout) {
  if (!spoolFolder) return null;
  mkdirSync(spoolFolder, { recursive: true, mode: 0o700 });
  const path = join(spoolFolder, `${ownName}-${files++}.json`);
  writeFileSync(path, JSON.stringify(payload), { mode: 0o600, flag: "wx" });
  let stdin = -1;
  try {
    stdin = openSync(path, "r");
    const line = PYTHON && existsSync(PYTHON) ? [PYTHON, "-I", "-S", entryScript] : ["/bin/sh", join(dirname(entryScript), "hook.sh")];
    const options = { stdio: [stdin, stdout, "ignore"], detached: true, windowsHide: true, cwd: dirname(entryScript) };
    const child = spawn(line[0], [...line.slice(1), "opencode", ...locations], options);
    child.on("error", () => {});
    child.unref();
    return child;
  } finally {
    if (stdin >= 0) closeSync(stdin);
    tryOrUndefined(() => unlinkSync(path)); // if an open file cannot be deleted, a later process does it
  }
}

function runHook(payload) {
  tryOrUndefined(() => startHook(payload, "ignore")); // on failure, the next start reads it from the spool
}

/** Claim the offer of a session: an empty text if there is none, null without an answer in time. Never rejects. */
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
      tryOrUndefined(() => process.kill(-child.pid, "SIGKILL")); // do not let it claim an offer that is never read
    };
    const timer = setTimeout(giveUp, ms);
    try {
      child = startHook(payload, "pipe");
      if (!child) return done(NO_OFFER);
      child.on("error", () => done(null));
      child.stdout.on("error", () => done(null));
      child.stdout.setEncoding("utf8");
      child.stdout.on("data", (part) => {
        text += part;
        if (text.length > MAX_REPLY) giveUp();
      });
      child.on("close", (code) => done(code === 0 ? parseReply(text) : null));
    } catch {
      done(null);
    }
  });
}

function parseReply(text) {
  if (!text.trim()) return NO_OFFER;
  const { inject, trace } = tryOrUndefined(() => JSON.parse(text)) ?? {};
  return typeof inject === "string" ? { text: inject, trace: /^[0-9a-f]{16}$/.test(trace) ? trace : "" } : null;
}

/** Return whether this process delivers the offer: whoever removes the claim's marker does (hooks/unread_offers.py). */
function takesMarker(session) {
  if (tryOrUndefined(() => (session.trace && unlinkSync(join(handingFolder, session.trace)), true))) session.trace = "";
  return !session.trace;
}

function withTimeout(ms, promise) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Return whether a dead OpenCode process left sessions to finish. */
function hasLeftovers() {
  const names = tryOrUndefined(() => readdirSync(spoolFolder)) ?? []; // usually there is no such folder yet
  return names.map((name) => name.replace(/(-\d+)?\.jsonl?$/, "")).some((name) => name !== ownName && isAbandoned(name));
}

function isAbandoned(name) {
  const [pid, start, ...rest] = name.split(".");
  if (!start) return Number(pid) > 0 && !isAlive(Number(pid)); // from an older version or a system without start times
  return rest.join(".") === processScope && readStartTime(pid) !== start; // processes of other containers and machines are checked there
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code !== "ESRCH";
  }
}

async function server({ client, directory }) {
  const infoById = new Map(); // session id -> { parent: id, or "" for a root session; fork }
  const sessions = new Map(); // root sessions of this instance, in order of their first message

  const storeInfo = ({ id, parentID, title }) => infoById.set(id, { parent: parentID ?? "", fork: FORK_TITLE.test(title ?? "") }).get(id);

  const lookUp = async (id) => {
    if (infoById.has(id)) return infoById.get(id);
    const found = await withTimeout(LOOKUP_TIMEOUT, client.session.get({ path: { id } }));
    const info = found?.data ?? found;
    return info?.id === id ? storeInfo(info) : undefined;
  };

  const begin = async (id) => {
    const deadline = Date.now() + OFFER_TIMEOUT;
    const info = await lookUp(id);
    if (info?.parent !== "") return; // a subagent's session or an unknown one: claim nothing
    const extra = info.fork ? { fork: true } : {};
    let session = sessions.get(id);
    if (!session) {
      session = { text: null, trace: "", claim: null, timer: null, checked: 0 };
      sessions.set(id, session);
      appendToSpool(makePayload("start", id, directory, extra));
    }
    if (session.text !== null || (failures >= MAX_FAILURES && Date.now() - lastFailureAt < FAILURE_PAUSE)) return;
    session.claim ??= claim(makePayload("start", id, directory, { ...extra, removes: true }), deadline - Date.now());
    const answer = await session.claim;
    session.claim = null;
    failures = answer === null ? failures + 1 : 0;
    if (answer === null) lastFailureAt = Date.now();
    else Object.assign(session, answer);
  };

  const idle = (id) => {
    const session = sessions.get(id);
    if (!session || session.timer) return;
    appendToSpool(makePayload("idle", id, directory));
    const wait = Math.max(CHECKPOINT_DELAY, session.checked + CHECKPOINT_INTERVAL - Date.now());
    session.timer = setTimeout(() => {
      session.timer = null;
      session.checked = Date.now();
      runHook(makePayload("idle", id, directory));
    }, wait);
    session.timer.unref?.();
  };

  const end = (id, event) => {
    clearTimeout(sessions.get(id)?.timer);
    runHook(makePayload(event, id, directory));
  };

  const handlers = {
    "session.created": ({ info }) => void storeInfo(info),
    "session.idle": ({ sessionID }) => idle(sessionID),
    "session.error": ({ sessionID }) => sessions.has(sessionID) && appendToSpool(makePayload("error", sessionID, directory)),
    "session.compacted": ({ sessionID }) => sessions.has(sessionID) && appendToSpool(makePayload("compacted", sessionID, directory)),
    "session.deleted": ({ info }) => {
      if (!sessions.has(info.id)) return;
      appendToSpool(makePayload("deleted", info.id, directory));
      end(info.id, "deleted");
      sessions.delete(info.id);
      infoById.delete(info.id);
    },
  };

  if (hasLeftovers()) runHook(makePayload("recover", "", directory));

  return {
    event: guarded(({ event }) => {
      handlers[event.type]?.(event.properties);
    }),
    "chat.message": guarded(({ sessionID }) => begin(sessionID)),
    "experimental.chat.system.transform": guarded(({ sessionID }, { system }) => {
      const session = sessions.get(sessionID);
      if (!session?.text || SIDE_REQUEST.test(system[0] ?? "")) return;
      const isPresent = system.includes(session.text); // added by another copy of this file
      if (takesMarker(session) && !isPresent) system.push(session.text);
    }),
    "tool.execute.after": guarded(async ({ tool, sessionID, args }, result) => {
      const { exit } = result?.metadata ?? {}; // null if the command was interrupted
      if (tool !== "bash" || !exit || !result.output || !sessions.has(sessionID) || !existsSync(solvedFolder)) return;
      const error = result.output.length > 2 * MAX_EDGE ? result.output.slice(0, MAX_EDGE) + "\n" + result.output.slice(-MAX_EDGE) : result.output;
      const answer = await claim(makePayload("failure", sessionID, directory, { command: args?.command, error }), REMINDER_TIMEOUT);
      if (answer?.text) result.output += `\n\n${answer.text}`;
    }),
    dispose: guarded(() => {
      [...sessions.keys()].slice(-MAX_ENDS).forEach((id) => end(id, "end"));
      sessions.clear();
    }),
  };
}

/** Wrap a hook so that it never throws or rejects, which would fail the tool call, end the turn or hang OpenCode. */
function guarded(work) {
  return async (...given) => {
    try {
      await work(...given);
    } catch {
      // The session is also in OpenCode's database.
    }
  };
}

export default { id: "mind-skills", server };
