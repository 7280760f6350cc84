/**
 * Pictures and sounds of prompts over an engine: kept there, and brought here before work that may name them.
 *
 * I1. Who reads does not wait: what work may name is in memory before it begins.
 * I2. Sessions for which work began longest ago are let go first, where all take more than `most`.
 */
import type { Key } from "../../../machines/model.ts";
import { attachmentsIn } from "../../../machines/prompt/attachment.ts";
import type { Attachment, KeptAttachments } from "../reads.ts";
import type { Ingress } from "./ingress.ts";
import type { Piece } from "./protocol.ts";

/** Of base64: whole bytes, and far below the largest message that an engine takes. */
const PART = 1024 * 1024;
const MOST_BYTES = 128 * 1024 * 1024;
type Pieces = ReadonlyMap<string, Attachment>;

export class EngineAttachments implements KeptAttachments {
  readonly #ingress: Pick<Ingress, "pieces" | "part" | "putPart" | "seal">;
  readonly #held = new Map<Key, Pieces>();
  readonly #most: number;
  /** `most`: bytes that are held in memory. */
  constructor(ingress: Pick<Ingress, "pieces" | "part" | "putPart" | "seal">, most = MOST_BYTES) {
    this.#ingress = ingress;
    this.#most = most;
  }

  async keep(session: Key, attachments: readonly Attachment[], limit: number): Promise<boolean> {
    if (attachments.length === 0) return true;
    const pieces: Piece[] = [];
    for (const { type, id, mimeType, data } of attachments) {
      const text = data.toString("base64");
      const parts = Math.ceil(text.length / PART);
      for (let n = 0; n < parts; n++)
        await this.#ingress.putPart(session, { id, n, text: text.slice(n * PART, (n + 1) * PART) });
      pieces.push({ type, id, mimeType, parts, bytes: data.length });
    }
    return await this.#ingress.seal(session, { pieces, limit });
  }
  read(session: Key, id: string): Attachment | undefined {
    return this.#held.get(session)?.get(id);
  }

  /** All that a session keeps, as it is now. */
  async all(session: Key): Promise<Attachment[]> {
    const pieces = await this.#ingress.pieces(session);
    return await Promise.all(pieces.map((piece) => this.#whole(session, piece)));
  }

  /** Brings all that a session keeps, before its first work here and where an input names what is not here (I1). */
  async bring(session: Key, input: string): Promise<void> {
    const held = this.#held.get(session);
    if (held !== undefined && attachmentsIn(input).every((id) => held.has(id))) return this.#hold(session, held);
    const pieces = await this.#ingress.pieces(session);
    const brought = pieces.map(async (piece): Promise<[string, Attachment]> => {
      return [piece.id, held?.get(piece.id) ?? (await this.#whole(session, piece))];
    });
    this.#hold(session, new Map(await Promise.all(brought)));
  }
  #hold(session: Key, pieces: Pieces): void {
    this.#held.delete(session);
    this.#held.set(session, pieces);
    this.#letGo();
  }
  async #whole(session: Key, { type, id, mimeType, parts }: Piece): Promise<Attachment> {
    const texts = await Promise.all(Array.from({ length: parts }, (_, n) => this.#ingress.part(session, { id, n })));
    return { type, id, mimeType, data: Buffer.from(texts.join(""), "base64") };
  }
  /** I2. */
  #letGo(): void {
    let bytes = [...this.#held.values()].reduce((sum, pieces) => sum + bytesOf(pieces), 0);
    for (const [session, pieces] of this.#held) {
      if (bytes <= this.#most || this.#held.size === 1) return;
      bytes -= bytesOf(pieces);
      this.#held.delete(session);
    }
  }
}

const bytesOf = (pieces: Pieces): number => [...pieces.values()].reduce((sum, { data }) => sum + data.length, 0);
