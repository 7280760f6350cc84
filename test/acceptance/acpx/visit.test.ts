/**
 * acpx makes the same visit as Neovim and Emacs.
 *
 * V1. A parked question is answered by the next prompt, and a lone "." ends the conversation.
 * V2. Cancel ends the step that runs, and the session takes the next prompt.
 * V3. The parked run continues in another process that has resumed the session, and in one that has loaded it.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Acpx } from "../../support/acpx.ts";
import { type House, openHouse } from "../../support/house.ts";
import { answered, asked, type Wire } from "../../support/tape.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

let house: House;
beforeAll(() => {
  house = openHouse(["real/visit.yaml"]);
});
afterAll(() => house.leave());

const says = (client: Acpx, text: string) => client.does("--format", "quiet", "prompt", "-s", "visit", text);
/** The client's choices where it was asked. */
const chosen = ({ sent }: Wire): unknown[] =>
  sent.flatMap(({ from, message }) => {
    const { outcome } = (message["result"] ?? {}) as { outcome?: { optionId?: string } };
    return from === "client" && outcome !== undefined ? [outcome.optionId] : [];
  });

test("a run parks, is answered, asks, is cancelled, and continues after a resume and after a load (V1–V3)", async () => {
  const first = new Acpx(house, "first");
  await first.does("sessions", "new", "--name", "visit");
  expect(await says(first, "/visit")).toBe("Who are you?");
  expect(await says(first, "Ann")).toBe("Ann");
  const running = first.start("--approve-all", "prompt", "-s", "visit", ".");
  await first.recorded((all) => JSON.stringify(all).includes("holding"));
  await first.does("cancel", "-s", "visit");
  await running.ended;
  expect(running.lines.join("\n")).toContain("The notes have two lines.");
  expect(await says(first, "/visit")).toBe("Who are you?");
  const wires = first.wires();
  const [{ sessionId } = {}] = wires.flatMap((wire) => answered(wire, "session/new"));
  expect(wires.flatMap(chosen)).toEqual(["allow_once", "allow"]);
  expect(wires.flatMap((wire) => answered(wire, "session/prompt"))).toMatchObject(
    ["end_turn", "end_turn", "cancelled", "end_turn"].map((stopReason) => ({ stopReason })),
  );

  const second = new Acpx(house, "second");
  await second.does("sessions", "new", "--name", "visit", "--resume-session", String(sessionId));
  expect(asked(second.last(), "session/resume")).toMatchObject([{ sessionId }]);
  expect(await says(second, "Bob")).toBe("Bob");

  // Where there is no `session/resume`, acpx loads.
  const third = new Acpx(house, "third");
  const configuration = join(house.root, "third", ".config", "troupe");
  mkdirSync(configuration, { recursive: true });
  writeFileSync(join(configuration, "acp.json"), JSON.stringify({ without: ["session/resume"] }));
  await third.does("sessions", "new", "--name", "visit", "--resume-session", String(sessionId));
  expect(asked(third.last(), "session/load")).toMatchObject([{ sessionId }]);
  expect(await says(third, "Cleo")).toBe("Cleo");
  for (const client of [first, second, third]) await client.run(["sessions", "close", "visit"]);
  await third.settled();
});
