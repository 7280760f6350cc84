/**
 * One conversation with every agent, through `troupe run`, as the log has it.
 *
 * U1. All have the same account, but for what the table of `capabilities.ts` says that an agent cannot.
 * U2. A table with one wrong entry is found out, whichever entry it is and whatever it says instead.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import type { Capabilities } from "../../../actors/agents/capabilities.ts";
import { CAPABILITIES } from "../../../actors/agents/capabilities.ts";
import { BUILT_IN } from "../../../actors/tools/toolbox.ts";
import type { Exchange } from "../../../machines/exchange.ts";
import { childrenOf, type House, openHouse } from "../../support/house.ts";
import { type ModelRequest, ModelServer, saidTo, systemOf, toolsOf } from "../../support/model-server/model-server.ts";
import type { Subject } from "../subject.ts";
import { CLAUDE } from "../subjects/claude.ts";
import { CODEX } from "../subjects/codex.ts";
import { GEMINI } from "../subjects/gemini.ts";
import { GITHUB_COPILOT } from "../subjects/github-copilot.ts";
import { MISTRAL_VIBE } from "../subjects/mistral-vibe.ts";
import { OPENAI_COMPATIBLE } from "../subjects/openai-compatible.ts";
import { OPENCODE } from "../subjects/opencode.ts";
import { accountOf, type Line } from "./account.ts";
import { expectedOf, flipsOf } from "./expected.ts";
import { EDITED, READ, SCENES, type Scene, SYSTEM, workflowOf } from "./scenes.ts";

const SUBJECTS: readonly Subject[] = [
  ...[CLAUDE, CODEX, GEMINI, GITHUB_COPILOT, MISTRAL_VIBE, OPENAI_COMPATIBLE, OPENCODE],
];
const BEFORE = `${Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join("\n")}\n`;

// Eight turns, some of a program that takes seconds to start.
vi.setConfig({ testTimeout: 400_000 });

type Account = { readonly [scene in Scene]: Line[] };

let house: House;
let server: ModelServer;
beforeEach(async () => {
  server = await ModelServer.start();
  house = openHouse([]);
});
afterEach(async () => {
  await house.leave();
  await server.stop();
});

/** What was sent to the model, as lines of the step that sent it. */
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
      const request = requests.find((one) => saidTo(one).includes("[[call:Read"));
      const ours = new Set(BUILT_IN.map(({ name }) => name));
      const names = request === undefined ? [] : toolsOf(request);
      const others = names.filter((name) => !(isHanded ? ours.has(name) : name.includes("troupe")));
      return [others.length === 0 ? "sent: Troupe's tools alone" : "sent: Troupe's tools beside others"];
    }
    default:
      return [];
  }
}

async function played(subject: Subject): Promise<Account> {
  const home = house.env["HOME"] ?? "";
  const folder = join(house.cwd, ".troupe", "workflows");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "contract.yaml"), JSON.stringify(workflowOf(subject, house.cwd)));
  writeFileSync(join(house.cwd, EDITED), BEFORE);
  writeFileSync(join(house.cwd, READ), "what stands here\n");
  const answer = subject.answer === "yes" ? "allow" : "ask";
  mkdirSync(join(home, ".config", "troupe"), { recursive: true });
  writeFileSync(join(home, ".config", "troupe", "config.yaml"), `permissions: {default: ${answer}}\n`);
  subject.prepare?.(server, home);
  const run = house.troupe(["run", "contract", "--trust", "--format", "json"], subject.environment(server, home));
  await run.ended;
  const rows = run.lines.map((line) => JSON.parse(line) as Exchange);
  const requests = await server.requests();
  expect(childrenOf(run.owner)).toEqual([]);
  const told = SCENES.map((scene) => [scene, [...accountOf(rows, scene, BEFORE), ...sentIn(requests, scene, subject)]]);
  return Object.fromEntries(told) as Account;
}

/** The steps whose account is not what an agent of this table would leave. */
const misfits = (account: Account, can: Capabilities): Scene[] =>
  SCENES.filter((scene) => JSON.stringify(account[scene]) !== JSON.stringify(expectedOf(can, scene)));

const missing = inject("noVibe");
const skipped = (name: string): string | null => (name === "mistral_vibe" ? missing : null);

it("is had with every agent of the table", () => {
  expect(SUBJECTS.map(({ name }) => name).toSorted()).toEqual(Object.keys(CAPABILITIES).toSorted());
});

describe.each(SUBJECTS)("$name", (subject) => {
  const why = skipped(subject.name);
  it.skipIf(why !== null)(
    `tells what its table says, and nothing else${why === null ? "" : `, skipped: ${why}`}`,
    async () => {
      const account = await played(subject);
      const expected = Object.fromEntries(SCENES.map((scene) => [scene, expectedOf(subject.can, scene)]));
      expect(account).toEqual(expected); // U1
      const unnoticed = flipsOf(subject.can).filter(([, wrong]) => misfits(account, wrong).length === 0);
      expect(unnoticed.map(([name, wrong]) => `${name}: ${wrong[name]}`)).toEqual([]); // U2
    },
  );
});
