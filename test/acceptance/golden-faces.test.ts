/**
 * The golden log, shown by the projection of every face and compared with a golden file. And the proof that this
 * notices changes: each projection is changed on purpose in several places, and each change fails the comparison.
 *
 * `golden.test.ts` and its neighbours compare what real processes show of the same log: the rows of every face, the
 * updates of ACP on pipes and on a socket, the answer of MCP.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { Change } from "../security/serve/defence.ts";
import { openHouse } from "../support/house.ts";
import { steadyScreen } from "../support/tmux.ts";
import { FACES, goldenLog } from "./programs/faces.ts";

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const LOG = path("./golden/log.jsonl");
const PROGRAM = path("./programs/faces.ts");
const WITHOUT = path("../security/programs/without.mjs");
const GOLDEN: { readonly [face: string]: string } = {
  text: "text.txt",
  json: "lines.jsonl",
  acp: "views.jsonl",
  sse: "events.txt",
  mcp: "told.txt",
  ui: "ui.txt",
};
const rows = goldenLog(LOG);

test.each(Object.keys(FACES))("%s shows the golden log as it always did", async (face) => {
  await expect(FACES[face]?.(rows)).toMatchFileSnapshot(`./golden/faces/${GOLDEN[face]}`);
});

test("the terminal shows of a real run what is golden", async () => {
  const house = openHouse(["golden/golden.yaml"]);
  try {
    const run = house.troupe(["run", "golden", "--trust", "-i", "name=Ada"]);
    await run.ended;
    const id = / run (\S+) /.exec(run.lines[0] ?? "")?.[1] ?? "";
    const said = run.lines.join("\n").replaceAll(id, "<run 1>").replaceAll(house.cwd, "<cwd>");
    expect(steadyScreen(`${said}\n`)).toBe(steadyScreen(FACES["text"]?.(rows) ?? ""));
  } finally {
    await house.leave();
  }
});

test("MCP's answer is the one that a real host got", () => {
  expect(FACES["mcp"]?.(rows).startsWith(readFileSync(path("./golden/mcp.json"), "utf8"))).toBe(true);
});

test("ACP's updates are those that a real editor got when it loaded the session", () => {
  const loaded = readFileSync(path("./golden/updates.jsonl"), "utf8").trimEnd().split("\n");
  const views = FACES["acp"]?.(rows)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { update?: object });
  const updates = views?.flatMap(({ update }) => (update === undefined ? [] : [JSON.stringify(update)])) ?? [];
  const timeless = (text: string): string => text.replace(/"updatedAt":"[^"]*"/, '"updatedAt":"<time>"');
  expect(updates.map(timeless)).toEqual(loaded);
});

/** Each text occurs once in its file. `faces`: those that notice the change. */
const MUTATIONS: readonly (Change & { faces: readonly string[] })[] = [
  {
    file: "projections/terminal/run-words.ts",
    from: "`failed (${exitWord(exitCode, error)})`",
    to: "`failed`",
    faces: ["text"],
  },
  {
    file: "projections/terminal/failure-lines.ts",
    from: "`failed (${exitWord(step.exitCode ?? 1, step.error)})`",
    to: '"failed"',
    faces: ["text"],
  },
  {
    file: "projections/terminal/json.ts",
    from: "!isLive(frame)",
    to: 'frame.type !== "step.retrying"',
    faces: ["json"],
  },
  {
    file: "projections/terminal/json.ts",
    from: "JSON.stringify(row)",
    to: "JSON.stringify(row).trim() + ' '",
    faces: ["json"],
  },
  {
    file: "projections/acp/view.ts",
    from: 'sessionUpdate: "agent_thought_chunk"',
    to: 'sessionUpdate: "agent_message_chunk"',
    faces: ["acp"],
  },
  {
    file: "projections/acp/cursor.ts",
    from: "this.#read = frame.seq",
    to: "this.#read = frame.seq - 1",
    faces: ["acp"],
  },
  { file: "projections/acp/view.ts", from: "title: visibleLine(title)", to: 'title: ""', faces: ["acp"] },
  { file: "projections/sse/events.ts", from: "id: ${frame.seq}\\n", to: "id: ${frame.seq + 1}\\n", faces: ["sse"] },
  {
    file: "projections/sse/events.ts",
    from: "if (frame.seq <= seq) continue;",
    to: "if (frame.seq <= seq + 1) continue;",
    faces: ["sse"],
  },
  {
    file: "projections/mcp/result.ts",
    from: 'status === "failed" || status === "cancelled"',
    to: 'status === "cancelled"',
    faces: ["mcp"],
  },
  { file: "projections/mcp/words.ts", from: 'frame.type !== "message.thought" && ', to: "", faces: ["mcp"] },
  { file: "projections/mcp/progress.ts", from: "this.#titles.size - 1", to: "this.#titles.size - 2", faces: ["mcp"] },
  { file: "projections/ui/list-lines.ts", from: "record.id.slice(0, 8)", to: "record.id.slice(1, 8)", faces: ["ui"] },
  { file: "projections/ui/tree-rows.ts", from: 'isOpen ? "▾" : "▸"', to: 'isOpen ? "▸" : "▾"', faces: ["ui"] },
  {
    file: "projections/ui/frame.ts",
    from: "sides(bold(typedWithin(safeLine(title), width)), ",
    to: 'sides("", ',
    faces: ["ui"],
  },
  {
    file: "projections/screen/screen.ts",
    from: "(node.endedAt ?? now) - node.startedAt",
    to: "now - node.startedAt",
    faces: ["ui"],
  },
  { file: "projections/runs/tree.ts", from: "node.next(row.payload.attempt + 1)", to: "undefined", faces: ["ui"] },
];

describe("a projection that is changed on purpose is noticed", () => {
  test.each(MUTATIONS)("$file: $to", { timeout: 60_000 }, async ({ faces, ...change }) => {
    const env = { ...process.env, TROUPE_WITHOUT: JSON.stringify([change]) };
    const noticed = await Promise.all(
      faces.map(async (face) => {
        const argv = ["--no-warnings", "--import", WITHOUT, PROGRAM, face, LOG];
        const seen = await promisify(execFile)(process.execPath, argv, { env, maxBuffer: 2 ** 24 }).then(
          ({ stdout }) => stdout,
          ({ stderr }: { stderr: string }) => {
            if (/does not have, once/.test(stderr)) throw new Error(stderr);
            return "it ends with an error";
          },
        );
        return seen === readFileSync(path(`./golden/faces/${GOLDEN[face]}`), "utf8") ? [] : [face];
      }),
    );
    expect(noticed.flat()).toEqual(faces);
  });

  test("for each face there is a change of its own", () => {
    expect(Object.keys(FACES).filter((face) => !MUTATIONS.some(({ faces }) => faces.includes(face)))).toEqual([]);
  });
});
