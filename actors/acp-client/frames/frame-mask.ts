/**
 * Keeps secrets out of frames that are kept or logged. H44, H48.
 *
 * I1. Every text, name and number of a frame is masked; words of the protocol itself stay, or a frame could not be read.
 * I2. Text that comes in pieces is masked as the one text that it is: an end that may become a secret is held back, and
 *     comes before whatever ends the text. Each session has a text of its own, and so has what each call writes, which
 *     goes on whatever else is said.
 * I3. Values of variables and headers that are handed to an agent or a command are never kept, whatever they are.
 */
import type { WireFrame } from "../../../machines/conversation/entry.ts";
import { fieldOf, textIn } from "../../../machines/conversation/index-of.ts";
import type { Json } from "../../../machines/model.ts";
import { isFields } from "../../base/json.ts";
import type { Mask, Stream } from "../../masking/masking.ts";
import { SHOWN } from "../../masking/words.ts";

export type FrameMasking = Pick<Mask, "stream" | "text">;

/** Fields whose values are the protocol's own words. */
const OWN = new Set([
  "jsonrpc",
  "method",
  "sessionUpdate",
  "type",
  "kind",
  "status",
  "stopReason",
  "outcome",
  "priority",
]);
const WORD = /^(?:2\.0|[a-z_]{2,32}|[a-z_$]{1,20}\/[a-z_]{1,40})$/;
const CHUNKS = new Set<Json>(["agent_message_chunk", "agent_thought_chunk", "user_message_chunk"]);
/** Names that the protocol gives to fields. */
const FIELDS = new Set(
  (
    "jsonrpc id method params result error code message data sessionId update sessionUpdate content text type prompt " +
    "title kind status toolCall toolCallId rawInput rawOutput locations path line limit oldText newText uri name " +
    "mimeType options optionId outcome entries priority modes currentModeId availableModes configOptions currentValue " +
    "value description availableCommands input hint cwd mcpServers command args env headers url stopReason used size " +
    "cost amount currency terminalId output _meta terminal_output_delta agentCapabilities clientCapabilities version"
  ).split(" "),
);
/** Updates that end no text. */
const BESIDE = new Set<Json>([
  ...["usage_update", "session_info_update", "available_commands_update", "current_mode_update"],
  "config_option_update",
]);
/** What an update of a call has that says nothing but a piece of what it writes. */
const OUTPUT_ALONE = new Set(["sessionUpdate", "toolCallId", "_meta"]);
/** Fewer digits are counts, lines and exit codes. */
const MIN_NUMBER = 6;
/** Lists of names and values that are handed on. */
const HANDED = new Set(["env", "headers"]);

/** A text of a session: what is said there, or, with the id of a call, what that writes. */
type Said = { session: string; by: string; call: string | null };
/** `frame`: the one that said the piece last, to say the rest by. */
type Open = Said & { stream: Stream; frame: WireFrame };

export class FrameMask {
  readonly #mask: FrameMasking;
  /** Texts that come in pieces, by whose they are. */
  readonly #open = new Map<string, Open>();
  constructor(mask: FrameMasking) {
    this.#mask = mask;
  }

  /** What may be written of a frame: nothing while it is held back, or more than one. */
  frames(frame: WireFrame): WireFrame[] {
    const update = frame.method === "session/update" ? fieldOf(frame.params, "update") : null;
    const kind = fieldOf(update, "sessionUpdate");
    if (update === null) return [...("method" in frame ? [] : this.rest()), this.#whole(frame)];
    if (BESIDE.has(kind)) return [this.#whole(frame)];
    const session = textIn(frame.params, "sessionId");
    const text = fieldOf(fieldOf(update, "content"), "text");
    if (CHUNKS.has(kind) && typeof text === "string") {
      const said = { session, by: String(kind), call: null };
      // Another speaker ends what was said.
      const before = this.#ended((one) => one.session === session && one.call === null && one.by !== said.by);
      return [...before, ...this.#piece(said, frame, text)];
    }
    const call = textIn(update, "toolCallId");
    const shown = fieldOf(fieldOf(fieldOf(update, "_meta"), "terminal_output_delta"), "data");
    if (kind === "tool_call_update" && typeof shown === "string")
      return this.#piece({ session, by: "call", call }, frame, shown);
    const before = this.#ended((one) => one.session === session && (one.call === null || one.call === call));
    return [...before, this.#whole(frame)];
  }

  /** What is held back still: no more of it comes. */
  rest(): WireFrame[] {
    return this.#ended(() => true);
  }

  #ended(isOver: (one: Said) => boolean): WireFrame[] {
    return [...this.#open].flatMap(([key, one]) => {
      if (!isOver(one)) return [];
      this.#open.delete(key);
      const text = one.stream.end();
      return text === "" ? [] : [this.#saying(one.frame, text)];
    });
  }

  #piece(said: Said, frame: WireFrame, text: string): WireFrame[] {
    const key = JSON.stringify(said);
    const { stream } = this.#open.get(key) ?? { stream: this.#mask.stream() };
    this.#open.set(key, { ...said, stream, frame });
    const update = fieldOf(frame.params, "update");
    const status = fieldOf(update, "status");
    const isLast = status === "completed" || status === "failed";
    if (isLast) this.#open.delete(key);
    const now = stream.push(text) + (isLast ? stream.end() : "");
    const saysMore = said.call !== null && Object.keys(update ?? {}).some((name) => !OUTPUT_ALONE.has(name));
    return now === "" && !saysMore ? [] : [this.#saying(frame, now)];
  }

  /** The frame, which says this in place of what it said. */
  #saying(frame: WireFrame, text: string): WireFrame {
    const params = frame.params as { update: { [name: string]: Json } };
    const { update } = params;
    const meta = update["_meta"];
    const content = update["content"];
    const bare: { [name: string]: Json } = { ...update };
    const { data: _, ...delta } = { data: null, ...(fieldOf(meta ?? null, "terminal_output_delta") as object | null) };
    if (isFields(content) && CHUNKS.has(update["sessionUpdate"] ?? null)) bare["content"] = { ...content, text: "" };
    else bare["_meta"] = { ...(isFields(meta) ? meta : {}), terminal_output_delta: delta };
    const masked = this.#whole({ ...frame, params: { ...params, update: bare } });
    const shown = (masked.params as typeof params).update;
    if (isFields(shown["content"]) && "text" in shown["content"]) shown["content"]["text"] = text;
    else (shown["_meta"] as { terminal_output_delta: { data?: string } }).terminal_output_delta.data = text;
    return masked;
  }

  #whole(frame: WireFrame): WireFrame {
    return this.#masked(frame as Json, "", false) as WireFrame;
  }
  #masked(value: Json, field: string, handed: boolean): Json {
    if (typeof value === "string") {
      if (handed && field === "value") return SHOWN;
      return OWN.has(field) && WORD.test(value) ? value : this.#mask.text(value);
    }
    if (typeof value === "number") {
      const text = String(value);
      return text.length < MIN_NUMBER || this.#mask.text(text) === text ? value : SHOWN;
    }
    if (Array.isArray(value)) return value.map((one) => this.#masked(one, field, handed));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        FIELDS.has(name) ? name : this.#mask.text(name),
        this.#masked(one, name, handed || (HANDED.has(name) && Array.isArray(one))),
      ]),
    );
  }
}
