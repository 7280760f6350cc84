/**
 * acpx, a headless ACP client by other authors, drives `troupe acp`. A tee between them records every message.
 *
 * X1. Every message of both sides is valid by the protocol's own schema.
 * X2. A session that one process opened is resumed by the next under the same id, and no new one is opened.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { saidIn } from "../support/acp-editor.ts";
import { faultsOf } from "../support/acp-schema.ts";
import { type House, openHouse, PROGRAM } from "../support/house.ts";
import type { Wire } from "../support/tape.ts";
import { answers, requests, Taped } from "./wires.ts";

const TIMEOUT = 120_000;

let house: House;
let acpx: Taped;
beforeAll(() => {
  house = openHouse(["acceptance/hello.yaml", "acceptance/stubborn.yaml"]);
  acpx = new Taped(house, [process.execPath, PROGRAM, "acp"]);
});
afterAll(async () => {
  await house.leave();
});

async function succeeds(...args: string[]): Promise<string> {
  const started = acpx.start(...args);
  expect({ ...(await started.ended), stderr: started.stderr }).toMatchObject({ code: 0, signal: null });
  return started.lines.join("\n");
}

test(
  "exec, sessions new, prompt -s, cancel and close",
  async () => {
    await succeeds("exec", "/hello");
    await succeeds("sessions", "new", "--name", "one");
    const opened = acpx.wires().length;
    await succeeds("prompt", "-s", "one", "/hello");

    const stubborn = acpx.start("prompt", "-s", "one", "/stubborn");
    await acpx.recorded((all) => JSON.stringify(all).includes("second up"));
    await succeeds("cancel", "-s", "one");
    await stubborn.ended;
    await succeeds("prompt", "-s", "one", "/hello");
    await succeeds("sessions", "close", "one");
    await acpx.recorded((all) => all.every(({ ended }) => ended !== null));

    const all = acpx.wires();
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
