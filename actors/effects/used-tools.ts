/**
 * The tools that an agent used, as its step's result has them: a trace that stays small.
 *
 * I1. One entry for each call, in the order in which they began; the first MOST_TOOLS of them. What a call was given and
 *     what it brought stand in the log.
 * I2. A call whose end was not told has ended as its agent has.
 */
import type { UsedTool } from "../../machines/model.ts";
import type { AgentEvent } from "../agents/agent.ts";
import type { CallsEnd } from "./agent-rows.ts";

const MOST_TOOLS = 100;
const MOST_CHARS = 200;

export class UsedTools {
  readonly #calls = new Map<string, UsedTool>();

  take(event: AgentEvent): void {
    if (event.type !== "tool") return;
    const { call, title, kind, status } = event.tool;
    const known = this.#calls.get(call);
    if (known === undefined && this.#calls.size >= MOST_TOOLS) return;
    this.#calls.set(call, {
      Title: title === undefined ? (known?.Title ?? short(call)) : short(title),
      Kind: kind ?? known?.Kind ?? "other",
      Status: status ?? known?.Status ?? "pending",
    });
  }

  /** What the step leaves; nothing where no tool was used. Given how calls have ended whose end was not told (I2). */
  left({ status }: CallsEnd): { Tools?: UsedTool[] } {
    if (this.#calls.size === 0) return {};
    const ended = ({ Status }: UsedTool): boolean => Status === "completed" || Status === "failed";
    return { Tools: [...this.#calls.values()].map((tool) => (ended(tool) ? tool : { ...tool, Status: status })) };
  }
}

const short = (text: string): string => (text.length <= MOST_CHARS ? text : `${text.slice(0, MOST_CHARS - 1)}…`);
