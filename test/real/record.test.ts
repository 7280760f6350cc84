/** A step of the real Claude Code, recorded, is played again by the understudy: the same rows, and no model. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { normalRows } from "../projections/script/support.ts";
import { type House, openHouse } from "../support/house.ts";
import { ModelServer } from "../support/model-server/model-server.ts";
import { claudeEnvironment } from "./subjects/claude.ts";

let server: ModelServer;
let house: House;
beforeAll(async () => {
  server = await ModelServer.start();
  house = openHouse(["real/two-agents.yaml"]);
});
afterAll(async () => {
  await house.leave();
  await server.stop();
});

const AGAIN = `name: again
states:
  initial: first
  first: {type: agent, provider: understudy, prompt: x, options: {script: first.yaml}, on_success: done, on_failure: done}
  done: {type: terminal}
`;

async function played(...args: string[]): Promise<Exchange[]> {
  const run = house.troupe(
    ["run", ...args, "--trust", "--format", "json"],
    claudeEnvironment(server, house.env["HOME"] ?? ""),
  );
  await run.ended;
  return run.lines.map((line) => JSON.parse(line) as Exchange);
}

it("leaves the same rows", async () => {
  const first = await played("two-agents", "-i", "first=[[think]] [[tool:echo hi]] Go", "-i", "second=Bye");
  const requests = (await server.requests()).length;
  expect(requests).toBe(3);
  const id = first.find(({ type }) => type === "run.started")?.run ?? "";
  const recorded = house.troupe(["record", id, "--step", "first"]);
  expect(await recorded.ended).toEqual({ code: 0, signal: null });
  writeFileSync(join(house.cwd, "first.yaml"), recorded.lines.join("\n"));
  writeFileSync(join(house.cwd, "again.yaml"), AGAIN);
  const second = await played("./again.yaml");
  expect(normalRows(second, "first")).toEqual(normalRows(first, "first"));
  const types = new Set(normalRows(first, "first").map(({ type }) => type));
  for (const type of ["message.thought", "message.assistant", "tool.call", "tool.result", "usage.recorded"])
    expect([...types]).toContain(type);
  expect(await server.requests()).toHaveLength(requests);
});
