/** The words of `troupe pack`. */
import { type Command, Option } from "commander";
import type { InstallFlags } from "./commands/pack.ts";
import type { CarryOut } from "./io.ts";
import { FORMATS, type Format } from "./options.ts";

const EXAMPLES = `
Examples:
  $ troupe pack install ./my-pack         a folder with a manifest.yaml
  $ troupe pack install review-1.2.0.tar.gz --sha256 …   a file, or its URL
  $ troupe pack install review --index https://example.com/index.json
  $ troupe run review/pull-request        what a pack brings is pack/workflow`;

const INDEX = "TROUPE_PACK_INDEX";
type Formatted = { format: Format };
type Forced = Formatted & { force?: boolean };

export function packCommand(program: Command, carry: CarryOut): void {
  const pack = program.command("pack").description("packs of workflows: install, list, update and remove them");
  const load = () => import("./commands/pack.ts");
  const command = (name: string, description: string): Command =>
    pack
      .command(name)
      .description(description)
      .addOption(
        new Option("--format <format>", "text for people, json for programs").choices(FORMATS).default("text"),
      );
  const index = () => new Option("--index <place>", "the path or URL of an index of packs").env(INDEX);

  command("install", "install a pack from a folder, an archive, its URL, or by its name in an index")
    .argument("<source>", "a folder, a .tar.gz, its https URL, or a name")
    .option("--user", "for every directory of yours, not for this one alone")
    .option("--sha256 <digits>", "what the archive must be; else a checksums.txt beside it says that")
    .addOption(index())
    .option("--force", "also over a pack whose files were changed")
    .addHelpText("after", EXAMPLES)
    .action((source: string, { format, ...flags }: Formatted & InstallFlags) =>
      carry(format, async (context) => (await load()).installPack(context, source, flags)),
    );
  command("list", "the packs of this directory, and yours").action(({ format }: Formatted) =>
    carry(format, async (context) => (await load()).listPacks(context)),
  );
  command("info", "all that is known of one pack")
    .argument("<pack>")
    .action((name: string, { format }: Formatted) =>
      carry(format, async (context) => (await load()).showPack(context, name)),
    );
  command("update", "install anew what has changed where it came from")
    .argument("[pack]", "all by default")
    .option("--force", "also over changed files")
    .action((name: string | undefined, { format, ...flags }: Forced) =>
      carry(format, async (context) => (await load()).updatePacks(context, name, flags)),
    );
  command("remove", "remove a pack")
    .argument("<pack>")
    .option("--force", "also where its files were changed, or it was made by hand")
    .action((name: string, { format, ...flags }: Forced) =>
      carry(format, async (context) => (await load()).removePack(context, name, flags)),
    );
  command("search", "what an index offers")
    .argument("[text]", "a part of a name or a description")
    .addOption(index().makeOptionMandatory())
    .action((text: string | undefined, { format, index: place }: Formatted & { index: string }) =>
      carry(format, async (context) => (await load()).searchPacks(context, text ?? "", place)),
    );
}
