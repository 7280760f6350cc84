import { expect, test } from "vitest";
import { canUnshare } from "../../support/host-process.ts";
import { twoOwners } from "../../support/owners.ts";

/** `npm run soak -- --owners 200` tries more often. */
const SAMPLE = 4;

test.skipIf(!canUnshare())(
  "of two containers on one home, only one works at a session (skipped where unshare may not)",
  async () => {
    expect(await twoOwners(SAMPLE)).toEqual([]);
  },
);
