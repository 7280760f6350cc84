/** Real processes over one engine: what one has run, another finds, lists, shows and answers, as embedded. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";

const [ENGINE = "", ADMIN = "", WORKER = ""] = (process.env["TROUPE_TEST_ENGINE"] ?? "").split(" ");

let house: House;
beforeEach(async () => {
  house = openHouse(["cluster/talk.yaml"]);
  const worker = house.troupe(["worker", "--engine", ENGINE, "--admin", ADMIN, "--listen", WORKER], {
    TROUPE_ENGINE_FOLDER: process.env["TROUPE_ENGINE_FOLDER"] ?? "",
  });
  while (!worker.stderr.includes("works for")) await new Promise((resolve) => setTimeout(resolve, 10));
});
afterEach(() => house.leave());

/** Each command is a process of its own, which has met nothing. */
const said = async (args: string[], engine: boolean): Promise<string> => {
  const one = house.troupe(args, engine ? { TROUPE_ENGINE: ENGINE } : {});
  const { code } = await one.ended;
  return [code, ...one.lines, one.stderr].join("\n");
};
/** Ids, times and how long it took differ. */
const plain = (text: string, run: string): string =>
  text
    .replaceAll(run, "RUN")
    .replace(/^(session +).*$/m, "$1SESSION")
    .replace(/("session": )"[^"]*"/g, '$1"SESSION"')
    .replace(/("(?:input|question|permission|id)": )"[^"]*"/g, '$1"ID"')
    .replace(/("(?:startedAt|endedAt|at|ms|tookMs|took|queuedMs)": )[0-9.]+/g, "$1N")
    .replace(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z \([^)]*\)/g, "TIME")
    .replace(/\b([0-9]+ms|[0-9.]+s)\b/g, "TOOK")
    .replace(/ +/g, " ")
    .replace(/\b(just now|[0-9]+ s ago)\b/g, "WHEN");

test("status, history, logs, resume and decide say the same as embedded, from processes that have met nothing", async () => {
  const tell = async (engine: boolean): Promise<string[]> => {
    const told: string[] = [];
    const begun = await said(["run", "talk", "--trust"], engine);
    const [, run = ""] = /run (\S+)/.exec(begun) ?? [];
    told.push(begun);
    for (const args of [
      ["status", run],
      ["status", run, "--format", "json"],
      ["history", "--status", "parked", "--format", "json"],
      ["status", run.slice(0, 6)],
      ["logs", "@last"],
      ["resume"],
      ["decide", run],
      ["decide", run, "blue"],
      ["status", run],
      ["history"],
      ["history", "--status", "parked"],
      ["history", "--status", "completed"],
      ["logs", run, "paint", "--raw"],
      ["status", "nobody"],
      ["resume", run],
    ])
      told.push(await said(args, engine));
    return told.map((text) => plain(text, run));
  };
  const embedded = await tell(false);
  expect(embedded.join("\n")).toContain(`painted {"colour":"blue"}`);
  expect(await tell(true)).toEqual(embedded);
}, 90_000);

test("a run that waits moves into the engine, is listed and answered there, and moves back with its end", async () => {
  const [, run = ""] = /run (\S+)/.exec(await said(["run", "talk", "--trust"], false)) ?? [];
  expect(await said(["engine", "import", "--engine", ENGINE], false)).toContain("Moved 1 session into the engine");
  const stands = async (engine: boolean): Promise<string | undefined> => {
    const [, ...words] = (await said(["history", "--format", "json"], engine)).split("\n");
    const records = JSON.parse(words.join("\n").trim()) as { id: string; status: string }[];
    return records.find(({ id }) => id === run)?.status;
  };
  expect(await stands(false)).toBeUndefined();
  await expect.poll(() => stands(true), { timeout: 20_000 }).toBe("parked");
  expect(await said(["decide", run, "blue"], true)).toMatch(/^0/);
  await expect.poll(() => stands(true), { timeout: 20_000 }).toBe("completed");
  const back = ["engine", "export", "--engine", ENGINE, "--admin", ADMIN];
  expect(await said(back, false)).toMatch(/Moved \d+ sessions? out of the engine/);
  expect([await stands(false), await said(["status", run], false)]).toEqual([
    "completed",
    expect.stringContaining("completed"),
  ]);
}, 90_000);
