/** `troupe` on a terminal that a test types into. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { compiled } from "../../support/compiled.ts";
import { PROGRAM } from "../../support/house.ts";
import type { Place } from "./started.ts";

/** Not a dependency: where it is missing, nothing is tested here. */
const TERMINAL = ["script"] as const;
export const hasScript = spawnSync(TERMINAL[0], ["--version"]).stdout?.toString().includes("util-linux") === true;
export const CONTROL = { c: "\u0003", d: "\u0004" };
/** What a line that is typed moves and erases; it may be cut at the end of what was shown yet. */
const MODES = new RegExp(`${"\u001b"}\\[(\\?2004.|\\d*[A-KS-U]|\\??\\d*$)|\u001b$`, "g");
const gate = (name: string, approval: string): [string, string] => [
  `.troupe/workflows/${name}.yaml`,
  `name: ${name}
states:
  initial: a
  a: { type: step, command: "echo ran", approval: ${approval}, on_success: z, on_failure: { message: "denied", status: 9 } }
  z: { type: terminal, message: "over" }
`,
];
export const FILES = {
  ".troupe/workflows/talk.yaml": `name: talk
states:
  initial: chat
  chat: { type: agent, provider: understudy, mode: conversation, prompt: "Who are you?", on_success: z }
  z: { type: terminal, message: "bye" }
`,
  ".troupe/workflows/needs.yaml": `name: needs
inputs:
  - { name: level, required: true, validation: { enum: [low, high] } }
  - { name: count, type: integer, required: true, validation: { max: 9 } }
  - { name: api_key, required: true }
states:
  initial: a
  a: { type: step, command: "echo {{.inputs.level}}-{{.inputs.count}}", on_success: z }
  z: { type: terminal, message: "over" }
`,
  ".troupe/workflows/tools.yaml": `name: tools
states:
  initial: a
  a:
    type: agent
    provider: understudy
    prompt: go
    options:
      script:
        - ask: &call { name: Bash, kind: execute, title: "read the README", input: { command: "rm -rf build" } }
        - ask: *call
        - ask: { name: Bash, kind: execute, input: { command: "rm -rf src" } }
    on_success: z
  z: { type: terminal, message: "over" }
`,
  ...Object.fromEntries([
    gate("gated", '{ message: "Sure?" }'),
    gate("skipped", '{ message: "Sure?", on_deny: skip }'),
    gate("aborted", '{ message: "Sure?", on_deny: abort }'),
    gate("timed", '{ message: "Sure?", timeout: 200ms }'),
  ]),
};

/** Types a line each time another text was seen, in order, after what is to be done first. Resolves with the exit code and all that was shown, `raw` with what moves the cursor. */
export function typing(
  place: Place,
  args: string,
  dialogue: [seen: string, typed: string, first?: (terminal: ChildProcess) => void][],
  env: { [name: string]: string } = {},
) {
  const command = `${process.execPath} ${PROGRAM} ${args}`;
  const child = spawn(TERMINAL[0], ["-qec", command, "/dev/null"], {
    cwd: place.cwd,
    env: {
      PATH: process.env["PATH"],
      HOME: place.folder,
      TROUPE_HOME: place.home,
      NO_COLOR: "1",
      SHELL: "/bin/sh",
      ...compiled(),
      ...env,
    },
  });
  let raw = "";
  let text = "";
  let read = 0;
  child.stdin.on("error", () => undefined);
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    raw += piece;
    text = raw.replace(MODES, "").replaceAll("\r", "");
    for (let next = dialogue[0]; next !== undefined; next = dialogue[0]) {
      const at = text.indexOf(next[0], read);
      if (at < 0) return;
      read = at + next[0].length;
      dialogue.shift();
      next[2]?.(child);
      child.stdin.write(next[1]);
    }
  });
  return new Promise<{ code: number | null; text: string; raw: string; left: number }>((resolve) =>
    child.once("close", (code) => resolve({ code, text, raw, left: dialogue.length })),
  );
}
