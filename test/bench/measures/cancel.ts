/** From a cancel to the answer of the prompt that it ends: for each kind of step, with a process that obeys or not. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Editor } from "../../support/acp-editor.ts";
import { childrenOf } from "../../support/house.ts";
import { Started } from "../../support/started.ts";
import type { Bench } from "../contenders.ts";
import { atMost, type Figure, milliseconds } from "../figures.ts";
import { type Kind, kindsOf, Silence } from "./cancellable.ts";
import { p95 } from "./pace.ts";

const RUNS = 20;
const GATE_MS = 100;
const STUBBORN_GATE_MS = 6_000;
/** How many sessions are cancelled at a time, since stubborn processes take five seconds each. */
const STUBBORN_AT_ONCE = 4;

type Place = Pick<Bench, "program" | "cwd" | "env">;
export type Cancelled = { kind: Kind; ms: number[] };

/** Milliseconds of each cancel; throws where the prompt does not end as cancelled, or a process is left. */
export async function cancelTimes({ program, cwd, env }: Place, runs: number): Promise<Cancelled[]> {
  const silence = await Silence.open();
  const kinds = kindsOf(silence.url);
  const folder = join(cwd, ".troupe", "workflows");
  mkdirSync(folder, { recursive: true });
  for (const { workflows } of kinds)
    for (const [name, text] of Object.entries(workflows)) writeFileSync(join(folder, `${name}.yaml`), text);
  const editor = new Editor(new Started([process.execPath, program, "acp"], { cwd, env }));
  editor.decide = () => undefined;
  await editor.initialize();
  let requests = 0;

  const once = async (kind: Kind): Promise<number> => {
    const session = await editor.open(cwd);
    const answer = editor.prompt(session, `/${kind.name}`);
    const isIts = (text: string): boolean => text.includes(session) && text.includes(kind.shows);
    if (kind.parked) await answer;
    else await editor.sees(({ from, message }) => from === "agent" && isIts(JSON.stringify(message)));
    if (kind.name === "operation") await silence.has(++requests);
    const begun = performance.now();
    if (kind.parked) {
      const { error } = await editor.request("_troupe/session/stop", { sessionId: session });
      if (error !== undefined) throw new Error(`${kind.name}: ${error.message}`);
    } else {
      editor.notify("session/cancel", { sessionId: session });
      const { result } = await answer;
      if ((result as { stopReason?: string } | undefined)?.stopReason !== "cancelled")
        throw new Error(`${kind.name} ended with ${JSON.stringify(result)}`);
    }
    const ms = performance.now() - begun;
    await editor.request("session/delete", { sessionId: session });
    editor.trace.length = 0;
    return ms;
  };

  const taken: Cancelled[] = [];
  for (const kind of kinds) {
    const ms: number[] = [];
    const atOnce = kind.stubborn ? STUBBORN_AT_ONCE : 1;
    await once(kind); // the first one loads code, which is no part of a cancel
    while (ms.length < runs) ms.push(...(await Promise.all(Array.from({ length: atOnce }, () => once(kind)))));
    const left = childrenOf(editor.agent.owner);
    if (left.length > 0) throw new Error(`${kind.name} left the processes ${left.join(", ")}`);
    taken.push({ kind, ms });
  }
  await editor.leave();
  silence.close();
  return taken;
}

export const gateOf = ({ stubborn }: Kind): number => (stubborn ? STUBBORN_GATE_MS : GATE_MS);

export async function cancel(bench: Bench): Promise<Figure[]> {
  const taken = await cancelTimes(bench, RUNS);
  return taken.map(({ kind, ms }) => {
    const late = p95(ms);
    const gate = gateOf(kind);
    return {
      what: `cancel → answer, ${kind.name}, p95 of ${ms.length}`,
      troupe: milliseconds(late),
      raw: "",
      sdk: "",
      ratio: "",
      gate: `≤ ${gate} ms`,
      verdict: atMost(late, gate),
    };
  });
}
