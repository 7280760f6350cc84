/**
 * Every defence of a server twice: with it the attack fails, and with that defence taken out of the sources the same
 * attack succeeds, so that it is the defence that stops it. Real servers, real sockets.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WITH_TOOLS } from "../soak/sessions/inside.ts";
import { type House, openHouse } from "../support/house.ts";
import { NO_BROWSER } from "../support/page.ts";
import { type Server, startServer } from "../support/server.ts";
import { Started } from "../support/started.ts";
import type { Change } from "./serve/defence.ts";
import { DEFENCES } from "./serve/defences.ts";

const WITHOUT = fileURLToPath(new URL("./programs/without.mjs", import.meta.url));
const MAIN = fileURLToPath(new URL("../../transports/cli/main.ts", import.meta.url));
const PAGE = fileURLToPath(new URL("../../docs/serve.md", import.meta.url));

type Env = { readonly [name: string]: string };
const EVERYWHERE: Env = { TROUPE_TRUST: "1", ...NO_BROWSER };

let house: House;
const changed: Started[] = [];
beforeEach(() => {
  house = openHouse(["hello", "gate", "say"].map((name) => `acceptance/${name}.yaml`));
});
afterEach(async () => {
  for (const one of changed) one.kill();
  await Promise.all(changed.splice(0).map((one) => one.ended));
  await house.leave();
});

/** A server from the sources, with these changes. */
function serveWith(changes: readonly Change[], args: string[], own: Env): Promise<Server> {
  const troupe: House["troupe"] = (words, env) => {
    const started = new Started([process.execPath, ...WITH_TOOLS, "--import", WITHOUT, MAIN, ...words], {
      cwd: house.cwd,
      env: { ...house.env, ...env },
    });
    changed.push(started);
    return started;
  };
  return startServer({ ...house, troupe }, args, {
    ...EVERYWHERE,
    ...own,
    TROUPE_WITHOUT: JSON.stringify(changes),
  });
}

test.each(DEFENCES)(
  "$threat: $attack",
  async ({ without, scaled, args, env = {}, succeeds }) => {
    const words = args?.(house) ?? [];
    const defended =
      scaled === undefined
        ? await startServer(house, words, { ...EVERYWHERE, ...env }, WITH_TOOLS)
        : await serveWith(scaled, words, env);
    expect(await succeeds({ server: defended, house })).toBe(false);
    defended.process.kill();
    await defended.process.ended;
    expect(await succeeds({ server: await serveWith(without, words, env), house })).toBe(true);
  },
  120_000,
);

test("the page about the server has every attack", () => {
  const page = readFileSync(PAGE, "utf8");
  expect(DEFENCES.filter(({ threat, attack }) => !page.includes(`| ${threat} | ${attack} |`))).toEqual([]);
});
