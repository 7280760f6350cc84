/** Where a user's page is served, as other processes of that user see it. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { announcePage, servedPage } from "../../../actors/facade/served.ts";

const AT = "http://127.0.0.1:8900/";
const MODULE = pathToFileURL(join(import.meta.dirname, "../../../actors/facade/served.ts")).href;
let home: string;
let environment: { [name: string]: string };
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "troupe-served-"));
  environment = { TROUPE_HOME: home, HOME: home };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));
const files = (): string[] => readdirSync(join(home, "served")).filter((name) => name.endsWith(".json"));

test("is known from when it is said until it is taken back, to this user alone", () => {
  expect(servedPage(environment)).toBe(null);
  const unsay = announcePage(environment, AT);
  expect(servedPage(environment)).toBe(AT);
  const [file = ""] = files();
  expect(statSync(join(home, "served", file)).mode & 0o077).toBe(0);
  unsay();
  expect(servedPage(environment)).toBe(null);
  expect(files()).toEqual([]);
});

test("I2: what a killed server has left is shown to no one, and removed", async () => {
  const code = `import { announcePage } from ${JSON.stringify(MODULE)};
    announcePage(process.env, "http://127.0.0.1:1111/"); console.log("said"); setInterval(() => {}, 1000);`;
  const server = spawn(process.execPath, ["--input-type=module", "-e", code], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(server.stdout, "data");
  expect(servedPage(environment)).toBe("http://127.0.0.1:1111/");
  server.kill("SIGKILL");
  await once(server, "exit");
  expect(servedPage(environment)).toBe(null);
  expect(files()).toEqual([]);
  const unsay = announcePage(environment, AT);
  expect(servedPage(environment)).toBe(AT);
  unsay();
});

test("I1: what is no plain address of a page is not passed on", () => {
  const unsay = announcePage(environment, AT);
  const [file = ""] = files();
  for (const text of [`${AT}#open=secret`, "javascript:alert(1)", `${AT}?token=x`, "http://a b/"]) {
    writeFileSync(join(home, "served", file), JSON.stringify({ address: text }));
    expect(servedPage(environment)).toBe(null);
  }
  for (const text of ["", "null", "[]", '{"address":7}', `"${AT}"`]) {
    writeFileSync(join(home, "served", file), text);
    expect(servedPage(environment)).toBe(null);
  }
  unsay();
});
