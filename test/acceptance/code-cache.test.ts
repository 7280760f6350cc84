/** The built program keeps the code that it compiled, and never fails because of what is kept. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml"]);
  // A new user's: other houses share what they compile.
  delete house.env["NODE_COMPILE_CACHE"];
});
afterEach(() => house.leave());

const folder = (): string => join(house.env["HOME"] ?? "", ".cache", "troupe", "compile");
/** The file that is kept for `list`. */
function kept(): string {
  const [name, ...others] = readdirSync(folder());
  expect([name?.replace(/^(code-list)-.+$/, "$1"), others]).toEqual(["code-list", []]);
  return join(folder(), name ?? "");
}
async function list(env: { [name: string]: string } = {}): Promise<void> {
  const listed = house.troupe(["list"], env);
  expect([(await listed.ended).code, listed.lines.join().includes("hello"), listed.stderr]).toEqual([0, true, ""]);
}

test("the first process keeps what it compiled; the second compiles nothing, so it keeps nothing", async () => {
  await list();
  const [path, { ino, mode, size }] = [kept(), statSync(kept())];
  expect([mode & 0o777, size > 100_000]).toEqual([0o600, true]);
  await list();
  expect([kept(), statSync(path).ino]).toEqual([path, ino]);
});

test("a damaged file is not used and is replaced", async () => {
  await list();
  const path = kept();
  const whole = readFileSync(path);
  const header = 4 + whole.readUInt32LE(0);
  // In its list of chunks; in the code of every chunk, since a command does not use them all each time.
  for (const places of [
    [header >> 1],
    Array.from({ length: (whole.length - header) >> 8 }, (_, n) => header + (n << 8)),
  ]) {
    const damaged = Buffer.from(whole);
    for (const place of places) damaged[place] = ~(damaged[place] ?? 0);
    writeFileSync(path, damaged);
    const { ino } = statSync(path);
    await list();
    expect(statSync(kept()).ino).not.toBe(ino);
  }
});

test("nothing is kept where the user does not want it, or where it cannot be written", async () => {
  await list({ NODE_DISABLE_COMPILE_CACHE: "1" });
  expect(() => readdirSync(folder())).toThrow("ENOENT");
  writeFileSync(join(house.root, "file"), "");
  await list({ XDG_CACHE_HOME: join(house.root, "file") });
});
