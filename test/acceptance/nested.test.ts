/** A workflow that starts itself by a step, as a hook of git does which starts a workflow that commits: it ends. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type House, openHouse, PROGRAM } from "../support/house.ts";

let house: House;
beforeAll(() => {
  house = openHouse(["acceptance/nested.yaml"]);
});
afterAll(() => house.leave());

const run = async (env: { [name: string]: string }) => {
  const started = house.troupe(["run", "nested", "--trust"], { NODE: process.execPath, PROGRAM, ...env });
  const { code } = await started.ended;
  return { code, said: `${started.lines.join("\n")}\n${started.stderr}` };
};

test("runs that steps start within each other are refused beyond a depth, with what to do", async () => {
  const { code, said } = await run({});
  expect(code).toBe(3);
  expect([...said.matchAll(/depth (\d)/g)].map(([, depth]) => Number(depth))).toEqual(
    expect.arrayContaining([1, 2, 5]),
  );
  expect(said).not.toContain("depth 6");
  expect(said).toContain("[USER.RUN.TOO_DEEP]");
  expect(said).toContain("Let the hook do nothing where TROUPE_DEPTH is set");
});

test("a run that stands too deep does not begin", async () => {
  expect(await run({ TROUPE_DEPTH: "5" })).toMatchObject({
    code: 1,
    said: expect.stringContaining("USER.RUN.TOO_DEEP"),
  });
});
