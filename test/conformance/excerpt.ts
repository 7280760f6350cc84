/**
 * Messages as the table shows them: the same in every run and on every machine.
 *
 * I1. Ids, paths, ports and times are replaced by names; the same thing has the same name within an excerpt.
 * I2. Long texts, long lists and deep objects are cut, and a `…` says so.
 */
import type { Sent } from "../support/acp-schema.ts";

const MAX_TEXT = 72;
const MAX_NAMED = 10_000;
const MAX_DEPTH = 5;
const itemsAt = (depth: number): number => (depth <= 4 ? 2 : 1);
/** Fields that hold an id, alone or in front of a `/` or `#`. */
const ID_FIELDS = new Set([
  "sessionId",
  "parentSessionId",
  "toolCallId",
  "messageId",
  "terminalId",
  "run",
  "troupe/parentSessionId",
]);
const OPAQUE = new Set(["nextCursor", "cursor", "updatedAt", "version"]);

export class Excerpt {
  readonly lines: string[] = [];
  readonly #names: Map<string, string>;
  readonly #numbers = new Map<string, number>();
  #unique = 0;

  /** `paths`: what stands for them, the longest first. */
  constructor(paths: readonly (readonly [path: string, name: string])[]) {
    this.#names = new Map(paths);
  }

  say(text: string): void {
    this.lines.push(this.#masked(text));
  }
  show({ from, message }: Sent, who = ""): void {
    const { jsonrpc: _, id, ...rest } = message;
    const side = "method" in message ? from : from === "agent" ? "client" : "agent";
    const numbered =
      id === undefined ? rest : { id: typeof id === "number" ? this.#number(`${who}${side}`, id) : id, ...rest };
    this.#learn(rest);
    this.lines.push(
      `${who}${from === "client" ? "→" : "←"} ${this.#masked(JSON.stringify(cut(this.#named(numbered), 0)))}`,
    );
  }

  /** The requests of a side are numbered in the order in which they are shown. */
  #number(side: string, id: number): number {
    const key = `${side} ${id}`;
    const known = [...this.#numbers.keys()].filter((one) => one.startsWith(`${side} `)).length;
    if (!this.#numbers.has(key)) this.#numbers.set(key, known + 1);
    return this.#numbers.get(key) as number;
  }
  #learn(value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    for (const [field, item] of Object.entries(value)) {
      if (typeof item !== "string") this.#learn(item);
      else if (OPAQUE.has(field) && item.length > 4) this.#names.set(item, `<${field}>`);
      else if (ID_FIELDS.has(field)) {
        for (const id of item.split(/[/#]/))
          if (/^[\w-]{12,36}$/.test(id) && !this.#names.has(id)) this.#names.set(id, `<id ${++this.#unique}>`);
      }
    }
  }
  /** Before anything is cut, so that the cut does not depend on names. */
  #named(value: unknown): unknown {
    if (typeof value === "string") return value.length > MAX_NAMED ? value.slice(0, MAX_NAMED) : this.#masked(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.#named(item));
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#named(item)]));
  }
  #masked(text: string): string {
    let masked = text.replaceAll(/[^\s"?]*\/(elsewhere)-\w{6}/g, "<$1>");
    for (const [what, name] of this.#names) masked = masked.replaceAll(what, name);
    return masked.replaceAll(/(127\.0\.0\.1|localhost):\d+/g, "$1:<port>").replaceAll(/\(pid \d+\)/g, "(pid <pid>)");
  }
}

function cut(value: unknown, depth: number): unknown {
  if (typeof value === "string") return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return "…";
  if (Array.isArray(value)) {
    const items = value.slice(0, itemsAt(depth)).map((item) => cut(item, depth + 1));
    return value.length > items.length ? [...items, "…"] : items;
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cut(item, depth + 1)]));
}
