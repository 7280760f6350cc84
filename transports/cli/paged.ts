/**
 * Long lists on a terminal, through the person's pager.
 *
 * I1. Only text on a terminal, and only more lines than it has. `--no-pager`, or a pager that is empty or `cat`, means
 *     none.
 * I2. Nothing is lost: what a command said before it failed is written, and so is all where no pager can be started.
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
async function isShownBy(pager: string, text: string, { env }: Pick<Io, "env">): Promise<boolean> {
  const { spawnSync } = await import("node:child_process");
  const { status, error } = spawnSync("sh", ["-c", pager], {
    input: text,
    stdio: ["pipe", "inherit", "inherit"],
    // As git has it: colours stay, the screen is left as it is, and one page is no reason to stop.
    env: { ...env, LESS: env["LESS"] ?? "FRX" },
  });
  const isThere = status !== 126 && status !== 127;
  return isThere && (error === undefined || (error as NodeJS.ErrnoException).code === "EPIPE");
}
