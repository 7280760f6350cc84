/**
 * Bash: a command in the workspace's folder. It is not confined: it is asked about, and its environment is small.
 *
 * I1. It runs by the one spawn wrapper with a marker of its own, and everything it started ends with it.
 * I2. Of its output the end is kept, up to MAX_KEPT_BYTES, from a whole line or word on.
 * I3. What was said live is not shown again at the end.
 */
import { isAbsolute, join } from "node:path";
import { z } from "zod";
import { Tail } from "../acp-client/tail.ts";
import { timeLimit } from "../base/clock.ts";
import { fromWhole } from "../base/end-of.ts";
import { Nuls } from "../process/nuls.ts";
import { type End, spawnProcess } from "../process/spawn.ts";
import { allowed, type ToolEnd, ToolFault, tool } from "./tool.ts";

export const MAX_KEPT_BYTES = 64 * 1024;
const DEFAULT_S = 120;
const MAX_S = 600;

export const Bash = tool({
  name: "Bash",
  description: "Runs a command of the shell in the workspace; gives its output and exit code.",
  kind: "execute",
  input: z.object({
    command: z.string().min(1).max(100_000),
    cwd: z.string().optional().describe("A folder of the workspace; the working directory by default."),
    timeout_seconds: z.number().positive().max(MAX_S).optional().describe(`${DEFAULT_S} by default.`),
  }),
  title: (input) => input.command,
  async run({ command, cwd, timeout_seconds: seconds = DEFAULT_S }, call): Promise<ToolEnd> {
    const { bench, signal, say } = call;
    const asked = cwd === undefined ? bench.cwd : isAbsolute(cwd) ? cwd : join(bench.cwd, cwd);
    const folder = await bench.roots.folder(asked).catch((error: Error) => {
      throw new ToolFault(`${asked}: ${error.message.replace(/^Invalid path: /, "")}`);
    });
    await allowed({ name: "Bash", kind: "execute", input: { command, cwd: folder } }, call);
    const limit = timeLimit(seconds * 1000);
    const both = AbortSignal.any([signal, limit]);
    const why = (otherwise: string) =>
      signal.aborted ? "it was cancelled" : limit.aborted ? `it took longer than ${seconds} s` : otherwise;
    if (bench.editorTerminal !== undefined) {
      const argv = ["/bin/sh", "-c", command] as const;
      const end = await bench.editorTerminal({ argv, cwd: folder, maxBytes: MAX_KEPT_BYTES }, both, call.show);
      const { exitCode } = end;
      if (exitCode === 0 && !both.aborted) return { text: shown(end) || "(no output)" };
      throw fault(shown(end), why(exitCode === null ? `it was ended by ${end.signal}` : `exit code ${exitCode}`));
    }
    const output = new Tail(MAX_KEPT_BYTES);
    const nuls = new Nuls();
    const running = spawnProcess({
      argv: ["/bin/sh", "-c", command],
      cwd: folder,
      env: bench.env,
      marker: bench.marker(),
      onOutput: (_, written) => {
        const text = nuls.shown(written);
        if (text === "") return;
        output.push(text);
        say(text);
      },
    });
    const stop = () => void running.terminate();
    both.addEventListener("abort", stop, { once: true });
    if (both.aborted) stop();
    const end = await running.ended;
    both.removeEventListener("abort", stop);
    const text = shown({ output: output.text, isCut: output.isCut });
    if (end.type === "exited" && end.code === 0) return text === "" ? { text: "(no output)" } : { text, content: [] };
    const reason = why(words(end));
    throw fault(text, reason, reason);
  },
});

const shown = ({ output, isCut }: { output: string; isCut: boolean }): string =>
  isCut ? `(the beginning is left out)\n${fromWhole(output)}` : output;
const fault = (text: string, why: string, shown?: string): ToolFault =>
  new ToolFault(text === "" ? why : `${text.trimEnd()}\n(${why})`, shown);

function words(end: End): string {
  switch (end.type) {
    case "exited":
      return `exit code ${end.code}`;
    case "signalled":
      return `it was ended by ${end.signal}`;
    case "not started":
      return end.message;
    case "output limit":
      return "it wrote too much";
    default:
      return end satisfies never;
  }
}
