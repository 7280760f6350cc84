/**
 * Parameters that the SDK's schemas refuse. Its error names the field in `data` alone; most editors show the message.
 *
 * I1. A field is named as far as it is known: where a value may have one of several forms, what each of them lacks is in
 *     `data`, and the message blames none.
 */
const INVALID_PARAMS = -32602;
const BARE = "Invalid params";
const MOST_FIELDS = 3;

type Faults = { readonly _errors?: readonly string[] } & { readonly [field: string]: unknown };

/** The same message, with the fields in its words where it is such a refusal. */
export function namingFields<Sent extends object>(message: Sent): Sent {
  const { error } = message as { error?: { code?: unknown; message?: unknown; data?: unknown } };
  if (error?.code !== INVALID_PARAMS || error.message !== BARE || !isFaults(error.data)) return message;
  const { data } = error;
  const fields = fieldsOf(data);
  const words =
    fields.length === 0 ? [...new Set(data._errors)].map(bare) : fields.map((field) => faultIn(data[field], field));
  if (words.length === 0) return message;
  const more = words.length > MOST_FIELDS ? "; …" : "";
  return { ...message, error: { ...error, message: `${BARE}: ${words.slice(0, MOST_FIELDS).join("; ")}${more}` } };
}

function faultIn(faults: unknown, path: string): string {
  if (!isFaults(faults)) return path;
  const said = new Set(faults._errors);
  const fields = fieldsOf(faults);
  const [field, ...others] = fields;
  if (field !== undefined && others.length === 0 && said.size === 0) return faultIn(faults[field], `${path}.${field}`);
  const [words] = said;
  if (words === undefined || said.size > 1 || fields.length > 0) return `${path}: has none of the forms that are taken`;
  return `${path}: ${bare(words)}`;
}

/** What zod says, without the words that it begins with. */
const bare = (words: string): string => words.replace(/^Invalid input: /, "");
const isFaults = (value: unknown): value is Faults => typeof value === "object" && value !== null && "_errors" in value;
const fieldsOf = (faults: Faults): string[] => Object.keys(faults).filter((name) => name !== "_errors");
