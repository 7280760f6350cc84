/** What `troupe ui` says where it cannot draw, and where its new runs begin. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { ui } from "../../../transports/cli/commands/ui.ts";
import type { Canvas, Io } from "../../../transports/cli/io.ts";
import { recordingIo } from "./io.ts";

const keys = () => () => undefined;
test.each<[string, Partial<Io>, string]>([
  ["no terminal", {}, "it needs a terminal:"],
  ["a pipe in a terminal that cannot draw", { keys, env: { TERM: "dumb" } }, "it needs a terminal:"],
  [
    "a terminal that cannot draw",
    { keys, columns: 80, env: { TERM: "dumb" } },
    "a terminal cannot be drawn on with TERM=dumb:",
  ],
])("on %s it says what is missing, and what prints instead", async (_, changes, message) => {
  const context = { io: recordingIo(changes), format: "text" as const };
  await expect(ui(context, { plain: false, trustAgent: [] })).rejects.toThrow(
    `${message} troupe history and troupe status print`,
  );
});

test("below a project's folder a new run is one of the project, as with troupe run", async () => {
  const folder = mkdtempSync(join(tmpdir(), "troupe-ui-"));
  const below = join(folder, "src", "deep");
  for (const made of [join(folder, ".troupe", "workflows"), below]) mkdirSync(made, { recursive: true });
  writeFileSync(join(folder, ".git"), "gitdir: elsewhere\n");
  const asked: string[] = [];
  let press: (key: string) => void = () => undefined;
  const io = recordingIo({
    cwd: below,
    canvas: { ...CANVAS, write: () => undefined } as unknown as Canvas,
    keys: (hear) => {
      press = hear;
      return () => undefined;
    },
    troupe: {
      history: async () => [],
      watchRuns: () => () => undefined,
      list: async (cwd) => {
        asked.push(cwd);
        return [];
      },
    },
  });
  const shown = ui({ io, format: "text" }, { plain: false, trustAgent: [] });
  await vi.waitFor(
    () => {
      press("n");
      expect(asked).toEqual([folder]);
    },
    { timeout: 60_000 },
  );
  press("ctrl-c");
  expect(await shown).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});
const nothing = () => () => undefined;
const CANVAS = {
  ...{ columns: () => 80, rows: () => 24, measure: () => undefined },
  ...{ onChange: nothing, onLeave: nothing, later: nothing },
};
