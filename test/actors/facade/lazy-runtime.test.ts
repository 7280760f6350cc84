import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LazyRuntime } from "../../../actors/facade/lazy-runtime.ts";
import type { EmbeddedHost } from "../../../actors/host/embedded.ts";
import { query } from "../../support/sql.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "troupe-opening-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test.each([
  ["nothing", undefined, 1],
  ["normal", "normal", 1],
  ["full", "full", 2],
])("TROUPE_DURABILITY: %s is how the store is written", async (_, chosen, synchronous) => {
  const environment = { HOME: root, TROUPE_HOME: join(root, "state"), TROUPE_DURABILITY: chosen };
  const opening = new LazyRuntime({ environment });
  const { store } = opening.runtime().host as EmbeddedHost;
  expect(query(store, "pragma synchronous")).toEqual([{ synchronous }]);
  await opening.close(async () => undefined);
});

test("another word is a fault that names the variable", () => {
  const opening = new LazyRuntime({ environment: { HOME: root, TROUPE_HOME: root, TROUPE_DURABILITY: "fast" } });
  expect(() => opening.runtime()).toThrow(
    expect.objectContaining({ code: "USER.CLI.USAGE", details: { variable: "TROUPE_DURABILITY" } }),
  );
});

test("closing waits for who reports of it also where a turn's end fails", async () => {
  const closed = vi.fn(async () => undefined);
  const report = { row: () => undefined, closed };
  const opening = new LazyRuntime({ environment: { HOME: root, TROUPE_HOME: join(root, "state") }, report });
  vi.spyOn(opening.runtime().live, "prompted", "get").mockReturnValue(["session/a"]);
  await expect(opening.close(async () => Promise.reject(new Error("not written")))).rejects.toThrow("not written");
  expect(closed).toHaveBeenCalledTimes(1);
});

test("closing stops its host and its agents also where a turn's end fails (I2)", async () => {
  const opening = new LazyRuntime({ environment: { HOME: root, TROUPE_HOME: join(root, "state") } });
  const runtime = opening.runtime();
  vi.spyOn(runtime.live, "prompted", "get").mockReturnValue(["session/a", "session/b"]);
  const ended: string[] = [];
  const fault = new Error("the log cannot be written");
  const endAgents = vi.spyOn(runtime, "endAgents");
  const closed = opening.close(async (_, key) => {
    if (key === "session/a") throw fault;
    ended.push(key);
  });
  await expect(closed).rejects.toBe(fault);
  expect(ended).toEqual(["session/b"]);
  expect(() => query((runtime.host as EmbeddedHost).store, "select 1")).toThrow();
  expect(endAgents).toHaveBeenCalledTimes(1);
});
