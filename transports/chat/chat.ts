/**
 * A conversation on a terminal: what was said stays above and can be scrolled back to; below stands what is on its way, and
 * what the person types. Keys ask; the conversation's machine decides.
 *
 * I1. A question takes the keys until it is answered: its own words stand above, whole, before it can be. What is pasted
 *     answers none: it is text of the next prompt.
 *     One that comes while somebody types is answered by none of those keys: it takes keys after a pause. So it does
 *     where somebody begins to type words while it stands: enter then sends these, and agrees to nothing.
 * I2. Esc, or ctrl-c, stops what is at work; ctrl-c where nothing is, and ctrl-d, leave. Nothing is lost by leaving.
 */
import type { ChatEvent, ChatQuestion, ChatSetting, Conversation } from "../../actors/troupe.ts";
import { troupeError } from "../../actors/troupe.ts";
import { ChatFold } from "../../projections/chat/chat.ts";
import { regionLines } from "../../projections/chat/region.ts";
import { safeLine } from "../../projections/terminal/safe.ts";
import type { UiPlace } from "../../projections/ui/frame.ts";
import type { Canvas, Io } from "../cli/io.ts";
import { Live } from "../cli/screen/live.ts";
import { COMMANDS } from "./commands.ts";
import { commonStart, completions } from "./completion.ts";
import { Composer } from "./composer.ts";

const MARK = "▏";
/** Who has typed nothing for so long, in milliseconds, has seen what is asked. */
const PAUSE_MS = 1_000;
/** A letter or a blank, which answers nothing. */
const isWord = (key: string): boolean => [...key].length === 1 && !/^[1-9]$/.test(key);
const STOPS: ReadonlySet<string> = new Set(["escape", "ctrl-c"]);
/** A terminal says where a paste begins and ends. */
const [PASTE_ON, PASTE_OFF] = ["\u001b[?2004h", "\u001b[?2004l"];

export type Left = "left" | "renewed";

export class Chat {
  readonly #io: Io;
  readonly #conversation: Conversation;
  readonly #canvas: Canvas;
  readonly #live: Live;
  readonly #fold: ChatFold;
  readonly #composer = new Composer();
  readonly #left = Promise.withResolvers<Left>();
  #questions: ChatQuestion[] = [];
  #chosen = 0;
  #typedAt = Number.NEGATIVE_INFINITY;
  /** Until then what is typed is no answer (I1). */
  #typesUntil = Number.NEGATIVE_INFINITY;
  #wantsToLeave = false;

  constructor(conversation: Conversation, io: Io, canvas: Canvas) {
    this.#io = io;
    this.#conversation = conversation;
    this.#canvas = canvas;
    this.#live = new Live(io, canvas);
    this.#fold = new ChatFold({ colours: io.colours, columns: () => canvas.columns() - 1 });
  }

