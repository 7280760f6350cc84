/**
 * Images and audio of a prompt, on their way from an editor to a model.
 *
 * A1. They reach the steps whose prompt names them, and no other. The log and a replay hold words only.
 * A2. In a conversation they belong to what was said: later turns hold them too.
 * A3. `kill -9` before the step has begun loses nothing.
 * A4. An attachment that no agent takes is refused in words: nothing starts, nothing is kept, and a waiting run keeps
 *     waiting.
 * A5. They are deleted with their session.
 * A6. A link is no attachment: wherever it leads, nothing is read for it (T4).
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { Editor } from "../support/acp-editor.ts";
import { faultsOf } from "../support/acp-schema.ts";
import { type House, openHouse, storedRows } from "../support/house.ts";
import { ModelServer } from "../support/model-server/model-server.ts";
import { audio, image, PNG, WAV } from "../support/pictures.ts";

const IMAGE_PART = { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } };
const AUDIO_PART = { type: "input_audio", input_audio: { data: WAV, format: "wav" } };
const END = { result: { stopReason: "end_turn" } };
const REFUSED = {
  result: { stopReason: "end_turn", _meta: { "troupe/error": { code: "USER.PROMPT.UNSUPPORTED_BLOCK" } } },
};

let server: ModelServer;
let house: House;
let editors: Editor[];
beforeAll(async () => {
  server = await ModelServer.start();
});
afterAll(() => server.stop());
beforeEach(async () => {
  editors = [];
  house = openHouse(["look", "look-on", "blind", "hello"].map((name) => `acceptance/${name}.yaml`));
  await server.reset();
});
afterEach(async () => {
  await house.leave();
  expect(editors.flatMap(({ trace }) => faultsOf(trace))).toEqual([]);
});

const environment = () => ({ TROUPE_TRUST: "1", OPENAI_BASE_URL: `${server.url}/v1` });
async function enter(env: { [name: string]: string } = {}): Promise<Editor> {
  const editor = new Editor(house.troupe(["acp"], { ...environment(), ...env }));
  editors.push(editor);
  await editor.initialize();
  return editor;
}
const words = (text: string) => ({ type: "text", text });
const ask = (editor: Editor, sessionId: string, prompt: object[]) =>
  editor.request("session/prompt", { sessionId, prompt });
/** The words of the user in each request, in order. */
async function told(): Promise<unknown[][]> {
  const said = ({ body }: Awaited<ReturnType<ModelServer["all"]>>[number]) =>
    (body.messages ?? []).filter(({ role }) => role === "user").map(({ content }) => content);
  return (await server.all()).map(said);
}
const kept = (): number => {
  const file = join(house.root, "home", "troupe", "attachments.db");
  if (!existsSync(file)) return 0;
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return Number(database.prepare("select count(*) as n from piece").get()?.["n"]);
  } finally {
    database.close();
  }
};
const typesOf = (session: string) => storedRows(house.store, session).map(({ type }) => type);

test("A1: an image and a sound reach the step whose prompt names them", async () => {
  const editor = await enter();
  const session = await editor.open(house.cwd);
  expect(await ask(editor, session, [words("/look what="), image, audio])).toMatchObject(END);
  const [first, second, ...more] = await told();
  expect(more).toEqual([]);
  const reference = /^Look closely\. \[image\]\(attachment:[0-9a-f]{32}\)\[audio\]\(attachment:[0-9a-f]{32}\)$/;
  expect(first).toEqual([[{ type: "text", text: expect.stringMatching(reference) }, IMAGE_PART, AUDIO_PART]]);
  expect(second).toEqual([expect.stringMatching(/^Say it in a word: /)]);

  const [row] = storedRows(house.store, session).filter(({ type }) => type === "message.user");
  const bytes = Buffer.from(PNG, "base64").length;
  expect(row?.payload).toMatchObject({ blocks: [{}, { type: "image", mimeType: "image/png", bytes }, {}] });
  expect(readFileSync(house.store, "latin1")).not.toContain(PNG);
  const again = await enter();
  await again.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
  await again.hears(`[image: image/png, ${bytes} bytes]`);
});

