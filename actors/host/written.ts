/** What is written to a storage between ticks. */
import type { Storage } from "./storage.ts";

/** In one transaction of its own: all of it, or nothing. */
export function written<Done>(store: Pick<Storage, "begin" | "commit" | "rollback">, act: () => Done): Done {
  store.begin();
  try {
    const done = act();
    store.commit();
    return done;
  } catch (error) {
    store.rollback();
    throw error;
  }
}
