/** Names of workflows that a prompt means something else by: in a conversation such a one could not be run. */

const RESERVED: { readonly [id: string]: string } = {
  tell: '"tell" is a reserved name: /tell says something to an agent while it works',
};

/** Why a workflow may not be called so, or null. */
export const reservedName = (id: string): string | null =>
  Object.hasOwn(RESERVED, id) ? (RESERVED[id] ?? null) : null;
