import { beforeEach, expect, test } from "vitest";
import { followLive } from "../../../../actors/host/restate/live-call.ts";
import type { LiveFrame } from "../../../../actors/host/restate/live-out.ts";
import { sessionKey } from "../../../support/host-machines.ts";

const S = sessionKey("s");
const OFFER = { by: "other", url: "http://other:1", token: "token" };
const frame = (text: string): LiveFrame => ({
  work: "work",
  n: 2,
  live: { type: "message.assistant", payload: { block: "b", offset: 0, text }, after: 1 } as LiveFrame["live"],
});
let asked: [string, RequestInit | undefined][];
let heard: LiveFrame[];
beforeEach(() => {
  [asked, heard] = [[], []];
});

/** Follows a process that answers these pieces of bytes. */
function follow(pieces: readonly string[], { url = OFFER.url, status = 200 } = {}) {
  const { signal } = new AbortController();
  const call = async (at: unknown, init?: RequestInit) => {
    asked.push([String(at), init]);
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        for (const piece of pieces) stream.enqueue(Buffer.from(piece, "latin1"));
        stream.close();
      },
    });
    return new Response(status === 204 ? null : body, { status });
  };
  const take = (one: LiveFrame) => void heard.push(one);
  return followLive({ ...OFFER, url }, S, { take, signal, call: call as typeof fetch }).then(() => signal);
}
const line = (one: unknown): string => `${Buffer.from(JSON.stringify(one)).toString("latin1")}\n`;

test.each(["http://other:1", "http://other:1/", "http://other:1//"])(
  "%s is asked with the token, and not elsewhere",
  async (url) => {
    const signal = await follow([], { url });
    const init = { headers: { authorization: "Bearer token" }, redirect: "error", signal };
    expect(asked).toEqual([["http://other:1/live/session%2Fs", init]]);
  },
);

test("lines come whole, however the bytes were cut, also within a letter", async () => {
  const bytes = line(frame("süß")) + line(frame("now"));
  await follow([...bytes]);
  expect(heard).toEqual([frame("süß"), frame("now")]);
  heard = [];
  await follow([bytes + JSON.stringify(frame("not ended"))]);
  expect(heard).toEqual([frame("süß"), frame("now")]);
});

test("who gives nothing is not followed", async () => {
  await expect(follow([line(frame("a"))], { status: 404 })).rejects.toThrow(/^what it says is not to be had: 404$/);
  await expect(follow([], { status: 204 })).rejects.toThrow(/^what it says is not to be had: 204$/);
  expect(heard).toEqual([]);
});

test("lines of another form are passed over, and those behind them come (I1)", async () => {
  const { live } = frame("");
  const payload = (more: object) => ({ ...frame(""), live: { ...live, payload: { ...live.payload, ...more } } });
  const others = [
    ...["no json", null, 7, {}, { live: null }, { live: {} }],
    ...[payload({ block: 1 }), payload({ offset: 0.5 }), payload({ offset: "0" }), payload({ text: null })],
    ...[
      { ...frame(""), work: 1 },
      { ...frame(""), n: 1.5 },
      { ...frame(""), n: undefined },
    ],
  ];
  await follow([...others.map(line), "{\n", "\n", line(frame("after"))]);
  expect(heard).toEqual([frame("after")]);
});

test("a line without an end is read to its limit (I1)", async () => {
  const most = 1024 * 1024;
  await follow(["x".repeat(most)]);
  await expect(follow(["x".repeat(most), "x"])).rejects.toThrow(/^a line is too long$/);
  await follow([line(frame("long")), "x".repeat(most), "\n", line(frame("after"))]);
  expect(heard).toEqual([frame("long"), frame("after")]);
});
