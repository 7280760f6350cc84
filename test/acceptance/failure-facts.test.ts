/** Why a run failed, as data: for an editor in the card and the prompt's answer, for a program on the command line. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Editor } from "../support/acp-editor.ts";
import { faultsOf } from "../support/acp-schema.ts";
import { type House, openHouse } from "../support/house.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/shards.yaml"]);
});
afterEach(() => house.leave());

const TRUST = { TROUPE_TRUST: "1" };
const error = { code: "EXECUTION.COMMAND.FAILED", message: "the command ended with exit code 7" };
const stderr = [...Array.from({ length: 14 }, (_, n) => String(n + 7)), "boom ★"];
const failedIn = (run: string) => ({
  ...{ run, path: "test/two", address: "test/two", kind: "command", attempts: 2, exitCode: 7, error },
  ...{ stdout: [], stderr },
});
const wholeOf = (run: string) => ({
  ...{ run, steps: [failedIn(run)], more: 0 },
  ...{ look: `troupe logs ${run} --failed`, goOn: `troupe rerun ${run} --failed` },
});

test.each([["acp"], ["acp", "--ephemeral"]])("troupe %j gives the reason as data", async (...args: string[]) => {
  const editor = new Editor(house.troupe(args, TRUST));
  await editor.initialize();
  const session = await editor.open(house.cwd);
  const { result } = await editor.prompt(session, "/shards");
  const meta = (result as { _meta?: { [name: string]: unknown } })._meta ?? {};
  const failed = meta["troupe/failed"] as { run: string };
  expect(meta).toMatchObject({ "troupe/error": { message: expect.stringContaining("1 of 3 branches") } });
  const { look, goOn, ...facts } = wholeOf(failed.run);
  expect(failed).toEqual(args.length === 1 ? { ...facts, look, goOn } : facts);
  const card = editor.trace.find(({ message }) => JSON.stringify(message).includes('"_meta":{"troupe/failed":['));
  expect(card?.message).toMatchObject({
    params: {
      update: { toolCallId: `${failed.run}/test/two`, _meta: { "troupe/failed": [failedIn(failed.run)] } },
    },
  });
  expect(faultsOf(editor.trace)).toEqual([]);
});

test("troupe run --format json gives the reason as data", async () => {
  const started = house.troupe(["run", "shards", "--format", "json"], TRUST);
  await started.ended;
  const { failed } = JSON.parse(started.lines.at(-1) ?? "") as { failed: { run: string } };
  expect(failed).toEqual(wholeOf(failed.run));
});
