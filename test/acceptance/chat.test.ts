/**
 * `troupe chat` and `troupe sessions` as programs use them: the built program with a fake agent.
 *
 * C1. An earlier conversation is resumed where the agent can do so. Otherwise it is loaded, and nothing is shown twice.
 *     Otherwise it can only be viewed, and a new one begins with its summary. H50.
 * C2. A kill -9 in the middle of a turn loses nothing that was shown. The prompt's end is unknown, and it is not sent
 *     again.
 * C3. A conversation with a removed agent can be read, and says that the agent was removed. H3.
 * C4. No form of a secret is in anything that is kept. H44, H48.
 * C5. Where no one can be asked, the agent does not start and nothing is kept.
 * C6. `AGENTS.md` reaches an agent that does not read it, once, and is named where the prompt is shown.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";

const AGENT = fileURLToPath(new URL("../actors/agents/acp/programs/agent.mjs", import.meta.url));
const SECRET = "canary-9f3e7c1ab2";

let house: House;
beforeEach(() => {
  house = openHouse([]);
});
afterEach(async () => {
  await house.leave();
});

async function say(args: string[], env: { [name: string]: string } = {}) {
  const said = house.troupe(args, { TROUPE_TRUST_AGENTS: "mine", ...env });
  said.child.stdin.end();
  const { code } = await said.ended;
  return { code, lines: said.lines, text: said.lines.join("\n"), stderr: said.stderr };
}
const add = (can: string, ...more: string[]) =>
  say([
    ...["agents", "add", "mine", "--env", `AGENT_MEMORY=${join(house.root, "memory")}`, "--env", `AGENT_CAN=${can}`],
    ...["--env", `AGENT_LOG=${join(house.root, "log")}`, ...more, "--", process.execPath, AGENT],
  ]);
const log = (): string => readFileSync(join(house.root, "log"), "utf8").replace(/^start \d+\n/gm, "");
const folder = (): string => join(house.env["TROUPE_HOME"] ?? "", "conversations");

describe("troupe chat", () => {
  test.each([
    ["resume,load", "resume s1\n", 0],
    ["load", "load s1\n", 0],
    ["neither", "", 1],
  ])("an agent that can %s (C1)", async (can, how, code) => {
    await add(can);
    expect(await say(["chat", "mine", "-p", "say first"])).toMatchObject({
      code: 0,
      lines: ["", "❯ say first", "first"],
    });
    const again = await say(["chat", "--resume", "-p", "say second"]);
    expect(again.code).toBe(code);
    expect(log()).toBe(`new s1\nprompt s1\n${how}${code === 0 ? "prompt s1\n" : ""}`);
    const shown = await say(["sessions", "show", "@last"]);
    expect(shown.text).not.toContain("said long ago");
    expect(shown.text.match(/^first$/gm)).toHaveLength(1);
    if (code === 0) return expect(shown.text).toMatch(/❯ say second\nsecond$/);
    expect(again.stderr).toContain("USER.CONVERSATION.VIEW_ONLY");
    const id = /--from (\S+)/.exec(again.stderr)?.[1] ?? "";
    expect((await say(["chat", "mine", "--from", id, "-p", "say third"])).text).toContain(
      "(with the summary of the conversation before)",
    );
    expect(log()).toContain("new s2\nprompt s2\n");
    expect((await say(["sessions"])).lines).toHaveLength(3);
  });

  test("the words of the folder stand before the first prompt of an agent that does not read them (C6)", async () => {
    await add("resume,load");
    const agents = join(house.env["HOME"] ?? "", ".config", "troupe", "agents.yaml");
    writeFileSync(agents, readFileSync(agents, "utf8").replace(/^( +)slug: mine$/m, "$1slug: mine\n$1reads: []"));
    writeFileSync(join(house.cwd, "AGENTS.md"), "Use tabs.\n");
    const given = "  (with AGENTS.md of the folder, which the agent does not read by itself)";
    const first = await say(["chat", "mine", "-p", "say first"]);
    expect(first.lines.slice(0, 3)).toEqual(["", given, "❯ say first"]);
    expect((await say(["chat", "--resume", "-p", "say second"])).text).not.toContain(given);
    const shown = await say(["sessions", "show", "@last"]);
    expect(shown.lines.filter((line) => line === given)).toHaveLength(1);
    expect((await say(["sessions"])).text).toContain("say first");
  });

  test("a session that the agent no longer knows is not replaced by another (C1)", async () => {
    await add("resume,load");
    await say(["chat", "mine", "-p", "say first"]);
    writeFileSync(join(house.root, "memory"), "");
    expect(await say(["chat", "--resume", "-p", "say second"])).toMatchObject({ code: 1 });
    expect(log()).toBe("new s1\nprompt s1\nresume s1\n");
  });

  test("a conversation continues after a kill -9 in the middle of a turn (C2)", async () => {
    await add("resume,load");
    const cut = house.troupe(["chat", "mine", "-p", "say first\nsay half\nodd x\nwait"], {
      TROUPE_TRUST_AGENTS: "mine",
    });
    // The block of its words has no end yet. The line after it shows that they are written.
    expect(await cut.line(6)).toBe("unsupported update: weather_update");
    cut.kill();
    await cut.ended;
    const [record] = JSON.parse((await say(["sessions", "--format", "json"])).text);
    expect(record).toMatchObject({ turn: "open", isOpen: false, prompts: 1 });
    expect((await say(["sessions"])).lines[0]).toContain("cut off");
    const shown = (await say(["sessions", "show", record.id])).text;
    expect(shown).toContain("firsthalf");
    expect(shown).toContain("What became of the prompt is unknown; it is not sent again.");
    const again = await say(["chat", "--resume", record.id, "-p", "say on"]);
    expect(again).toMatchObject({ code: 0 });
    expect(again.lines.at(-1)).toBe("on");
    expect(log()).toBe("new s1\nprompt s1\nresume s1\nprompt s1\n");
  });

  test("an agent that dies leaves an unknown end, and the next prompt starts it again (C2)", async () => {
    await add("resume,load");
    expect(await say(["chat", "mine", "-p", "die"])).toMatchObject({ code: 4 });
    expect((await say(["sessions", "show", "@last"])).text).toContain("exit code 9");
    expect(await say(["chat", "--resume", "-p", "say up"])).toMatchObject({ code: 0 });
  });

  test("a conversation with a removed agent can be read, and no more (C3)", async () => {
    await add("resume,load");
    await say(["chat", "mine", "-p", "say first"]);
    const { agent } = JSON.parse((await say(["sessions", "show", "@last", "--format", "json"])).text);
    await say(["agents", "remove", "mine"]);
    expect((await say(["sessions"])).lines[0]).toContain("agent removed");
    const shown = await say(["sessions", "show", "@last"]);
    expect(shown.text).toContain("The agent was removed: this can be viewed, but not continued.");
    expect(shown.text).toMatch(/❯ say first\nfirst$/);
    const refused = await say(["chat", "--resume", "-p", "say second"]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`--id ${agent.id}`)]);
    await add("resume,load", "--id", agent.id);
    expect(await say(["chat", "--resume", "-p", "say second"])).toMatchObject({ code: 0 });
  });

  test("no form of a secret is kept, nor written to the log of frames (C4)", async () => {
    await add("resume,load", "--env", `MY_TOKEN=${SECRET}`);
    const frames = join(house.root, "frames.ndjson");
    const forms = [SECRET, Buffer.from(SECRET).toString("base64"), encodeURIComponent(SECRET), [...SECRET].join("")];
    const prompt = forms.map((form) => `say ${form}\nthink ${form}\nodd ${form}\nask ${form}`).join("\n");
    expect(await say(["chat", "mine", "--frames-log", frames, "-p", prompt])).toMatchObject({ code: 0 });
    const halves = `say ${SECRET.slice(0, 8)}\nsay ${SECRET.slice(8)}`;
    await say(["chat", "--resume", "--frames-log", `${frames}2`, "-p", halves]);
    const written = execFileSync("cat", [frames, `${frames}2`, ...filesIn(folder())], { encoding: "utf8" });
    for (const form of forms) expect(written).not.toContain(form);
    expect(written).toContain("***");
    for (const file of [frames, ...filesIn(folder())]) expect([file, statSync(file).mode & 0o077]).toEqual([file, 0]);
    expect((await say(["sessions", "show", "@last"])).text).not.toContain(SECRET);
  });

  test("where no one can be asked: no start, exit code 5, and nothing is kept (C5)", async () => {
    await add("resume,load");
    const refused = await say(["chat", "-p", "say first"], { TROUPE_TRUST_AGENTS: "" });
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining("USER.AGENT.CONSENT_REQUIRED")]);
    expect(existsSync(join(house.root, "log"))).toBe(false);
    expect((await say(["sessions"])).text).toContain("No conversations yet");
  });

  test("a conversation that is open in one process cannot be continued in another", async () => {
    await add("resume,load");
    const open = house.troupe(["chat", "mine", "-p", "say here\nwait"], { TROUPE_TRUST_AGENTS: "mine" });
    await open.line(3);
    const other = await say(["chat", "--resume", "-p", "say there"]);
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("USER.CONVERSATION.OPEN_ELSEWHERE")]);
    expect((await say(["sessions"])).lines[0]).toContain("  open");
    open.child.kill("SIGINT");
    expect(await open.ended).toMatchObject({ code: 130 });
  });

  test("files are named by their paths, and an image is sent where the agent takes it", async () => {
    await add("resume,load,see");
    writeFileSync(join(house.cwd, "a.png"), "png");
    writeFileSync(join(house.cwd, "b.txt"), "text");
    const { text } = await say(["chat", "mine", "-p", "say with @a.png and @none"]);
    expect(text).toContain(`image image/png ${Buffer.from("png").toString("base64")}`);
    const sent = filesIn(folder())
      .map((file) => readFileSync(file, "utf8"))
      .join("");
    expect(sent).toContain('"type":"image"');
    appendFileSync(join(house.cwd, "a.png"), Buffer.alloc(6 * 1024 * 1024));
    const refused = await say(["chat", "--resume", "-p", "say with @a.png"]);
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining("USER.CONVERSATION.FILE")]);
  });
});

function filesIn(place: string): string[] {
  return readdirSync(place, { recursive: true, withFileTypes: true }).flatMap((one) =>
    one.isFile() ? [join(one.parentPath, one.name)] : [],
  );
}
