/** The agents that are measured side by side: Troupe and the floor, in one workspace with a store of its own. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "./client.ts";

export const PROJECT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const FLOOR = join(PROJECT, "test", "bench", "floor");

/** One agent step that gives its input to the understudy, which takes the same prompts as the floor. */
const WORKFLOW = `name: say
description: Says what it is told
inputs:
  - name: text
    type: string
    required: true
states:
  initial: answer
  answer:
    type: agent
    provider: understudy
    prompt: "{{.inputs.text}}"
    options: {prompt_as_script: true}
    on_success: done
  done:
    type: terminal
`;

export type Contender = {
  name: "troupe" | "raw" | "sdk";
  /** A process of the contender that has started and is not yet initialised. */
  start(): Client;
  /** A process of the contender that has answered `initialize`. */
  ready(): Promise<Client>;
  /** The prompt for a text: `stream:N` makes the agent say N chunks, any other text is repeated. */
  says(text: string): string;
};
export type Bench = {
  /** The built `troupe.js`. */
  program: string;
  troupe: Contender;
  raw: Contender;
  sdk: Contender;
  /** The working directory of sessions. */
  cwd: string;
  /** The environment of all agents. */
  env: { [name: string]: string };
  /** Troupe's store. */
  store: string;
  remove(): void;
};

/** Lays out a workspace. `program` is the built `troupe.js`; throws when it is not there. */
export function openBench(program: string): Bench {
  if (!existsSync(program)) throw new Error(`${program} does not exist: build it first, with npm run build`);
  const root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-bench-")));
  const cwd = join(root, "work");
  const home = join(root, "home");
  mkdirSync(join(cwd, ".troupe", "workflows"), { recursive: true });
  mkdirSync(home);
  writeFileSync(join(cwd, ".troupe", "workflows", "say.yaml"), WORKFLOW);
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    TMPDIR: root,
    TROUPE_HOME: join(home, "troupe"),
    TROUPE_TRUST: "1",
  };
  const contender = (name: Contender["name"], argv: string[], says: (text: string) => string): Contender => {
    const start = () => new Client({ argv: [process.execPath, ...argv], cwd, env });
    const ready = async () => {
      const client = start();
      await client.initialize();
      return client;
    };
    return { name, start, ready, says };
  };
  return {
    program,
    troupe: contender("troupe", [program, "acp"], (text) => `/say ${text}`),
    raw: contender("raw", [join(FLOOR, "raw-stdio.mjs")], (text) => text),
    sdk: contender("sdk", [join(FLOOR, "sdk-stdio.mjs")], (text) => text),
    cwd,
    env,
    store: join(home, "troupe", "troupe.db"),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
