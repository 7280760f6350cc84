/** A server over one house of workflows, good and broken, for the tests of the file that takes it from here. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { type Anything, Api, type Said } from "../../support/api.ts";
import { type House, openHouse } from "../../support/house.ts";
import { startServer } from "../../support/server.ts";

const WORKFLOWS = ["hello", "talk", "gate", "asleep"].map((name) => `acceptance/${name}.yaml`);
const BROKEN = "name: broken\nstates:\n  initial: a\n  a: {type: step, command: ls, on_success: nowhere}\n";
export const NEEDY = `name: needy
inputs: [{name: n, type: integer, required: true, validation: {max: 9}}]
states:
  initial: a
  a: {type: step, command: "echo {{.inputs.n}}", on_success: b}
  b: {type: terminal}
`;

const WORDY = `name: wordy
states:
  initial: ask
  ask: {type: ask, questions: [{name: note, prompt: What else?}, {name: copies, prompt: How many?, type: integer}], on_success: b}
  b: {type: terminal}
`;
export let house: House;
export let api: Api;
beforeAll(async () => {
  house = openHouse(WORKFLOWS);
  const folder = join(house.cwd, ".troupe", "workflows");
  writeFileSync(join(folder, "broken.yaml"), BROKEN);
  writeFileSync(join(folder, "needy.yaml"), NEEDY);
  writeFileSync(join(folder, "no name.yaml"), NEEDY);
  writeFileSync(join(folder, "wordy.yaml"), WORDY);
  writeFileSync(
    join(folder, "failing.yaml"),
    NEEDY.replace("name: needy", "name: failing").replace("echo {{.inputs.n}}", "echo {{.inputs.n}} >&2; exit 3"),
  );
  api = new Api(await startServer(house, ["--limit", "bodyBytes=20000"], { TROUPE_TRUST: "1" }));
});
afterAll(() => house.leave());

export const refusal = ({ status, type, body }: Said): unknown[] => [status, type, (body as Anything).code];
export const problem = (status: number, code: string): unknown[] => [status, "application/problem+json", code];
export const parked = async (): Promise<{ run: string; session: string; question: string }> => {
  const { run, session } = await api.start("talk");
  const reader = await api.events(run);
  const { data } = await reader.hears("input.required");
  reader.drop();
  await expect.poll(async () => (await api.run(run)).status).toBe("parked");
  return { run, session, question: (data["payload"] as { input: string }).input };
};
