/** Every state of every durable machine is reached by some shortest path through its graph, and none by mistake. */

import { describe, expect, it } from "vitest";
import { leaves, reached } from "../support/paths.ts";
import { MACHINES } from "../support/stage.ts";
import { WALKS } from "../support/walks.ts";

describe("shortest paths", () => {
  it.each(Object.keys(MACHINES) as (keyof typeof MACHINES)[])("reach every state of %s", (kind) => {
    const walk = WALKS[kind];
    expect(leaves(MACHINES[kind].root, "").sort()).toEqual(walk.states);
    expect(reached(MACHINES[kind], walk)).toEqual(walk.states);
  });
});
