// `npm run climbs`: follows prompts and permissions of a real `troupe acp` from its source, call by call, and fails on a
// call that runs upward through the rooms, other than those that docs/architecture.md names ("Down only").
// The profiler samples: what it shows was called; what it does not show may have been.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ROOMS } from "../.dependency-cruiser.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const PROMPTS = 30;
const INTERVAL_US = 60;
const WORKFLOW = `name: way
states:
  initial: asked
  asked: {type: command, command: echo asked, approval: {message: May it?}, on_success: done}
  done: {type: terminal}
`;
/** Calls that run upward on purpose, as [from, to]. */
const BELLS = [
  [/^actors\/base\/clock\.ts$/, /^actors\//],
  [/^actors\/(process\/guard|host\/workers)\.ts$/, /^actors\/(effects\/|trust\/trust\.ts$)/],
  [/^actors\/host\//, /^actors\/facade\/(runtime|live-sessions)\.ts$/],
  [/^actors\/host\//, /^(actors\/follow|transports\/acp)\//],
  [/^actors\/follow\//, /^transports\/acp\//],
  [/^actors\/process\//, /^actors\/effects\//],
  [/^machines\//, /^actors\/host\/chart-actions\.ts$/],
  // Whether who follows is the one who has typed it.
  [/^projections\/acp\//, /^transports\/acp\/session-view\.ts$/],
  // Where the user's page is served now, read when a card shows it.
  [/^projections\/acp\//, /^transports\/cli\/commands\/acp\.ts$/],
];

/** The height of a file; null where it is none of ours. */
function floorOf(file) {
  const [folder, room] = file?.split("/") ?? [];
  if (folder === "machines") return 0;
  if (folder === "projections") return 1;
  if (folder === "transports") return ROOMS.length + 4;
  if (folder !== "actors") return null;
  const floor = ROOMS.indexOf(room);
  if (floor < 0) return ROOMS.length + 3; // the facade itself
  // The handle stands over what it asks, and that over what the process holds (see the rules of `npm run arrows`).
  const above = file === "actors/facade/session-handle.ts" ? 0.9 : file.startsWith("actors/facade/sessions/") ? 0.5 : 0;
  return floor + 2 + above;
}

async function followed(home, profiles) {
  const args = ["--cpu-prof", `--cpu-prof-interval=${INTERVAL_US}`, `--cpu-prof-dir=${profiles}`];
  const program = spawn(process.execPath, [...args, join(root, "transports/cli/main.ts"), "acp"], {
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: "", XDG_STATE_HOME: "", XDG_DATA_HOME: "", TROUPE_TRUST: "" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => program.on("exit", resolve));
  const open = new Map();
  let asked = 0;
  const send = (message) => program.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const request = (method, params) =>
    new Promise((resolve, reject) => {
      const id = open.size + 1;
      open.set(id, { resolve, reject });
      send({ id, method, params });
    });
  createInterface({ input: program.stdout }).on("line", (line) => {
    const { id, method, params, result, error } = JSON.parse(line);
    if (method === "session/request_permission") {
      asked += 1;
      send({ id, result: { outcome: { outcome: "selected", optionId: params.options[0].optionId } } });
    } else if (method === undefined) {
      if (error === undefined) open.get(id).resolve(result);
      else open.get(id).reject(new Error(JSON.stringify(error)));
    }
  });
  await request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await request("session/new", { cwd: join(home, "work"), mcpServers: [] });
  for (let count = 0; count < PROMPTS; count++)
    await request("session/prompt", { sessionId, prompt: [{ type: "text", text: "/way" }] });
  program.stdin.end();
  await ended;
  return asked;
}

/** Every call between two files of ours, as the samples have it: what lies between them is a library's, or Node's. */
function* callsIn({ nodes }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const base = `${pathToFileURL(root).href}/`;
  const fileOf = ({ callFrame: { url } }) => (url.startsWith(base) ? url.slice(base.length) : null);
  for (const node of nodes) {
    const to = fileOf(node);
    if (floorOf(to) === null) continue;
    let caller = byId.get(callers.get(node.id));
    while (caller !== undefined && floorOf(fileOf(caller)) === null) caller = byId.get(callers.get(caller.id));
    if (caller !== undefined) yield { from: fileOf(caller), to, name: node.callFrame.functionName };
  }
}

const home = mkdtempSync(join(tmpdir(), "troupe-climbs-"));
const profiles = join(home, "profiles");
mkdirSync(join(home, "work/.troupe/workflows"), { recursive: true });
writeFileSync(join(home, "work/.troupe/workflows/way.yaml"), WORKFLOW);
try {
  const asked = await followed(home, profiles);
  const file = readdirSync(profiles).find((name) => name.endsWith(".cpuprofile"));
  const calls = [...callsIn(JSON.parse(readFileSync(join(profiles, file), "utf8")))];
  const upward = calls.filter(({ from, to }) => floorOf(to) > floorOf(from));
  const climbs = upward.filter(({ from, to }) => !BELLS.some(([one, other]) => one.test(from) && other.test(to)));
  for (const { from, to, name } of climbs) process.stderr.write(`${from} calls up: ${name || "a function"} of ${to}\n`);
  process.stdout.write(
    `climbs: ${PROMPTS} prompts, ${asked} permissions, ${calls.length} calls between files of ours; ${upward.length} upward on purpose, ${climbs.length} not\n`,
  );
  process.exitCode = climbs.length > 0 || asked < PROMPTS ? 1 : 0;
} finally {
  rmSync(home, { recursive: true, force: true });
}
