/** The commands of docs/http.md, run as they stand there. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";
import { startServer } from "../support/server.ts";

const page = readFileSync(new URL("../../docs/http.md", import.meta.url), "utf8");
const commands = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, text = ""]) => text.trim().split("\n"));
let house: House;
afterEach(() => house.leave());

test("each command does what the page says", async () => {
  house = openHouse(["acceptance/hello.yaml"]);
  const { port } = await startServer(house, [], { TROUPE_TRUST: "1" });
  const env: { [name: string]: string } = { ...house.env, TROUPE: `http://127.0.0.1:${port}` };
  const said: string[] = [];
  for (const command of commands) {
    const { stdout } = await promisify(execFile)("sh", ["-c", command], { env });
    said.push(stdout);
    const run = /^\{"run":"([^"]+)"/.exec(stdout)?.[1];
    if (run !== undefined) env["RUN"] = run;
  }
  const [workflows, started, events] = said;
  expect(JSON.parse(workflows ?? "")).toMatchObject({
    workflows: expect.arrayContaining([expect.objectContaining({ id: "hello" })]),
  });
  expect(JSON.parse(started ?? "")).toMatchObject({ status: "accepted", run: env["RUN"] });
  expect(events).toMatch(/^id: \d+\nevent: run\.started\ndata: \{[\s\S]*\nevent: run\.completed\ndata: .*\n\n$/);
});
