/** The official JSON schema of ACP v1 as a judge of single values and of whole traces. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

type Def = { "x-method"?: string; "x-side"?: "agent" | "client" | "protocol" };
type Schema = { $id?: string; $defs: { [name: string]: Def } };
export type Side = "agent" | "client";
export type Sent = { from: Side; message: { [name: string]: unknown } };

const file = createRequire(import.meta.url).resolve("@agentclientprotocol/sdk/schema/v1/schema.json");
const schema = JSON.parse(readFileSync(file, "utf8")) as Schema;
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
ajv.addSchema({ ...schema, $id: "acp" });

const validators = new Map<string, ValidateFunction>();
function validator(def: string): ValidateFunction {
  const known = validators.get(def) ?? ajv.compile({ $ref: `acp#/$defs/${def}` });
  validators.set(def, known);
  return known;
}

/** What is wrong with a value as this definition of the schema, or null. */
export function faultOf(def: string, value: unknown): string | null {
  const validate = validator(def);
  // Through JSON, as it is on the wire: an undefined field is no field.
  if (validate(JSON.parse(JSON.stringify(value)))) return null;
  return `${def}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value).slice(0, 400)}`;
}

const definitions = new Map<string, string>();
for (const [name, def] of Object.entries(schema.$defs)) {
  const what = /(Request|Response|Notification)$/.exec(name)?.[1];
  if (def["x-method"] === undefined || what === undefined) continue;
  definitions.set(`${def["x-side"]} ${def["x-method"]} ${what}`, name);
}
/** What is wrong with the params or the result of a method of the stable schema; a method that it lacks is a fault. */
export function faultOfPart(
  handler: Side,
  method: string,
  what: "Request" | "Response" | "Notification",
  value: unknown,
): string | null {
  const def = definitions.get(`${handler} ${method} ${what}`) ?? definitions.get(`protocol ${method} ${what}`);
  return def === undefined ? `${what} of the unknown method ${method}` : faultOf(def, value);
}

const other: { readonly [side in Side]: Side } = { agent: "client", client: "agent" };

/**
 * Everything wrong in what these sides said in a trace: fields, answers without a request, unknown methods, a missing
 * `jsonrpc`.
 */
export function faultsOf(
  trace: readonly Sent[],
  judged: readonly Side[] = ["agent", "client"],
  /** Methods that are in no stable schema; names that begin with `_` never are. */
  excepted: readonly string[] = [],
): string[] {
  const faults: string[] = [];
  const open = new Map<string, string>();
  let speaker: Side = "agent";
  const report = (fault: string | null): void => {
    if (fault !== null && judged.includes(speaker)) faults.push(`${speaker}: ${fault}`);
  };
  const check = (handler: Side, method: string, what: Parameters<typeof faultOfPart>[2], value: unknown): void => {
    if (method.startsWith("_") || excepted.includes(method)) return;
    report(faultOfPart(handler, method, what, value));
  };
  for (const { from, message } of trace) {
    const { jsonrpc, id, method, params, result, error } = message;
    speaker = from;
    if (jsonrpc !== "2.0") report(`no jsonrpc in ${JSON.stringify(message)}`);
    if (typeof method === "string") {
      check(other[from], method, id === undefined ? "Notification" : "Request", params);
      if (id !== undefined) open.set(`${from} ${JSON.stringify(id)}`, method);
      continue;
    }
    if (error !== undefined) report(faultOf("Error", error));
    if (id === null) continue;
    const key = `${other[from]} ${JSON.stringify(id)}`;
    const asked = open.get(key);
    open.delete(key);
    if (asked === undefined) report(`an answer to nothing: ${JSON.stringify(message)}`);
    else if (error === undefined) check(from, asked, "Response", result);
  }
  return faults;
}
