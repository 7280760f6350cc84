/** The first commands of a new user: `init`, `import`, `doctor`, the words of all commands for a shell and for `man`; and `error`. */
import { Argument, type Command, Option } from "commander";
import { EDITORS, type Editor } from "../../projections/editors/snippet.ts";
import { SHELLS, type Shell } from "../../projections/shells/script.ts";
import type { CarryOut } from "./io.ts";
import { FORMATS, type Format } from "./options.ts";
import { type PagerFlag, paged, pagerOption } from "./paged.ts";

type Formatted = { format: Format };
type ImportFlags = Formatted & { dryRun?: boolean; force?: boolean };
type InitFlags = Formatted & { force?: boolean; editor?: Editor; write?: boolean };

export function firstCommands(program: Command, carry: CarryOut): void {
  const command = (name: string, description: string): Command =>
    program
      .command(name)
      .description(description)
      .addOption(
        new Option("--format <format>", "text for people, json for programs").choices(FORMATS).default("text"),
      );
  command("init", "write a first workflow and a demo that needs no key; or what an editor needs")
    .option("--force", "replace what exists")
    .addOption(new Option("--editor <editor>", "show what this editor needs to know Troupe").choices(EDITORS))
    .option("--write", "put it into the editor's file, where that is plain JSON")
    .action(({ format, force = false, editor, write = false }: InitFlags) =>
      carry(format, async (context) => {
        if (editor !== undefined)
          return (await import("./commands/init-editor.ts")).initEditor(context, { editor, write, force });
        if (write) throw (await import("./failure.ts")).usage("--write needs --editor");
        return (await import("./commands/init.ts")).init(context, { force });
      }),
    );
  program
    .command("import")
    .description("take over a project of another tool")
    .command("awf")
    .description("AWF's settings and workflows of this directory, as .troupe has them; says what became of each")
    .option("--dry-run", "only say what would be written")
    .option("--force", "replace files of .troupe that say something else")
    .addOption(new Option("--format <format>", "text for people, json for programs").choices(FORMATS).default("text"))
    .action(({ format, dryRun = false, force = false }: ImportFlags) =>
      carry(format, async (context) =>
        (await import("./commands/import-awf.ts")).importFromAwf(context, { dryRun, force }),
      ),
    );
  command("doctor", "what is installed, signed in and sound here, and what to do next; starts no agent")
    .option("--json", "the same as --format json")
    .action(({ format, json = false }: Formatted & { json?: boolean }) =>
      carry(json ? "json" : format, async (context) => {
        const there = (await import("./project.ts")).inProject(context);
        return (await import("./commands/doctor.ts")).doctor(there);
      }),
    );
  program
    .command("completion")
    .description("what a shell needs to complete words of troupe: put it where your shell reads it")
    .addArgument(new Argument("<shell>").choices(SHELLS))
    .action((shell: Shell) =>
      carry("text", async (context) => (await import("./commands/completion.ts")).completion(context, shell)),
    );
  program
    .command("complete", { hidden: true })
    .description("the words that can stand last, a line each: the scripts of `completion` ask")
    .argument("[words...]")
    .action((words: string[]) =>
      carry("text", async (context) => (await import("./commands/completion.ts")).complete(context, program, words)),
    );
  program
    .command("man")
    .description("the manual page, for `man -l -`")
    .option("--markdown", "every command as a page of Markdown")
    .action(({ markdown = false }: { markdown?: boolean }) =>
      carry("text", async (context) => (await import("./commands/man.ts")).man(context, program, markdown)),
    );
}

/** `error`: what a code means. */
export function errorCommand(program: Command, carry: CarryOut): void {
  program
    .command("error")
    .description("what a code of an error means, and what to do; the codes that have a word, or all")
    .argument("[code]", "as a message has it in brackets, or a part of it")
    .addOption(new Option("--format <format>", "text for people, json for programs").choices(FORMATS).default("text"))
    .addOption(pagerOption())
    .action((code: string | undefined, { format, pager }: Formatted & PagerFlag) =>
      carry(
        format,
        paged(pager, async (context) => (await import("./commands/error.ts")).error(context, code ?? null)),
      ),
    );
}
