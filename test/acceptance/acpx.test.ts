/**
 * A headless ACP client of somebody else, acpx, drives `troupe acp`; a tee between them writes down every message.
 *
 * X1. Every message of both sides is valid by the protocol's own schema.
 * X2. A session that was opened by one process is resumed by the next under the same id, and none is opened anew.
 */
import { mkdirSync, readdirSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { saidIn } from "../support/acp-editor.ts";
import { faultsOf, type Sent } from "../support/acp-schema.ts";
import { type House, openHouse, PROGRAM } from "../support/house.ts";
import { Started } from "../support/started.ts";

const ACPX = fileURLToPath(new URL("../../node_modules/.bin/acpx", import.meta.url));
const TEE = fileURLToPath(new URL("./programs/tee.mjs", import.meta.url));
const TIMEOUT = 120_000;
/** One connection: what was sent over it, and how the agent ended. */
type Wire = { sent: Sent[]; ended: number | string | null };

let house: House;
let records: string;
beforeAll(() => {
  house = openHouse(["acceptance/hello.yaml", "acceptance/stubborn.yaml"]);
  records = join(house.root, "records");
  mkdirSync(records);
});
afterAll(async () => {
  await house.leave();
});

function acpx(...args: string[]): Started {
  const agent = [process.execPath, TEE, records, process.execPath, PROGRAM, "acp"].join(" ");
  const options = ["--cwd", house.cwd, "--agent", agent, "--approve-all", "--format", "json"];
  return new Started([process.execPath, ACPX, ...options, ...args], {
    cwd: house.cwd,
    env: { ...house.env, TROUPE_TRUST: "1" },
  });
}
async function succeeds(...args: string[]): Promise<string> {
  const started = acpx(...args);
  expect({ ...(await started.ended), stderr: started.stderr }).toMatchObject({ code: 0, signal: null });
  return started.lines.join("\n");
}

/** The connections so far, in their order. */
function wires(): Wire[] {
  return readdirSync(records)
    .sort()
    .map((file) => {
      // The last line may be under way.
      const lines = readFileSync(join(records, file), "utf8").split("\n").slice(0, -1);
      const all = lines.map((line) => JSON.parse(line) as Sent | { ended: number | string });
      const end = all.find((line) => "ended" in line);
      return { sent: all.filter((line) => "message" in line), ended: end === undefined ? null : end.ended };
    });
}
/** Resolves as soon as `isIt` holds for what is written down. */
function recorded(isIt: (wires: Wire[]) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(records, () => look());
    const look = (): void => {
      if (!isIt(wires())) return;
      watcher.close();
      resolve();
    };
    look();
  });
}
const requests = ({ sent }: Wire, method: string): { sessionId?: string }[] =>
  sent
    .filter(({ from, message }) => from === "client" && message["method"] === method)
    .map(({ message }) => message["params"] as object);
const answers = ({ sent }: Wire): object[] =>
  sent.flatMap(({ from, message }) => (from === "agent" && "result" in message ? [message["result"] as object] : []));

test(
  "exec, sessions new, prompt -s, cancel and close",
  async () => {
    await succeeds("exec", "/hello");
    await succeeds("sessions", "new", "--name", "one");
    const opened = wires().length;
    await succeeds("prompt", "-s", "one", "/hello");

    const stubborn = acpx("prompt", "-s", "one", "/stubborn");
    await recorded((all) => JSON.stringify(all).includes("second up"));
    await succeeds("cancel", "-s", "one");
    await stubborn.ended;
    await succeeds("prompt", "-s", "one", "/hello");
    await succeeds("sessions", "close", "one");
    await recorded((all) => all.every(({ ended }) => ended !== null));

    const all = wires();
    const [exec, created, ...after] = all as [Wire, Wire, ...Wire[]];
    expect(opened).toBe(2);
    expect(after.length).toBeGreaterThan(0);
    expect(all.map(({ sent }) => faultsOf(sent))).toEqual(all.map(() => []));

    expect(saidIn(exec.sent)).toBe("Hello was said.");
    expect(answers(exec).at(-1)).toEqual({ stopReason: "end_turn" });

    const session = (answers(created)[1] as { sessionId: string }).sessionId;
    expect(requests(created, "session/new")).toHaveLength(1);
    expect(after.flatMap((wire) => requests(wire, "session/new"))).toEqual([]);
    expect(after.map((wire) => requests(wire, "session/resume").map(({ sessionId }) => sessionId))).toEqual(
      after.map(() => [session]),
    );
    expect(after.flatMap((wire) => requests(wire, "session/prompt").map(({ sessionId }) => sessionId))).toEqual([
      session,
      session,
      session,
    ]);
    expect(after.flatMap((wire) => requests(wire, "session/cancel"))).toEqual([{ sessionId: session }]);
    const ends = after.flatMap(answers).flatMap((answer) => ("stopReason" in answer ? [answer.stopReason] : []));
    expect(ends).toEqual(["end_turn", "cancelled", "end_turn"]);
    expect(all.map(({ ended }) => ended)).toEqual(all.map(() => 0));
  },
  TIMEOUT,
);
