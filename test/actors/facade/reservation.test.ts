/** A prompt that is reserved before it is sent on, in a session of a real Troupe: whom it keeps out, and until when. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  type Attendance,
  createTroupe,
  type PromptRequest,
  type Session,
  type Troupe,
} from "../../../actors/troupe.ts";
import { type House, openHouse } from "../../support/house.ts";

const IN_FLIGHT = expect.objectContaining({ code: "USER.PROMPT.IN_FLIGHT" });
const request: PromptRequest = { blocks: [{ type: "text", text: "/hello" }], consent: "yes" };
let house: House;
let troupe: Troupe;
let session: Session;
const comes = (): Attendance => session.attend({ turnBegins: () => undefined });
beforeEach(async () => {
  house = openHouse(["acceptance/hello.yaml"]);
  troupe = createTroupe({ environment: { ...house.env, TROUPE_TRUST: "1" } });
  session = await troupe.session({ cwd: house.cwd });
});
afterEach(async () => {
  await troupe.close();
  await house.leave();
});

test("keeps every other prompt of the session out, from any client, until it is given back", async () => {
  const [first, second] = [comes(), comes()];
  const reserved = first.reserve();
  for (const again of [() => first.reserve(), () => second.reserve(), () => first.refuseAwaited()])
    expect(again).toThrow(IN_FLIGHT);
  second.refuseAwaited();
  await expect(session.prompt(request)).rejects.toEqual(IN_FLIGHT);
  expect(session.ended()).toBeUndefined();
  reserved.answered();
  await first.answered();
  const { turn } = await session.prompt(request);
  expect(await session.ended()).toMatchObject({ turn, stopReason: "end_turn" });
});

test("a client that has not its answer may not prompt again; another one may", async () => {
  const [first, second] = [comes(), comes()];
  const one = first.reserve();
  const { turn } = await one.prompt(request);
  expect(await one.ended).toMatchObject({ turn, stopReason: "end_turn" });
  expect(() => first.reserve()).toThrow(IN_FLIGHT);
  const other = second.reserve();
  await other.prompt(request);
  await other.ended;
  one.answered();
  other.answered();
  const again = first.reserve();
  await again.prompt(request);
  expect(await again.ended).toMatchObject({ stopReason: "end_turn" });
  again.answered();
});

test("a cancel takes it back before it is sent on, and so does its viewer's leaving; the log has nothing of it", async () => {
  const head = session.head();
  const first = comes();
  const cancelled = first.reserve();
  await session.cancel();
  expect(cancelled.withdrawn.aborted).toBe(true);
  expect(() => comes().reserve()).toThrow(IN_FLIGHT);
  cancelled.answered();
  const left = first.reserve();
  first.leave();
  expect(left.withdrawn.aborted).toBe(true);
  left.answered();
  expect(session.head()).toBe(head);
});

test("a viewer that cannot show a turn keeps no one from it, nor from the next", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  const fault = new Error("the log cannot be read");
  const broken = (): never => {
    throw fault;
  };
  session.attend({ turnBegins: broken });
  const by = comes();
  for (let turn = 0; turn < 2; turn++) {
    const reserved = by.reserve();
    await reserved.prompt(request);
    expect(await reserved.ended).toMatchObject({ stopReason: "end_turn" });
    reserved.answered();
  }
  expect(warned.mock.calls).toEqual([[fault], [fault]]);
  warned.mockRestore();
});
