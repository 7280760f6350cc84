/**
 * The questions that a face asks of a store, each several times, in one process.
 *
 *   node grown.ts <the built library> <rounds>
 *
 * Prints one line of JSON: milliseconds by question.
 */
import { pathToFileURL } from "node:url";
import { FEW_RUNS, NO_RUNS } from "./folders.ts";

const [, , library = "", rounds = "1"] = process.argv;
const { createTroupe } = (await import(pathToFileURL(library).href)) as typeof import("../../../actors/troupe.ts");
const troupe = createTroupe();

const [last] = await troupe.history({ limit: 1 });
const questions: { readonly [name: string]: () => Promise<unknown> } = {
  "a page of the list of sessions": () => troupe.sessions(),
  "history, the last 20": () => troupe.history(),
  "history, what failed": () => troupe.history({ status: "failed" }),
  "history, what can be resumed": () => troupe.history({ resumable: true }),
  "history, of a rare workflow": () => troupe.history({ workflow: "rare" }),
  "history, of no such workflow": () => troupe.history({ workflow: "none" }),
  "history, of a rare workflow, what failed": () => troupe.history({ workflow: "rare", status: "failed" }),
  "history, of a folder with few runs": () => troupe.history({ under: FEW_RUNS }),
  "history, of a folder without runs": () => troupe.history({ under: NO_RUNS }),
  "the last run of a folder with few": () => troupe.find("@last", { cwd: FEW_RUNS }),
  "the last run of a folder without any": () => troupe.find("@last", { cwd: NO_RUNS }).catch(() => undefined),
  "a run by the beginning of its id": () => troupe.find((last?.id ?? "").slice(0, 6)),
};
const taken: { [name: string]: number[] } = Object.fromEntries(Object.keys(questions).map((name) => [name, []]));
for (let round = -1; round < Number(rounds); round++) {
  for (const [name, ask] of Object.entries(questions)) {
    const began = performance.now();
    await ask();
    if (round >= 0) taken[name]?.push(performance.now() - began);
  }
}
await troupe.close();
console.log(JSON.stringify(taken));
