/** A defence of what reads and decides, and how it is shown to be one. */
import type { Change } from "./serve/defence.ts";

export type Defence = {
  threat: string;
  attack: string;
  /** As the page on hostile input says it. */
  stops: string;
  /** The sources without it. */
  without: readonly Change[];
  /** Whether the attack got through. */
  succeeds: () => boolean | Promise<boolean>;
};
