import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
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