  /** `before`: what was said earlier. Resolves when it is left. */
  async talk(before: readonly ChatEvent[]): Promise<Left> {
    const { keys } = this.#io;
    this.#say(before.flatMap((event) => this.#fold.take(event)));
    const unfollow = this.#conversation.follow((event) => this.#hear(event));
    const unlisten = keys?.((key) => this.#press(key));
    const unstop = this.#io.onStop((why) => (why === "interrupt" ? this.#press("ctrl-c") : this.#left.resolve("left")));
    const unpaste = this.#canvas.onLeave(() => this.#canvas.write(PASTE_OFF));
    const unchange = this.#canvas.onChange(() => this.#canvas.write(PASTE_ON));
    this.#canvas.write(PASTE_ON);
    this.#draw();
    try {
      void this.#conversation.open().then(() => {
        const { fault } = this.#conversation;
        if (fault !== null) this.#failed(fault);
        this.#draw();
      });
      return await this.#left.promise;
    } finally {
      unfollow();
      unlisten?.();
      unstop();
      this.#live.end();
      unpaste();
      unchange();
      this.#canvas.write(PASTE_OFF);
    }
  }

  #hear(event: ChatEvent): void {
    this.#say(this.#fold.take(event));
    if (event.type === "asked") {
      const now = this.#io.now();
      const isTyping = this.#composer.text !== "" || now - this.#typedAt < PAUSE_MS;
      if (isTyping) this.#typesUntil = now + PAUSE_MS;
      this.#questions.push(event.question);
    }
    if (event.type === "answered") {
      this.#questions = this.#questions.filter(({ id }) => id !== event.question.id);
      this.#chosen = 0;
    }
    this.#draw();
  }
  #say(lines: readonly string[]): void {
    if (lines.length > 0) this.#live.above(`${lines.join("\n")}\n`);
  }
  #draw(): void {
    this.#live.show((place) => regionLines(this.#view(), { ...place, colours: this.#io.colours } as UiPlace));
  }

  #view(): Parameters<typeof regionLines>[0] {
    const { state, agent, edits } = this.#conversation;
    const [question] = this.#questions;
    const model = state.settings.find(({ category }) => category === "model");
    const usage =
      state.usage === null ? [] : [`${Math.round((100 * state.usage.used) / Math.max(1, state.usage.size))}%`];
    const cost = state.usage?.cost == null ? [] : [state.usage.cost];
    const right = [
      ...(model === undefined ? [] : [nameOf(model)]),
      ...(state.mode === null ? [] : [state.mode]),
      ...usage,
      ...cost,
    ];
    return {
      live: this.#fold.live,
      question: question === undefined ? null : { asked: question, chosen: this.#chosen, waits: this.#isTyping("") },
      waiting: state.waiting,
      completions: question === undefined ? this.#completions() : [],
      typed: this.#composer.shown(MARK),
      left: [
        safeLine(agent.slug),
        this.#wantsToLeave ? "ctrl-c again leaves" : this.#status(),
        ...(edits.length === 0 ? [] : [`${edits.length} to decide`]),
      ].join(" · "),
      right: right.map(safeLine).join(" · "),
    };
  }
  #status(): string {
    const { status, waiting } = this.#conversation.state;
    switch (status) {
      case "opening":
        return "starting";
      case "idle":
        return waiting.length === 0 ? ":help" : ":go sends what waits";
      case "working":
        return "at work, esc stops it";
      case "cancelling":
        return "stopping";
      case "lost":
        return "the agent is gone; your next words start it again";
      case "view only":
        return "view only; :new continues in a new conversation, with a summary";
      default:
        return status satisfies never;
    }
  }
  #completions(): ReturnType<typeof completions> {
    const [before, after] = this.#composer.sides;
    return after === "" && /^[:/]|@/.test(before) ? completions(before, this.#conversation) : [];
  }

  #press(key: string): void {
    const again = this.#wantsToLeave;
    this.#wantsToLeave = false;
    const [question] = this.#questions;
    if (key === "paste-start" || this.#composer.isPasting) this.#composer.press(key);
    else if (question !== undefined && !this.#isTyping(key) && !isWord(key)) this.#decide(question, key);
    else if (key === "escape" || key === "ctrl-c") this.#stop(key, again);
    else if (key === "ctrl-d" && this.#composer.text === "") this.#left.resolve("left");
    else if (key === "ctrl-t") this.#thoughts();
    else if (key === "tab") this.#complete();
    else {
      const typed = this.#composer.press(key);
      const now = this.#io.now();
      // What was sent is typed no more: its question may come at once.
      this.#typedAt = typed.is === "submit" ? Number.NEGATIVE_INFINITY : now;
      if (question !== undefined) this.#typesUntil = now + PAUSE_MS;
      if (typed.is === "submit") this.#submit(typed.text);
    }
    this.#draw();
    this.#live.now();
  }
  #isTyping(key: string): boolean {
    return this.#io.now() < this.#typesUntil && !STOPS.has(key);
  }
  #decide(question: ChatQuestion, key: string): void {
    const { options, id } = question;
    const numbered = /^[1-9]$/.test(key) ? options[Number(key) - 1] : undefined;
    if (numbered !== undefined) this.#conversation.answer(id, numbered.id);
    else if (key === "enter") this.#conversation.answer(id, options[this.#chosen]?.id ?? null);
    else if (key === "up") this.#chosen = Math.max(0, this.#chosen - 1);
    else if (key === "down") this.#chosen = Math.min(options.length - 1, this.#chosen + 1);
    else if (key === "escape") this.#conversation.answer(id, null);
    else if (key === "ctrl-c") {
      this.#conversation.answer(id, null);
      this.#conversation.cancel();
    }
  }
  #stop(key: string, again: boolean): void {
    const { status } = this.#conversation.state;
    if (status === "working" || status === "cancelling") return this.#conversation.cancel();
    if (this.#composer.text !== "") return this.#composer.set("");
    if (key === "escape") return;
    if (again) this.#left.resolve("left");
    else this.#wantsToLeave = true;
  }
  #thoughts(): void {
    this.#fold.showsThoughts = !this.#fold.showsThoughts;
    if (this.#fold.showsThoughts) this.#say(this.#fold.lastThought);
  }
  #complete(): void {
    const all = this.#completions();
    if (all.length === 0) return;
    const [before] = this.#composer.sides;
    const common = commonStart(all);
    const [only] = all;
    if (all.length === 1 && only !== undefined)
      this.#composer.set(only.word.endsWith("/") ? only.word : `${only.word} `);
    else if (common.length > before.length) this.#composer.set(common);
  }

  #submit(text: string): void {
    if (text.trim() === "") return;
    const [, name, words = ""] = /^:(\w+)(?: (.*))?$/s.exec(text.trimEnd()) ?? [];
    if (!text.startsWith(":")) return this.#doing(this.#conversation.prompt(text));
    const command = COMMANDS.find((one) => one.name === name);
    if (command === undefined)
      return this.#say([`there is no ${safeLine(text)}; :help lists what there is, and a space before it sends it`]);
    this.#doing(
      Promise.resolve(
        command.act(words.trim(), {
          conversation: this.#conversation,
          colours: this.#io.colours,
          say: (lines) => this.#say(lines),
          thoughts: () => this.#thoughts(),
          leave: (how) => this.#left.resolve(how),
        }),
      ),
    );
  }
  #doing(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#failed(error)).finally(() => this.#draw());
  }
  #failed(error: unknown): void {
    const { code, message } = troupeError(error);
    this.#say([`${safeLine(message)} [${code}]`]);
  }
}

/** What is chosen, as the agent calls it. */
const nameOf = ({ current, values }: ChatSetting): string =>
  values.find(({ value }) => value === current)?.name ?? String(current);
