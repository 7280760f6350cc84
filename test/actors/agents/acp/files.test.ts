/** Files that an ACP agent reads and writes through us: who is asked, about what, and how it is shown. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentRequest } from "../../../../actors/agents/agent.ts";
import { NO, place, said, YES } from "./support.ts";

describe("files", () => {
  it("are refused where the user did not configure them", async () => {
    const { turn, heard, cwd } = place();
    writeFileSync(join(cwd, "a.txt"), "hello");
    await turn(`read ${cwd}/a.txt\nwrite ${cwd}/b.txt\nrun echo hi`);
    expect(said(heard).map((text) => text.slice(0, 6))).toEqual(["-32601", "-32601", "-32601"]);
    expect(existsSync(join(cwd, "b.txt"))).toBe(false);
  });

  it("may be read where the user allowed that, and not be written", async () => {
    const { turn, heard, cwd } = place({ files: "read" });
    writeFileSync(join(cwd, "a.txt"), "hello");
    await turn(`read ${cwd}/a.txt\nwrite ${cwd}/b.txt`);
    expect(said(heard)).toEqual(['{"content":"hello"}', expect.stringMatching(/^-326/)]);
    expect(existsSync(join(cwd, "b.txt"))).toBe(false);
  });

  it("are read as the rules say: nobody is asked where none speaks of it (I3 of process)", async () => {
    const { turn, heard, asked, cwd } = place({ files: "read" });
    mkdirSync(join(cwd, "secrets"));
    writeFileSync(join(cwd, "a.txt"), "hello");
    writeFileSync(join(cwd, "secrets", "b.txt"), "canary");
    writeFileSync(join(cwd, "secrets", "c.key"), "canary");
    const isSecret: AgentRequest["rules"] = ({ locations = [] }) =>
      locations.some(({ path }) => path.includes("/secrets/")) ? "deny" : "allow";
    const reads = `read ${cwd}/a.txt\nread ${cwd}/secrets/b.txt\nread ${cwd}/secrets/c.key`;
    await turn(reads, { rules: isSecret, answer: NO });
    expect(said(heard).map((text) => text.slice(0, 6))).toEqual(['{"cont', "-32603", "-32603"]);
    // What is denied is refused by the gate, which says so in the log.
    expect(asked.map(({ input }) => input)).toEqual(
      ["b.txt", "c.key"].map((name) => ({ path: `${cwd}/secrets/${name}` })),
    );
  });

  it("that a rule denies are not written, whatever a question has covered (I3 of process)", async () => {
    const { turn, asked, cwd } = place({ files: "write" });
    const path = join(cwd, "b.txt");
    const asks = async (rules: AgentRequest["rules"]) => {
      writeFileSync(path, "one");
      await turn(`diff ${path}\nwrite ${path}`, { rules });
      return asked.map(({ name }) => name);
    };
    expect(await asks(() => "ask")).toEqual(["edit"]);
    expect(await asks(() => "deny")).toEqual(["edit", "fs/write_text_file"]);
  });

  it("are written inside the workspace after a question, and never outside of it, by whatever link (T4, T5)", async () => {
    const { turn, heard, asked, cwd, root } = place({ files: "write" });
    mkdirSync(join(root, "secret"));
    writeFileSync(join(root, "secret", "key"), "canary");
    symlinkSync(join(root, "secret"), join(cwd, "link"));
    symlinkSync(join(root, "new"), join(cwd, "dangling"));
    const outside = [`${cwd}/../secret/key`, `${root}/secret/key`, `${cwd}/link/key`];
    await turn([...outside.map((path) => `read ${path}`), `write ${cwd}/link/key`, `write ${cwd}/dangling`].join("\n"));
    expect(said(heard)).toHaveLength(5);
    expect(said(heard).join()).not.toContain("canary");
    expect(said(heard).every((text) => text.startsWith("-326"))).toBe(true);
    expect(readFileSync(join(root, "secret", "key"), "utf8")).toBe("canary");
    expect(existsSync(join(root, "new"))).toBe(false);

    await turn(`write ${cwd}/b.txt`, { answer: NO });
    expect(asked).toMatchObject([
      {
        name: "fs/write_text_file",
        kind: "edit",
        input: { path: `${cwd}/b.txt` },
        edits: [{ path: `${cwd}/b.txt`, oldText: null, newText: "written" }],
      },
    ]);
    expect(existsSync(join(cwd, "b.txt"))).toBe(false);
    await turn(`write ${cwd}/b.txt`);
    expect(readFileSync(join(cwd, "b.txt"), "utf8")).toBe("written");
  });

  it("are asked for as the edit of what is on the disk, and again where that has changed (H33)", async () => {
    const { turn, asked, cwd } = place({ files: "write" });
    const path = join(cwd, "b.txt");
    writeFileSync(path, "one");
    const seen: unknown[] = [];
    await turn(`write ${path}`, {
      ask: async ({ edits }) => {
        seen.push(edits);
        if (seen.length === 1) writeFileSync(path, "two");
        return YES;
      },
    });
    expect(asked).toEqual([]);
    expect(seen).toEqual(["one", "two"].map((oldText) => [{ path, oldText, newText: "written" }]));
    expect(readFileSync(path, "utf8")).toBe("written");
  });

  it("a diff in the agent's own question stays one, and covers that very edit and no other (I4, I5; H46)", async () => {
    const { turn, asked, cwd } = place({ files: "write" });
    const path = join(cwd, "b.txt");
    writeFileSync(path, "one");
    const edit = { path, oldText: "one", newText: "written" };
    await turn(`diff ${path}\nwrite ${path}`);
    expect(asked).toEqual([{ name: "edit", kind: "edit", input: {}, title: "Change it", edits: [edit] }]);
    expect(readFileSync(path, "utf8")).toBe("written");

    // What was seen was an edit of another text.
    writeFileSync(path, "one");
    const asks: (string | null | undefined)[] = [];
    await turn(`diff ${path}\nwrite ${path}`, {
      ask: async ({ name, edits }) => {
        asks.push(`${name} ${edits?.[0]?.oldText}`);
        if (asks.length === 1) writeFileSync(path, "two");
        return YES;
      },
    });
    expect(asks).toEqual(["edit one", "fs/write_text_file two"]);
  });

  it("whose edit was named and not shown are asked for as it", async () => {
    const { turn, asked, cwd } = place({ files: "write" });
    await turn(`edit ${cwd}/b.txt\nwrite ${cwd}/b.txt`);
    expect(asked.map(({ name }) => name)).toEqual(["edit", "fs/write_text_file"]);
  });

  it("are shown as edits: with the call that names them, or with a card of their own (I6)", async () => {
    const { turn, heard, cwd } = place({ files: "write" });
    const written = (path: string) => ({ type: "diff", path, oldText: null, newText: "written" });
    await turn(`write ${cwd}/a.txt`);
    expect(heard).toContainEqual({
      type: "tool",
      tool: {
        ...{ call: "fs/write_text_file/1", title: `Write ${cwd}/a.txt`, kind: "edit", status: "completed" },
        locations: [{ path: `${cwd}/a.txt` }],
        content: [written(`${cwd}/a.txt`)],
      },
    });
    await turn(`edit ${cwd}/b.txt\nwrite ${cwd}/b.txt`);
    const [call] = heard.flatMap((event) => (event.type === "tool" ? [event.tool.call] : []));
    expect(heard).toContainEqual({ type: "tool", tool: { call, content: [written(`${cwd}/b.txt`)] } });
  });
});

it("an edit that a question states without a diff is asked about once, as what it writes (H33)", async () => {
  const { turn, asked, heard, cwd } = place({ files: "write" });
  const path = join(cwd, "file.txt");
  writeFileSync(path, "one two three\n");
  await turn(`swap ${path} two 2`);
  expect(asked).toMatchObject([{ kind: "edit", edits: [{ path, oldText: "two", newText: "2" }] }]);
  expect([said(heard).at(-1), readFileSync(path, "utf8")]).toEqual(["swapped", "one 2 three\n"]);
  // Where it stands twice it is another edit than the one that was seen: that is asked about.
  writeFileSync(path, "two two\n");
  await turn(`swap ${path} two 2`);
  expect(asked.map(({ name }) => name)).toEqual(["edit", "fs/write_text_file"]);
});
