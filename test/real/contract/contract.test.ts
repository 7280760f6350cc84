/**
 * One conversation with every agent, through `troupe run`, as the log has it.
 *
 * U1. All have the same account, except where the table of `capabilities.ts` says that an agent cannot do something.
 * U2. A table with one wrong entry is noticed, for any entry and any wrong value.
 * U3. A secret that the agent, its servers and its prompt get is in nothing of ours, during the run and after: not in
 *     the store, its journal, temporary files, arguments of processes, or the output. The same search on the same
 *     program without its masker finds it.
 */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import type { Capabilities } from "../../../actors/agents/capabilities.ts";
import { CAPABILITIES } from "../../../actors/agents/capabilities.ts";
import { BUILT_IN } from "../../../actors/tools/toolbox.ts";
import type { Exchange } from "../../../machines/exchange.ts";
import { childrenOf, type House, openHouse, PROGRAM } from "../../support/house.ts";
import { type ModelRequest, ModelServer, saidTo, systemOf, toolsOf } from "../../support/model-server/model-server.ts";
import { Started } from "../../support/started.ts";
import { type Environment, type Subject, WHOLE } from "../subject.ts";
import { CLAUDE } from "../subjects/claude.ts";
import { CODEX } from "../subjects/codex.ts";
import { GEMINI } from "../subjects/gemini.ts";
import { GITHUB_COPILOT } from "../subjects/github-copilot.ts";
import { MISTRAL_VIBE } from "../subjects/mistral-vibe.ts";
import { OPENAI_COMPATIBLE } from "../subjects/openai-compatible.ts";
import { OPENCODE } from "../subjects/opencode.ts";
import { accountOf, type Line } from "./account.ts";
import { argumentsOf, CANARIES, filesOfOurs, foundIn, SERVER_VARIABLE, webServer } from "./canary.ts";
import { expectedOf, flipsOf } from "./expected.ts";
import { EDITED, READ, SCENES, type Scene, SYSTEM, workflowOf } from "./scenes.ts";

const SUBJECTS: readonly Subject[] = [
  ...[CLAUDE, CODEX, GEMINI, GITHUB_COPILOT, MISTRAL_VIBE, OPENAI_COMPATIBLE, OPENCODE],
];
const BEFORE = `${Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join("\n")}\n`;

// Eight turns, some with a program that takes seconds to start.
vi.setConfig({ testTimeout: 400_000 });

/** The key that the subjects give their agents. */
const DUMMY = "sk-local-000000000000";

type Account = { readonly [scene in Scene]: Line[] };

const UNMASKED = fileURLToPath(new URL("../../security/programs/unmasked.ts", import.meta.url));

let house: House;
let server: ModelServer;
let web: Awaited<ReturnType<typeof webServer>>;
beforeEach(async () => {
  server = await ModelServer.start();
  web = await webServer();
  house = openHouse([]);
});
afterEach(async () => {
  await house.leave();
  await web.close();
  await server.stop();
});

/** The requests to the model, as lines of the step that sent them. */
function sentIn(requests: readonly ModelRequest[], scene: Scene, subject: Subject): Line[] {
  const isHanded = subject.agent().calls === "tools";
  switch (scene) {
    case "thinks": {
      const [first] = requests;
      if (first === undefined) return ["sent: nothing"];
      if (systemOf(first).includes(SYSTEM)) return ["sent: the system prompt apart"];
      return [saidTo(first).includes(SYSTEM) ? "sent: the system prompt before the prompt" : "sent: no system prompt"];
    }
    case "ours": {
      const request = requests.findLast((one) => saidTo(one).includes("[[call:Read"));
      const ours = new Set(BUILT_IN.map(({ name }) => name));
      const names = request === undefined ? [] : toolsOf(request);
      const others = names.filter((name) => !(isHanded ? ours.has(name) : name.includes("troupe")));
      return [others.length === 0 ? "sent: Troupe's tools alone" : "sent: Troupe's tools beside others"];
    }
    default:
      return [];
  }
}

