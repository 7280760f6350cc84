/**
 * `docs/examples/worktrees.yaml` in an editor, with Claude Code, Codex and OpenCode: each works in a tree of its own,
 * Claude Code judges, and the winner is merged when the editor's user agrees.
 *
 * T1. Before that the checkout has none of their work; afterwards it has only the winner's.
 * T2. `kill -9` while the question is open: the next process asks again, merges, and leaves the same checkout.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type Asked, Editor } from "../support/acp-editor.ts";
import { faultsOf } from "../support/acp-schema.ts";
import { type Changes, VERDICT, WINNER, writeContest } from "../support/contest.ts";
import { childrenOf, type House, inRepository, openHouse, storedRows } from "../support/house.ts";
import { ModelServer } from "../support/model-server/model-server.ts";
import { claudeEnvironment } from "./subjects/claude.ts";
import { codexEnvironment, prepareCodexModel } from "./subjects/codex.ts";
import { opencodeEnvironment } from "./subjects/opencode.ts";

vi.setConfig({ testTimeout: 120_000 });

let server: ModelServer;
let house: House;
beforeAll(async () => {
  server = await ModelServer.start();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.reset();
  house = openHouse([]);
  const home = house.env["HOME"] ?? "";
  prepareCodexModel(server, home);
  const environments = [claudeEnvironment, codexEnvironment, opencodeEnvironment].map((of) => of(server, home));
  Object.assign(house.env, ...environments, { TROUPE_TRUST: "1" });
  writeContest(house, { agents: told });
  writeFileSync(join(house.cwd, "greet.txt"), "Hello\n");
  inRepository(house);
  writeFileSync(join(house.cwd, "mine"), "not committed\n");
});
afterEach(() => house.leave());

/** The model does what the end of each prompt says. */
const told: Changes["agents"] = (name, { prompt }) => ({
  prompt: `${prompt} ${
    name === "judge"
      ? `[[call:StructuredOutput ${JSON.stringify(VERDICT)}]]`
      : `[[tool:echo "Hello from the ${name}" > greet.txt]]`
  }`,
});
const git = (...args: string[]): string =>
  execFileSync("git", args, { cwd: house.cwd, env: house.env, encoding: "utf8" }).trim();
const isMerge = ({ toolCall }: Asked): boolean => String(toolCall["title"]).startsWith("Merge the work of");
const yes = ({ options }: Asked): string | null => options.find(({ kind }) => kind === "allow_once")?.optionId ?? null;

async function enter(): Promise<Editor> {
  const editor = new Editor(house.troupe(["acp"]));
  await editor.initialize();
  return editor;
}

it("three trees, a judge, a question, and the winner in the checkout (T1, T2)", async () => {
  const editor = await enter();
  const session = await editor.open(house.cwd);
  editor.decide = (asked) => {
    if (!isMerge(asked)) return yes(asked);
    expect(git("show", "main:greet.txt")).toBe("Hello");
    expect(git("status", "--porcelain")).toBe("?? mine");
    editor.agent.kill();
    return undefined;
  };
  editor.prompt(session, '/contest task="Greet people"').catch(() => undefined);
  expect(await editor.agent.ended).toMatchObject({ signal: "SIGKILL" });

  const next = await enter();
  const again: string[] = [];
  next.decide = (asked) => {
    again.push(String(asked.toolCall["title"]).split("?")[0] ?? "");
    return yes(asked);
  };
  await next.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
  expect(await next.prompt(session, "resume")).toMatchObject({ result: { stopReason: "end_turn" } });
  expect(await next.leave()).toEqual({ code: 0, signal: null });
  expect(again).toEqual(["Merge the work of contest/second into main"]);
  expect([...editor.trace, ...next.trace].length).toBeGreaterThan(20);
  expect([...faultsOf(editor.trace), ...faultsOf(next.trace)]).toEqual([]);

  const rows = storedRows(house.store, session);
  const run = rows.find(({ type }) => type === "run.started")?.run ?? "";
  const ends = rows.flatMap((row) => (row.type === "step.completed" ? [[row.step, row.payload.status]] : []));
  expect(Object.fromEntries(ends)).toEqual(
    Object.fromEntries(
      ["contest/first", "contest/second", "contest/third", "contest", "compare", "judge", "merge"].map((step) => [
        step,
        "completed",
      ]),
    ),
  );
  expect(rows.find(({ type }) => type === "run.completed")?.payload).toMatchObject({
    message: `The second was picked, and is merged: ${VERDICT.why}`,
  });
  expect(git("show", "main:greet.txt")).toBe(WINNER);
  expect(git("diff", "--name-only", "main~1", "main")).toBe("greet.txt");
  expect(git("status", "--porcelain")).toBe("?? mine");
  for (const name of ["first", "third"])
    expect(git("show", `troupe/${run}/contest+${name}:greet.txt`)).toBe(`Hello from the ${name}`);
  expect([...childrenOf(editor.agent.owner), ...childrenOf(next.agent.owner)]).toEqual([]);
});
