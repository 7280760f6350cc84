/**
 * `docs/examples/agents.yaml`: one workflow whose steps are asked of seven real agents, and of an eighth where Mistral
 * Vibe can be installed. Through `troupe run`, through `troupe acp`, and over a socket of `troupe serve`.
 *
 * S1. Each step is asked of its own agent, and is told what the steps before have said.
 * S2. The log is the same through all three; the terminal and the editor show the same of each step.
 * S3. `kill -9` in the middle: steps that have ended are not asked again, the others are, and nothing of the killed
 *     process keeps running.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import type { Exchange } from "../../machines/exchange.ts";
import { Editor, updatesOf } from "../support/acp-editor.ts";
import { faultsOf, type Sent } from "../support/acp-schema.ts";
import { screenOf, shownIn } from "../support/golden.ts";
import { childrenOf, type House, storedRows, storedSessions } from "../support/house.ts";
import { ModelServer, saidTo } from "../support/model-server/model-server.ts";
import { SocketClient, startServer } from "../support/server.ts";
import { openEnsemble, partsFor, queue, TASK, TOKENS_OF_A_REPLY, WORKFLOW } from "./ensemble.ts";
import { commonRows } from "./ensemble-rows.ts";
import { seenInEditor, seenOnTerminal, stepsOf } from "./ensemble-views.ts";
import { WHOLE } from "./subject.ts";

const noVibe = inject("noVibe");
const PARTS = partsFor(noVibe);
const SLOW = 400_000;
const PROMPT = `/${WORKFLOW} task="${TASK}"`;
const RUN = ["run", WORKFLOW, "-i", `task=${TASK}`];

let server: ModelServer;
let house: House;
beforeAll(async () => {
  server = await ModelServer.start();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.reset();
  house = openEnsemble(server, noVibe);
});
afterEach(() => house.leave());

const onlyRows = (): Exchange[] => storedRows(house.store, storedSessions(house.store)[0] ?? "");
/** The log and the view of the terminal's run, to compare the other faces with. */
const terminal: { rows: string[]; seen: ReturnType<typeof seenOnTerminal> } = { rows: [], seen: [] };

it.skipIf(noVibe !== null)(
  noVibe === null ? "Mistral Vibe is one of them" : `Mistral Vibe is left out: ${noVibe}`,
  () => {
    expect(PARTS.map(({ provider }) => provider)).toContain("mistral_vibe");
  },
);

