/**
 * An agent that wants to be signed in to before it works: a person chooses how. H24.
 *
 * I1. Without an answer nothing is signed in to. What wants a terminal of its own is not offered in a step: the question
 *     says how to do that.
 */
import type { PermissionQuestion, PermissionSettled } from "../../machines/contracts.ts";
import type { AgentRequest } from "../agents/agent.ts";
import type { WorkContext } from "../host/host.ts";

type Asking = { slug: string; outside: <T>(asked: Promise<T>) => Promise<T> };

const NO = "refuse";
const CHOICE = "method ";
const NO_ANSWER: PermissionSettled = { outcome: "cancelled" };

/** The `signIn` of a step's request. */
export function signInBy(
  context: Pick<WorkContext, "ask">,
  { slug, outside }: Asking,
): NonNullable<AgentRequest["signIn"]> {
  return async (methods, signal) => {
    const here = methods.filter(({ needsTerminal }) => !needsTerminal);
    if (here.length === 0) return null;
    const settled = await outside(context.ask(questionOf(slug, methods), signal).catch(() => NO_ANSWER));
    if (settled.outcome === "cancelled" || !settled.option.startsWith(CHOICE)) return null;
    return here[Number(settled.option.slice(CHOICE.length))]?.id ?? null;
  };
}

function questionOf(slug: string, methods: Parameters<NonNullable<AgentRequest["signIn"]>>[0]): PermissionQuestion {
  const here = methods.filter(({ needsTerminal }) => !needsTerminal);
  const elsewhere = methods.filter(({ needsTerminal }) => needsTerminal).map(({ name }) => name);
  const told = here.flatMap(({ name, description }) => (description === "" ? [] : [`${name}: ${description}`]));
  const terminal = `In a terminal of its own: troupe agents login ${slug} (${elsewhere.join(", ")})`;
  return {
    title: `Sign in to the agent "${slug}"?`,
    kind: "other",
    message: [...told, ...(elsewhere.length === 0 ? [] : [terminal])].join("\n"),
    options: [
      ...here.map(({ name }, index) => ({ id: `${CHOICE}${index}`, name, kind: "allow_once" as const })),
      { id: NO, name: "Do not sign in", kind: "reject_once" },
    ],
    input: { agent: slug },
    timeoutMs: null,
  };
}
