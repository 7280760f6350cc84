/** `attack.ts N`: runs the attack of row N of `defences.ts` and prints whether it got through. */
import { DEFENCES } from "../defences.ts";

const row = DEFENCES[Number(process.argv[2])];
process.stdout.write(String(await row?.succeeds()));
