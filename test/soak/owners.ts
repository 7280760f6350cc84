/** Two containers on one home, over and over: never do both work at a session, and what one left is never lost. */
import { canUnshare } from "../support/host-process.ts";
import { twoOwners } from "../support/owners.ts";

const A_WHILE = 20;

/** Answers whether all was well. */
export async function soakOwners(tries: number): Promise<boolean> {
  if (!canUnshare()) {
    console.error("this machine gives no process pids of its own: run it as root on Linux");
    return false;
  }
  const wrong = await twoOwners(tries, (done) => {
    if (done % A_WHILE === 0) console.error(`${done} of ${tries}`);
  });
  console.log(`${tries} tries, ${wrong.length} of them wrong`, ...wrong.slice(0, A_WHILE));
  return wrong.length === 0;
}
