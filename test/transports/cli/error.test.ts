/** `troupe error`: every code has a cause and a remedy; one that there is not, a neighbour. */
import { expect, it } from "vitest";
import { ADVICE } from "../../../actors/errors/advice/advice.ts";
import { CODES } from "../../../actors/errors/codes.ts";
import { main } from "../../../transports/cli/program.ts";
import { recordingIo } from "./io.ts";

async function asked(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const io = recordingIo();
  return { code: await main(["error", ...words], io), ...io.written };
}

it("tells the cause of a file of agents that was changed meanwhile as the command itself does", async () => {
  expect((await asked("USER.AGENT.EDITED")).out).toMatch(
    /while a command did; nothing was written\.\nremedy +Do it again/,
  );
});

it("tells of one code, however it is written", async () => {
  const { code, out } = await asked("system.store.newer");
  expect(code).toBe(0);
  expect(out.split("\n").slice(0, 2)).toEqual([
    "code       SYSTEM.STORE.NEWER",
    "cause      A newer Troupe wrote the store, maybe while this process had it open. Nothing was changed.",
  ]);
});

it("tells of all of them, to programs too", async () => {
  const told = JSON.parse((await asked("--format", "json")).out) as { code: string; exit: number }[];
  expect(told.map(({ code }) => code)).toEqual(Object.keys(CODES));
  expect((await asked()).out.trim().split("\n")).toHaveLength(told.length);
});

it("has sentences for each, and nothing that a table of Markdown would break at", () => {
  for (const [code, words] of Object.entries(ADVICE))
    for (const text of words)
      expect([code, text]).toEqual([code, expect.stringMatching(/^(?:[A-Z`]|docs\/).*[^|\n]\.$/)]);
});

it("lists the codes that have a word, and tells of the only one", async () => {
  const { code, out } = await asked("trust");
  const told = out.trim().split("\n");
  expect(code).toBe(0);
  expect(told.map((line) => line.split(" ")[0])).toEqual(Object.keys(CODES).filter((each) => each.includes("TRUST")));
  expect(told.length).toBeGreaterThan(1);
  expect((await asked("store.newer")).out).toMatch(/^code +SYSTEM\.STORE\.NEWER\n/);
  const json = JSON.parse((await asked("trust", "--format", "json")).out) as unknown[];
  expect(json).toHaveLength(told.length);
});

it("names the code that was meant", async () => {
  const { code, err } = await asked("SYSTEM.STORE.NEWR");
  expect([code, err.includes("SYSTEM.STORE.NEWER")]).toEqual([1, true]);
});
