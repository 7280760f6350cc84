/** What an engine keeps of one session, for tests of what is taken from it: each event by a cell of its own. */
import type { AnyStateMachine } from "xstate";
import type { NamedRow, Outcome, Post, Version } from "../../actors/host/restate/protocol.ts";
import { SessionCell } from "../../actors/host/restate/session-cell.ts";
import { type Mask, NO_MASKING } from "../../actors/masking/masking.ts";
import type { Row } from "../../machines/exchange.ts";
import type { Kind } from "../../machines/model.ts";
import { MACHINES, type Machines, sessionKey } from "./host-machines.ts";

const S = sessionKey("s");
type LogRow = Outcome["log"][number];

export class KeptSession {
  readonly rows = new Map<string, string>();
  readonly log: LogRow[] = [];
  version: Version | null = null;
  now = 1_000;
  readonly #mask: Mask;
  #ids = 0;
  readonly #machines: ReadonlyMap<Kind, AnyStateMachine>;
  constructor(mask: Mask = NO_MASKING, machines: Machines = MACHINES) {
    this.#mask = mask;
    this.#machines = new Map(machines);
  }

  /** As a worker that has never seen the session. */
  cell(): SessionCell {
    const rows = [...this.rows].map(([name, row]): NamedRow => [name, row]);
    const id = (kind: string): string => `${kind}-${++this.#ids}`;
    const host = {
      session: S,
      mask: this.#mask,
      machines: this.#machines,
      now: () => this.now,
      id,
    };
    return new SessionCell(host, this.version, rows);
  }
  /** Through JSON, as the engine has it. */
  keep(outcome: Outcome): Outcome {
    const kept = JSON.parse(JSON.stringify(outcome)) as Outcome;
    for (const [name, row] of kept.rows) {
      if (row === null) this.rows.delete(name);
      else this.rows.set(name, row);
    }
    this.log.push(...kept.log);
    if (kept.n > 0) this.version = kept.version;
    return kept;
  }
  take(post: Post): Outcome {
    return this.keep(this.cell().take(post));
  }
  send(event: object, dedupe?: string): Outcome {
    const given = { is: "mail", key: S, event: JSON.stringify(event) } as const;
    return this.take(dedupe === undefined ? given : { ...given, dedupe });
  }
  birth(): Outcome {
    return this.take({ is: "birth", input: JSON.stringify({ cwd: "/", principal: "tester" }) });
  }
  get words(): string[] {
    return this.log.map(({ json }) => {
      const row = JSON.parse(json) as Row;
      return row.type === "notice" ? row.payload.message : row.type;
    });
  }
}
