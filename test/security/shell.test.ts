/**
 * Hostile values in every place of a command, under bash and dash: none is run. This is a small fixed sample of
 * `npm run fuzz:shell`; every context is one that a value broke out of when its defence was taken away, or may.
 */
import { afterAll, expect, it } from "vitest";
import { openPlace, tryValues } from "./shell/batch.ts";
import { CONTEXTS } from "./shell/contexts.ts";
import { hostileValues } from "./shell/values.ts";

const place = openPlace();
afterAll(() => place.leave());
const T = `touch ${place.canary}`;
const sharp = [
  `$(${T})`,
  `;${T};`,
  `\n${T}\n`,
  `';${T};'`,
  `";${T};"`,
  `a[$(${T})]`,
  `($(${T}))`,
  `\nEOF\n${T}\n`,
  `x;${T};#`,
];
/** What programs run that are no shells, and words that are run as they are. */
const foreign = [
  T,
  `__import__("os").system("${T}")`,
  `system("${T}")`,
  `process.getBuiltinModule("child_process").execSync("${T}")`,
  `b/;1e ${T}\n#`,
  `$(shell ${T})`,
  `X=$(shell ${T})`,
  `strict;system("${T}")`,
  `data:text/javascript,process.getBuiltinModule("child_process").execSync("${T}")`,
  `exec ${T}`,
  `!${T}`,
  `|${T}`,
  `ProxyCommand=${T}`,
  `--checkpoint=1 --checkpoint-action=exec='${T}'`,
  `--eval=a:;@${T.replace(" ", "\\ ")}`,
  `alias.a=!${T}`,
  `\n.\n!${T}\n`,
];
const random = hostileValues(place.canary, 400, 20_261_122).slice(-6);

it("knows a hundred and fifty places and more, each once", () => {
  const names = CONTEXTS.map(([name]) => name);
  expect([names.length >= 150, new Set(names).size]).toEqual([true, names.length]);
});

it("runs nothing of a value in any place", { timeout: 240_000 }, () => {
  const ran = CONTEXTS.flatMap(([name, command]) => {
    const { hits } = tryValues(command, [...sharp, ...foreign, ...random], ["bash", "dash"], place);
    return hits.map((hit) => `${name}: ${hit}`);
  });
  expect(ran).toEqual([]);
});

it("would see a value that runs, in a batch and after one that hangs", () => {
  const raw = "echo {{raw .loop.Item}}";
  expect(tryValues(raw, ["a", `$(${T})`, "b"], ["dash"], place).hits).toEqual([
    `dash: ${JSON.stringify(`$(${T})`).slice(0, 80)}`,
  ]);
  expect(tryValues(raw, ["a", "b"], ["bash", "dash"], place)).toEqual({ tried: 4, refused: 0, hits: [] });
});
