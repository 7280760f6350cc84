/**
 * A channel's stream, observed: what the SDK does not report, or would drop.
 *
 * I1. A sender that waits for its message to be written hears once, when the channel has taken it.
 * I2. A response to nothing that was asked, or that was answered before, is dropped; `1` and `"1"` are two ids.
 * I3. An answer that is none of JSON-RPC's is known by its object: the SDK takes it for a refusal, which holds it.
 * I4. An update of a kind that the SDK does not know, or without what its kind needs, goes to `onUnknownUpdate`, whole;
 *     the SDK would drop it. So does one that names no session, and an entry of a plan is put into words that the SDK
 *     takes (`plan-entries.ts`).
 */
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import { NO_KIND } from "../../machines/not-read.ts";
import { knownEntries } from "./plan-entries.ts";
import { faultOfAnswer } from "./responses.ts";
import { hasForm } from "./update-forms.ts";

/** The kinds of `session/update` that this protocol version knows. */
const KINDS: ReadonlySet<unknown> = new Set([
  "user_message_chunk",
  "agent_message_chunk",
  "agent_thought_chunk",
  "tool_call",
  "tool_call_update",
  "plan",
  "available_commands_update",
  "current_mode_update",
  "config_option_update",
  "session_info_update",
  "usage_update",
  "notice",
  "compaction_update",
  "compaction_summary_chunk",
]);

export type Unknown = { readonly sessionUpdate: string; readonly [name: string]: unknown };
/** `sessionId`: null where it names none. */
export type UnknownUpdate = { sessionId: string | null; update: Unknown };

export type Wire = {
  stream: Stream;
  /** Calls `written` when the message with exactly these params has been taken by the channel. */
  onWritten(params: object, written: () => void): void;
  forget(params: object): void;
  /** Whether this is such an answer, as it came (I3). */
  isNoAnswer(message: unknown): message is object;
};

export function wire(stream: Stream, onUnknownUpdate: (one: UnknownUpdate) => void): Wire {
  const awaited = new Map<object, () => void>();
  const asked = new Set<unknown>();
  const noAnswers = new WeakSet<object>();
  const writer = stream.writable.getWriter();
  const writable = new WritableStream<AnyMessage>({
    async write(message) {
      if ("method" in message && "id" in message) asked.add(message.id);
      await writer.write(message);
      const params = "params" in message ? (message.params as object | undefined) : undefined;
      if (params === undefined) return;
      const written = awaited.get(params);
      awaited.delete(params);
      written?.();
    },
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason),
  });
  const reader = stream.readable.getReader();
  const readable = new ReadableStream<AnyMessage>(
    {
      async pull(controller) {
        for (;;) {
          const { value, done } = await reader.read();
          if (done) return controller.close();
          if (!("method" in value)) {
            if (!asked.delete(value.id)) continue;
            if (faultOfAnswer(value) !== null) noAnswers.add(value);
          }
          const unknown = unknownUpdateOf(value);
          if (unknown === null) return controller.enqueue(taken(value));
          onUnknownUpdate(unknown);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return {
    stream: { writable, readable },
    onWritten: (params, written) => void awaited.set(params, written),
    forget: (params) => void awaited.delete(params),
    isNoAnswer: (message): message is object => noAnswers.has(message as object),
  };
}

function unknownUpdateOf(message: AnyMessage): UnknownUpdate | null {
  if (!("method" in message) || message.method !== "session/update") return null;
  const { sessionId: named, update } = (message.params ?? {}) as { sessionId?: unknown; update?: Unknown | null };
  const sessionId = typeof named === "string" ? named : null;
  const kind: unknown = update?.sessionUpdate;
  if (typeof kind !== "string") return { sessionId, update: { ...update, sessionUpdate: NO_KIND } };
  const isKnown = sessionId !== null && KINDS.has(kind) && hasForm(update as Unknown);
  return isKnown ? null : { sessionId, update: update as Unknown };
}

/** The message as the SDK is to have it. */
function taken(message: AnyMessage): AnyMessage {
  if (!("method" in message) || message.method !== "session/update") return message;
  const params = message.params as { update: Unknown };
  const update = knownEntries(params.update);
  return update === params.update ? message : { ...message, params: { ...params, update } };
}
