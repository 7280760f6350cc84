/** Covers `narrow-help.ts`. */
import { expect, test } from "vitest";
import { main } from "../../../transports/cli/program.ts";
import { recordingIo } from "./io.ts";

async function helpOf(command: string, columns: number | null): Promise<string> {
  const io = recordingIo({ columns });
  expect(await main([...command.split(" ").filter((word) => word !== ""), "--help"], io)).toBe(0);
  return io.written.out;
}

test.each(["", "run", "worktrees merge", "agents add", "serve"])(
  "in a terminal of 40 columns the help of `troupe %s` has lines that fit, what a word means below it",
  async (command) => {
    const [items = ""] = (await helpOf(command, 40)).split("\nExamples:");
    // Only a term by itself, and a word, may be longer.
    const long = items
      .split("\n")
      .filter((line) => line.length > 40 && !/^ {2}\S|^ +\S+$/.test(line) && !line.startsWith("Usage:"));
    expect(long).toEqual([]);
    expect(items).toMatch(/\n {2}-h, --help\n {6}display help for command\n/);
  },
);

test("where there is room it stands beside it", async () => {
  for (const columns of [80, null])
    expect(await helpOf("worktrees merge", columns)).toMatch(/\n {2}-h, --help {9}display help/);
});
