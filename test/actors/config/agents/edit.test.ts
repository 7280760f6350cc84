/** Changes of `agents.yaml`: whole or not at all, one after the other, and nothing else touched. */
import { fork } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { addEntry, editAgents } from "../../../../actors/config/agents/edit.ts";
import { agentsFileOf } from "../../../../actors/config/nothing.ts";

function place() {
  const home = mkdtempSync(join(tmpdir(), "troupe-edit-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const environment = { HOME: home };
  const file = agentsFileOf(environment);
  return {
    environment,
    file,
    text: () => readFileSync(file, "utf8"),
    write: (text: string) => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { mode: 0o600 });
    },
    add: (slug: string) =>
      editAgents(environment, [], (document) => addEntry(document, "agents", { id: slug, slug, command: "x" })),
  };
}

it("makes the file, for the user alone", () => {
  const { add, text, file } = place();
  expect(add("one").agents.map(({ slug }) => slug)).toEqual(["one"]);
  expect(text()).toBe("version: 1\nagents:\n  - id: one\n    slug: one\n    command: x\n");
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it("changes the file that a link leads to, and keeps the link", () => {
  const { add, file, environment } = place();
  const real = join(environment.HOME, "dotfiles/agents.yaml");
  for (const folder of [dirname(real), dirname(file)]) mkdirSync(folder, { recursive: true });
  writeFileSync(real, "version: 1\nagents: []\n");
  symlinkSync(real, file);
  add("one");
  expect(readFileSync(real, "utf8")).toContain("slug: one");
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(readdirSync(dirname(real))).toEqual(["agents.yaml"]);
});

it("keeps what else is written, comments too", () => {
  const { add, text, write } = place();
  write("# mine\nversion: 1\nagents:\n  # the first\n  - {id: a, slug: a, command: a} # as it is\n");
  add("b");
  expect(text()).toBe(
    "# mine\nversion: 1\nagents:\n  # the first\n  - { id: a, slug: a, command: a } # as it is\n  - id: b\n    slug: b\n    command: x\n",
  );
});

it.each(["version: 9\nagents: []\n", "version: 1\nwhat: 1\n", "version: [\n"])(
  "changes nothing where the file has a fault: %j",
  (before) => {
    const { add, text, write } = place();
    write(before);
    expect(() => add("one")).toThrow(expect.objectContaining({ code: "USER.CONFIG.INVALID" }));
    expect(text()).toBe(before);
  },
);

it("writes nothing that would be a fault, and leaves no file beside", () => {
  const { add, text, file } = place();
  add("one");
  const before = text();
  expect(() => add("one")).toThrow(/two agents have the id/);
  expect(() => add("claude")).toThrow(/name of a provider/);
  expect(text()).toBe(before);
  expect(readdirSync(dirname(file)).toSorted()).toEqual(["agents.lock", "agents.yaml"]);
});

it("does not overwrite what an editor wrote meanwhile", () => {
  const { environment, add, text, write } = place();
  add("one");
  const other = "version: 1\nagents: []\n";
  expect(() =>
    editAgents(environment, [], (document) => {
      addEntry(document, "agents", { id: "two", slug: "two", command: "x" });
      write(other);
    }),
  ).toThrow(expect.objectContaining({ code: "USER.AGENT.EDITED" }));
  expect(text()).toBe(other);
});

it("loses nothing where several processes add at once, one of them killed", async () => {
  const { environment, add } = place();
  const program = fileURLToPath(new URL("./programs/adder.ts", import.meta.url));
  const started = ["a", "b", "c", "d"].map((name) => {
    const child = fork(program, [environment.HOME, name], { execArgv: ["--experimental-strip-types"], silent: true });
    const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
    return { child, ended, name };
  });
  const [first] = started;
  await new Promise<void>((resolve) => first?.child.once("message", () => resolve()));
  first?.child.kill("SIGKILL");
  const codes = await Promise.all(started.slice(1).map(({ ended }) => ended));
  expect(codes).toEqual([0, 0, 0]);
  const slugs = add("last").agents.map(({ slug }) => slug);
  for (const name of ["b", "c", "d"])
    expect(slugs.filter((slug) => slug.startsWith(name))).toEqual(Array.from({ length: 8 }, (_, n) => `${name}${n}`));
  expect(slugs.at(-1)).toBe("last");
});

// Rights refuse nothing to root: a file where a folder is to be, and a folder where the lock is, refuse everybody.
it("says where it cannot write, and what to do", () => {
  const { add, file } = place();
  const refused = expect.objectContaining({
    code: "SYSTEM.IO.WRITE_FAILED",
    message: expect.stringMatching(/^cannot write .*agents\.yaml: .*Look at the rights of it and of its folder/),
    details: { file },
  });
  mkdirSync(dirname(dirname(file)), { recursive: true });
  writeFileSync(dirname(file), "");
  expect(() => add("one")).toThrow(refused);
  rmSync(dirname(file));
  mkdirSync(join(dirname(file), "agents.lock"), { recursive: true });
  expect(() => add("one")).toThrow(refused);
});
