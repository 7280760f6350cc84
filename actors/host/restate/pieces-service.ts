/**
 * The bytes of pictures and sounds of a session's prompts, in an object of the engine's own, in parts.
 *
 * I1. What is listed is whole: parts are written first, and those that never become listed are taken out.
 * I2. A session keeps no more bytes than who adds to them allows.
 */
import type { ObjectContext, ObjectSharedContext } from "@restatedev/restate-sdk";
import type { PartOf, Piece, Sealing } from "./protocol.ts";

const PIECES = "pieces";
const nameOf = ({ id, n }: Pick<PartOf, "id" | "n">): string => `part ${id} ${n}`;

/** Changes one after the other. */
export const pieceChanges = {
  put: async (ctx: ObjectContext, { text, ...part }: PartOf): Promise<void> => ctx.set(nameOf(part), text),
  seal: async (ctx: ObjectContext, { pieces, limit }: Sealing): Promise<boolean> => {
    const known = (await ctx.get<Piece[]>(PIECES)) ?? [];
    const fresh = pieces.filter(({ id }) => !known.some((piece) => piece.id === id));
    const all = [...known, ...fresh];
    const fits = all.reduce((sum, { bytes }) => sum + bytes, 0) <= limit; // I2
    if (fits) ctx.set(PIECES, all);
    else for (const { id, parts } of fresh) for (let n = 0; n < parts; n++) ctx.clear(nameOf({ id, n }));
    return fits;
  },
  forget: async (ctx: ObjectContext): Promise<void> => ctx.clearAll(),
};

/** Reads hold up nothing. */
export const pieceReads = {
  pieces: async (ctx: ObjectSharedContext): Promise<Piece[]> => (await ctx.get<Piece[]>(PIECES)) ?? [],
  part: async (ctx: ObjectSharedContext, part: Pick<PartOf, "id" | "n">): Promise<string> =>
    (await ctx.get<string>(nameOf(part))) ?? "",
};
