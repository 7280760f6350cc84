/** `npm run fuzz:shell -- [values] [seed]`: hostile values in every place of a command, under bash and dash. */

import { openPlace, tryValues } from "./batch.ts";
import { CONTEXTS } from "./contexts.ts";
import { hostileValues, largeValues } from "./values.ts";

const [count = 2000, seed = 7] = process.argv.slice(2).map(Number);
const place = openPlace();
const values = [...hostileValues(place.canary, count, seed), ...largeValues(place.canary)];
let [tried, refused, broken] = [0, 0, 0];
for (const [name, command] of CONTEXTS) {
  const one = tryValues(command, values, ["bash", "dash"], place);
  tried += one.tried;
  refused += one.refused;
  if (one.hits.length > 0) broken += 1;
  const verdict = one.hits.length === 0 ? "held" : `RAN ${one.hits.join(" | ")}`;
  process.stdout.write(`${verdict}  ${name}  (${one.refused} of ${one.tried} refused)\n`);
}
place.leave();
process.stdout.write(
  `${CONTEXTS.length} contexts, ${tried} tries, ${refused} refused, ${broken} contexts ran a value\n`,
);
process.exitCode = broken === 0 ? 0 : 1;
