/** Packs found in an index, and installed from it (P2 of `packs.test.ts`). */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sumOf } from "../../support/tar.ts";
import { archive, entriesOf, filesOf, packs, refused, write } from "./pack-files.ts";

describe("an index", () => {
  let server: Server;
  let served: { [path: string]: { status?: number; headers?: object; body?: string | Buffer } };
  let url: string;
  beforeEach(async () => {
    served = {};
    server = createServer(({ url: path = "" }, response) => {
      const { status = 200, headers = {}, body } = served[path] ?? { status: 404 };
      response.writeHead(status, headers as Record<string, string>).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => server.close());
  function offer(version: string, sum?: string): void {
    const bytes = archive(entriesOf(filesOf("review", version)));
    served["/packs/review.tar.gz"] = { body: bytes };
    const pack = {
      name: "review",
      version,
      description: "Looks",
      url: "packs/review.tar.gz",
      sha256: sum ?? sumOf(bytes),
    };
    served["/index.json"] = { body: JSON.stringify({ packs: [pack] }) };
  }

  test("is searched, installs a pack by its name, and brings its next version", async () => {
    offer("1.0.0");
    const index = `${url}/index.json`;
    expect(await packs.search("LOOK", index)).toEqual([
      { name: "review", version: "1.0.0", description: "Looks", installed: null },
    ]);
    expect(await packs.search("other", index)).toEqual([]);
    expect(await packs.install("review", { index })).toMatchObject({
      name: "review",
      source: `${url}/packs/review.tar.gz`,
    });
    expect(await packs.update()).toEqual([]);
    write("work/.troupe/workflow-packs/review/workflows/hi.yaml", "# mine\n");
    expect(await packs.update("review", { force: true })).toEqual([{ name: "review", from: "1.0.0", to: "1.0.0" }]);
    expect(await packs.info("review")).toMatchObject({ isChanged: false });
    offer("1.1.0");
    expect(await packs.search("", index)).toMatchObject([{ version: "1.1.0", installed: "1.0.0" }]);
    expect(await packs.update("review")).toEqual([{ name: "review", from: "1.0.0", to: "1.1.0" }]);
    server.close();
    expect(await packs.info("review")).toMatchObject({ version: "1.1.0", isChanged: false });
  });

  test("by its path names archives beside it", async () => {
    const bytes = archive(entriesOf(filesOf()));
    write("shop/review.tar.gz", bytes);
    const pack = { name: "review", version: "1.0.0", url: "review.tar.gz", sha256: sumOf(bytes) };
    const index = write("shop/index.json", JSON.stringify({ packs: [pack] }));
    expect(await packs.install("review", { index })).toMatchObject({ name: "review" });
    await expect(packs.install("other", { index })).rejects.toThrow(refused("USER.FACADE.PACK_NOT_FOUND"));
    await expect(packs.install("review")).rejects.toThrow(/--index/);
  });

  test("whose archive is another one installs nothing (P2)", async () => {
    offer("1.0.0", "0".repeat(64));
    await expect(packs.install("review", { index: `${url}/index.json` })).rejects.toThrow(
      refused("USER.PACK.CHECKSUM_MISMATCH"),
    );
    expect(await packs.list()).toEqual([]);
  });

  test.each([
    ["gone", undefined, "USER.PACK.UNREACHABLE"],
    ["no JSON", { body: "<html>" }, "USER.PACK.INDEX"],
    ["without packs", { body: "{}" }, "USER.PACK.INDEX"],
    [
      "sent on to a place that is not safe",
      { status: 302, headers: { location: "http://example.invalid/" } },
      "USER.PACK.SOURCE",
    ],
    ["sent on for ever", { status: 302, headers: { location: "/index.json" } }, "USER.PACK.UNREACHABLE"],
  ])("that is %s is reported as that", async (_, answer, code) => {
    if (answer !== undefined) served["/index.json"] = answer;
    await expect(packs.search("", `${url}/index.json`)).rejects.toThrow(refused(code));
  });
});
