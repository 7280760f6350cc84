/**
 * The log of a run in one form for all agents: a list of lines for each step.
 *
 * A1. Neighbouring rows of text are one line. Another line says where there was more than one row.
 * A2. A call is one line, at the place where it began, with all its states. Ids, times, notices, and the agent's own
 *     words around a tool's output are left out; so is reading a file before an edit.
 * A3. Calls of Troupe's own tools come before all words of their step. They are reported when they happen, and an agent
 *     that sends whole texts may send the words before such a call after it.
 */
import type { Exchange, TextPayload, ToolFields } from "../../../machines/exchange.ts";
import type { Scene } from "./scenes.ts";

export type Line = string;

/** The lines of each step of the run. `before`: the text of the file that was edited. */
export function accountOf(rows: readonly Exchange[], scene: Scene, before: string): Line[] {
  const account = new Account(before, scene === "again");
  for (const row of rows) if (row.step === scene) account.take(row);
  return account.lines();
}

type Call = ToolFields & { states: string[] };
type Entry =
  | { type: "said" | "thought"; text: string; rows: number }
  | { type: "call"; call: Call }
  | { type: "line"; line: Line };

class Account {
  readonly #entries: Entry[] = [];
  readonly #calls = new Map<string, Call>();
  /** What calls have printed, as it came. */
  readonly #printed = new Map<string, string>();
  readonly #use = new Set<string>();
  readonly #before: string;
  /** The model writes so slowly that streamed text comes in many rows. */
  readonly #isSlow: boolean;
  constructor(before: string, isSlow: boolean) {
    this.#before = before;
    this.#isSlow = isSlow;
  }

  take(row: Exchange): void {
    switch (row.type) {
      case "message.assistant":
        return this.#say("said", row.payload.text);
      case "message.thought":
        return this.#say("thought", row.payload.text);
      case "tool.call":
      case "tool.update":
      case "tool.result":
        return "block" in row.payload ? this.#print(row.payload) : this.#call(row.payload);
      case "permission.requested":
        return this.#add({ type: "line", line: "asks" });
      case "usage.recorded":
        if ((row.payload.inputTokens ?? 0) > 0 && (row.payload.outputTokens ?? 0) > 0) this.#use.add("tokens");
        if (Number(row.payload["size"] ?? 0) > 0) this.#use.add("context");
        // A price from a table is not reported by the agent.
        if (row.payload.cost !== undefined && row.payload.priced === undefined) this.#use.add("cost");
        return;
      case "step.completed":
        for (const kind of [...this.#use].toSorted()) this.#add({ type: "line", line: `uses: ${kind}` });
        return this.#add({ type: "line", line: `ends: ${row.payload.status}` });
      default:
        return;
    }
  }

  lines(): Line[] {
    const lines = this.#sorted().flatMap((entry) => {
      switch (entry.type) {
        case "line":
          return [entry.line];
        case "call":
          return entry.call.kind === "read" && !isOurs(entry.call) ? [] : [this.#told(entry.call)];
        default:
          return [
            `${entry.type}: ${essence(entry.text)}`,
            ...(this.#isSlow && entry.rows > 2 ? [`${entry.type} in pieces`] : []),
          ];
      }
    });
    // The same words around calls, which are left out.
    return lines.filter((line, index) => line !== lines[index - 1]);
  }

  #sorted(): Entry[] {
    const ours = this.#entries.filter((entry) => entry.type === "call" && isOurs(entry.call));
    if (ours.length === 0) return this.#entries;
    const said = this.#entries.flatMap((entry) => (entry.type === "said" ? [entry.text] : []));
    const rest = this.#entries.filter((entry) => !ours.includes(entry) && entry.type !== "said");
    return [...ours, { type: "said", text: said.join(""), rows: 1 }, ...rest];
  }

  #add(entry: Entry): void {
    this.#entries.push(entry);
  }
  #say(type: "said" | "thought", text: string): void {
    const last = this.#entries.at(-1);
    if (last?.type !== type) return this.#add({ type, text, rows: 1 });
    last.text += text;
    last.rows += 1;
  }
  #call(fields: ToolFields): void {
    const call = this.#calls.get(fields.call) ?? { call: fields.call, states: [] };
    if (!this.#calls.has(fields.call)) this.#add({ type: "call", call });
    this.#calls.set(fields.call, call);
    const { status } = fields;
    Object.assign(call, fields);
    if (status !== undefined && status !== "pending" && call.states.at(-1) !== status) call.states.push(status);
  }

  #print({ call = "", text }: TextPayload): void {
    this.#printed.set(call, (this.#printed.get(call) ?? "") + text);
  }

  #told({ call, title = "", kind, input, states, content = [] }: Call): Line {
    const diffs = content.flatMap((block) =>
      block.type === "diff" ? [block.oldText === this.#before ? "the whole file" : "changed lines"] : [],
    );
    const texts = content.map((block) => (block.type === "text" ? block.text : "")).join("");
    const about = kind === "edit" ? "a file" : kind === "execute" ? title : `${title} ${JSON.stringify(input)}`;
    const came = [...states, ...diffs, ...known((this.#printed.get(call) ?? "") + texts)].join(", ");
    return `calls ${kind}: ${about}: ${came}`;
  }
}

const isOurs = ({ title = "" }: Call): boolean => title === "Read read.txt";

/** The output of the conversation's tools, without what an agent adds. */
const SAYINGS = ["hi-from-tool", "oops", "pong from mcp (n1) env=***", "what stands here"];
const known = (text: string): string[] => SAYINGS.filter((one) => text.includes(one));

/** The text of an answer, with a tool's output in it cut down to the known part. */
function essence(text: string): string {
  if (text.startsWith("stub-model: the agent offers no tool")) return "the agent offers no tool";
  return text.replace(
    /The tool returned: ([\s\S]*) All done\.$/,
    (_, said: string) => `The tool returned: ${known(said).join(", ") || "…"}`,
  );
}
