/** The user's agents behind the facade; what edits files is loaded when it is asked for. */
import type { Agents } from "../../api/agents.ts";
import { systemClock } from "../../base/clock.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { consentsOf } from "../consents.ts";
import type { LazyRuntime } from "../lazy-runtime.ts";

/** `principal`: null for the user of this machine. Throws USER.TRUST.NOT_YOURS for anybody else. */
export async function ownAgents(opening: LazyRuntime, cwd: string, principal: string | null): Promise<Agents> {
  if (principal !== null)
    throw new TroupeError("USER.TRUST.NOT_YOURS", "only the user of this machine has agents of their own here");
  const { environment } = opening;
  const [{ agentsOf }, { proposalsOf }, { approvalsOf }, { answersOf }, { conversationsOf }] = await Promise.all([
    import("./agents.ts"),
    import("./proposals.ts"),
    import("./approvals.ts"),
    import("./answers.ts"),
    import("./conversations.ts"),
  ]);
  const own = agentsOf({ environment, cwd, now: () => systemClock.now() });
  const consents = () => {
    const { host, options, user } = opening.runtime();
    return consentsOf(options, host, user);
  };
  const answers = answersOf({
    environment,
    host: () => opening.runtime().host,
    user: () => opening.runtime().user,
    now: () => opening.runtime().options.clock.now(),
  });
  const conversations = conversationsOf({ opening, cwd, consents });
  const proposed = proposalsOf({ environment, cwd, add: own.add });
  const { here, ...approvals } = approvalsOf({ environment, cwd, consents, hasStore: () => opening.hasStore });
  return {
    ...{ ...own, ...proposed, ...approvals, ...answers, conversations },
    list: async () => {
      const { agents, ...rest } = await own.list();
      return { ...rest, agents: agents.map(here) };
    },
    show: async (name) => here(await own.show(name)),
  };
}
