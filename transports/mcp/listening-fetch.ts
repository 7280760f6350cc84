/**
 * `subscriptions/listen` over HTTP takes tasks too: the SDK serves all the rest of it, and knows no tasks.
 *
 * I1. The acknowledgement names the tasks that are followed, and comes before any news of them.
 * I2. The SDK ends a stream on which it has nothing to say. So it is asked for the list of tools as well, and what it says
 *     of that is kept from a host that has not asked.
 * I3. A host that hangs up ends the following.
 * I4. A body that is too deep, or holds too much, is not parsed; a batch, of which each part would be a call, is refused.
 */
import { isJSONRPCNotification, type ProtocolError } from "@modelcontextprotocol/server";
import { Subscription } from "rxjs";
import { bodyFault, NoText, TooLarge, webBodyText } from "../http/body.ts";
import type { Cancellable } from "./older-cancels.ts";
import type { McpServed } from "./served.ts";
import { knownTasks, type TaskListen, taskListenOf, taskNews } from "./task-news.ts";

/** The SDK's handler. */
type Serve = (request: Request, options?: { parsedBody?: unknown }) => Promise<Response>;
type Message = { params?: { notifications?: { [name: string]: unknown } } };

const DATA = "data: ";

/** Answers a request, with news of tasks where it listens to some. */
export async function listeningFetch(
  serve: Serve,
  request: Request,
  { served, bodyBytes, answered }: { served: () => Promise<McpServed>; bodyBytes: number; answered: Cancellable },
): Promise<Response> {
  if (request.method !== "POST") return await serve(request);
  const body = await webBodyText(request, bodyBytes).catch(unreadable);
  if (typeof body !== "string") return body;
  const fault = bodyFault(body);
  if (fault !== null) return refusal(400, null, { code: -32_600, message: `Invalid request: ${fault}` });
  if (body.trimStart().startsWith("["))
    return refusal(400, null, { code: -32_600, message: "Invalid request: batches are not supported" });
  // The SDK refuses a request whose header says another method than its body.
  if (request.headers.get("mcp-method") !== "subscriptions/listen")
    return await answered(serve, again(request, body), body);
  let message: Message;
  let listen: TaskListen | null;
  try {
    message = JSON.parse(body);
  } catch {
    return refusal(400, null, { code: -32_700, message: "Parse error: the request body is not valid JSON" });
  }
  try {
    listen = taskListenOf(message);
  } catch (error) {
    const { code, message: why, data } = error as ProtocolError;
    return refusal(400, (message as { id?: unknown }).id, { code, message: why, data });
  }
  if (listen === null) return await serve(again(request, body));
  const { notifications } = message.params ?? {};
  const wider = {
    ...message,
    params: { ...message.params, notifications: { ...notifications, toolsListChanged: true } },
  };
  const response = await serve(request, { parsedBody: wider });
  if (response.body === null || response.headers.get("content-type") !== "text/event-stream") return response;
  const options = { listen, served: await served(), hearsTools: notifications?.["toolsListChanged"] === true };
  return new Response(withNews(response.body, options), { status: response.status, headers: response.headers });
}

function unreadable(error: unknown): Response {
  if (error instanceof TooLarge) return refusal(413, null, { code: -32_000, message: "the request is too large" });
  if (error instanceof NoText) return refusal(400, null, { code: -32_700, message: `Parse error: ${error.message}` });
  throw error;
}

/** The request as it came, whose body was read. */
const again = ({ url, method, headers, signal }: Request, body: string): Request =>
  new Request(url, { method, headers, signal, body });

type NewsOptions = { listen: TaskListen; served: McpServed; hearsTools: boolean };

/** The SDK's stream, with news of tasks behind its acknowledgement. */
function withNews(
  from: ReadableStream<Uint8Array>,
  { listen, served, hearsTools }: NewsOptions,
): ReadableStream<Uint8Array> {
  const news = new Subscription();
  const encoder = new TextEncoder();
  const reader = from.getReader();
  const frameOf = (message: unknown): Uint8Array =>
    encoder.encode(`event: message\n${DATA}${JSON.stringify(message)}\n\n`);
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) {
          news.unsubscribe();
          return controller.close();
        }
        const message = messageOf(value);
        const method = isJSONRPCNotification(message) ? message.method : null;
        if (!hearsTools && method === "notifications/tools/list_changed") continue; // I2
        if (method !== "notifications/subscriptions/acknowledged") return controller.enqueue(value);
        const { params } = message as Message;
        const { toolsListChanged, ...others } = params?.notifications ?? {};
        const taskIds = await knownTasks(served, listen);
        const notifications = {
          ...others,
          ...(hearsTools ? { toolsListChanged } : {}),
          ...(taskIds.length === 0 ? {} : { taskIds }),
        };
        controller.enqueue(frameOf({ ...(message as Message), params: { ...params, notifications } }));
        news.add(taskNews(served, taskIds, listen).subscribe((one) => controller.enqueue(frameOf(one))));
        return;
      }
    },
    async cancel(reason) {
      news.unsubscribe();
      await reader.cancel(reason);
    },
  });
}

/** The message of a frame; null for one that only keeps the stream alive. The SDK writes each frame at once. */
function messageOf(frame: Uint8Array): unknown {
  const line = new TextDecoder()
    .decode(frame)
    .split("\n")
    .find((one) => one.startsWith(DATA));
  return line === undefined ? null : JSON.parse(line.slice(DATA.length));
}

/** A no, as an answer of JSON-RPC. */
export const refusal = (
  status: number,
  id: unknown,
  error: { code: number; message: string; data?: unknown },
): Response => Response.json({ jsonrpc: "2.0", id: id ?? null, error }, { status });