describe("one workflow with a step for each agent", () => {
  it(
    "through troupe run (S1)",
    async () => {
      await queue(server, PARTS);
      const run = house.troupe(RUN);
      expect(await run.ended).toEqual({ code: 0, signal: null });
      expect(run.stderr).toBe("");
      expect(new Set(PARTS.map(({ provider }) => provider)).size).toBeGreaterThanOrEqual(7);
      const requests = await server.requests();
      expect(requests).toHaveLength(PARTS.flatMap(({ replies }) => replies).length);
      for (const [step, words] of HANDED) {
        const at = PARTS.slice(
          0,
          PARTS.findIndex((part) => part.step === step),
        ).flatMap(({ replies }) => replies).length;
        expect(saidTo(requests[at]!), step).toContain(words);
      }
      const rows = onlyRows();
      expect(rows.filter(({ type }) => type === "notice")).toEqual([]);
      terminal.rows = commonRows(rows, house.cwd);
      terminal.seen = seenOnTerminal(run.lines);
      expect(terminal.seen.map(({ step, lines, end }) => [step, lines.at(-1), end])).toEqual(
        PARTS.map(({ step, says }) => [step, says, "completed"]),
      );
      expect(terminal.seen.flatMap(({ lines }) => lines).filter((line) => line.startsWith("•"))).toEqual(CALLS);
      const used = rows.flatMap((row) =>
        row.type === "usage.recorded" ? [[row.step, row.payload.totalTokens ?? 0] as const] : [],
      );
      expect(used.filter(([step]) => step !== "review")).toEqual(USED);
      const tokens = used.reduce((sum, [, many]) => sum + many, 0);
      expect(run.lines.at(-1)).toMatch(
        new RegExp(`^✓ ${WORKFLOW} completed in .* \\(${PARTS.length} steps, ${tokens} tokens\\)$`),
      );
      expect(childrenOf(run.owner)).toEqual([]);
    },
    SLOW,
  );

  it(
    "through troupe acp: the same log, and the editor shows the same (S2)",
    async () => {
      await queue(server, PARTS);
      const editor = new Editor(house.troupe(["acp"]));
      await editor.initialize();
      const session = await editor.open(house.cwd);
      expect(await editor.prompt(session, PROMPT)).toMatchObject({ result: { stopReason: "end_turn" } });
      const live = [...editor.trace];
      await editor.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
      const loaded = editor.trace.slice(live.length);
      expect(await editor.leave()).toEqual({ code: 0, signal: null });
      expect(faultsOf(editor.trace)).toEqual([]);
      expectTheSame(session, live);
      expect(screenOf(shownIn(live))).toEqual(screenOf(replayed(loaded)));
      expect(childrenOf(editor.agent.owner)).toEqual([]);
    },
    SLOW,
  );

  it.runIf(WHOLE)(
    "over a socket of troupe serve: the same once more (S2)",
    async () => {
      await queue(server, PARTS);
      const serving = await startServer(house);
      const client = await SocketClient.ready(serving.url);
      const session = await client.session(house.cwd);
      expect(await client.prompt(session, PROMPT)).toMatchObject({ result: { stopReason: "end_turn" } });
      await client.leave();
      expect(faultsOf(client.trace)).toEqual([]);
      expectTheSame(session, client.trace);
    },
    SLOW,
  );

  it(
    "killed in the middle, and resumed (S3)",
    async () => {
      const at = PARTS.findIndex(({ step }) => step === "test");
      const [before, cut, after] = [PARTS.slice(0, at), PARTS[at]!, PARTS.slice(at + 1)];
      await queue(server, before);
      await server.reply(...cut.replies.map((reply) => ({ ...reply, delay: 300 })));
      const killed = house.troupe([...RUN, "--format", "json"]);
      killed.onLine = (line) => {
        const row = JSON.parse(line) as Exchange;
        if (row.type === "message.assistant" && row.step === cut.step) killed.kill();
      };
      expect(await killed.ended).toEqual({ code: null, signal: "SIGKILL" });
      const asked = await server.requests();
      await server.reset();

      await queue(server, [cut, ...after]);
      const { run = "" } = JSON.parse(killed.lines.find((line) => line.includes('"run.started"')) ?? "{}") as Exchange;
      const resumed = house.troupe(["resume", run, "--recover=rerun", "--format", "json"]);
      expect({ ...(await resumed.ended), stderr: resumed.stderr }).toEqual({ code: 0, signal: null, stderr: "" });
      const rows = onlyRows();
      expect(stepsOf(rows)).toEqual(PARTS.map(({ step }) => step));
      expect(rows.flatMap((row) => (row.type === "step.completed" ? [[row.step, row.payload.status]] : []))).toEqual(
        PARTS.map(({ step }) => [step, "completed"]),
      );
      expect(asked.length).toBe(before.flatMap(({ replies }) => replies).length + 1);
      const again = [cut, ...after].flatMap(({ replies }) => replies);
      expect(await server.requests()).toHaveLength(again.length);
      // The printed lines are the kept ones: from the first process up to its end, from the second after that.
      const printed = [...killed.lines, ...resumed.lines].map((line) => JSON.parse(line) as Exchange);
      expect(rows).toEqual(expect.arrayContaining(printed));
      expect(rows.at(-1)).toEqual(printed.at(-1));
      expect([...childrenOf(killed.owner), ...childrenOf(resumed.owner)]).toEqual([]);
    },
    SLOW,
  );
});

/** Words of earlier steps that a step's agent must have got. */
const HANDED: readonly (readonly [step: string, words: string])[] = [
  ["write", "1. Write greet.txt."],
  ["review", "It greets Ada."],
  ["rework", "It greets one person only."],
  ["rework", "1. Write greet.txt."],
  ["question", "It greets by name."],
  ["translate", noVibe === null ? "Without one it says hello." : "people without a name"],
  ["sign_off", "We greet you by name now."],
  ["sign_off", `change nothing yet: ${TASK}`],
];
/** Tokens of each step. Qwen reports none; Gemini also counts its requests to a small model, see `review`. */
const USED = PARTS.filter(({ step }) => step !== "translate" && step !== "review").map(
  ({ step, replies }) => [step, replies.length * TOKENS_OF_A_REPLY] as const,
);
const CALLS = [
  "• echo 'Hello, Ada' > greet.txt",
  "• echo 'Hello, {name}' > greet.txt",
  "• cat greet.txt",
  "• Read greet.txt",
];

function expectTheSame(session: string, trace: readonly Sent[]): void {
  const rows = storedRows(house.store, session);
  expect(commonRows(rows, house.cwd)).toEqual(terminal.rows);
  expect(seenInEditor(trace, rows)).toEqual(terminal.seen);
  const spent = updatesOf(trace).flatMap(({ update }) => (update["sessionUpdate"] === "usage_update" ? [update] : []));
  const costs = rows.flatMap((row) => (row.type === "usage.recorded" ? [row.payload.cost?.amount ?? 0] : []));
  expect(spent.at(-1)).toMatchObject({
    cost: {
      amount: expect.closeTo(
        costs.reduce((a, b) => a + b, 0),
        8,
      ),
    },
  });
}

const replayed = (trace: readonly Sent[]) =>
  shownIn(trace).filter(({ sessionUpdate }) => sessionUpdate !== "user_message_chunk");
