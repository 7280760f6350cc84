/** Covers `failure.ts` where a message has to say what to do. */
import { expect, test } from "vitest";
import { ClientError } from "../../../../actors/acp-client/errors.ts";
import { failureOf } from "../../../../actors/agents/acp/failure.ts";

const late = (method: string) =>
  failureOf(new ClientError("requestTimeout", `no answer to ${method}`, { method, ms: 1 }), {
    name: "Mine",
    slug: "mine",
  });

test("an agent that does not answer its first request may be given longer; for others that is no help", () => {
  expect(late("initialize")).toMatchObject({
    class: "timeout",
    message: "Mine: no answer to initialize; limits.start_ms of its entry gives it longer",
  });
  expect(late("session/new").message).toBe("Mine: no answer to session/new");
});

test.each(["invalidResponse", "unsupportedProtocol", "eof"] as const)(
  "%s is a fault of the agent's program: it has refused nothing",
  (type) => {
    const message = 'the answer to session/prompt has no valid "stopReason"';
    const failure = failureOf(new ClientError(type, message, { method: "session/prompt" }), { name: "A", slug: "a" });
    expect(failure).toMatchObject({ class: "crashed", message: `A: ${message}` });
  },
);
