/** Fold I1: however a text is dealt out as live chunks, rows, pages and readers, its messages read the same. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Exchange, Frame } from "../../../machines/exchange.ts";
import { Fold } from "../../../projections/acp/fold.ts";
import { live, say } from "./support.ts";

type Act =
  | { do: "say"; block: number; text: string }
  | { do: "commit"; block: number }
  | { do: "pause" | "resume" | "reopen" };

const BLOCKS = 3;
const block = fc.nat(BLOCKS - 1);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("say" as const),
      block,
      text: fc.string({ minLength: 1, maxLength: 6, unit: "binary" }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("commit" as const), block }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("pause" as const, "resume" as const, "reopen" as const) }) },
);

/** A log and one follower of it, as the host deals them out; `pageSize` rows at a time when catching up. */
class Stage {
  readonly said = Array.from({ length: BLOCKS }, () => "");
  readonly #committed = Array.from({ length: BLOCKS }, () => 0);
  readonly #rows: Exchange[] = [];
  readonly #pageSize: number;
  readonly joined = new Map<string, string>();
  #fold = new Fold({ echoUser: () => false });
  #seq = 0;
  isLive = true;
  constructor(pageSize: number) {
    this.#pageSize = pageSize;
  }

  say(at: number, text: string): void {
    const chunk = this.#text(at, this.said[at]!.length, text);
    this.said[at] += text;
    if (this.isLive) this.#push([live(chunk, this.#rows.length)]);
  }
  commit(at: number): void {
    const from = this.#committed[at]!;
    const text = this.said[at]!.slice(from);
    if (text === "") return;
    const row = { ...this.#text(at, from, text), seq: this.#rows.length + 1, at: 0 } as Exchange;
    this.#committed[at] = from + text.length;
    this.#rows.push(row);
    if (this.isLive) this.#push([row]);
  }
  catchUp(): void {
    while (this.#rows.length - this.#seq >= this.#pageSize)
      this.#push(this.#rows.slice(this.#seq, this.#seq + this.#pageSize));
    const open = this.said.flatMap((text, at) => {
      const from = this.#committed[at]!;
      return text.length > from ? [live(this.#text(at, from, text.slice(from)), this.#rows.length)] : [];
    });
    this.#push([...this.#rows.slice(this.#seq), ...open]);
    this.isLive = true;
  }
  /** Another reader continues where this one is. */
  reopen(): void {
    const shown = new Map([...this.joined].map(([id, text]) => [id, text.length]));
    this.#fold = new Fold({ echoUser: () => false, shown });
  }

  #text(at: number, offset: number, text: string) {
    return say("message.assistant", "r", "ask", { block: `ask@1.${at}`, offset, text });
  }
  #push(frames: Frame[]): void {
    for (const frame of frames) if ("seq" in frame) this.#seq = frame.seq;
    for (const view of this.#fold.take(frames, 0)) {
      if (!("update" in view) || view.update.sessionUpdate !== "agent_message_chunk") continue;
      const { messageId, content } = view.update;
      const id = String(messageId);
      this.joined.set(id, (this.joined.get(id) ?? "") + (content.type === "text" ? content.text : ""));
    }
  }
}

test("any split into live chunks, rows, pages and readers joins to the same text", () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), fc.integer({ min: 1, max: 4 }), (acts, pageSize) => {
      const stage = new Stage(pageSize);
      for (const one of acts) {
        if (one.do === "say") stage.say(one.block, one.text);
        else if (one.do === "commit") stage.commit(one.block);
        else if (one.do === "pause") stage.isLive = false;
        else if (one.do === "resume") stage.catchUp();
        else stage.reopen();
      }
      for (let at = 0; at < BLOCKS; at++) stage.commit(at);
      stage.catchUp();
      const expected = stage.said.flatMap((text, at) => (text === "" ? [] : [[`r/ask@1.${at}`, text] as const]));
      expect(new Map([...stage.joined].sort())).toEqual(new Map(expected));
    }),
    { numRuns: 500 },
  );
});
