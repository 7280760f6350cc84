/**
 * What the charts say to their readers, in docs/machines and in Stately's tools.
 *
 * D1. Each state is described; each event from outside is described in at least one of its places.
 * D2. Each tag is one of those that are explained.
 * D3. A machine hears a result from the one child it belongs to. It hears any child only where it has many, or ends
 *     whichever one runs.
 */

import { describe, expect, it } from "vitest";
import type { AnyStateMachine, AnyStateNode } from "xstate";
import { connectionMachine } from "../../machines/connection-machine.ts";
import { TAGS } from "../../machines/control.ts";
import { conversationMachine } from "../../machines/conversation-machine.ts";
import { linkMachine } from "../../machines/link-machine.ts";
import { liveSessionMachine } from "../../machines/live-session-machine.ts";
import { MACHINES } from "../support/stage.ts";

const ALL: { [noun: string]: AnyStateMachine } = {
  ...MACHINES,
  connection: connectionMachine,
  link: linkMachine,
  conversation: conversationMachine,
  "live session": liveSessionMachine,
};
const ANY = [
  ...[
    "loop.iterating",
    "loop.stopping",
    "loop.halted",
    "loop.cancelling",
    "parallel.filling",
    "parallel.stopping",
    "parallel.halted",
    "parallel.cancelling",
  ],
  ...["run.running", "run.cancelling", "step.stopping", "step.cut short", "step.cancelling"],
];
const nodesOf = (node: AnyStateNode): AnyStateNode[] => [node, ...Object.values(node.states).flatMap(nodesOf)];

describe.each(Object.entries(ALL))("the chart of %s", (_, machine) => {
  const nodes = nodesOf(machine.root);
  const transitions = nodes.flatMap((node) => [...node.transitions.values()].flat());

  it("describes each state (D1)", () => {
    const bare = nodes.filter((node) => node !== machine.root && !/^[A-Z].+[.?]$/.test(node.description ?? ""));
    expect(bare.map(({ id }) => id)).toEqual([]);
  });
  it("describes each event from outside (D1)", () => {
    const types = new Set(transitions.map(({ eventType }) => eventType).filter((type) => !type.startsWith("xstate.")));
    const described = transitions.flatMap(({ eventType, description }) =>
      /^[A-Z].+\.$/.test(description ?? "") ? [eventType] : [],
    );
    expect([...types].filter((type) => !described.includes(type))).toEqual([]);
  });
  it("uses only tags that are explained (D2)", () => {
    expect(nodes.flatMap(({ tags }) => tags).filter((tag) => !Object.hasOwn(TAGS, tag))).toEqual([]);
  });
  it("hears any child only where it must (D3)", () => {
    const any = transitions.filter(({ eventType }) => /^xstate\.(done|error)\.actor\.\*$/.test(eventType));
    const places = new Set(any.map(({ source }) => source.id));
    expect([...places].filter((place) => !ANY.includes(place))).toEqual([]);
  });
});
