/**
 * What a session offers to choose, announced to its client.
 *
 * I1. A change is reported once, with what holds when it is reported: many changes in a row are one update of each
 *     kind.
 */
import type { Session } from "../../actors/troupe.ts";
import { legacyModels, type SessionState, sessionState } from "../../projections/acp/options.ts";

type UpdateSink = { update(session: string, update: object): void };

export class Choices {
  readonly #writer: UpdateSink;
  readonly #isLegacy: boolean;
  readonly #telling = new Set<string>();
  constructor(writer: UpdateSink, isLegacy: boolean) {
    this.#writer = writer;
    this.#isLegacy = isLegacy;
  }

  /** The fields that an answer carries. */
  async of(session: Session): Promise<SessionState> {
    const options = await session.options();
    return { ...sessionState(options), ...(this.#isLegacy ? legacyModels(options) : {}) };
  }

  /** Something was chosen: the client hears of all that holds. */
  tell(session: Session): void {
    const { id } = session;
    if (this.#telling.has(id)) return;
    this.#telling.add(id);
    setImmediate(() => {
      this.#telling.delete(id);
      void this.#tell(session).catch(() => undefined); // a directory that cannot be listed any more
    });
  }

  async #tell(session: Session): Promise<void> {
    const { modes, configOptions } = await this.of(session);
    if (modes !== undefined)
      this.#writer.update(session.id, { sessionUpdate: "current_mode_update", currentModeId: modes.currentModeId });
    this.#writer.update(session.id, { sessionUpdate: "config_option_update", configOptions });
  }
}
