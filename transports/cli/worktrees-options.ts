/** The words of `troupe worktrees`. */
import { type Command, Option } from "commander";
import type { MergeFlags, RemoveFlags } from "./commands/worktrees.ts";
import type { CarryOut } from "./io.ts";
import { FORMATS, type Format } from "./options.ts";

type Formatted = { format: Format };

export function worktreesCommand(program: Command, carry: CarryOut): void {
  const trees = program.command("worktrees").description("trees that steps have left: list, open, merge, remove them");
  const load = () => import("./commands/worktrees.ts");
  const command = (name: string, description: string): Command =>
    trees
      .command(name)
      .description(description)
      .addOption(
        new Option("--format <format>", "text for people, json for programs").choices(FORMATS).default("text"),
      );
  const named = (name: string, description: string): Command =>
    command(name, description).argument("<worktree>", "its name as it is listed, the beginning of that, or its branch");

  command("list", "those of this repository").action(({ format }: Formatted) =>
    carry(format, async (context) => (await load()).listWorktrees(context)),
  );
  named("open", "print its folder, and show it where a person sits before the terminal").action(
    (name: string, { format }: Formatted) =>
      carry(format, async (context) => (await load()).openWorktree(context, name)),
  );
  named("merge", "merge it into the branch that was checked out when it was made; asks first")
    .addOption(
      new Option("--as <way>", "how history is written").choices(["squash", "merge", "rebase"]).default("squash"),
    )
    .option("-y, --yes", "merge without asking")
    .action((name: string, { format, ...flags }: Formatted & MergeFlags) =>
      carry(format, async (context) => (await load()).mergeWorktree(context, name, flags)),
    );
  named("remove", "take it away; what is in no commit is never removed, and its commits stay on its branch")
    .option("--branch", "its branch too, with commits that no other branch has")
    .action((name: string, { format, ...flags }: Formatted & RemoveFlags) =>
      carry(format, async (context) => (await load()).removeWorktree(context, name, flags)),
    );
}
