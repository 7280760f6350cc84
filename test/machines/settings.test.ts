import { expect, it } from "vitest";
import { sessionMachine } from "../../machines/session-machine.ts";
import { type Settings, UNCHOSEN } from "../../machines/settings.ts";
import { runBirth, terminal, workflow } from "../support/documents.ts";
import { Solo } from "../support/machine.ts";

const session = (more: object = {}) =>
  new Solo(sessionMachine, "session/s1", { cwd: "/project", principal: "u1", ...more }, null);
const choice = (option: string, value: string, offered = [UNCHOSEN, value]) => ({
  type: "option.chosen",
  option,
  value,
  offered,
});
const updates = ({ rows }: Solo) => rows.flatMap((row) => (row.type === "session.updated" ? [row.payload] : []));
/** The settings that a run begun now gets. */
function chosen(solo: Solo): unknown {
  const document = workflow([terminal("done")]);
  const ask = { type: "explain", text: "?", stopReason: "end_turn", fault: { code: "USER.X", message: "?" } };
  solo.tell({ type: "prompt.received", turn: "t", blocks: [], asks: ask } as never);
  solo.tell({ type: "run.requested", input: runBirth(document) } as never);
  return (solo.input("run") as { chosen?: unknown }).chosen;
}

it("notes only choices that are offered, each change once (I5)", () => {
  const solo = session();
  expect(solo.can(choice("model", "claude/opus", [UNCHOSEN]))).toBe(false);
  for (const event of [choice("model", "claude/opus"), choice("model", "claude/opus"), choice("mode", "reviewer")])
    solo.tell(event);
  solo.tell(choice("model", UNCHOSEN));
  expect(updates(solo)).toEqual([
    { options: { model: "claude/opus" } },
    { mode: "reviewer" },
    { options: { model: UNCHOSEN } },
  ]);
});

it("gives a run the choices that hold when it begins (I5)", () => {
  const solo = session();
  for (const event of [
    choice("mode", "reviewer"),
    choice("thought_level", "high"),
    choice("permissions", "deny"),
    choice("workflow", "demo"),
  ])
    solo.tell(event);
  solo.tell({ type: "setup.changed", setup: { additionalDirectories: ["/more"], mcpServers: [] } } as never);
  expect(chosen(solo)).toEqual({ role: "reviewer", effort: "high", permissions: "deny", directories: ["/more"] });
  expect(chosen(session())).toBeUndefined();
});

it("begins as a fork with the choices of its origin, and says so", () => {
  const settings: Settings = { mode: "reviewer", options: { model: "claude/opus" } };
  const solo = session({ fork: { session: "s0", settings, title: "/demo" } });
  expect(solo.rows).toEqual([
    { type: "session.opened", payload: { cwd: "/project", principal: "u1", forkedFrom: "s0" } },
    { type: "session.updated", payload: { title: "/demo", ...settings } },
  ]);
  expect(chosen(solo)).toEqual({ role: "reviewer", model: "claude/opus" });
});
