/** Who of those who attend a session of a real Troupe is asked, and whose answer counts. */
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type Attendance,
  createTroupe,
  type PromptRequest,
  type Session,
  type Troupe,
} from "../../../actors/troupe.ts";
import { type House, openHouse } from "../../support/house.ts";

const REFUSED = expect.objectContaining({ code: "USER.FACADE.INPUT_REJECTED" });
const request: PromptRequest = { blocks: [{ type: "text", text: "/hello" }], consent: "ask" };
let house: House;
let troupe: Troupe;
let session: Session;
const comes = (): Attendance => session.attend({ turnBegins: () => undefined });
beforeEach(async () => {
  house = openHouse(["acceptance/hello.yaml"]);
  troupe = createTroupe({ environment: house.env });
  session = await troupe.session({ cwd: house.cwd });
});
afterEach(async () => {
  await troupe.close();
  await house.leave();
});

/** The permissions that were requested and resolved, once there are so many of such rows. */
const questions = (rows: number): Promise<[string, string][]> =>
  new Promise((resolve, reject) => {
    const seen: [string, string][] = [];
    const following = session.log$().subscribe({
      error: reject,
      next: (frames) => {
        for (const frame of frames)
          if (frame.type === "permission.requested" || frame.type === "permission.resolved")
            seen.push([frame.type, frame.payload.permission]);
        if (seen.length < rows) return;
        setImmediate(() => following.unsubscribe());
        resolve(seen);
      },
    });
  });

test("who prompted is asked, and no answer of another counts; what is open goes to the next one when it leaves", async () => {
  const [first, second] = [comes(), comes()];
  const reserved = first.reserve();
  await reserved.prompt(request);
  const [[, permission] = ["", ""]] = await questions(1);
  expect([first.isAsked, second.isAsked]).toEqual([true, false]);
  await expect(second.decide(permission, "trust")).rejects.toEqual(REFUSED);
  first.leave();
  expect([first.isAsked, second.isAsked]).toEqual([false, true]);
  expect(await questions(2)).toEqual([
    ["permission.requested", permission],
    ["permission.requested", permission],
  ]);
  await expect(first.decide(permission, "trust")).rejects.toEqual(REFUSED);
  await second.decide(permission, "refuse");
  expect((await questions(3))[2]).toEqual(["permission.resolved", permission]);
  expect(await reserved.ended).toMatchObject({ run: null });
});

test("of two answers at once the first counts, and one that was not offered leaves the question open", async () => {
  const first = comes();
  const reserved = first.reserve();
  await reserved.prompt(request);
  const [[, permission] = ["", ""]] = await questions(1);
  await expect(first.decide(permission, "perhaps")).rejects.toEqual(REFUSED);
  const said = await Promise.allSettled([first.decide(permission, "trust"), first.decide(permission, "refuse")]);
  expect(said.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await reserved.ended).toMatchObject({ run: { outcome: { status: "completed" } } });
});
