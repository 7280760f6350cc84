/**
 * `github.batch`: several operations, some at once.
 *
 * I1. Results stand in the order of the operations. One that was not begun, since the verdict had fallen, has failed.
 * I2. `all_succeed` begins nothing after a failure, `any_succeed` nothing after a success; what runs is not cut off.
 */
import { z } from "zod";
import { type Json, own } from "../../../machines/model.ts";
import { suggest } from "../../../machines/workflow/suggest.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { list, needed, whole } from "../fields.ts";
import { checkedInputs, type Operation, type OperationCall, type OperationEnd } from "../operation.ts";
import { SINGLE } from "./github.ts";

const DEFAULT_CONCURRENCY = 3;
const STRATEGIES = ["all_succeed", "any_succeed", "best_effort"] as const;
type Strategy = (typeof STRATEGIES)[number];

const inputs = z.strictObject({
  operations: list(
    z.looseObject(
      {
        name: needed("the name of an operation"),
        inputs: z.record(z.string(), z.unknown(), { error: "a map of inputs" }).nullish(),
      },
      { error: "a map with name and inputs" },
    ),
    "a list of maps with name and inputs",
  ),
  strategy: z.enum(STRATEGIES, { error: `one of ${STRATEGIES.join(", ")}` }).nullish(),
  concurrency: whole(1).nullish(),
});

const play: Operation = async (call) => {
  const { operations, strategy, concurrency } = checkedInputs(inputs, call);
  const calls = operations.map((each, index) => prepared(each, `${call.where}.operations[${index}]`, call));
  const results = await played(calls, strategy ?? "best_effort", concurrency ?? DEFAULT_CONCURRENCY, call.signal);
  const succeeded = results.filter((each) => each.ok).length;
  const outputs = {
    total: results.length,
    succeeded,
    failed: results.length - succeeded,
    results: results.map(shown),
  };
  const told = `${succeeded} of ${results.length} operations succeeded`;
  const failed =
    (strategy === "all_succeed" && succeeded < results.length) ||
    (strategy === "any_succeed" && succeeded === 0 && results.length > 0);
  if (!failed) return { ok: true, outputs, told };
  const first = results.find((each) => !each.ok);
  return { ok: false, message: `${told}: ${first?.ok === false ? first.message : ""}`, outputs };
};
export const batch: Operation = Object.assign(play, { inputs });

const shown = (end: OperationEnd): Json => ({
  success: end.ok,
  outputs: end.outputs ?? {},
  error: end.ok ? "" : end.message,
});

/** Inputs stand under `inputs`, or beside the name. */
function prepared(
  { name, inputs: below, ...beside }: { name: string; inputs?: { [name: string]: unknown } | null | undefined },
  where: string,
  call: OperationCall,
): () => Promise<OperationEnd> {
  const operation = own(SINGLE, name);
  if (operation === undefined) {
    const known = Object.keys(SINGLE);
    const meant = suggest(name, known);
    const question = meant === null ? `one of ${known.join(", ")}` : `did you mean "${meant}"?`;
    throw new TroupeError("USER.OPERATION.UNKNOWN", `${where}.name: there is no operation "${name}"; ${question}`);
  }
  const inputs = { ...beside, ...below } as OperationCall["inputs"];
  return async () => {
    try {
      return await operation({ ...call, inputs, where: below ? `${where}.inputs` : where });
    } catch (error) {
      if (error instanceof TroupeError) return { ok: false, message: error.message };
      throw error;
    }
  };
}

async function played(
  calls: readonly (() => Promise<OperationEnd>)[],
  strategy: Strategy,
  concurrency: number,
  signal: AbortSignal,
): Promise<OperationEnd[]> {
  const results: OperationEnd[] = calls.map(() => ({ ok: false, message: "not begun" }));
  let next = 0;
  let decided = false;
  const lane = async (): Promise<void> => {
    while (next < calls.length && !decided && !signal.aborted) {
      const index = next++;
      const end = await (calls[index] as () => Promise<OperationEnd>)();
      results[index] = end;
      if ((strategy === "all_succeed" && !end.ok) || (strategy === "any_succeed" && end.ok)) decided = true;
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, calls.length) }, lane));
  return results;
}
