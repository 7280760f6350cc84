import { expect, test } from "vitest";
import { answer, keepMail, type Mail } from "../../../actors/host/mail.ts";
import type { Storage } from "../../../actors/host/storage.ts";
import { sessionKey } from "../../support/host-machines.ts";

const S = sessionKey("s");
const MAIL: Mail = { key: "step/a", event: { type: "end.asked" } };

/** Keeps a mail in a store that answers row 7; answers the row, and what was written. */
function kept(mail: Mail, session: typeof S | undefined = S) {
  const written: unknown[] = [];
  const store = {
    mask: { hide: (event: object) => `hidden ${JSON.stringify(event)}` },
    mail: { keep: (...one: unknown[]) => written.push(one) && 7 },
  } as unknown as Storage;
  return { row: keepMail(store, mail, session), written };
}

test("mail of a tick that was cut is written down with its secrets hidden, and answers its row", () => {
  const hidden = 'hidden {"type":"end.asked"}';
  expect(kept({ ...MAIL, nonce: 3 })).toEqual({
    row: 7,
    written: [[S, { key: "step/a", event: hidden, nonce: 3 }]],
  });
  expect(kept({ ...MAIL, nonce: 0 }).written).toEqual([[S, { key: "step/a", event: hidden, nonce: 0 }]]);
  expect(kept(MAIL).written).toEqual([[S, { key: "step/a", event: hidden, nonce: null }]]);
});

test.each<[string, Partial<Mail>]>([
  ["a caller waits for", { done: () => undefined }],
  ["a timer has sent", { timer: { key: S, id: "t", at: 1, event: MAIL.event } }],
  ["lies in a letter", { letter: 1 }],
])("mail that %s is not written down: it has its row, or was not promised", (_, more) => {
  expect(kept({ ...MAIL, ...more })).toEqual({ row: undefined, written: [] });
});

test("mail without a session has no place to be written", () => {
  const written: unknown[] = [];
  const store = { mask: { hide: String }, mail: { keep: () => written.push(1) } } as unknown as Storage;
  expect(keepMail(store, MAIL, undefined)).toBeUndefined();
  expect(written).toEqual([]);
});

test("a caller hears what became of its mail: taken, refused, or its fault", () => {
  const heard: unknown[] = [];
  const to = { done: (one: unknown) => heard.push(one), failed: (one: unknown) => heard.push(one) };
  const fault = new Error("alone");
  const refused = { accepted: false, reason: "refused" } as const;
  answer([
    { ...MAIL, ...to },
    { ...MAIL, ...to, delivery: refused },
    { ...MAIL, ...to, fault },
    MAIL,
    { ...MAIL, fault },
  ]);
  expect(heard).toEqual([{ accepted: true }, refused, fault]);
});
