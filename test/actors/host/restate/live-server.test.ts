/** Covers `live-out.ts`, `live-server.ts`, `live-call.ts`: what work says, over a socket. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { followLive } from "../../../../actors/host/restate/live-call.ts";
import { type LiveFrame, LiveOut } from "../../../../actors/host/restate/live-out.ts";
import { serveLive } from "../../../../actors/host/restate/live-server.ts";
import type { LiveOffer } from "../../../../actors/host/restate/protocol.ts";
import { until } from "../../../support/host.ts";
import { sessionKey } from "../../../support/host-machines.ts";

const [S, OTHER] = [sessionKey("s"), sessionKey("other")];
const frame = (text: string, offset = 0): LiveFrame => ({
  work: "session/s job 1",
  n: 2,
  live: { type: "message.assistant", payload: { block: "b", offset, text }, after: 1 } as LiveFrame["live"],
});
let out: LiveOut;
let end: () => void;
beforeEach(async () => {
  out = new LiveOut("this", (session) => (session === S ? [frame("said before")] : []));
  end = await serveLive(out, { host: "127.0.0.1", port: 0 });
});
afterEach(() => end());

const offerOf = (session: typeof S): LiveOffer => out.offer(session)!;
const call = (offer: LiveOffer, session: typeof S, take: (frame: LiveFrame) => void = () => undefined) => {
  const over = new AbortController();
  const ended = followLive(offer, session, { take, signal: over.signal, call: fetch });
  ended.catch(() => undefined);
  return { ended, over };
};

test("who has the token gets what is said by now, then what comes", async () => {
  const heard: LiveFrame[] = [];
  const { over } = call(offerOf(S), S, (one) => heard.push(one));
  await until(() => heard.length === 1);
  out.show(S, frame("now", 11));
  out.show(OTHER, frame("of another"));
  await until(() => heard.length === 2);
  expect(heard).toEqual([frame("said before"), frame("now", 11)]);
  over.abort();
  await until(() => !out.isWatched(S));
});

test("the token of one session opens no other, and none is no token", async () => {
  const refused = /not to be had: 404/;
  await expect(call(offerOf(OTHER), S).ended).rejects.toThrow(refused);
  await expect(call({ ...offerOf(S), token: "" }, S).ended).rejects.toThrow(refused);
  await expect(
    call({ ...offerOf(S), token: new LiveOut("this", () => []).offer(S)?.token ?? "x" }, S).ended,
  ).rejects.toThrow(refused);
  expect(out.isWatched(S)).toBe(false);
  const answers = await Promise.all(["/live/session%2Fs", "/live/%", "/"].map((path) => fetch(offerOf(S).url + path)));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
});

test("a reader that does not read costs a socket, no more", async () => {
  const { url, token } = offerOf(S);
  const response = await fetch(`${url}/live/${encodeURIComponent(S)}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.ok).toBe(true);
  const text = "x".repeat(1024 * 1024);
  const before = process.memoryUsage().rss;
  for (let i = 0; i < 256; i++) {
    out.show(S, frame(text));
    await new Promise(setImmediate);
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(128 * 1024 * 1024);
  await response.body?.cancel();
});

test("it is offered only while it listens", () => {
  expect(offerOf(S)).toMatchObject({ by: "this", url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
  end();
  expect(out.offer(S)).toBeNull();
});
