/** The language by itself: a list of 1,000 workflows, cold, and reading the largest file, warm. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Catalogue } from "../../../actors/catalogue/catalogue.ts";
import { parseWorkflow } from "../../../machines/workflow/parse.ts";
import { atMost, type Figure, median, milliseconds } from "../figures.ts";

const FILES = 1_000;
const LIST_GATE = 400;
const PARSE_GATE = 15;
const ROUNDS = 5;
const WARM = 150;

const figure = (what: string, ms: number, gate: number): Figure => ({
  what,
  troupe: milliseconds(ms),
  raw: "",
  sdk: "",
  ratio: "",
  gate: `≤ ${gate} ms`,
  verdict: atMost(ms, gate),
});

const text = (at: number): string => `name: w${at}
version: "1.0.${at}"
description: Workflow number ${at}
inputs:
  - {name: file, type: string, required: true, description: The file to read}
  - {name: n${at % 50}, type: integer, default: 3, validation: {min: 1, max: 9}}
states:
  initial: a
  a: {type: command, command: "cat {{.inputs.file}}", on_success: b}
  b: {type: command, command: "echo {{.states.a.Output}}", on_success: done}
  done: {type: terminal}
`;

export async function list(): Promise<Figure[]> {
  const root = mkdtempSync(join(tmpdir(), "troupe-list-"));
  try {
    const folder = join(root, ".troupe", "workflows");
    mkdirSync(folder, { recursive: true });
    for (let at = 0; at < FILES; at++) writeFileSync(join(folder, `w${at}.yaml`), text(at));
    const begun = performance.now();
    const found = await new Catalogue({ environment: {}, homedir: join(root, "home") }).list(root);
    const ms = performance.now() - begun;
    if (found.length !== FILES || found.some(({ fault }) => fault !== null)) throw new Error("the list is not whole");
    return [figure(`list of ${FILES} workflows, cold`, ms, LIST_GATE)];
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** TROUPE_CORPUS holds the largest file that a real project used; without it one of the same length is made. */
function largest(): string {
  const corpus = process.env["TROUPE_CORPUS"];
  if (corpus !== undefined) return readFileSync(join(corpus, "valid", "historic", "implement.yaml"), "utf8");
  const state = (at: number): string =>
    `  s${at}:\n    type: step\n    description: Step number ${at}\n    command: |\n${`      NAME="{{.inputs.issue}}"\n      echo "$NAME" | grep -q x && echo '{{.inputs.issue}}' || true\n`.repeat(7)}    timeout: 30s\n    capture: {stdout: out, max_size: 1MB}\n    on_success: s${at + 1}\n    on_failure: done\n    hooks:\n      pre:\n        - log: "step ${at} of {{.inputs.issue}}"\n`;
  const states = Array.from({ length: 36 }, (_, at) => state(at)).join("\n");
  return `name: largest\ninputs:\n  - {name: issue, required: true}\nstates:\n  initial: s0\n${states}  s36: {type: terminal}\n  done: {type: terminal}\n`;
}

export async function parse(): Promise<Figure[]> {
  const source = largest();
  const taken: number[] = [];
  for (let i = 0; i < WARM + ROUNDS * 5; i++) {
    const begun = performance.now();
    const { workflow } = parseWorkflow(source, { file: "/w/.awf/workflows/x.yaml", awf: true });
    if (i >= WARM) taken.push(performance.now() - begun);
    if (workflow === null) throw new Error("the file cannot be read");
  }
  const lines = source.split("\n").length;
  return [figure(`parse and check ${lines} lines, warm, p50`, median(taken), PARSE_GATE)];
}
