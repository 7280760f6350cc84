/** A toolbox over a workspace of its own. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { AgentEvent, ToolAnswer, ToolQuestion } from "../../../actors/agents/agent.ts";
import { ownIdentity } from "../../../actors/process/identity.ts";
import { markerFor } from "../../../actors/process/marker.ts";
import { scanProcesses } from "../../../actors/process/table.ts";
import { BUILT_IN, Toolbox } from "../../../actors/tools/toolbox.ts";
import type { Policy } from "../../../machines/contracts.ts";

let boxes = 0;

export function toolbox(
  files: { [path: string]: string } = {},
  answer: (question: ToolQuestion) => ToolAnswer = () => ({ allowed: true }),
  rules: (question: ToolQuestion) => Policy = () => "allow",
) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-tools-")));
  const cwd = join(root, "work");
  mkdirSync(cwd);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  const heard: AgentEvent[] = [];
  const asked: ToolQuestion[] = [];
  const waiting = new Set<() => void>();
  const scope = `tools/${process.pid}/${++boxes}`;
  const box = new Toolbox({
    tools: BUILT_IN,
    cwd,
    env: { PATH: process.env["PATH"] ?? "", SEEN: "1" },
    marker: () => markerFor(ownIdentity(), scope),
    ask: async (question) => {
      asked.push(question);
      return answer(question);
    },
    rules,
    emit: (event) => {
      heard.push(event);
      for (const look of [...waiting]) look();
    },
  });
  onTestFinished(async () => {
    await box.close();
    rmSync(root, { recursive: true, force: true });
  });
  return {
    root,
    cwd,
    box,
    heard,
    asked,
    call: (name: string, input: unknown) => box.call(name, input, new AbortController().signal),
    running: () => scanProcesses(null).filter((one) => one.scope === scope).length,
    until: (condition: () => boolean) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!condition()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
