/**
 * What an ACP agent says as events of a step.
 *
 * I1. A tool call keeps the agent's own id, but for one that is ours or of a call that has ended. What an update says is
 *     passed on, a title as far as a card has room for it; what it does not say is not repeated.
 * I2. The text of the answer is what was said after the last tool call, or all of it where nothing was. Messages that an
 *     agent tells apart are paragraphs.
 * I3. The agent's plan is a tool call of its own, which ends with the turn.
 * I4. ACP's cost is that of a conversation so far; a step's is what its attempt has added.
 * I5. A refused call whose end the agent does not report has failed, and so has one that it says is pending, of which it
 *     neither asks nor shows that it began.
 * I6. A file that the agent had written through us is shown as an edit: with the call that
 *     names the file, unless that shows one itself, else with a card of its own.
 */
import type { ContentChunk, SessionUpdate, ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { Block, FileEdit } from "../../../machines/exchange.ts";
import type { Json } from "../../../machines/model.ts";
import { endOf } from "../../base/end-of.ts";
import { fieldsAt, fieldsOf, textAt } from "../../base/json.ts";
import type { AgentEvent, ToolEvent, Usage } from "../agent.ts";
import { CallNames } from "../call-names.ts";
import { withMore } from "../kept-words.ts";
import { PARAGRAPH, Paragraphs, turnText } from "../paragraphs.ts";
import { shortened } from "../titles.ts";
import { blocksOf, textOf } from "./content.ts";

const PLAN = "plan";
const WRITES = "fs/write_text_file/";
const THEIRS = "agent/";
/** An agent may show a command in the title alone. */
const MAX_TITLE = 2_000;
const KEPT_OUTPUT = 64 * 1024;
const UNBEGUN = "The agent ended its turn and did not begin this call.";
const MARKS = { pending: "[ ]", in_progress: "[>]", completed: "[x]" } as const;

/** A call as far as it is known: what a question about it may leave out. */
export type KnownCall = Pick<ToolEvent, "title" | "kind" | "input" | "locations"> & { name?: string };

export class UpdateReader {
  readonly #calls = new Map<string, KnownCall>();
  readonly #names = new CallNames();
  /** Calls that were refused and have not ended, with the words of the refusal. */
  readonly #refused = new Map<string, string>();
  /** Calls that are said to be pending, and nothing more. */
  readonly #pending = new Set<string>();
  /** The end of what a call wrote, of agents that report it beside the update. */
  readonly #output = new Map<string, string>();
  /** The files whose edits its calls have shown, and how many were written through us. */
  readonly #shown = new Set<string>();
  #writes = 0;
  readonly #words = new Paragraphs();
  /** The message whose words came last, of agents that name them. */
  #message: string | null = null;
  #last = "";
  #hasPlan = false;
  #before = 0;
  /** What it has told of its use last. */
  #usage: Usage = {};
  /** What the conversation has cost so far (I4). */
  spent = 0;

  /** The conversation has cost this much already. */
  goesOn(spent: number): void {
    this.#before = spent;
    this.spent = spent;
  }

  /** All that was said, and what of it is the answer (I2). */
  get said(): string {
    return this.#words.said;
  }
  get answer(): string {
    return turnText(this.#last, this.said).trim();
  }
  call(id: string): KnownCall {
    return this.#calls.get(this.#names.of(idOf(id))) ?? {};
  }

  read(update: SessionUpdate): AgentEvent[] {
    return this.#words.take(this.#read(update));
  }

  #read(update: SessionUpdate): AgentEvent[] {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        return this.#spoken("text", update);
      case "agent_thought_chunk":
        return this.#spoken("thought", update);
      case "tool_call":
        this.#last = "";
        if (update.status !== "completed" && update.status !== "failed") this.#names.begins(idOf(update.toolCallId));
        return this.#called(update);
      case "tool_call_update":
        return this.#called(update);
      case "plan": {
        const lines = update.entries.map(({ content, status }) => `${MARKS[status] ?? "[ ]"} ${content}`);
        const content: Block[] = [{ type: "text", text: lines.join("\n") }];
        const first = !this.#hasPlan;
        this.#hasPlan = true;
        const call: ToolEvent = { call: PLAN, title: "Plan", kind: "think", status: "in_progress" };
        return [
          ...(first ? [{ type: "tool", tool: call } as const] : []),
          { type: "tool", tool: { call: PLAN, content } },
        ];
      }
      case "usage_update": {
        const { used, size, cost } = update;
        this.#usage = { ...this.#usage, used, size };
        if (!cost) return [{ type: "usage", usage: this.#usage }];
        this.spent = cost.amount;
        // An agent that begins to count anew reports what this attempt costs, from here on.
        if (cost.amount < this.#before) this.#before = 0;
        const amount = Number((cost.amount - this.#before).toFixed(9));
        this.#usage.cost = { ...cost, amount };
        return [{ type: "usage", usage: this.#usage }];
      }
      case "notice":
        return [{ type: "notice", severity: severityOf(update.severity), message: shortened(update.title, MAX_TITLE) }];
      case "user_message_chunk":
      case "available_commands_update":
      case "current_mode_update":
      case "config_option_update":
      case "session_info_update":
      case "compaction_update":
      case "compaction_summary_chunk":
        return [];
      default:
        return [{ type: "unknown", value: update as unknown as Json }];
    }
  }

  #spoken(type: "text" | "thought", { content, messageId }: ContentChunk): AgentEvent[] {
    const text = textOf(content);
    if (text === "") return [];
    const begins = messageId != null && this.#message !== null && messageId !== this.#message;
    this.#message = messageId ?? this.#message;
    if (begins) this.#words.begin();
    if (type === "text") this.#last = withMore(this.#last, begins && this.#last !== "" ? PARAGRAPH + text : text);
    return [{ type, text }];
  }

  #called(update: ToolCallUpdate): AgentEvent[] {
    const tool = this.tool(update);
    const { call } = tool;
    const text = shownBeside(update);
    if (text !== "") this.#output.set(call, endOf((this.#output.get(call) ?? "") + text, KEPT_OUTPUT));
    const output: AgentEvent[] = text === "" ? [] : [{ type: "tool output", call, text }];
    if (tool.status === "pending" && text === "" && !hasTerminal(update)) this.#pending.add(call);
    else if (tool.status !== undefined || text !== "" || hasTerminal(update)) this.#pending.delete(call);
    const isNews = Object.keys(tool).length > 1;
    if (tool.status !== "completed" && tool.status !== "failed")
      return isNews ? [...output, { type: "tool", tool }] : output;
    this.#names.ends(idOf(update.toolCallId));
    this.#refused.delete(call);
    const kept = this.#output.get(call) ?? "";
    // It was shown as it came: only why a call has failed is said once more.
    if (tool.status === "failed" && tool.content === undefined && kept !== "")
      tool.content = [{ type: "text", text: kept }];
    return [...output, { type: "tool", tool }];
  }

  /** What the agent does not end itself (I3, I5), and what the turn has used in the end. */
  end(tokens: Usage | null = null): AgentEvent[] {
    const unbegun = [...this.#pending].map((call) => [call, UNBEGUN] as const);
    const refused = [...this.#refused, ...unbegun].map(
      ([call, text]): ToolEvent => ({ call, status: "failed", content: [{ type: "text", text }] }),
    );
    const plan: ToolEvent[] = this.#hasPlan ? [{ call: PLAN, status: "completed" }] : [];
    const usage: AgentEvent[] = tokens === null ? [] : [{ type: "usage", usage: { ...this.#usage, ...tokens } }];
    return [...[...refused, ...plan].map((tool) => ({ type: "tool", tool }) as const), ...usage];
  }

  /** What a question reports of its call before any update does. */
  asked(update: ToolCallUpdate): AgentEvent[] {
    const before = this.#calls.get(this.#names.begins(idOf(update.toolCallId)));
    const { call, title, kind, input, locations } = this.tool(update);
    this.#pending.delete(call);
    const tool: ToolEvent = {
      call,
      ...(before === undefined ? { status: "pending" as const } : {}),
      ...(title === undefined || before?.title !== undefined ? {} : { title }),
      ...(kind === undefined || before?.kind !== undefined ? {} : { kind }),
      ...(input === undefined || before?.input !== undefined ? {} : { input }),
      ...(locations === undefined || before?.locations !== undefined ? {} : { locations }),
    };
    return Object.keys(tool).length > 1 ? this.#words.take([{ type: "tool", tool }]) : [];
  }
  /** The agent had this written through us (I6). */
  written({ path, oldText, newText }: FileEdit): AgentEvent[] {
    if (this.#shown.has(path)) return [];
    const content: Block[] = [{ type: "diff", path, oldText, newText }];
    const own = [...this.#calls].findLast(([, { kind, locations = [] }]) => {
      return kind === "edit" && locations.some((one) => one.path === path);
    });
    this.#pending.delete(own?.[0] ?? "");
    if (own !== undefined) return this.#words.take([{ type: "tool", tool: { call: own[0], content } }]);
    const call = `${WRITES}${++this.#writes}`;
    const tool: ToolEvent = { call, title: `Write ${path}`, kind: "edit", status: "completed", locations: [{ path }] };
    return this.#words.take([{ type: "tool", tool: { ...tool, content } }]);
  }
  refused(call: string, message: string): void {
    this.#refused.set(this.#names.of(idOf(call)), message);
  }

  /** The fields that an update gives a call. */
  tool(update: ToolCallUpdate): ToolEvent {
    const { toolCallId, title, kind, status, rawInput, rawOutput, locations, content } = update;
    const blocks = (content ?? []).flatMap(blocksOf);
    for (const block of blocks) if (block.type === "diff") this.#shown.add(block.path);
    const name = "name" in update && typeof update.name === "string" ? update.name : undefined;
    const call = this.#names.of(idOf(toolCallId));
    const shown = shortened(title ?? "", MAX_TITLE);
    const tool: ToolEvent = {
      call,
      ...(shown === "" ? {} : { title: shown }),
      ...(kind ? { kind } : {}),
      ...(status ? { status } : {}),
      ...(isSaid(rawInput) ? { input: rawInput as Json } : {}),
      ...(isSaid(rawOutput) ? { output: rawOutput as Json } : {}),
      ...(locations && locations.length > 0 ? { locations: locations.map(placeOf) } : {}),
      ...(blocks.length > 0 ? { content: blocks } : {}),
    };
    const { status: _, output: __, content: ___, call: ____, ...known } = tool;
    // Who is asked about it sees the whole title.
    const whole = { ...(title && shown !== "" ? { title } : {}), ...(name === undefined ? {} : { name }) };
    this.#calls.set(call, { ...this.#calls.get(call), ...known, ...whole });
    return tool;
  }
}

/** The agent's id of a call; one that could be ours, of the plan or of a write, is told apart from it (I1). */
const idOf = (id: string): string =>
  id === PLAN || id.startsWith(WRITES) || id.startsWith(THEIRS) ? `${THEIRS}${id}` : id;

/** Codex's adapter writes what a command says to a terminal that it takes to be shown. */
const shownBeside = ({ _meta }: ToolCallUpdate): string =>
  textAt(fieldsAt(fieldsOf((_meta ?? {}) as Json), "terminal_output_delta"), "data") ?? "";

/** Its command runs in a terminal of ours. */
const hasTerminal = ({ content }: ToolCallUpdate): boolean => content?.some(({ type }) => type === "terminal") ?? false;

const placeOf = ({ path, line }: { path: string; line?: number | null }) => ({ path, ...(line ? { line } : {}) });

/** Agents begin a call with `{}` when they do not know its input yet. */
const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== null && !(typeof value === "object" && Object.keys(value).length === 0);

const severityOf = (severity: string): "info" | "warning" | "error" =>
  severity === "warning" || severity === "error" ? severity : "info";
