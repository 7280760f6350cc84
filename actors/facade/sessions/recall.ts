/**
 * Secrets that stand in workflow files, for a process that continues a session of another one: the store holds marks
 * for them, and the files still hold the values.
 *
 * I1. A file that cannot be read any more gives nothing: the step that needs the value says so.
 */
import type { Key } from "../../../machines/model.ts";
import { fileOfSecret, learnWritten } from "../../masking/written.ts";
import type { Runtime } from "../runtime.ts";

export async function recallWritten(runtime: Runtime, session: Key, cwd: string): Promise<void> {
  const { host, catalogue, mask } = runtime;
  const files = host.sessions.secretNames(session).map(fileOfSecret);
  for (const file of new Set(files.filter((one) => one !== null))) {
    const loaded = await catalogue.load(cwd, file).catch(() => null);
    if (loaded !== null) learnWritten(mask, loaded.workflow);
  }
}
