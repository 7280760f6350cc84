/** Covers I1 to I4. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { OWNERS_FOLDER, Owning } from "../../../../actors/host/sqlite/owner.ts";
import { createTroupe } from "../../../../actors/troupe.ts";

/** A folder of a store, and owners in it. */
function stage(): { folder: string; owners: string; enter(): Owning } {
  const folder = mkdtempSync(join(tmpdir(), "troupe-owner-"));
  const all: Owning[] = [];
  onTestFinished(() => {
    for (const one of all) one.end();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    owners: join(folder, OWNERS_FOLDER),
    enter: () => {
      const one = new Owning(folder);
      all.push(one);
      return one;
    },
  };
}
const DEAD = "0123456789abcdef01234567";

test("two of one process are told apart, and each lives from its proof until its end", () => {
  const { enter, owners } = stage();
  const [one, two, seer] = [enter(), enter(), enter()];
  expect(one.self).not.toBe(two.self);
  expect(existsSync(owners)).toBe(false); // who owns nothing writes nothing
  one.prove();
  two.prove();
  two.prove();
  expect([one, two].map(({ self }) => seer.isAlive(self))).toEqual([true, true]);
  expect(statSync(join(owners, one.self)).mode & 0o777).toBe(0o600);
  expect(statSync(owners).mode & 0o777).toBe(0o700);
  one.end();
  one.prove(); // too late
  expect([one, two].map(({ self }) => seer.isAlive(self))).toEqual([false, true]);
  expect(readdirSync(owners)).toEqual([two.self]);
});

test("one of another process lives as long as that, and what it leaves is removed by the next to end", () => {
  const { enter, folder, owners } = stage();
  const program = `import { Owning } from ${JSON.stringify(new URL("../../../../actors/host/sqlite/owner.ts", import.meta.url).href)};
    const one = new Owning(${JSON.stringify(folder)});
    one.prove();
    process.stdout.write(one.self);
    process.kill(process.pid, "SIGKILL");`;
  let name = "";
  try {
    execFileSync(process.execPath, ["--no-warnings", "--input-type=module", "-e", program], { encoding: "utf8" });
  } catch (error) {
    name = (error as { stdout: string }).stdout;
  }
  expect(readdirSync(owners)).toEqual([name]);
  const [next, living] = [enter(), enter()];
  expect(next.isAlive(name)).toBe(false);
  next.prove();
  living.prove();
  next.end();
  expect(readdirSync(owners)).toEqual([living.self]);
  expect(living.isAlive(name)).toBe(false);
});

test("what the dead have left is found also where many live", () => {
  const { enter, owners } = stage();
  const all = Array.from({ length: 40 }, enter);
  for (const one of all) one.prove();
  const ending = all.slice(0, 5);
  const dead = ending.map(({ self }) => `${self.slice(0, 12)}ffffffffffff`);
  for (const name of dead) writeFileSync(join(owners, name), "");
  for (const one of ending) one.end();
  expect(readdirSync(owners).sort()).toEqual(
    all
      .slice(5)
      .map(({ self }) => self)
      .sort(),
  );
});

test("who looks at a dead owner's file at the same time is not taken for it", () => {
  const { enter, owners } = stage();
  const seer = enter();
  mkdirSync(owners);
  writeFileSync(join(owners, DEAD), "");
  const other = new DatabaseSync(join(owners, DEAD), { readOnly: true });
  other.exec("begin; select count(*) from sqlite_schema");
  expect(seer.isAlive(DEAD)).toBe(false);
  other.close();
});

test.each([
  ["a name that is none", "stopped"],
  ["a path", "../troupe.db"],
  ["a file that is not there", DEAD],
])("%s belongs to no living process", (_, name) => {
  const { enter, owners } = stage();
  mkdirSync(owners);
  expect(enter().isAlive(name)).toBe(false);
});

test("a file that cannot be looked at counts as a living owner's", () => {
  const { enter, owners } = stage();
  mkdirSync(owners);
  symlinkSync(DEAD, join(owners, DEAD)); // a ring of links: the system does not say that it is not there
  mkdirSync(join(owners, `f${DEAD.slice(1)}`));
  expect(enter().isAlive(DEAD)).toBe(true);
  expect(enter().isAlive(`f${DEAD.slice(1)}`)).toBe(true);
});

test("a file that somebody takes for a dead one's while it is being locked is made again", () => {
  const { enter, owners } = stage();
  const [one, seer] = [enter(), enter()];
  mkdirSync(owners);
  writeFileSync(join(owners, one.self), "");
  const other = new DatabaseSync(join(owners, one.self), { readOnly: true });
  other.exec("begin; select count(*) from sqlite_schema");
  expect(() => one.prove()).toThrow("cannot lock");
  rmSync(join(owners, one.self));
  one.prove();
  other.close();
  expect(seer.isAlive(one.self)).toBe(true);
});

const SLOW = `name: slow
states:
  initial: a
  a: { type: agent, provider: understudy, options: {prompt_as_script: true}, prompt: "slow", on_success: z }
  z: { type: terminal }
`;

test("of two Troupes in one process, one leaves alone what the other runs, until that one is closed", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-owner-")));
  mkdirSync(join(root, ".troupe/workflows"), { recursive: true });
  writeFileSync(join(root, ".troupe/workflows/slow.yaml"), SLOW);
  const environment = { PATH: process.env["PATH"] ?? "", HOME: root, TROUPE_HOME: join(root, "home") };
  const [one, two] = [createTroupe({ environment }), createTroupe({ environment })];
  onTestFinished(async () => {
    await Promise.all([one.close(), two.close()]);
    rmSync(root, { recursive: true, force: true });
  });
  const { session } = await one.run({ workflow: "slow", inputs: {}, consent: "yes", cwd: root });
  const seen = await two.open(session.id);
  const prompt = () => seen.prompt({ blocks: [{ type: "text", text: "/slow" }], consent: "yes" });
  await expect(prompt()).rejects.toMatchObject({ code: "USER.SESSION.BUSY_ELSEWHERE" });
  await one.close();
  expect(await prompt()).toMatchObject({ turn: expect.any(String) });
});
