import type { Note } from "../../actors/host/restate/protocol.ts";
import { type PageAsked, pageOf, putAll } from "../../actors/host/restate/sorted-list.ts";

/** The index, as the engine has it. */
export class Shards {
  readonly #of = new Map<string, Map<string, string>>();
  calls = 0;
  shards = async () => ({ shards: [...this.#of.keys()], cursorKey: "k" });
  page = async (shard: string, asked: PageAsked) => {
    this.calls++;
    return (await pageOf(this.#shelf(shard), asked))!;
  };
  async take(notes: readonly Note[]): Promise<void> {
    for (const { shard, put } of notes) await putAll(this.#shelf(shard), [put]);
  }
  #shelf(shard: string) {
    const kept = this.#of.get(shard) ?? new Map<string, string>();
    this.#of.set(shard, kept);
    return {
      get: async <Value>(name: string) => JSON.parse(kept.get(name) ?? "null") as Value | null,
      set: (name: string, value: unknown) => void kept.set(name, JSON.stringify(value)),
      clear: (name: string) => void kept.delete(name),
    };
  }
}
