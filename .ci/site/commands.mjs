// The page of the commands, as commander knows them: what `troupe man --markdown` says.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The Markdown. `root`: the checkout. */
export async function commandsPage(root) {
  const { main } = await import(pathToFileURL(join(root, "transports", "cli", "program.ts")).href);
  const { terminal } = await import(pathToFileURL(join(root, "transports", "cli", "terminal.ts")).href);
  let page = "";
  const out = (text) => {
    page += text;
  };
  const code = await main(["man", "--markdown"], { ...terminal(), out });
  if (code !== 0) throw new Error("troupe man --markdown has failed");
  return page;
}
