/** A log and its updates in a form that is the same in every place and at every time, to be compared word for word. */
import type { Exchange } from "../../machines/exchange.ts";
import { type Message, updatesOf } from "./acp-editor.ts";
import type { Sent } from "./acp-schema.ts";

/** Ids become their kind and number in the order of the log, times go, places and users get a name. */
export function normaliser(rows: readonly Exchange[], cwd: string): (value: unknown) => string {
  const names = new Map<string, string>([[cwd, "<cwd>"]]);
  const name = (id: string | undefined, kind: string): void => {
    if (id !== undefined && !names.has(id))
      names.set(id, `<${kind} ${[...names.values()].filter((n) => n.startsWith(`<${kind}`)).length + 1}>`);
  };
  for (const row of rows) {
    name(row.run, "run");
    if (row.type === "turn.started") name(row.payload.turn, "turn");
    if (row.type === "session.opened") names.set(`"principal":"${row.payload.principal}"`, '"principal":"<user>"');
  }
  return (value) => {
    let text = JSON.stringify(value).replace(/"updatedAt":"[^"]*"/, '"updatedAt":"<time>"');
    for (const [id, instead] of names) text = text.replaceAll(id, instead);
    return text;
  };
}
export function linesOf(rows: readonly Exchange[], cwd: string): string {
  const normal = normaliser(rows, cwd);
  return `${rows.map(({ at: _, seq, ...row }) => normal({ seq, ...row })).join("\n")}\n`;
}

/** What a client was shown, without the commands, which are announced whenever they were found. */
export const shownIn = (trace: readonly Sent[]): Message[] =>
  updatesOf(trace)
    .map(({ update }) => update)
    .filter((update) => update["sessionUpdate"] !== "available_commands_update");

/** What a screen shows after these updates: cards and texts in the order in which they came up, and the plan. */
export function screenOf(updates: readonly Message[]): object {
  const items = new Map<string, Message>();
  let plan: unknown;
  for (const update of updates) {
    const { sessionUpdate, toolCallId, messageId, ...fields } = update;
    if (sessionUpdate === "plan") plan = fields["entries"];
    else if (toolCallId !== undefined)
      items.set(`card ${toolCallId}`, { ...items.get(`card ${toolCallId}`), ...fields });
    else {
      const id = `${sessionUpdate} ${messageId ?? items.size}`;
      const text = `${items.get(id)?.["text"] ?? ""}${(fields["content"] as { text?: string } | undefined)?.text ?? JSON.stringify(fields)}`;
      items.set(id, { text });
    }
  }
  return { items: [...items], plan };
}
