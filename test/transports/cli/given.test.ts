import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { withStdin } from "../../../transports/cli/given.ts";
import { recordingIo } from "./io.ts";

it("says of a value that looks like a file which is there that it is text, and never of a secret", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "troupe-given-"));
  mkdirSync(join(cwd, "docs"));
  writeFileSync(join(cwd, "README.md"), "hello\n");
  const told = async (inputs: { [name: string]: string }): Promise<string> => {
    const io = recordingIo({ cwd });
    expect(await withStdin(io, inputs)).toEqual(inputs);
    return io.written.err;
  };
  expect(await told({ topic: "@README.md" })).toBe(
    'troupe: input "topic" is the text "@README.md"; `-i topic=@- < README.md` gives what is in the file\n',
  );
  const others = ["@nobody", "@docs", "@prompts/README.md", "README.md", `@${"x".repeat(5000)}`, "@"];
  for (const topic of others) expect(await told({ topic })).toBe("");
  expect(await told({ api_token: "@README.md" })).toBe("");
  rmSync(cwd, { recursive: true });
});
