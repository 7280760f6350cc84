/**
 * What a person on the terminal answers an agent: permissions, edits, commands. One question at a time.
 *
 * I1. Without a person to ask, the answer is no.
 * I2. What is decided by is shown whole, from structured fields.
 */
import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";
import type { Json } from "../../actors/troupe.ts";
import { chosen, consentLines } from "../../projections/terminal/consent.ts";
import { editLines } from "../../projections/terminal/edit.ts";
import { safeConsent } from "../../projections/terminal/safe.ts";
import type { TerminalRequest } from "../client/connect.ts";
import type { Io } from "./io.ts";

const MAX_TRIES = 3;

export class Answers {
  readonly #io: Io;
  #turn: Promise<unknown> = Promise.resolve();
  constructor(io: Io) {
    this.#io = io;
  }

  /** The id of an option, or null. */
  permission(request: RequestPermissionRequest, signal: AbortSignal): Promise<string | null> {
    const { toolCall, options } = request;
    const { title, kind, rawInput, locations, content } = toolCall;
    const texts = (content ?? []).flatMap((one) =>
      one.type === "content" && one.content.type === "text" ? [one.content.text] : [],
    );
    const question = {
      ...{ permission: toolCall.toolCallId, title: `${kind ?? "other"}: ${title ?? "may it?"}` },
      message: texts.join("\n"),
      ...(rawInput === undefined || rawInput === null ? {} : { input: rawInput as Json }),
      edits: (content ?? []).flatMap((one) =>
        one.type === "diff" ? [{ path: one.path, oldText: one.oldText ?? null, newText: one.newText }] : [],
      ),
      locations: (locations ?? []).map(({ path, line }) => ({ path, ...(line == null ? {} : { line }) })),
      options: options.map(({ optionId: id, name, kind }) => ({ id, name, kind })),
    } as Parameters<typeof consentLines>[0];
    const { errColours: colours, errColumns: columns } = this.#io;
    const lines = consentLines(question, { colours, columns });
    return this.#ask(lines, "Answer with the number of an option.", signal, (answer) => chosen(question, answer));
  }
  edit(edit: Parameters<typeof editLines>[0], signal: AbortSignal): Promise<boolean> {
    return this.#yes(
      [...editLines(edit, { colours: this.#io.errColours, columns: this.#io.errColumns }), "Write it? (y/n)"],
      signal,
    );
  }
  secret(path: string, signal: AbortSignal): Promise<boolean> {
    return this.#yes([`The agent wants to read ${safeConsent(path)}, which may hold a secret. Let it? (y/n)`], signal);
  }
  command({ command, args, cwd, env }: TerminalRequest, signal: AbortSignal): Promise<boolean> {
    const words = [command, ...args].map((word) => safeConsent(JSON.stringify(word))).join(" ");
    const sets = env.length === 0 ? [] : [`  sets ${safeConsent(env.join(", "))}`];
    return this.#yes([`The agent wants to run ${words}`, `  in ${safeConsent(cwd)}`, ...sets, "Let it? (y/n)"], signal);
  }

  async #yes(lines: string[], signal: AbortSignal): Promise<boolean> {
    const words: { [word: string]: "yes" | "no" } = { y: "yes", yes: "yes", n: "no", no: "no" };
    const answer = await this.#ask(lines, "Answer y or n.", signal, (said) => words[said.trim().toLowerCase()] ?? null);
    return answer === "yes";
  }
  #ask(
    lines: string[],
    again: string,
    signal: AbortSignal,
    read: (answer: string) => string | null,
  ): Promise<string | null> {
    const asked = this.#turn.then(async () => {
      if (!this.#io.asks || signal.aborted) return null;
      this.#io.err(`\n${lines.join("\n")}\n`);
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const answer = await this.#io.readLine(signal);
        if (answer === null) return null;
        const chosen = read(answer);
        if (chosen !== null) return chosen;
        this.#io.err(`${again}\n`);
      }
      return null;
    });
    this.#turn = asked.catch(() => undefined);
    return asked;
  }
}
