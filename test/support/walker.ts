/**
 * One client that brings a real `troupe acp`, in its own process, into a state of one of its machines.
 *
 * I1. What is read is what is committed: the states of the machines of its session, whichever process lives.
 */
import type { Exchange } from "../../machines/exchange.ts";
import { type Answer, type Asked, Editor, type Message } from "./acp-editor.ts";
import { faultsOf } from "./acp-schema.ts";
import { type House, storedRows } from "./house.ts";
import { named } from "./paths.ts";
import { outermost } from "./stored.ts";
import { untilStored } from "./until-stored.ts";

const LIMIT_MS = 60_000;

export class Walker {
  readonly house: House;
  readonly kind: string;
  /** The states in which machines of this kind were seen, in order. */
  readonly seen: string[] = [];
  session = "";
  #editor: Editor | null = null;
  #answer: Promise<Answer> | null = null;
  #questions = 0;

  constructor(house: House, kind: string) {
    this.house = house;
    this.kind = kind;
  }
  get editor(): Editor {
    if (this.#editor === null) throw new Error("nobody has entered");
    return this.#editor;
  }

  /** Starts a process; the first one opens the session, a later one loads it. */
  async enter(env: { [name: string]: string } = { TROUPE_TRUST: "1" }): Promise<void> {
    const editor = new Editor(this.house.troupe(["acp"], env));
    editor.decide = () => undefined;
    this.#editor = editor;
    this.#questions = 0;
    await editor.initialize();
    if (this.session === "") this.session = await editor.open(this.house.cwd);
    else await editor.request("session/load", { sessionId: this.session, cwd: this.house.cwd, mcpServers: [] });
  }
  prompt(text: string): void {
    this.#answer = this.editor.prompt(this.session, text);
  }
  /** The answer to the prompt that was sent last. */
  async answered(): Promise<unknown> {
    return (await this.#answer)?.result;
  }
  /** Answers the next question with an option of this kind or id. */
  async decide(wanted: string): Promise<void> {
    let met = 0;
    const isNext = ({ message }: { message: Message }): boolean =>
      message["method"] === "session/request_permission" && ++met > this.#questions;
    const { message } = await this.editor.sees(isNext);
    this.#questions++;
    const { options } = message["params"] as Asked;
    const option = options.find(({ kind, optionId }) => kind === wanted || optionId === wanted);
    if (option === undefined) throw new Error(`nothing like "${wanted}" in ${JSON.stringify(options)}`);
    this.editor.answer(message["id"], option.optionId);
  }
  cancel(): void {
    this.editor.notify("session/cancel", { sessionId: this.session });
  }
  /** `kill -9`, or the end by a failpoint. */
  async die(how: "kill" | "failpoint" = "kill"): Promise<void> {
    if (how === "kill") this.editor.agent.kill();
    await this.editor.agent.ended;
    this.look();
  }
  /** Another process takes the session over, and does nothing with its run: a command is refused. */
  async takeOver(): Promise<void> {
    await this.enter();
    this.prompt("/frame");
    const answer = JSON.stringify(await this.answered());
    if (!answer.includes("USER.RUN.INTERRUPTED")) throw new Error(`the session was not interrupted: ${answer}`);
    this.look();
  }

  /** The states of the machines of this kind now, as committed; those that stand in a loop or a fan are left out. */
  look(): string[] {
    const values = outermost(this.house.store, this.session, this.kind).map(named);
    for (const value of values) if (this.seen.at(-1) !== value) this.seen.push(value);
    return values;
  }
  /** Settles when a machine of this kind is in this state. */
  sees(state: string): Promise<void> {
    return this.#until((states) => states.includes(state), state);
  }
  /** Settles when no machine of this kind is left, but for a run that has ended: its results stay for a rerun. */
  seesNone(): Promise<void> {
    return this.#until((states) => states.every((state) => state === "ended"), "none");
  }
  async #until(isIt: (states: string[]) => boolean, wanted: string): Promise<void> {
    await untilStored(this.house.store, () => isIt(this.look()) || null, {
      limitMs: LIMIT_MS,
      late: () => new Error(`not "${wanted}" but ${this.seen.join(" > ")}: ${this.editor.agent.stderr}`),
    });
  }
  rows(): Exchange[] {
    return storedRows(this.house.store, this.session);
  }
  faults(): string[] {
    return this.#editor === null ? [] : faultsOf(this.#editor.trace, ["agent"]);
  }
}
