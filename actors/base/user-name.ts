/** What the user of this process is called. A container may run as a number that no file of the system names. */
import { userInfo } from "node:os";

/** `named`: how the system says it; throws where it knows no name. */
export function userName(named: () => string = () => userInfo().username): string {
  try {
    return named();
  } catch {
    return `uid-${process.getuid?.() ?? 0}`;
  }
}
