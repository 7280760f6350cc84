/** A workflow of one step as a call of an MCP host and as a prompt of an editor, each in a session of its own. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "../client.ts";
import type { Bench } from "../contenders.ts";
import { atMost, type Figure, median, milliseconds, pairedRatio, times } from "../figures.ts";

const WARM = 20;
const ROUNDS = 100;
const GATE = 1.5;
const WORKFLOW =
  "name: one\nstates:\n  initial: a\n  a: {type: step, command: 'true', on_success: z}\n  z: {type: terminal}\n";

/** Adds the workflow `one` and trusts the directory: an MCP server only reads the trust in the store. */
export function withOneStep({ program, cwd, env }: Bench): void {
  writeFileSync(join(cwd, ".troupe", "workflows", "one.yaml"), WORKFLOW);
  const given = spawnSync(process.execPath, [program, "trust", "add"], { cwd, env, encoding: "utf8" });
  if (given.status !== 0) throw new Error(`troupe trust add: ${given.stderr}`);
}

export async function mcp(bench: Bench): Promise<Figure[]> {
  const { program, cwd, env, troupe } = bench;
  withOneStep(bench);
  const host = new Client({ argv: [process.execPath, program, "mcp"], cwd, env });
  await host.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  });
  host.tell("notifications/initialized");
  const editor = await troupe.ready();
  const calls: number[] = [];
  const prompts: number[] = [];
  for (let i = 0; i < WARM + ROUNDS; i++) {
    const begun = performance.now();
    const { isError } = (await host.request("tools/call", { name: "one", arguments: {} })) as { isError?: boolean };
    const called = performance.now();
    await editor.prompt(await editor.session(cwd), "/one");
    if (isError === true) throw new Error("the call has failed");
    if (i < WARM) continue;
    calls.push(called - begun);
    prompts.push(performance.now() - called);
  }
  await Promise.all([host.end(), editor.end()]);
  const ratio = pairedRatio(calls, prompts);
  return [
    {
      what: "mcp: a call of one step, to a session and its prompt over ACP, p50",
      troupe: `${milliseconds(median(calls))} / ${milliseconds(median(prompts))}`,
      raw: "",
      sdk: "",
      ratio: times(ratio),
      gate: `≤ ${GATE}×`,
      verdict: atMost(ratio, GATE),
    },
  ];
}
