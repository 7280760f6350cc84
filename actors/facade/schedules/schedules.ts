/** The user's schedules behind the facade; loaded when they are asked for. */
import { existsSync, realpathSync } from "node:fs";
import type { Schedules } from "../../api/schedules.ts";
import { directory, plainPath } from "../../base/directory.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { announce, announced } from "../announced.ts";
import type { LazyRuntime } from "../lazy-runtime.ts";
import type { Runtime } from "../runtime.ts";
import { disable, enable } from "./enabling.ts";
import { listed } from "./listing.ts";
import { serveSchedules } from "./serving.ts";

/** One that is gone goes by the name by which it is listed. */
const placeOf = (cwd: string): string => (existsSync(cwd) ? realpathSync(directory(cwd)) : plainPath(cwd));

/** Throws USER.TRUST.NOT_YOURS for anybody but the user of this machine. */
export function openSchedules(opening: LazyRuntime, principal: string | null): Schedules {
  const open = (): Runtime => {
    const runtime = opening.runtime();
    if (principal === null || principal === runtime.user) return runtime;
    throw new TroupeError("USER.TRUST.NOT_YOURS", "only the user of this machine has schedules here");
  };
  const { environment } = opening;
  open();
  return {
    list: (cwd) => listed(open(), cwd === undefined ? null : realpathSync(directory(cwd))),
    isServed: () => announced(environment, "schedules").length > 0,
    enable: (cwd, workflow) => enable(open(), { cwd: realpathSync(directory(cwd)), workflow }),
    disable: (cwd, workflow) => disable(open(), { cwd: placeOf(cwd), workflow }),
    serve: async (tell) => {
      const runtime = open();
      if (runtime.options.ephemeral)
        throw new TroupeError("USER.SERVE.SCHEDULES", "what is ephemeral has no schedules: they are kept in the store");
      const unsay = announce(environment, "schedules", {});
      const stop = await serveSchedules(runtime, tell);
      return async () => {
        unsay();
        await stop();
      };
    },
  };
}
