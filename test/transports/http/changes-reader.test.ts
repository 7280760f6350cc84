import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RunNews, watchRuns } from "../../../actors/facade/run-news.ts";
import type { Exchanged } from "../../../transports/http/endpoint.ts";
import { tellChanges } from "../../../transports/http/events/changes-reader.ts";

const LIMITS = { heartbeatMs: 60_000, stallMs: 30_000 };
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An answer that says by `takes` whether its reader reads, and notes what it was given. */
class Answer extends EventEmitter {
  readonly written: string[] = [];
  takes = true;
  writeHead(): this {
    this.written.push("head");
    return this;
  }
  flushHeaders(): void {}
  write(text: string): boolean {
    this.written.push(text);
    return this.takes;
  }
  destroy(): void {
    this.emit("close");
  }
}
const exchanged = (answer: Answer): Exchanged => ({
  request: { method: "GET" } as Exchanged["request"],
  response: answer as unknown as ServerResponse,
});
const CHANGED = "event: changed\ndata: {}\n\n";

test("what changes while a reader takes nothing is told when it takes something again (I2)", () => {
  const answer = new Answer();
  const news = new RunNews();
  tellChanges((changed) => news.hear(changed), exchanged(answer), LIMITS);
  answer.takes = false;
  news.look();
  vi.advanceTimersByTime(1_000);
  news.look();
  vi.advanceTimersByTime(1_000);
  expect(answer.written).toEqual(["head", CHANGED]);
  answer.takes = true;
  answer.emit("drain");
  expect(answer.written).toEqual(["head", CHANGED, CHANGED]);
  vi.advanceTimersByTime(1_000);
  expect(answer.written).toHaveLength(3);
  answer.destroy();
});

test("where other processes cannot be heard nothing has been answered yet, and nothing is left", () => {
  const answer = new Answer();
  const news = new RunNews();
  const listen = () => {
    throw new Error("no watch is left");
  };
  const parts = { host: { listen }, news, options: {} } as unknown as Parameters<typeof watchRuns>[0];
  const heard = vi.fn();
  expect(() => watchRuns(parts, null, heard)).toThrow("no watch is left");
  news.look();
  expect(heard).not.toHaveBeenCalled();
  expect(() => tellChanges((changed) => watchRuns(parts, null, changed), exchanged(answer), LIMITS)).toThrow();
  expect(answer.written).toEqual([]);
});
