/**
 * What a step chooses of an agent's own settings, once its conversation is open.
 *
 * I1. What the agent does not offer leaves a notice, and the step continues.
 */
import type { SessionConfigOption } from "@agentclientprotocol/sdk";
import { type Json, own } from "../../../machines/model.ts";
import { suggest } from "../../../machines/workflow/suggest.ts";
import { isClientError } from "../../acp-client/errors.ts";
import type { AgentSession } from "../../acp-client/session.ts";
import { fieldsOf, listAt, textAt } from "../../base/json.ts";
import type { AcpAgentOptions } from "./options.ts";

/** Sets model, mode and other options; gives what could not be set. */
export async function settle(session: AgentSession, options: AcpAgentOptions): Promise<string[]> {
  const notices: string[] = [];
  const set = async (name: string, value: string | boolean, by: (value: string | boolean) => Promise<unknown>) => {
    try {
      await by(value);
    } catch (error) {
      if (!isClientError(error, "refused")) throw error;
      notices.push(`the agent does not take ${name} "${String(value)}": ${error.message}`);
    }
  };
  let known = session.opened.configOptions ?? [];
  const choose = async (name: string, option: SessionConfigOption | undefined, value: string | boolean) => {
    const offered = option === undefined ? [] : valuesOf(option);
    if (option === undefined) return void notices.push(`the agent has no option for ${name}`);
    if (typeof value === "string" && option.type === "select" && !offered.includes(value)) {
      const meant = suggest(value, offered);
      const question = meant === null ? `; it offers ${offered.join(", ") || "none"}` : `; did you mean "${meant}"?`;
      return void notices.push(`the agent offers no ${name} "${value}"${question}`);
    }
    await set(name, value, async (chosen) => {
      known = await session.setOption(option.id, chosen);
    });
  };
  // A model comes first: what else there is to choose depends on it.
  for (const category of ["model", "mode", "thought_level"] as const) {
    const value = options[category];
    if (typeof value !== "string") continue;
    const option = known.find((one) => one.category === category);
    const modes = session.opened.modes?.availableModes ?? [];
    if (category === "mode" && option === undefined && modes.some(({ id }) => id === value)) {
      await set("mode", value, (mode) => session.setMode(String(mode)));
    } else await choose(category, option, value);
  }
  const others = fieldsOf(options.config);
  for (const id of Object.keys(others)) {
    const value = own(others, id);
    const chosen = typeof value === "boolean" ? value : String(value);
    await choose(
      `the option ${id}`,
      known.find((one) => one.id === id),
      chosen,
    );
  }
  return notices;
}

const valuesIn = (one: Json): string[] => [textAt(fieldsOf(one), "value")].filter((value) => value !== null);

function valuesOf(option: SessionConfigOption): string[] {
  if (option.type !== "select") return [];
  // What an agent says of an option's values is not checked when it is read.
  return listAt(fieldsOf(option as unknown as Json), "options").flatMap((one) => [
    ...valuesIn(one),
    ...listAt(fieldsOf(one), "options").flatMap(valuesIn),
  ]);
}
