/** What shows a workflow file to people and editors, on the command line: `diagram`, `schema`. */
import { Argument, type Command, Option } from "commander";
import type { CarryOut } from "./io.ts";
import { FORMATS } from "./options.ts";

const DIAGRAM_FORMATS = ["terminal", "text", "mermaid", "dot", "stately", "json"] as const;
type DiagramFlags = {
  format: (typeof DIAGRAM_FORMATS)[number];
  direction: "TB" | "LR" | "BT" | "RL";
  highlight?: string;
  run?: string;
  open?: boolean;
};

export function pictureCommands(program: Command, carry: CarryOut): void {
  program
    .command("diagram")
    .description("a workflow as a picture, in text")
    .addArgument(new Argument("<workflow>", "a name from `troupe list`, or a path"))
    .addOption(
      new Option("--format <format>", "a drawing for the terminal, or text for a tool")
        .choices(DIAGRAM_FORMATS)
        .default("terminal"),
    )
    .addOption(
      new Option("--direction <direction>", "of mermaid and dot").choices(["TB", "LR", "BT", "RL"]).default("TB"),
    )
    .option("--highlight <state>", "mark a state")
    .option("--run <run>", "mark what became of each state in this run")
    .option("--open", "show it in the browser")
    .action((workflow: string, { highlight, run, open = false, format, direction }: DiagramFlags) =>
      carry(format === "json" ? "json" : "text", async (context) => {
        const { io } = (await import("./project.ts")).inProject(context, [workflow]);
        const asked = { workflow, direction, highlight: highlight ?? null, run: run ?? null, open };
        return (await import("./commands/diagram.ts")).diagram(io, {
          ...asked,
          format: format === "text" ? "terminal" : format,
        });
      }),
    );
  program
    .command("schema")
    .description("the JSON Schema of workflow files, for completion in editors")
    .addOption(new Option("--format <format>", "it is JSON either way").choices(FORMATS).default("json"))
    .action(() => carry("json", async (context) => (await import("./commands/schema.ts")).schema(context)));
}
