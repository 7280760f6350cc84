/** A session with one run, and what it is told and asked. */
import type { WorkInput } from "../../../machines/contracts.ts";
import type { Row } from "../../../machines/exchange.ts";
import type { Key } from "../../../machines/model.ts";
import type { Node } from "../../../machines/workflow/document.ts";
import { CONTEXT, OK, terminal, worked, workflow } from "../../support/documents.ts";
import { Stage } from "../../support/stage.ts";

export const SESSION = "session/s1";
const DONE = terminal("done");

/** A session with a run of these nodes that was just prompted for. */
export function prompted(...nodes: Node[]): Stage {
  const stage = new Stage();
  stage.create(SESSION, { cwd: "/project", principal: "u" });
  const document = workflow([...nodes, DONE]);
  const asks = { type: "run", run: "r1", workflow: document, inputs: {}, env: {}, context: CONTEXT, trust: "trusted" };
  stage.post(SESSION, { type: "prompt.received", turn: "t1", blocks: [], asks } as never);
  stage.settle();
  return stage;
}
/** The next prompt of the session. */
export function say(stage: Stage, turn: string, text: string, asks: object = { type: "text", otherwise: null }): void {
  stage.post(SESSION, { type: "prompt.received", turn, blocks: [{ type: "text", text }], asks } as never);
  stage.settle();
}
/** Ends the oldest work; answers the words that it was given. */
export function work(stage: Stage): string | null {
  const [work] = stage.work;
  if (work === undefined) throw new Error("no work");
  stage.finish(work, { output: work.src === "work" ? worked(OK) : { fault: null } });
  stage.settle();
  return (work.input as WorkInput).said ?? null;
}
export const places = (rows: readonly Row[]) =>
  rows.map(({ type, step }) => (step === undefined ? type : `${type} ${step}`));
export const keyed = (stage: Stage, kind: string): Key => {
  const key = stage.alive.find((each) => each.startsWith(`${kind}/`));
  if (key === undefined) throw new Error(`no ${kind}`);
  return key;
};
export const BEGIN = ["turn.started", "message.user"];
