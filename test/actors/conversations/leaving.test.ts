/** Covers I4 of `conversation.ts`: a conversation that is left while its agent starts. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AcpAgent } from "../../../actors/config/config.ts";
import { LiveConversation } from "../../../actors/conversations/conversation.ts";
import { KeptConversations } from "../../../actors/conversations/kept.ts";
import { Reaching } from "../../../actors/conversations/reaching.ts";
import { NO_MASKING } from "../../../actors/masking/masking.ts";
import { identityOf } from "../../../actors/process/identity.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "leaving-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("an agent that has not said hello yet ends with its conversation, at once", async () => {
  const started = join(folder, "pid");
  const program = join(folder, "silent.mjs");
  writeFileSync(
    program,
    `import { writeFileSync } from "node:fs";
process.stdin.resume();
setInterval(() => {}, 1_000);
writeFileSync(${JSON.stringify(started)}, String(process.pid));`,
  );
  const agent: AcpAgent = {
    ...{ id: "a1", slug: "mine", name: "mine", formerly: [], enabled: true, preset: null, mcpServers: [] },
    ...{ file: join(folder, "config.yaml"), lacking: {}, cwd: null, limits: {}, sandbox: { kind: "none" } },
    ...{ command: process.execPath, args: [program], files: "none", terminal: false, auth: null, env: {} },
  };
  const kept = new KeptConversations(folder);
  const parts = { mask: NO_MASKING, now: () => 1 };
  const head = {
    version: 1 as const,
    id: "c1",
    agent: { id: "a1", slug: "mine", name: "mine" },
    cwd: folder,
    from: null,
  };
  const reaching = new Reaching({
    ...{ id: "c1", cwd: folder, environment: process.env, framesLog: null, ...parts },
    agent: () => agent,
    config: () => ({ mcpServers: [] }),
    approve: async () => undefined,
    unlock: async (one) => one,
  });
  const conversation = new LiveConversation({
    ...{ agent: head.agent, cwd: folder, recorder: kept.begin(head, parts), reaching, mask: NO_MASKING, preface: [] },
    maxImageBytes: () => 0,
    left: () => kept.leave("c1"),
  });
  const open = conversation.open();
  await expect.poll(() => existsSync(started) && readFileSync(started, "utf8") !== "").toBe(true);
  const pid = Number(readFileSync(started, "utf8"));
  await conversation.close();
  expect(identityOf(pid)).toBeNull();
  await open;
  expect(conversation.fault).toBeNull();
});
