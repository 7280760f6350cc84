/** How an agent's program says whether its user is signed in. */
import type { AllowedEnvironment, ChildEnvironment } from "../process/environment.ts";

/** How a program says that its user is not signed in. */
export type SignInStatus = {
  readonly arguments: readonly string[];
  /** What it takes of the user's environment. */
  readonly environment: AllowedEnvironment;
  /** There are credentials, or others than it knows of may be used: it is not asked. */
  isSpared(environment: ChildEnvironment): boolean;
  /** Whether these words of it mean that its user is not signed in; false for all other words. */
  saysNo(said: string): boolean;
};
