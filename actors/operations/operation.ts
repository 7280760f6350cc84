/**
 * What a built-in operation is to a step: checked inputs in, outputs as data out.
 *
 * I1. An operation ends everything it started before it settles; after an abort it settles soon.
 * I2. What goes wrong outside is an end, what the author wrote wrong is a thrown `TroupeError`.
 */

import type { z } from "zod";
import type { Json } from "../../machines/model.ts";
import type { Environment } from "../base/user-folders.ts";
import { TroupeError } from "../errors/troupe-error.ts";

export type OperationCall = {
  /** Rendered. */
  inputs: { readonly [name: string]: Json };
  cwd: string;
  /** The user's environment. */
  environment: Environment;
  marker: { readonly [name: string]: string };
  signal: AbortSignal;
  /** The span of the step, for a server that goes on in its trace. */
  traceparent?: string;
  /** What the field of the inputs is called in messages. */
  where: string;
};
export type Outputs = { [name: string]: Json };
/** `told`: one line of what was done, for people. */
export type OperationEnd =
  | { ok: true; outputs: Outputs; told: string; text?: string }
  | { ok: false; message: string; outputs?: Outputs; text?: string };
export type Operation = {
  (call: OperationCall): Promise<OperationEnd>;
  /** What it takes, for who checks a step before it runs; what it does not say is not checked. */
  readonly inputs?: z.ZodType;
};

/** The inputs as the schema types them. Throws USER.OPERATION.INVALID_INPUT that names the first that is wrong. */
export function checkedInputs<T extends z.ZodType>(schema: T, { inputs, where }: OperationCall): z.output<T> {
  const checked = schema.safeParse(inputs);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const unknown = issue?.code === "unrecognized_keys";
  const path = [where, ...(issue?.path ?? []), ...(unknown ? issue.keys.slice(0, 1) : [])].map(String).join(".");
  const message = unknown
    ? `${path}: there is no such input`
    : `${path}: expected ${issue?.message ?? "another value"}`;
  throw new TroupeError("USER.OPERATION.INVALID_INPUT", message, { field: path });
}
