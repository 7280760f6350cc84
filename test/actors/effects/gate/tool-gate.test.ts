import { describe, expect, it } from "vitest";
import { stepRulesOf } from "../../../../actors/effects/gate/step-rules.ts";
import { ToolGate } from "../../../../actors/effects/gate/tool-gate.ts";
import type { PermissionSettled } from "../../../../machines/contracts.ts";
import { recordingContext } from "../../../support/recording-context.ts";

const TOOL = { name: "Bash", kind: "execute" as const, input: { command: "rm -rf build" } };
const ASKER = { provider: "claude", keeper: "claude", cwd: "/p", user: null };
const said = (option: string, by?: "policy" | "memory") => (): PermissionSettled => ({
  outcome: "selected",
  option,
  ...(by === undefined ? {} : { by }),
});
function ask(answer?: Parameters<typeof recordingContext>[0], tool = {}, rules = {}) {
  const { context, asked, abort } = recordingContext(answer);
  const gate = new ToolGate(context, { ...ASKER, step: stepRulesOf(rules, "options.permissions") });
  return { asked, gate, abort, answer: gate.ask({ ...TOOL, ...tool }) };
}

describe("a tool gate", () => {
  it("asks by structured fields, and marks the agent's words (I1)", async () => {
    const { asked, answer } = ask(undefined, { title: "Read the README", locations: [{ path: "/p/build" }] });
    await answer;
    expect(asked).toEqual([
      {
        title: "May the agent use Bash (execute)?",
        kind: "execute",
        message: "The agent calls it: Read the README",
        options: [
          { id: "allow_once", name: "Allow", kind: "allow_once" },
          { id: "allow_always", name: "Always allow this very call", kind: "allow_always" },
          { id: "reject_once", name: "Refuse", kind: "reject_once" },
          { id: "reject_always", name: "Always refuse this very call", kind: "reject_always" },
        ],
        input: { command: "rm -rf build" },
        locations: [{ path: "/p/build" }],
        timeoutMs: null,
        gate: {
          ...{ tool: "Bash", policy: "ask", agent: expect.any(String), rememberMs: 30 * 24 * 3_600_000 },
          digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      },
    ]);
  });

  it("says a name that is the kind's once", async () => {
    const { asked, answer } = ask(undefined, { name: "execute" });
    await answer;
    expect(asked).toMatchObject([{ title: "May the agent use execute?" }]);
  });

  it.each(["allow_once", "allow_always"])("lets %s through (I2)", async (option) => {
    expect(await ask(said(option)).answer).toEqual({ allowed: true });
  });

  it.each(["reject_once", "reject_always", "allow", ""])("takes %j as a no (I2)", async (option) => {
    expect(await ask(said(option)).answer).toMatchObject({ allowed: false, abort: false });
  });

  it("takes silence as a no, and says which it was", async () => {
    expect(await ask().answer).toEqual({
      allowed: false,
      message: "The question whether Bash may be used here had no answer, so it may not.",
      abort: false,
    });
  });

  it.each([
    ["policy", "The permissions of this run do not allow this use of Bash."],
    ["memory", "The user did not allow this use of Bash."],
  ] as const)("says that a %s refused", async (by, message) => {
    expect(await ask(said("reject_once", by)).answer).toMatchObject({ message: expect.stringContaining(message) });
  });

  it("takes a question that cannot be kept as a no", async () => {
    const { signal } = new AbortController();
    const context = { ask: () => Promise.reject(new Error("disk full")), signal };
    const gate = new ToolGate(context, { ...ASKER, step: stepRulesOf(null, "") });
    expect(await gate.ask(TOOL)).toMatchObject({ allowed: false });
  });

  it.each(["error", "abort"])("stops the agent where on_deny is %s, and asks no more (I3)", async (on_deny) => {
    const { asked, gate, answer } = ask(said("reject_once"), {}, { on_deny });
    expect(await answer).toMatchObject({ allowed: false, abort: true });
    expect(await gate.ask(TOOL)).toMatchObject({ allowed: false, abort: true });
    expect([asked.length, gate.onDeny]).toEqual([1, on_deny]);
    expect(gate.denial).toBe("The user did not allow this use of Bash.");
    expect(await gate.ask(TOOL)).toMatchObject({
      message: `${gate.denial} Do not try to reach the same in another way.`,
    });
  });

  it("does not take a question that was taken back for a no that counts (I3)", async () => {
    const { context } = recordingContext();
    const gate = new ToolGate(context, { ...ASKER, step: stepRulesOf({ on_deny: "error" }, "") });
    expect(await gate.ask(TOOL, AbortSignal.abort())).toMatchObject({ allowed: false, abort: false });
    expect(gate.denial).toBeNull();
  });

  it("waits as long as the step says", async () => {
    const { asked, answer } = ask(undefined, {}, { timeout: "1m30s" });
    await answer;
    expect(asked[0]?.timeoutMs).toBe(90_000);
  });
});
