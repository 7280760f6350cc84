/**
 * What a permission request is answered with.
 *
 * I1. An answer names an option that was offered and whose kind is what was decided; otherwise the answer is
 *     `cancelled`, never the first option. So is one whose id stands for options of several kinds.
 * I2. A policy decides by the tool's kind, never by its title, which is the agent's free text. Deny wins over allow,
 *     allow over ask; without a person to ask, the answer is no.
 * I3. A policy allows for good only what it names for that (`allowAlways`), and only where "once" is not offered.
 *     What it allows once and is offered for good only, is asked.
 * I4. An answer that comes after the question was taken back authorises nothing.
 */
import type {
  PermissionOption,
  PermissionOptionKind,
  RequestPermissionRequest,
  RequestPermissionResponse,
  ToolKind,
} from "@agentclientprotocol/sdk";

/** Answers with the id of an offered option, or null for none. */
export type AskPermission = (request: RequestPermissionRequest, signal: AbortSignal) => Promise<string | null>;

/** Answers by the kind of tool. `deny` goes before `allowAlways`, that before `allow`. */
export type PermissionPolicy = {
  deny?: readonly ToolKind[] | "all";
  allow?: readonly ToolKind[] | "all";
  /** Of these kinds it agrees for good too, where nothing less is offered: to trust a directory, for one. */
  allowAlways?: readonly ToolKind[] | "all";
  /** Asked where neither decides. */
  ask?: AskPermission;
};

export type Verdict = "allow" | "allow always" | "deny" | "ask";
const names = (kinds: readonly ToolKind[] | "all", kind: ToolKind | null | undefined): boolean =>
  kinds === "all" || kinds.includes(kind ?? "other");

/** What a policy says to a tool of this kind; a call without a kind is `other` (I2). */
export function verdictOf(
  { deny = [], allow = [], allowAlways = [], ask }: PermissionPolicy,
  kind: ToolKind | null | undefined,
): Verdict {
  if (names(deny, kind)) return "deny";
  if (names(allowAlways, kind)) return "allow always";
  if (names(allow, kind)) return "allow";
  return ask === undefined ? "deny" : "ask";
}

type Decision = Exclude<Verdict, "ask">;
const FITTING: { readonly [verdict in Decision]: readonly PermissionOptionKind[] } = {
  allow: ["allow_once"],
  "allow always": ["allow_once", "allow_always"],
  deny: ["reject_once", "reject_always"],
};

/** Those whose id says what it stands for (I1). */
export const clearOf = (options: readonly PermissionOption[]): PermissionOption[] =>
  options.filter((one) => options.every(({ optionId, kind }) => optionId !== one.optionId || kind === one.kind));

/** The offered option that fits a verdict, if there is one (I1, I3). */
export function fitting(options: readonly PermissionOption[], verdict: Decision): string | null {
  const clear = clearOf(options);
  for (const kind of FITTING[verdict]) {
    const found = clear.find((option) => option.kind === kind);
    if (found !== undefined) return found.optionId;
  }
  return null;
}

/**
 * A way to answer that follows a policy.
 * @example const permission = byPolicy({ allow: ["read", "search"], deny: ["execute"], ask: async () => null });
 */
export const byPolicy =
  (policy: PermissionPolicy): AskPermission =>
  async (request, signal) => {
    const verdict = verdictOf(policy, request.toolCall.kind);
    const chosen = verdict === "ask" ? null : fitting(request.options, verdict);
    if (chosen !== null || verdict === "deny") return chosen;
    if (policy.ask !== undefined) return await policy.ask(request, signal);
    return fitting(request.options, "deny");
  };

/** The response to a request: what was chosen, if it was offered and is still wanted (I1, I4). */
export async function decided(
  ask: AskPermission,
  request: RequestPermissionRequest,
  signal: AbortSignal,
): Promise<RequestPermissionResponse> {
  const none: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };
  if (signal.aborted) return none;
  const withdrawn = new Promise<null>((resolve) =>
    signal.addEventListener("abort", () => resolve(null), { once: true }),
  );
  const chosen = await Promise.race([ask(request, signal).catch(() => null), withdrawn]);
  if (signal.aborted || chosen === null || !clearOf(request.options).some(({ optionId }) => optionId === chosen))
    return none;
  return { outcome: { outcome: "selected", optionId: chosen } };
}
