/** What a person has said to the forms of a run, on its way to the run. */
import { type TroupeError, troupeError } from "../../actors/troupe.ts";
import { formAnswer, formDecision, permissionKey, questionKey } from "../../projections/mcp/form.ts";
import type { Responses } from "./asking.ts";
import { offer } from "./offer.ts";
import type { McpServed } from "./served.ts";
import { standing } from "./standing.ts";
import { secretsOf } from "./start.ts";

/** `hasAnswered`: nothing is asked, or an answer was given to some of it. `refused`: why a decision was none. */
type Taken = { hasAnswered: boolean; refused: TroupeError | null };

/** Passes on what was said to questions that are open still. Another client may have been quicker: that is no fault. */
export async function takeAnswers(served: McpServed, run: string, responses: Responses): Promise<Taken> {
  const { record, session } = await standing(served, run);
  const { questions, permissions } = record;
  let hasAnswered = questions.length + permissions.length === 0;
  let refused: TroupeError | null = null;
  for (const one of permissions) {
    const decision = formDecision(one, responses[permissionKey(one)]);
    if (decision === null) continue;
    hasAnswered = true;
    refused ??= await quietly(() => session.decide(decision.permission, decision.option));
  }
  for (const one of questions) {
    const answer = formAnswer(one, responses[questionKey(one)]);
    if (answer === null) continue;
    await quietly(() => answerRun(served, run, answer));
    return { hasAnswered: true, refused }; // it begins a turn: what else is asked is asked again when that has ended
  }
  return { hasAnswered, refused };
}

/** Answers a parked run, with the secrets that this process has for it. Resolves when its turn has begun. */
export async function answerRun(
  served: McpServed,
  run: string,
  { question, text }: { question?: string; text: string },
): Promise<void> {
  const { record } = await standing(served, run);
  const workflow = (await offer(served)).workflows.find(({ id }) => id === record.workflow);
  const inputs = workflow === undefined ? {} : secretsOf(workflow, served.environment);
  await served.troupe.answer(run, { text, inputs, ...(question === undefined ? {} : { question }) });
}

/** Who answered first has won. What is returned is an answer that is none of those that an open question takes. */
async function quietly(act: () => Promise<void>): Promise<TroupeError | null> {
  try {
    await act();
    return null;
  } catch (error) {
    const known = troupeError(error);
    const { code, details } = known;
    if (code !== "USER.FACADE.DUPLICATE_RESPONSE" && code !== "USER.FACADE.INPUT_REJECTED") throw error;
    return details["options"] === undefined ? null : known;
  }
}
