// The pages of the reference that typedoc makes of the libraries' docstrings: `createTroupe`, and the client library.
// I1. What is exported, and each method of it, has a docstring; what a docstring links to is there.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, Logger, LogLevel } from "typedoc";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const LIBRARIES = [
  {
    source: "actors/troupe.ts",
    name: "troupe",
    path: "docs/api/troupe.md",
    about: `Every name that the package \`troupe\` exports. \`createTroupe\` is where to begin:

\`\`\`ts
import { createTroupe } from "troupe";

const troupe = createTroupe();
const run = await troupe.run({ cwd: process.cwd(), workflow: "hello", inputs: { name: "you" }, consent: "yes" });
const { outcome, outputs } = await run.done;
await troupe.close();
\`\`\`

An error of any call is a [\`TroupeError\`](#troupeerror), whose \`code\` stands among the [errors](../errors.md). What a version promises: [support](../support.md#what-a-version-promises).`,
  },
  {
    source: "transports/client/connect.ts",
    name: "troupe/client",
    path: "docs/api/client.md",
    about:
      "Every name that `troupe/client` exports. `connect` is where to begin; how it behaves, and an example, stand in [Troupe as a client](../client.md#the-library-troupeclient).",
  },
];

const fileOf = ({ path }) => basename(path, ".md");

class Faults extends Logger {
  said = [];
  log(message, level) {
    if (level >= LogLevel.Warn) this.said.push(`reference: ${message}`);
  }
}

/** Headings that every member repeats are words, so that the names alone are found. */
const asWords = (text) =>
  text
    .replace(/^#{3,6} Returns\n\n(?=[`[])(?!```)/gm, "*Returns* ")
    .replace(
      /^#{3,6} (Parameters|Type Parameters|Returns|Inherited from|Overrides|Extends|Extended by|Implements|Implementation of|Get Signature|Examples?|Type Declaration)$/gm,
      "*$1*",
    );

/** `{pages: path → Markdown, faults}`. */
export async function referencePages() {
  const draft = mkdtempSync(join(tmpdir(), "troupe-reference-"));
  mkdirSync(join(draft, "out"));
  try {
    const logger = new Faults();
    const app = await Application.bootstrapWithPlugins({
      ...{ entryPoints: LIBRARIES.map(({ source }) => join(root, source)), readme: "none", disableGit: true },
      // The gate `types` checks.
      ...{ tsconfig: join(root, ".ci", "tsconfig.types.json"), skipErrorChecking: true },
      ...{ excludePrivate: true, excludeInternal: true, excludeExternals: true, disableSources: true },
      validation: { notExported: false, invalidLink: true, notDocumented: true },
      requiredToBeDocumented: ["Class", "Interface", "TypeAlias", "Variable", "Enum", "Function"],
      ...{ plugin: ["typedoc-plugin-markdown"], logLevel: "Warn" },
      outputs: [{ name: "markdown", path: join(draft, "out") }],
      ...{ router: "module", hidePageHeader: true, hideBreadcrumbs: true, hidePageTitle: true, useCodeBlocks: true },
      ...{ parametersFormat: "table", interfacePropertiesFormat: "table", classPropertiesFormat: "table" },
      ...{ typeAliasPropertiesFormat: "table", typeDeclarationFormat: "table", propertyMembersFormat: "table" },
    });
    app.logger = logger;
    const project = await app.convert();
    if (project === undefined) return { pages: new Map(), faults: logger.said };
    // Its name is that of its file, by which pages link to each other.
    for (const child of project.children ?? [])
      child.name = fileOf(LIBRARIES.find(({ source }) => source === `${child.name}.ts`));
    app.validate(project);
    await app.generateOutputs(project);
    const pages = LIBRARIES.map(({ name, path, about }) => {
      const made = asWords(readFileSync(join(draft, "out", `${fileOf({ path })}.md`), "utf8"));
      return [path, `# \`${name}\`, name by name\n\n${about}\n\n${made}`];
    });
    return { pages: new Map(pages), faults: logger.said };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
