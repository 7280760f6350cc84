/**
 * Long lists on a terminal, through the person's pager.
 *
 * I1. Only text on a terminal, and only more lines than it has. `--no-pager`, or a pager that is empty or `cat`, means
 *     none.
 * I2. Nothing is lost: what a command said before it failed is written, and so is all where no pager can be started.
 * I3. Ctrl-C and Ctrl-Z are for the pager: the one means what it says there, the other stops both, until both go on.
 */
import { Option } from "commander";
import type { CommandContext, Io, Work } from "./io.ts";

export type PagerFlag = { pager: boolean };
export const pagerOption = (): Option => new Option("--no-pager", "print a long list at once");

/** The command, its output shown by the pager where it is long. */
export const paged =
  (pager: boolean, work: Work): Work =>
  async (context: CommandContext) => {
    const { io, format } = context;
    const program = (io.env["TROUPE_PAGER"] ?? io.env["PAGER"] ?? "less").trim();
    if (!pager || format !== "text" || io.canvas === null || program === "" || program === "cat")
      return await work(context);
    let text = "";
    const keep = (more: string): void => {
      text += more;
    };
    try {
      return await work({ ...context, io: { ...io, out: keep } });
    } finally {
      const isLong = text.split("\n").length > io.canvas.rows();
      if (!isLong || !(await isShownBy(program, text, io))) io.out(text);
    }
  };

/** 126 and 127: there is no such program. */
async function isShownBy(pager: string, text: string, { env, onStop }: Pick<Io, "env" | "onStop">): Promise<boolean> {
  const { spawn } = await import("node:child_process");
  const child = spawn("sh", ["-c", pager], {
    stdio: ["pipe", "inherit", "inherit"],
    // As git has it: colours stay, the screen is left as it is, and one page is no reason to stop.
    env: { ...env, LESS: env["LESS"] ?? "FRX" },
  });
  const unstop = onStop((why) => void (why === "interrupt" || child.kill())); // I3
  const ended = new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(NOT_THERE));
    child.once("close", resolve);
  });
  child.stdin.on("error", () => undefined).end(text); // who has read enough closes it
  const status = await ended.finally(unstop);
  return status !== NOT_EXECUTABLE && status !== NOT_THERE;
}
const [NOT_EXECUTABLE, NOT_THERE] = [126, 127];
