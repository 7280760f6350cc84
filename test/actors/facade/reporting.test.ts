/** Covers `reporting.ts`: work does not fail of who watches it. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LazyRuntime } from "../../../actors/facade/lazy-runtime.ts";
import { SessionHandle } from "../../../actors/facade/session-handle.ts";
import type { EmbeddedHost } from "../../../actors/host/embedded.ts";
import { type House, openHouse } from "../../support/house.ts";
import { databaseOf } from "../../support/sql.ts";

const FAULT = new Error("nobody reads this");
let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/waits.yaml"]);
});
afterEach(() => house.leave());

test("a turn whose log cannot be written ends with that, whatever its reporter does", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  const opening = new LazyRuntime({
    environment: { ...house.env, TROUPE_TRUST: "1" },
    report: {
      row: () => undefined,
      unwritten: () => {
        throw FAULT;
      },
      closed: async () => undefined,
    },
  });
  const runtime = opening.runtime();
  const { store } = runtime.host as EmbeddedHost;
  await runtime.host.create("session/s", { cwd: house.cwd, principal: runtime.user });
  const session = new SessionHandle(runtime, "s", house.cwd);
  await session.prompt({ blocks: [{ type: "text", text: "/waits" }], consent: "yes" });
  const ended = session.ended();
  databaseOf(store).exec("pragma max_page_count=1"); // SQLite takes the present size instead: nothing more fits
  const directories = ["x".repeat(100_000)];
  await session.equip({ additionalDirectories: directories, mcpServers: [] }).catch(() => undefined);
  await expect(ended).rejects.toMatchObject({ code: "SYSTEM.IO.WRITE_FAILED" });
  expect(warned).toHaveBeenCalledWith(FAULT);
  databaseOf(store).exec("pragma max_page_count=1000000");
  await opening.close((_, key) => new SessionHandle(runtime, key.slice("session/".length), "").close());
  warned.mockRestore();
});
