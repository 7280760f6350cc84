/** Which requests a cancel of an older host ends. */
import { expect, test } from "vitest";
import { OlderCancels, SESSION_HEADER } from "../../../transports/mcp/older-cancels.ts";

const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: {} };
const cancel = (id: unknown) => ({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });

/** Sends one message to a server that answers at once; the signal is what it would hear of a cancel by. */
async function send(cancels: OlderCancels, message: object, { session = "s1", subject = "ann", isGone = false } = {}) {
  const { answered, leave } = cancels.enter(subject);
  if (isGone) leave();
  const body = JSON.stringify(message);
  const headers = session === "" ? undefined : { [SESSION_HEADER]: session };
  const request = new Request("http://here/mcp", { method: "POST", body, ...(headers ? { headers } : {}) });
  let signal = request.signal;
  const response = await answered(
    async (one) => {
      signal = one.signal;
      return Response.json(JSON.parse(await one.text()));
    },
    request,
    body,
  );
  return { response, signal, leave };
}

test("a cancel ends the request of its session and its subject alone (I1)", async () => {
  const cancels = new OlderCancels();
  const { signal } = await send(cancels, call);
  await send(cancels, cancel(1), { session: "s2" });
  await send(cancels, cancel(1), { session: "" });
  await send(cancels, cancel(1), { subject: "bob" });
  for (const id of [2, "1", undefined]) await send(cancels, cancel(id));
  expect(signal.aborted).toBe(false);
  await send(cancels, cancel(1));
  expect(signal.aborted).toBe(true);
});

test("a request that is over is not kept, and the next of its id is its own (I2)", async () => {
  const cancels = new OlderCancels();
  const first = await send(cancels, call);
  const second = await send(cancels, call);
  first.leave();
  await send(cancels, cancel(1));
  expect([first.signal.aborted, second.signal.aborted]).toEqual([false, true]);
});

test("initialize alone gets an id, each time another one (I1)", async () => {
  const cancels = new OlderCancels();
  const start = { ...call, method: "initialize" };
  const ids = [];
  for (const message of [start, start, call, { ...call, params: { name: "initialize" } }])
    ids.push((await send(cancels, message, { session: "" })).response.headers.get(SESSION_HEADER));
  expect(ids).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), expect.any(String), null, null]);
  expect(ids[0]).not.toBe(ids[1]);
});

test("a request whose host has hung up before it was read is not kept (I2)", async () => {
  const cancels = new OlderCancels();
  const late = await send(cancels, call, { isGone: true });
  await send(cancels, cancel(1));
  expect(late.signal.aborted).toBe(false);
});
