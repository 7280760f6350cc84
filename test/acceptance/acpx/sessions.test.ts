/** acpx: its sessions are opened, found, watched, moved to another home, and removed. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Acpx } from "../../support/acpx.ts";
import { type House, openHouse } from "../../support/house.ts";
import { answered, asked, type Wire } from "../../support/tape.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });
const SAID = "Hello was said.";

let house: House;
let acpx: Acpx;
beforeAll(() => {
  house = openHouse(["acceptance/hello.yaml", "acceptance/stubborn.yaml"]);
  acpx = new Acpx(house);
});
afterAll(() => house.leave());

/** The session that acpx knows by this name. */
async function idOf(name: string, client = acpx): Promise<string> {
  const [{ acpSessionId }] = (await client.messages("sessions", "show", name)) as [{ acpSessionId: string }];
  return acpSessionId;
}
const ends = (wires: readonly Wire[]): unknown[] =>
  wires.flatMap((wire) => answered(wire, "session/prompt").map(({ stopReason }) => stopReason));

test("new, ensure, show, status, history, read, list, close and prune", async () => {
  await acpx.does("sessions", "new", "--name", "one");
  const id = await idOf("one");
  expect(await acpx.does("--format", "quiet", "sessions", "ensure", "--name", "one")).toBe(id);
  expect(await acpx.does("--format", "quiet", "prompt", "-s", "one", "/hello")).toBe(SAID);
  expect(await acpx.does("status", "-s", "one")).toContain(`session: ${id}`);
  for (const command of [
    ["history", "--limit", "5"],
    ["read", "--tail", "5"],
  ] as const)
    expect(await acpx.does("sessions", command[0], "one", ...command.slice(1))).toMatch(
      /user\t\/hello\n.*assistant\t.*Hello was said\./,
    );

  await acpx.does("exec", "/hello");
  const listed = (wire: Wire) => (answered(wire, "session/list")[0] as { sessions: object[] }).sessions;
  const text = await acpx.does("sessions", "list");
  expect(listed(acpx.last())).toHaveLength(2);
  expect(text).toContain(`${id}\t/hello`);
  await acpx.does("sessions", "list", "--filter-cwd", house.root);
  expect([asked(acpx.last(), "session/list"), listed(acpx.last())]).toEqual([[{ cwd: house.root }], []]);
  expect((await acpx.run(["sessions", "list", "--cursor", "none of ours"])).code).not.toBe(0);
  expect(await acpx.does("sessions", "--local")).toContain(id);

  expect(await acpx.does("sessions", "close", "one")).toContain(id);
  expect(await acpx.does("sessions", "prune", "--dry-run", "--older-than", "1")).toContain("No sessions to prune");
  expect(await acpx.does("sessions", "prune", "--before", "2999-01-01", "--include-history")).toContain(id);
  expect(await acpx.does("sessions", "list", "--local")).not.toContain(id);
  // A session that acpx forgets still exists, and is resumed under its id.
  await acpx.does("sessions", "ensure", "--name", "two", "--resume-session", id);
  expect(asked(acpx.last(), "session/resume")).toMatchObject([{ sessionId: id }]);
  await acpx.does("sessions", "close", "two");
  await acpx.does("sessions", "new", "--name", "three", "--resume-session", id);
  expect(await idOf("three")).toBe(id);
  await acpx.does("sessions", "close", "three");
  await acpx.settled();
});

test("an archive continues in another home, in the same session", async () => {
  await acpx.does("sessions", "new", "--name", "moved");
  const id = await idOf("moved");
  await acpx.does("--format", "quiet", "prompt", "-s", "moved", "/hello");
  await acpx.does("sessions", "close", "moved");
  const archive = join(house.root, "moved.json");
  await acpx.does("sessions", "export", "moved", "--output", archive);
  const { session, history } = JSON.parse(readFileSync(archive, "utf8")) as { session: object; history: unknown[] };
  expect(session).toMatchObject({ state: { acp_session_id: id } });
  expect(history.length).toBeGreaterThan(0);

  const before = acpx.wires().length;
  const other = new Acpx(house, "elsewhere");
  await other.does("sessions", "import", archive, "--name", "here", "--cwd", house.cwd);
  expect(await other.does("--format", "quiet", "prompt", "-s", "here", "/hello")).toBe(SAID);
  await other.does("sessions", "close", "here");
  const wires = (await other.settled()).slice(before);
  expect(wires.flatMap((wire) => asked(wire, "session/new"))).toEqual([]);
  expect(asked(wires[0] as Wire, "session/prompt")).toMatchObject([{ sessionId: id }]);
  expect(ends(wires)).toEqual(["end_turn"]);
});

test("--no-wait queues prompts behind a running one; cancel ends only that one; watch shows all of it", async () => {
  await acpx.does("sessions", "new", "--name", "queue");
  const before = acpx.wires().length;
  expect(await acpx.does("prompt", "-s", "queue", "--no-wait", "/stubborn")).toContain("[queued]");
  await acpx.recorded((all) => JSON.stringify(all.slice(before)).includes("second up"));
  const watching = acpx.start("--format", "json", "sessions", "watch", "-s", "queue");
  const prompt = join(house.root, "prompt.txt");
  writeFileSync(prompt, "/hello");
  expect(await acpx.does("prompt", "-s", "queue", "--no-wait", "--file", prompt)).toContain("[queued]");
  await acpx.does("cancel", "-s", "queue");
  await acpx.recorded((all) => ends(all.slice(before)).length === 2);
  expect(ends(acpx.wires().slice(before))).toEqual(["cancelled", "end_turn"]);

  const results: object[] = [];
  for (let n = 1; results.length < 2; n++) {
    const event = JSON.parse(await watching.line(n)) as { type: string };
    if (event.type === "turn_result") results.push(event);
  }
  watching.child.kill("SIGTERM");
  await watching.ended;
  const [first] = watching.lines.map((line) => JSON.parse(line) as { cursor: string });
  const again = acpx.start("--format", "json", "sessions", "watch", "--name", "queue", "--cursor", first?.cursor ?? "");
  expect(JSON.parse(await again.line(1))).toEqual(JSON.parse(watching.lines[1] ?? ""));
  again.child.kill("SIGTERM");
  await again.ended;
  await acpx.does("sessions", "close", "queue");
  await acpx.settled();
});
