/** What a person sent along, for the agent whose prompt names it. */
import type { Key } from "../../machines/model.ts";
import { attachmentsIn } from "../../machines/prompt/attachment.ts";
import type { Agent, AgentEvent } from "../agents/agent.ts";
import type { Attachment } from "../attachments/attachments.ts";
import { nounOf } from "../attachments/take.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { EffectOptions } from "./options.ts";

/** Looks up what a text of this session names. */
export const attachedOf =
  ({ attachments }: Pick<EffectOptions, "attachments">, session: Key) =>
  (text: string): Attachment[] =>
    attachmentsIn(text).flatMap((id) => attachments?.read(session, id) ?? []);

/** Throws USER.PROMPT.UNSUPPORTED_BLOCK for an agent that does not take what its prompt names. */
export function checkAttached(
  { content = [] }: Pick<Agent, "content">,
  provider: string,
  prompt: { text: string; attached: readonly Attachment[] },
  emit: (event: AgentEvent) => void,
): void {
  const wrong = prompt.attached.find(({ type }) => !content.includes(type));
  if (wrong !== undefined)
    throw new TroupeError(
      "USER.PROMPT.UNSUPPORTED_BLOCK",
      `prompt: the agent "${provider}" takes no ${nounOf(wrong.type)}`,
      { provider },
    );
  const lost = attachmentsIn(prompt.text).length - prompt.attached.length;
  if (lost > 0)
    emit({
      type: "notice",
      severity: "warning",
      message: `${lost} of what the prompt names is not kept in this session`,
    });
}
