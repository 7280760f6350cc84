/** NFR-006: with any name that begins like a secret's, neither the value nor a default is seen by anyone. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Editor } from "../support/acp-editor.ts";
import { type House, openHouse, storedRows, storedSessions } from "../support/house.ts";

vi.setConfig({ testTimeout: 60_000 });
const TYPE = "scram-canary-77";
const MODE = "mode-canary-42";
const DEFAULT = "from-the-file-1f3c";
const SHOWN = ["type=*** name=*** key=(***)", "*** ***; tokens=123456 pat=src/**/*.ts k7x"];

let house: House;
beforeEach(() => {
  house = openHouse(["security/named.yaml", "security/written.yaml"]);
});
afterEach(() => house.leave());

const environment = { TROUPE_TRUST: "1", PASSWORD_MODE: MODE, SECRET_X: "q9" };

/** The stored state and log, without the workflow files themselves. */
function stored(): string {
  const folder = join(house.store, "..");
  return readdirSync(folder)
    .filter((name) => name.startsWith("troupe.db"))
    .map((name) => readFileSync(join(folder, name)).toString("latin1"))
    .join("\n");
}
const leaks = (text: string): string[] =>
  [TYPE, MODE, DEFAULT, "(k7)", "q9;", "API_KEY=k7"].filter((one) => text.includes(one));

test("on the command line", async () => {
  const run = house.troupe(["run", "named", "-i", `PASSWORD_TYPE=${TYPE}`, "-i", "API_KEY=k7"], environment);
  expect((await run.ended).code).toBe(0);
  const output = run.lines.join("\n");
  for (const line of SHOWN) expect(output).toContain(line);
  expect(leaks(output + run.stderr + stored())).toEqual([]);
  const json = house.troupe(["run", "named", "--format", "json", "-i", "API_KEY=k7"], environment);
  await json.ended;
  expect(leaks(json.lines.join("\n") + json.stderr)).toEqual([]);
});

test("in an editor: updates, titles and what is stored of the prompt", async () => {
  const editor = new Editor(house.troupe(["acp"], environment));
  await editor.initialize();
  const session = await editor.open(house.cwd);
  await editor.prompt(session, `/named PASSWORD_TYPE=${TYPE} API_KEY=k7 plain='the type is ${TYPE}'`);
  await editor.prompt(session, `/named PASSWORD_TYPE=${TYPE} API_KEY=k7 nope=1`);
  await editor.request("session/list", {});
  await editor.leave();
  const heard = editor.agent.lines.join("\n");
  expect(heard).toContain("type=*** name=*** key=(***)");
  expect(leaks(heard + editor.agent.stderr + stored())).toEqual([]);
});

test("a default is masked again by the process that continues", async () => {
  const first = house.troupe(["run", "written"], environment);
  while (!first.lines.some((line) => line.includes("holding"))) await first.line(first.lines.length + 1);
  first.kill();
  await first.ended;
  expect(leaks(stored())).toEqual([]);
  const [run = ""] = storedSessions(house.store)
    .flatMap((session) => storedRows(house.store, session))
    .flatMap((row) => (row.type === "run.started" ? [row.run as string] : []));
  const again = house.troupe(["resume", run, "--recover", "rerun"], environment);
  expect((await again.ended).code).toBe(0);
  expect(readFileSync(join(house.cwd, "used"), "utf8")).toBe(DEFAULT);
  expect(leaks(again.lines.join("\n") + again.stderr + stored())).toEqual([]);
});

test("a short default is warned of, and a listing tells none", async () => {
  const validate = house.troupe(["validate", "written"], environment);
  expect((await validate.ended).code).toBe(0);
  expect(validate.lines.join("\n") + validate.stderr).toContain("masked as a whole word only");
  const list = house.troupe(["list", "--format", "json"], environment);
  await list.ended;
  expect(leaks(list.lines.join("\n"))).toEqual([]);
});
