/** Questions of a run, asked of the client. */
import { describe, expect, test } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { asked, client, ended, running } from "./played.ts";

const answered = (permission = "p"): Row => ({
  type: "permission.resolved",
  payload: { permission, outcome: "cancelled" },
});

describe("a question", () => {
  const permission = (message: { [name: string]: unknown }): boolean =>
    message["method"] === "session/request_permission";

  test.each([
    ["an option", { outcome: { outcome: "selected", optionId: "trust" } }, "trust"],
    ["a cancel", { outcome: { outcome: "cancelled" } }, null],
  ])("is asked of the client, and %s is the decision", async (_, result, decision) => {
    const { session, answer } = await running();
    session.write(asked());
    session.deliver();
    const { id, params } = await client.message(permission);
    expect(params).toMatchObject({
      sessionId: "s1",
      options: [{ optionId: "trust", name: "Trust", kind: "allow_always" }],
    });
    client.send({ jsonrpc: "2.0", id, result });
    session.write(answered(), ended());
    session.onCancel = () => undefined;
    await expect.poll(() => session.calls.at(-1)).toEqual(["decide", "p", decision]);
    session.deliver();
    await answer;
  });

  test("that the client answers with an option of its own, or an error, has no one left to answer it", async () => {
    const { session, answer } = await running();
    session.write(asked());
    session.deliver();
    const first = await client.message(permission);
    client.send({
      jsonrpc: "2.0",
      id: first["id"],
      result: { outcome: { outcome: "selected", optionId: "none of them" } },
    });
    await expect.poll(() => session.calls.at(-1)).toEqual(["decide", "p", null]);
    session.write(answered(), asked("q"));
    session.deliver();
    const second = await client.message((message) => permission(message) && message["id"] !== first["id"]);
    client.send({ jsonrpc: "2.0", id: second["id"], error: { code: -32601, message: "Method not found" } });
    await expect.poll(() => session.calls.at(-1)).toEqual(["decide", "q", null]);
    session.write(answered("q"), ended());
    session.deliver();
    await answer;
  });

  test("that was answered meanwhile is withdrawn, after a grace for the client's own answer", async () => {
    const { session, answer } = await running();
    session.write(asked());
    session.deliver();
    const { id } = await client.message(permission);
    session.write(answered(), ended("cancelled"));
    session.deliver();
    await answer;
    const isWithdrawn = ({ method }: { [name: string]: unknown }) => method === "$/cancel_request";
    expect(client.heard.filter(isWithdrawn)).toEqual([]);
    expect(await client.message(isWithdrawn)).toMatchObject({ params: { requestId: id } });
    expect(session.calls.filter(([call]) => call === "decide")).toEqual([]);
  });

  test("that is answered in the same page of the log is not asked", async () => {
    const { session, answer } = await running();
    session.write(asked(), answered(), ended());
    session.deliver();
    await answer;
    await client.request(9, "session/list", {}); // what was put after the answer has come by now
    expect(client.heard.filter(permission)).toEqual([]);
  });
});
