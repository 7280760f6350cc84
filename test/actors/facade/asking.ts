/** Workflows that ask, and facades over one store of their runs. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createTroupe, type Run, type Troupe } from "../../../actors/troupe.ts";

const TALK = `name: talk
states:
  initial: chat
  chat: { type: agent, provider: understudy, mode: conversation, prompt: "Who are you?", on_success: z }
  z: { type: terminal, message: "bye" }
`;
const PAIR = `name: pair
states:
  initial: both
  both: { type: parallel, parallel: [left, right], strategy: all_succeed, on_success: z }
  left: { type: agent, provider: understudy, mode: conversation, prompt: "left?" }
  right: { type: agent, provider: understudy, mode: conversation, prompt: "right?" }
  z: { type: terminal }
`;
const BESIDE = `name: beside
states:
  initial: both
  both: { type: parallel, parallel: [q, work], on_success: z }
  q: { type: ask, questions: [{ name: colour, prompt: "Which colour?" }] }
  work: { type: step, command: "until [ -e go ]; do sleep 0.02; done" }
  z: { type: terminal }
`;
const HOOKED = `name: hooked
hooks: { workflow_cancel: [{ command: "sleep 0.2" }] }
states:
  initial: chat
  chat: { type: agent, provider: understudy, mode: conversation, prompt: "Who are you?", on_success: z }
  z: { type: terminal }
`;
const GATE = `name: gate
states:
  initial: open
  open: { type: step, command: "true", approval: { message: "May it be opened?" }, on_success: z }
  z: { type: terminal }
`;
const PLAIN = `name: plain
states:
  initial: a
  a: { type: step, command: "true", on_success: z }
  z: { type: terminal }
`;

/** Troupes on one store, as in as many processes. */
export function place() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-questions-")));
  const cwd = join(root, "work");
  mkdirSync(join(cwd, ".troupe/workflows"), { recursive: true });
  for (const [name, text] of Object.entries({
    talk: TALK,
    pair: PAIR,
    hooked: HOOKED,
    beside: BESIDE,
    gate: GATE,
    plain: PLAIN,
  }))
    writeFileSync(join(cwd, `.troupe/workflows/${name}.yaml`), text);
  const opened: Troupe[] = [];
  onTestFinished(async () => {
    await Promise.all(opened.map((one) => one.close()));
    rmSync(root, { recursive: true, force: true });
  });
  const troupe = (): Troupe => {
    const environment = { PATH: process.env["PATH"] ?? "", HOME: root, TROUPE_HOME: join(root, "home") };
    const one = createTroupe({ environment });
    opened.push(one);
    return one;
  };
  const start = (one: Troupe, workflow: string): Promise<Run> => one.run({ workflow, inputs: {}, consent: "yes", cwd });
  return { troupe, start, cwd };
}
