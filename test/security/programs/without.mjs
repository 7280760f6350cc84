// Preloaded into a program that runs from its sources: takes places of them out. TROUPE_WITHOUT is JSON, a list of
// {file, from, to}: what stands in `file`, below the project, is replaced. What does not stand there ends the program.
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../../", import.meta.url);
const changes = JSON.parse(process.env.TROUPE_WITHOUT);
delete process.env.TROUPE_WITHOUT;

registerHooks({
  load(url, context, next) {
    const mine = changes.filter(({ file }) => url === new URL(file, ROOT).href);
    if (mine.length === 0) return next(url, context);
    let source = readFileSync(fileURLToPath(url), "utf8");
    for (const { file, from, to } of mine) {
      if (source.split(from).length !== 2) {
        process.stderr.write(`${file} does not have, once: ${from}\n`);
        process.exit(1);
      }
      source = source.replace(from, () => to);
    }
    return { format: "module", shortCircuit: true, source: stripTypeScriptTypes(source) };
  },
});
