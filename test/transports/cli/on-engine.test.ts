import { Command } from "commander";
import { expect, it } from "vitest";
import { OnEngine } from "../../../transports/cli/on-engine.ts";
import { recordingIo } from "./io.ts";

const URL = "http://127.0.0.1:8080";

/** What a command that prints `words` says on standard error. */
async function said(words: string, argv: readonly string[], env = {}): Promise<string> {
  const given = recordingIo({ env });
  const engine = new OnEngine();
  const program = new Command().exitOverride();
  program.command("resume").action(() => engine.opening(given).out(words));
  engine.listen(program, env);
  await program.parseAsync(argv, { from: "user" });
  engine.remind(given);
  return given.written.err;
}

it("who has written --engine hears that a command which is named needs it too (I2)", async () => {
  const words = 'parked\n  troupe resume abc --answer "…"\n';
  const told = "troupe: add the same --engine to that, or set TROUPE_ENGINE\n";
  expect(await said(words, ["resume", "--engine", URL])).toBe(told);
  expect(await said(words, ["resume"], { TROUPE_ENGINE: URL })).toBe("");
  expect(await said(words, ["resume"])).toBe("");
  expect(await said("completed\n", ["resume", "--engine", URL])).toBe("");
});
