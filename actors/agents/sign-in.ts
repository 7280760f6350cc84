/** How an agent's program tells whether somebody has signed in. */
import type { AllowedEnvironment, ChildEnvironment } from "../process/environment.ts";

/** How a program tells that nobody is signed in. */
export type SignInStatus = {
  readonly arguments: readonly string[];
  /** What it takes of the user's environment. */
  readonly environment: AllowedEnvironment;
  /** There are credentials, or others than it knows of may be used: it is not asked. */
  isSpared(environment: ChildEnvironment): boolean;
  /** Whether these words of it mean that nobody is signed in; false for whatever else it says. */
  saysNo(said: string): boolean;
};
