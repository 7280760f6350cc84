/**
 * A channel's stream, observed: what the SDK does not report, or would drop.
 *
 * I1. A sender that waits for its message to be written hears once, when the channel has taken it.
 * I2. A response to nothing that was asked, or that was answered before, is dropped; `1` and `"1"` are two ids. Who asked
 *     under `1` hears once of a response to `"1"`, and who sent last of an error that names no id.
 * I3. An answer that is none of JSON-RPC's is known by its object: the SDK takes it for a refusal, which holds it.
 * I4. An update of a kind that the SDK does not know, or without what its kind needs, goes to `onUnknownUpdate`, whole;
 *     the SDK would drop it. So does one that names no session, and an entry of a plan is put into words that the SDK
 *     takes (`plan-entries.ts`).
 * I5. An update that is sent as a request is taken as one, and answered: its agent would wait.
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

/** `written`: the channel has taken the request. `misnamed`: a response seems to be meant for it (I2). */
export type OnItsWay = { written: () => void; misnamed: (response: AnyMessage) => void };

type Followed = OnItsWay & { id?: unknown };

export type Wire = {
  stream: Stream;
  /** Tells of the request with exactly these params, until `forget`. */
  follow(params: object, request: OnItsWay): void;
  forget(params: object): void;
  /** Whether this is such an answer, as it came (I3). */
  isNoAnswer(message: unknown): message is object;
};

export function wire(stream: Stream, onUnknownUpdate: (one: UnknownUpdate) => void): Wire {
  const followed = new Map<object, Followed>();
  /** What was sent last, where it is a request. */
  let last: Followed | undefined;
  const asked = new Set<unknown>();
  const noAnswers = new WeakSet<object>();
  const writer = stream.writable.getWriter();
  const writable = new WritableStream<AnyMessage>({
    async write(message) {
      const isRequest = "method" in message && "id" in message;
      const request = isRequest ? followed.get(message.params as object) : undefined;
      if (isRequest) asked.add(message.id);
      if (isRequest && request !== undefined) request.id = message.id;
      last = request;
      await writer.write(message);
      request?.written();
    },
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason),
  });
  const misnamed = (response: AnyMessage): void => {
    const { id, error } = response as { id?: unknown; error?: unknown };
    const all = [...followed.values()].filter((one) => typeof one.id === "number");
    const meant = (one: Followed): boolean =>
      id == null ? error !== undefined && one === last : String(one.id) === id;
    const request = all.find(meant);
    if (request === undefined) return;
    delete request.id;
    request.misnamed(response);
  };
  const answered = ({ id, ...message }: Asked): AnyMessage => {
    writer.write({ jsonrpc: "2.0", id, result: {} }).catch(() => undefined);
    return message as AnyMessage;
  };
  const reader = stream.readable.getReader();
  const readable = new ReadableStream<AnyMessage>(
    {
      async pull(controller) {
        for (;;) {
          const { value: read, done } = await reader.read();
          if (done) return controller.close();
          const value = isAsked(read) ? answered(read) : read;
          if (!("method" in value)) {
            if (!asked.delete(value.id)) {
              misnamed(value);
              continue;
            }
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
    follow: (params, request) => void followed.set(params, { ...request }),
    forget: (params) => void followed.delete(params),
    isNoAnswer: (message): message is object => noAnswers.has(message as object),
  };
}

type Asked = AnyMessage & { id: string | number };

/** Whether an update wants an answer (I5). */
const isAsked = (message: AnyMessage): message is Asked =>
  "method" in message && message.method === "session/update" && "id" in message && message.id !== null;

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
