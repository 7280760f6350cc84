/**
 * A process with a host of its own over the store that its first argument names, driven by its parent's messages.
 * Options are the second argument, as JSON. It tells of every job that starts; a job ends when its parent says so.
 */
import { dirname } from "node:path";
import { failpoint } from "../../../../actors/base/failpoint.ts";
import { EmbeddedHost } from "../../../../actors/host/embedded.ts";
import { Owning } from "../../../../actors/host/sqlite/owner.ts";
import { Store } from "../../../../actors/host/sqlite/store.ts";
import { START } from "../../../../machines/exchange.ts";
import type { Key } from "../../../../machines/model.ts";
import { Jobs } from "../../../support/host.ts";
import { BIRTH, MACHINES } from "../../../support/host-machines.ts";
import type { Ask, Options, Said } from "../../../support/host-process.ts";

const file = process.argv[2]!;
const options = JSON.parse(process.argv[3] ?? "{}") as Options;
const say = (said: Said): void => void process.send?.(said);
let ids = 0;
const owning = new Owning(dirname(file));

const host = new EmbeddedHost({
  storage: new Store(file, options.durability ?? "normal"),
  clock: {
    now: () => Date.now() + (options.aheadMs ?? 0),
    elapsed: () => performance.now(),
    after: (ms, act) => {
      const timeout = setTimeout(act, ms);
      return () => clearTimeout(timeout);
    },
  },
  id: (kind) => `${kind}-${process.pid}-${++ids}`,
  owner: owning,
  failpoint: failpoint(options.failpoint),
});
for (const [kind, machine] of MACHINES) host.machine(kind, machine);
const jobs = new Jobs();
host.work("job", jobs.work);
jobs.onStart = ({ label }) => {
  if (options.finish) jobs.all.at(-1)!.done("by itself");
  say({ did: "start", label });
};

async function answer(ask: Ask): Promise<unknown> {
  switch (ask.do) {
    case "create":
      return host.create(ask.key, BIRTH);
    case "send":
      return host.send(ask.key, ask.event, ask.dedupe === undefined ? {} : { dedupe: ask.dedupe });
    case "rows":
      return host.rows(ask.key, 0, 1_000_000);
    case "record":
      return jobs.all[ask.job]!.context.record({ type: "notice", payload: { severity: "info", message: ask.message } });
    case "speak":
      return jobs.all[ask.job]!.context.text({ type: "message.assistant", block: "b" }).say(ask.text);
    case "finish":
      return jobs.all[ask.job]!.done(ask.output);
    case "follow": {
      host.listen();
      host.follow(ask.key as Key, START, (frames) => say({ did: "follow", frames: [...frames] }));
      return;
    }
    case "stop":
      await host.stop();
      return;
    default:
      return ask satisfies never;
  }
}
process.on("message", ({ id, ask }: { id: number; ask: Ask }) => {
  answer(ask).then(
    (value) => say({ did: "answer", id, value: value ?? null }),
    (error: unknown) => say({ did: "fail", id, message: String(error) }),
  );
});
process.on("disconnect", () => process.exit());
say({ did: "up" });