test("A2: an answer may bring an image, and the conversation keeps it", async () => {
  const editor = await enter();
  const session = await editor.open(house.cwd);
  expect(await ask(editor, session, [words("/look-on what=Hello")])).toMatchObject(END);
  expect(await ask(editor, session, [words("And this?"), image])).toMatchObject(END);
  expect(await ask(editor, session, [words("Thanks.")])).toMatchObject(END);
  const seen = [{ type: "text", text: expect.stringMatching(/^And this\?\n\[image\]\(attachment:/) }, IMAGE_PART];
  expect(await told()).toEqual([["Hello"], ["Hello", seen], ["Hello", seen, "Thanks."]]);
});

test("A3: killed before the step has begun, the run continues with its attachments", async () => {
  const editor = await enter({ TROUPE_FAILPOINT: "work.before" });
  const session = await editor.open(house.cwd);
  ask(editor, session, [words("/look what="), image]).catch(() => undefined);
  expect(await editor.agent.ended).toMatchObject({ signal: "SIGKILL" });
  expect(await server.all()).toEqual([]);
  const run = storedRows(house.store, session).find(({ type }) => type === "run.started")?.run ?? "";
  const resumed = house.troupe(["resume", run, "--recover", "rerun"], environment());
  expect(await resumed.ended).toEqual({ code: 0, signal: null });
  const [first] = await told();
  expect(first).toEqual([[expect.objectContaining({ type: "text" }), IMAGE_PART]]);
});

test("A4: an attachment that no agent takes is refused, and nothing is started or kept", async () => {
  const editor = await enter();
  const session = await editor.open(house.cwd);
  const said = [words("/look what="), { ...image, mimeType: "image/svg+xml" }];
  for (const prompt of [
    [words("/blind what="), image],
    said,
    [words("/look what="), { ...image, data: "aGk=" }],
    [words("/look what="), { ...image, data: "no base64!" }],
    [words("/look what="), { type: "audio", mimeType: "video/mp4", data: WAV }],
  ])
    expect(await ask(editor, session, prompt)).toMatchObject(REFUSED);
  expect(await ask(editor, session, [words("/hello"), image])).toMatchObject({
    result: { stopReason: "end_turn", _meta: { "troupe/error": { code: "USER.INPUT.INVALID_FORMAT" } } },
  });
  expect(typesOf(session)).not.toContain("run.started");
  expect(await ask(editor, session, [words("/blind what=x")])).toMatchObject(END);
  expect(await ask(editor, session, [words("Look"), image])).toMatchObject(REFUSED);
  await editor.hears('the agent \\"understudy\\" of step \\"talk\\" takes no image');
  expect(kept()).toBe(0);
  expect(await ask(editor, session, [words("Then words.")])).toMatchObject(END);
  expect(typesOf(session).filter((type) => type === "input.answered")).toHaveLength(1);
});

test("A4: the same after a crash: the run that was cut off stays cut off", async () => {
  const editor = await enter();
  const session = await editor.open(house.cwd);
  expect(await ask(editor, session, [words("/blind what=x")])).toMatchObject(END);
  editor.agent.kill();
  await editor.agent.ended;
  const again = await enter();
  await again.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
  expect(await ask(again, session, [words("Look"), image])).toMatchObject(REFUSED);
  expect(await ask(again, session, [words("Then words.")])).toMatchObject(END);
});

test("A5: attachments are deleted with their session", async () => {
  const editor = await enter();
  const session = await editor.open(house.cwd);
  expect(await ask(editor, session, [words("/look what="), image, audio])).toMatchObject(END);
  expect(kept()).toBe(2);
  expect(await editor.request("session/delete", { sessionId: session })).toMatchObject({ result: {} });
  expect(kept()).toBe(0);
});

test("A6: links are passed on by name, and none is opened", async () => {
  const canary = "what-stands-outside";
  writeFileSync(join(house.root, "outside.txt"), canary);
  symlinkSync(join(house.root, "outside.txt"), join(house.cwd, "link.txt"));
  execFileSync("mkfifo", [join(house.cwd, "pipe")]);
  const links = ["../outside.txt", "link.txt", "pipe", "%2e%2e/outside.txt"].map(
    (path) => `file://${house.cwd}/${path}`,
  );
  const uris = [...links, "file:///dev/zero", "file:///etc/passwd", "file://host/share/x"];
  const blocks = uris.map((uri) => ({ type: "resource_link", uri, name: "notes.md", mimeType: "image/png" }));
  const editor = await enter();
  const session = await editor.open(house.cwd);
  expect(await ask(editor, session, [words("/look "), ...blocks])).toMatchObject(END);
  const [first] = await told();
  expect(first).toEqual([`Look closely. ${uris.map((uri) => `[notes.md](${uri})`).join(" ")}`]);
  expect(JSON.stringify([editor.trace, storedRows(house.store, session), await server.all()])).not.toContain(canary);
});
