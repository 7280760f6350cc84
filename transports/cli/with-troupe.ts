/** Opens a Troupe for one command and closes it, whatever comes. */
import type { Troupe } from "../../actors/troupe.ts";
import type { Io, Opening } from "./io.ts";
import { refuseUnknownAgents } from "./trusted-agents.ts";

export async function withTroupe<T>(io: Io, work: (troupe: Troupe) => Promise<T>, opening?: Opening): Promise<T> {
  const troupe = await io.open(opening);
  try {
    await refuseUnknownAgents(troupe, opening?.trustAgents ?? [], io.cwd);
    return await work(troupe);
  } finally {
    await troupe.close();
  }
}
