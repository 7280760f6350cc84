/** A session whose folder is not there any more: a worktree that was removed while an editor has it open. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTroupe, type Troupe } from "../../actors/troupe.ts";
import { type House, openHouse } from "../support/house.ts";

const WORKFLOW = "name: mine\nstates: {initial: done, done: {type: terminal}}\n";
const GONE = { code: "USER.SESSION.CWD", message: expect.stringContaining("is not there any more, so nothing runs") };
let house: House;
let troupe: Troupe;
let cwd: string;
beforeEach(() => {
  house = openHouse([]);
  const own = join(house.env["HOME"] ?? "", ".config", "troupe", "workflows");
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "mine.yaml"), WORKFLOW);
  cwd = join(house.root, "tree");
  mkdirSync(cwd);
  troupe = createTroupe({ environment: house.env });
});
afterEach(async () => {
  await troupe.close();
  await house.leave();
});

test.each([
  ["nothing", () => rmSync(cwd, { recursive: true })],
  [
    "a file",
    () => {
      rmSync(cwd, { recursive: true });
      writeFileSync(cwd, "");
    },
  ],
])("with %s in its place no prompt, run or rerun begins, and it says why", async (_, remove) => {
  const session = await troupe.session({ cwd });
  await session.run({ workflow: "mine", inputs: {}, consent: "yes" });
  await session.ended();
  const [run] = await troupe.history();
  remove();
  const { turn } = await session.prompt({ blocks: [{ type: "text", text: "/mine" }], consent: "yes" });
  await session.ended();
  const end = session.rows(0, 1_000).find((row) => row.type === "turn.completed" && row.payload.turn === turn);
  expect(end?.payload).toMatchObject({ stopReason: "refusal", error: GONE });
  await expect(session.run({ workflow: "mine", inputs: {}, consent: "yes" })).rejects.toMatchObject(GONE);
  await expect(session.rerun(run?.id ?? "", { consent: "yes" })).rejects.toMatchObject(GONE);
});
