/** Covers `store-moves.ts`: which sessions an engine has is asked of its admin interface. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportStore } from "../../../../actors/host/restate/store-moves.ts";

const GONE = "http://127.0.0.1:1";

test("of several nodes the one that answers says which sessions there are", async () => {
  const folder = mkdtempSync(join(tmpdir(), "troupe-moves-"));
  const server = createServer((_, response) => void response.end('{"rows": []}'));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const moving = (admin: string) => exportStore({ file: join(folder, "troupe.db"), environment: {}, url: GONE, admin });
  try {
    expect(await moving(`${GONE},${url}/`)).toEqual({ moved: 0, running: 0, cutOff: 0, differing: 0 });
    await expect(moving(GONE)).rejects.toMatchObject({ code: "SYSTEM.ENGINE.UNREACHABLE" });
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
});