async function played(subject: Subject, program = PROGRAM): Promise<{ account: Account; leaks: string[] }> {
  const home = house.env["HOME"] ?? "";
  const folder = join(house.cwd, ".troupe", "workflows");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "contract.yaml"), JSON.stringify(workflowOf(subject, { cwd: house.cwd, web: web.url })));
  writeFileSync(join(house.cwd, EDITED), BEFORE);
  writeFileSync(join(house.cwd, READ), "what stands here\n");
  const answer = subject.answer === "yes" ? "allow" : "ask";
  mkdirSync(join(home, ".config", "troupe"), { recursive: true });
  writeFileSync(join(home, ".config", "troupe", "config.yaml"), `permissions: {default: ${answer}}\n`);
  subject.prepare?.(server, home);
  const given = JSON.stringify(subject.environment(server, home)).replaceAll(DUMMY, CANARIES.key);
  expect(given).toContain(CANARIES.key);
  const env = { ...house.env, ...(JSON.parse(given) as Environment), [SERVER_VARIABLE]: CANARIES.server };
  const args = ["run", "contract", "--trust", "--format", "json", "-i", `api_token=${CANARIES.input}`];
  const run = new Started([process.execPath, program, ...args], { cwd: house.cwd, env });
  const leaks = new Set<string>();
  run.onLine = () => {
    const now = { ...filesOfOurs(house), arguments: argumentsOf(run.owner) };
    for (const leak of foundIn(now)) leaks.add(leak);
  };
  await run.ended;
  for (const leak of foundIn({ ...filesOfOurs(house), output: run.lines.join("\n"), stderr: run.stderr }))
    leaks.add(leak);
  expect(readdirSync(house.root).filter((name) => name.startsWith("troupe-agent-"))).toEqual([]);
  expect([...web.keys]).toEqual([`Bearer ${CANARIES.server}`]);
  const rows = run.lines.map((line) => JSON.parse(line) as Exchange);
  const requests = await server.requests();
  expect(childrenOf(run.owner)).toEqual([]);
  const told = SCENES.map((scene) => [scene, [...accountOf(rows, scene, BEFORE), ...sentIn(requests, scene, subject)]]);
  return { account: Object.fromEntries(told) as Account, leaks: [...leaks] };
}

/** The steps whose account differs from that of an agent with this table. */
const misfits = (account: Account, can: Capabilities): Scene[] =>
  SCENES.filter((scene) => JSON.stringify(account[scene]) !== JSON.stringify(expectedOf(can, scene)));

const missing = inject("noVibe");
const skipped = ({ name, slow }: Subject): string | null => {
  if (slow === true && !WHOLE) return "only in npm run test:real:whole";
  return name === "mistral_vibe" ? missing : null;
};

it("is held with every agent of the table", () => {
  expect(SUBJECTS.map(({ name }) => name).toSorted()).toEqual(Object.keys(CAPABILITIES).toSorted());
});

it("leaks its secrets where nothing is masked (U3)", async () => {
  const { leaks } = await played(OPENAI_COMPATIBLE, UNMASKED);
  const found = leaks.join("\n");
  for (const place of ["troupe.db", "troupe.db-wal", "conversations.db", "output"]) {
    expect(found).toMatch(new RegExp(`${place}: `));
  }
});

describe.each(SUBJECTS)("$name", (subject) => {
  const why = skipped(subject);
  it.skipIf(why !== null)(
    `tells what its table says, and nothing else${why === null ? "" : `, skipped: ${why}`}`,
    async () => {
      const { account, leaks } = await played(subject);
      expect(leaks).toEqual([]); // U3
      const expected = Object.fromEntries(SCENES.map((scene) => [scene, expectedOf(subject.can, scene)]));
      expect(account).toEqual(expected); // U1
      const unnoticed = flipsOf(subject.can).filter(([, wrong]) => misfits(account, wrong).length === 0);
      expect(unnoticed.map(([name, wrong]) => `${name}: ${wrong[name]}`)).toEqual([]); // U2
    },
  );
});
